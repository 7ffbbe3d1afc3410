import { z } from 'zod';
import { omitEmpty } from '../../../schema/answers/omit-empty.ts';
import type { ValueClass } from '../../../schema/catalogue/details.ts';
import { COUNTED_AS } from '../../../schema/catalogue/enums.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { AnyHit } from '../../../search/engine.ts';
import { CONTRACT_FACETS } from '../../../search/filters/facets.ts';
import { rowsOf } from '../../../search/filters/read.ts';
import { defineOperation } from '../../contract/operation.ts';
import { readBuyerNames } from '../../reads/buyers.ts';
import { type ContractRow, readContractsAmong } from '../../reads/contracts.ts';
import { readNamesOf } from '../../reads/names.ts';
import { toIssuedItem } from '../contracts/items.ts';
import { checkSearch } from '../filters/apply.ts';
import { namesOf, optionally } from '../shared/inputs.ts';
import { type contractItem, contractResult } from './contract-shapes.ts';
import { CONTRACT_SORTS, contractFilters, noticeFilters, presentation, query } from './inputs.ts';
import { SEARCH_KEPT, SEARCH_MAX, searchIn, toPage } from './run.ts';

const input = z.strictObject({
  query: optionally(query),
  ...contractFilters,
  ...presentation,
  sort: z.enum(CONTRACT_SORTS).optional().describe('- is descending'),
  facets: presentation.facets.describe(`Counts by ${CONTRACT_FACETS.join(', ')}`),
});

/** Inputs with the same meaning as in the search for notices. */
const OWN = new Set(['facets', 'fields']);
const ALIKE = [
  'query',
  ...Object.keys(presentation).filter((name) => !OWN.has(name)),
  ...Object.keys(contractFilters).filter((name) => name in noticeFilters),
];

export const searchContracts = defineOperation({
  name: 'search_contracts',
  title: 'Search awarded contracts',
  description:
    'Use this to find contracts that were awarded: who supplies what to whom, for how much, and when it ends. ' +
    'Each contract once; common inputs as in {search_notices}. Take contract_id to {lookup_contract}, company_id to {company_contracts}.',
  credits: 2,
  input,
  filters: rowsOf('contracts'),
  describedBy: { tools: ['search_notices'], inputs: ALIKE },
  output: contractResult,
  bindings: [
    {
      method: 'GET',
      path: '/contracts/search',
      operationId: 'search_contracts',
      summary: 'Search awarded contracts',
      description:
        'Searches awarded contracts, each once however many notices speak of it, by words, supplier, buyer, framework, subject, place, value, procedure, ground of a direct award, bids and days. ends_from and ends_to find what runs out, status=active what runs today, and standstill_from of today what can still be challenged. {lookup_contract} answers one with its evidence. For the next page, send meta.next_cursor as cursor.',
      inputs: namesOf(input),
      example: { query: 'maintenance', limit: 2 },
    },
  ],
  stated: ['items.contract_id', 'items.supplier', 'items.ends', 'meta.next_cursor'],
  shortening: {
    of: 'items',
    keep: [
      'items.buyer_id',
      'items.currency',
      'items.awarded',
      'items.ends',
      'items.ends_latest',
      'items.status',
      'items.highlight',
      'facet_names',
      ...SEARCH_KEPT,
    ],
    most: { ...SEARCH_MAX, facet_names: 1_000 },
  },
  toolDefaults: { limit: 11 },
  example: { query: 'maintenance', limit: 5 },
  check: (input) => checkSearch(input, CONTRACT_FACETS),
  async run(input, services) {
    const { catalogue, clocks } = services;
    const { answer, frame } = await searchIn(services.search.contracts, services, 'contracts', input);
    const rows = await readContractsAmong(
      catalogue,
      answer.hits.map(({ id }) => id),
    );
    const now = clocks.catalogueNow();
    const items = answer.hits.flatMap((hit) => toItems(hit, rows, now));
    const names = answer.facets && (await readFacetNames(catalogue, answer.facets));
    return toPage(items, { ...frame, ...(names && { facet_names: names }) });
  },
});

/** Absent where the index still has a contract that the catalogue no longer has. */
function toItems(hit: AnyHit, rows: ReadonlyMap<string, ContractRow>, now: Date): z.input<typeof contractItem>[] {
  const row = rows.get(hit.id);
  if (!row) return [];
  const { value_class, lots: _lots, value = null, ...issued } = toIssuedItem(row, now);
  return [
    {
      ...issued,
      buyer: row.buyer,
      value,
      counted_as: COUNTED_AS[(value_class ?? 'unstated') as ValueClass],
      ...omitEmpty({ buyer_id: row.buyer_id }),
      ...omitEmpty({ extract: hit.extract, highlight: hit.highlight }),
    },
  ];
}

/** The names of the counted buyers and suppliers, by id. */
async function readFacetNames(
  catalogue: Database,
  { buyer_id = {}, company_id = {} }: Partial<Record<string, Record<string, number>>>,
): Promise<Record<string, string>> {
  const [buyers, companies] = [Object.keys(buyer_id), Object.keys(company_id)];
  const named = [
    ...(buyers.length > 0 ? await readBuyerNames(catalogue, buyers) : []),
    ...(companies.length > 0 ? await readNamesOf(catalogue, 'supplier', companies) : []),
  ];
  return Object.fromEntries(named);
}
