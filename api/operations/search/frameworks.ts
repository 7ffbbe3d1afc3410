import { z } from 'zod';
import { omitEmpty } from '../../../schema/answers/omit-empty.ts';
import type { SearchHit } from '../../../search/engine.ts';
import { FACETS } from '../../../search/filters/facets.ts';
import { ROWS } from '../../../search/filters/read.ts';
import { defineOperation } from '../../contract/operation.ts';
import { type FrameworkRow, readFrameworksAmong } from '../../reads/frameworks.ts';
import { checkSearch } from '../filters/apply.ts';
import { frameworkItem, toFrameworkItem } from '../frameworks/answer.ts';
import { namesOf, optionally } from '../shared/inputs.ts';
import { FRAMEWORK_SORTS, frameworkFilters, presentation, query } from './inputs.ts';
import { SEARCH_KEPT, SEARCH_MAX, search, toPage } from './run.ts';
import { resultOf } from './shapes.ts';

const filters = frameworkFilters;
const pages = { ...presentation, sort: z.enum(FRAMEWORK_SORTS).optional().describe('- is descending') };
/** The value bands are those of notices, applied to a framework's ceiling. */
const FRAMEWORK_FACETS = FACETS.filter((name) => name !== 'value_band');
const input = z.strictObject({
  query: optionally(query),
  ...filters,
  value_min: filters.value_min.describe('Least ceiling, GBP'),
  value_max: filters.value_max.describe('Greatest ceiling, GBP'),
  ...pages,
  facets: pages.facets.describe('As of notices, without value_band'),
});

/** Inputs with the same meaning as in the search for notices. */
const OWN = ['value_min', 'value_max', 'framework_kind', 'ends_from', 'ends_to', 'facets', 'fields'];
const ALIKE = Object.keys(input.shape).filter((name) => !OWN.includes(name));

export const searchFrameworks = defineOperation({
  name: 'search_frameworks',
  title: 'Search frameworks',
  description:
    'Use this to find framework agreements and dynamic markets, with inputs as in {search_notices}. ' +
    'Answers period, ceiling and counts of lots and suppliers; take framework_id to {lookup_framework}.',
  credits: 2,
  input,
  filters: ROWS,
  describedBy: { tools: ['search_notices'], inputs: ALIKE },
  output: resultOf(frameworkItem),
  bindings: [
    {
      method: 'GET',
      path: '/frameworks/search',
      operationId: 'search_frameworks',
      summary: 'Search frameworks and dynamic markets',
      description:
        'Searches framework agreements and dynamic markets by words, buyer, kind of buyer, CPV code, region, date, kind or end: ends_from and ends_to find what may be let again. With framework_kind=dynamic_market, ends_from of today finds the markets that are open. Each result states its period, its ceiling, and how many lots and suppliers it has. {lookup_framework} answers the lots with their suppliers. For the next page, send meta.next_cursor as cursor.',
      inputs: namesOf(input),
      example: { limit: 2 },
    },
  ],
  stated: [
    'items.framework_id',
    'items.title',
    'items.buyer',
    'items.lot_count',
    'items.supplier_count',
    'items.evidence',
    'count',
    'total',
    'meta.next_cursor',
  ],
  shortening: {
    of: 'items',
    keep: ['items.ends', 'items.ceiling', 'items.currency', 'items.highlight', ...SEARCH_KEPT],
    most: { ...SEARCH_MAX, 'items.evidence': 2 },
  },
  toolDefaults: { limit: 15 },
  example: { limit: 5 },
  check: (input) => checkSearch(input, FRAMEWORK_FACETS),
  async run(input, services) {
    const { answer, frame } = await search(services, 'frameworks', input);
    const ids = answer.hits.flatMap((hit) => (hit.framework_id ? [hit.framework_id] : []));
    const rows = await readFrameworksAmong(services.catalogue, ids);
    const items = answer.hits.flatMap((hit) => toItems(hit, rows));
    return toPage(items, frame);
  },
});

/** Absent where the index still has a framework that the catalogue no longer has. */
function toItems(hit: SearchHit, rows: Map<string, FrameworkRow>) {
  const row = rows.get(hit.framework_id ?? '');
  return row ? [{ ...toFrameworkItem(row), ...omitEmpty({ extract: hit.extract, highlight: hit.highlight }) }] : [];
}
