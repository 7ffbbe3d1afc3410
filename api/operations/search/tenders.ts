import { z } from 'zod';
import { ROWS } from '../../../search/filters/read.ts';
import { defineOperation } from '../../contract/operation.ts';
import { checkSearch } from '../filters/apply.ts';
import { namesOf } from '../shared/inputs.ts';
import { presentation, query, tenderFilters } from './inputs.ts';
import { SEARCH_KEPT, SEARCH_MAX, search, toPage, toSearchItem } from './run.ts';
import { tenderResult } from './shapes.ts';

const input = z.strictObject({ query, ...tenderFilters, ...presentation });

/** Inputs that are described at the search for notices alone. */
const ALIKE = [
  'query',
  ...Object.keys(presentation),
  'buyer_id',
  'cpv',
  'region',
  'nation',
  'value_min',
  'value_max',
  'published_from',
  'published_to',
  'source',
  'notice_type',
  'stage',
  'suitable_for',
  'special_regime',
  'reserved_for',
  'above_threshold',
  'buyer_kind',
];

export const searchTenders = defineOperation({
  name: 'search_tenders',
  title: 'Search live tenders',
  description:
    'Use this to find UK public tenders that can be bid for now; each procurement once, with its deadline. ' +
    'status closed or any looks back; common inputs as in {search_notices}. ' +
    'Take notice_id to {get_notice} for the whole text and how to apply.',
  credits: 2,
  input,
  filters: ROWS,
  describedBy: { tools: ['search_notices'], inputs: ALIKE },
  output: tenderResult,
  bindings: [
    {
      method: 'GET',
      path: '/tenders/search',
      operationId: 'search_tenders',
      summary: 'Search live tenders',
      description:
        'Searches procurements that can be bid for now, each once, with its deadline. A tender is live while its deadline lies ahead and it is not cancelled, withdrawn or complete. status=closed and status=any look back. {get_notice} answers the whole text and how to apply. For the next page, send meta.next_cursor as cursor.',
      inputs: namesOf(input),
      example: { query: 'maintenance', limit: 2 },
    },
  ],
  stated: [
    'items.notice_id',
    'items.title',
    'items.deadline',
    'items.buyer',
    'items.buyer_id',
    'count',
    'total',
    'meta.next_cursor',
  ],
  shortening: {
    of: 'items',
    keep: [
      'items.buyer',
      'items.buyer_id',
      'items.deadline_at',
      'items.value',
      'items.currency',
      'items.highlight',
      ...SEARCH_KEPT,
    ],
    most: SEARCH_MAX,
  },
  example: { query: 'maintenance', limit: 5 },
  check: (input) => checkSearch(input),
  async run(input, services) {
    const { answer, frame } = await search(services, 'tenders', input);
    const now = services.clocks.catalogueNow();
    const items = answer.hits.map((hit) => ({
      notice_id: hit.notice_id,
      title: hit.title,
      deadline: hit.deadline,
      buyer: hit.buyer,
      published: hit.published,
      ...toSearchItem(hit, now),
    }));
    return toPage(items, frame);
  },
});
