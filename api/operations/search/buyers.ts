import { z } from 'zod';
import { omitEmpty } from '../../../schema/answers/omit-empty.ts';
import { isoInstant } from '../../../schema/config/clocks.ts';
import { LISTED_BUYER_FILTERS } from '../../../search/filters/listed.ts';
import { rowsOf } from '../../../search/filters/read.ts';
import type { ListedBuyers } from '../../contract/long-reads.ts';
import { defineOperation } from '../../contract/operation.ts';
import { inputsOf } from '../../validation/inputs.ts';
import { buyerKind, buyerScope } from '../buyers/answer.ts';
import { effectiveFilters } from '../filters/apply.ts';
import { findUnknownFilters } from '../filters/known.ts';
import { namesOf, queryWords } from '../shared/inputs.ts';
import { nation as nationShape } from '../shared/notice-shapes.ts';
import { allFilters } from './inputs.ts';
import { listCursor, listLimit, listOf, listQuery, readCursor, toListAnswer } from './list-pages.ts';

const input = z.strictObject({
  query: listQuery.meta({
    description: 'Words of its name, or acronym',
    examples: ['MOD'],
  }),
  kind: allFilters.kind,
  scope: allFilters.scope,
  region: allFilters.region,
  nation: allFilters.nation.describe('scotland, uk…'),
  ...inputsOf(LISTED_BUYER_FILTERS),
  limit: listLimit,
  cursor: listCursor,
});

export const listedBuyer = z.object({
  buyer_id: z.string(),
  name: z.string(),
  region: z.string().nullable(),
  region_code: z.string().optional(),
  nation: nationShape.optional(),
  kind: buyerKind.optional(),
  scope: buyerScope.optional().describe('How far it acts; absent where unknown'),
  contract_count: z.int(),
  framework_places: z.int(),
  value: z.number().optional().describe('Of its contracts whose value may be added up, in pounds'),
  currency: z.string().optional(),
  live_tender_count: z.int().describe('Tenders of it that can be bid for now'),
});

export const searchBuyers = defineOperation({
  name: 'search_buyers',
  title: 'Search buyers',
  description:
    'Use this to find the public bodies of a kind, region or market, or with words in their names; most contracts first. ' +
    'Take buyer_id to {buyer_profile}; for one body by its name use {lookup_buyer}.',
  credits: 2,
  input,
  filters: [...rowsOf('buyers'), ...LISTED_BUYER_FILTERS],
  output: listOf(listedBuyer),
  bindings: [
    {
      method: 'GET',
      path: '/buyers',
      operationId: 'list_buyers',
      summary: 'Buyers by name, kind, region and what they buy',
      description:
        'Lists the public bodies whose name or other name has these words or begins with them, of a kind, a scope or a region, or that buy what a CPV code stands for; counts and value are of everything that a body bought. The exact name comes first, then those with most contracts. For the next page, send next_cursor as cursor.',
      inputs: namesOf(input),
      example: { limit: 2 },
    },
  ],
  stated: [
    'items.buyer_id',
    'items.name',
    'items.region',
    'items.contract_count',
    'items.live_tender_count',
    'total',
    'next_cursor',
  ],
  toolDefaults: { limit: 15 },
  example: { limit: 2 },
  async run({ query: asked, limit, cursor, ...given }, services) {
    const query = queryWords(asked);
    const filters = await effectiveFilters(services.catalogue, given);
    const list = { name: 'buyers', query, filters };
    const after = readCursor(services, list, cursor);
    const now = isoInstant(services.clocks.catalogueNow());
    const found = await services.longReads.listBuyers({ ...filters, query, limit, after, now });
    const unknown = await findUnknownFilters(services.catalogue, filters, { found: found.total > 0 });
    return toListAnswer(found.entries.map(toItem), found, { services, list, unknown });
  },
});

function toItem(entry: ListedBuyers['entries'][number]) {
  return {
    buyer_id: entry.id,
    name: entry.name,
    region: entry.region,
    ...omitEmpty({
      region_code: entry.region_code,
      nation: entry.nation as z.output<typeof nationShape> | null,
      kind: entry.kind as z.output<typeof buyerKind> | null,
      scope: entry.scope as z.output<typeof buyerScope> | null,
    }),
    contract_count: entry.contract_count,
    framework_places: entry.framework_places,
    ...(entry.value !== null && { value: entry.value, currency: 'GBP' }),
    live_tender_count: entry.live_tender_count,
  };
}
