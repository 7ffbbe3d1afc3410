import { z } from 'zod';
import { ROWS } from '../../../search/filters/read.ts';
import { defineOperation } from '../../contract/operation.ts';
import { checkSearch } from '../filters/apply.ts';
import { namesOf, optionally } from '../shared/inputs.ts';
import { NOTICE_SORTS, noticeFilters, presentation, query } from './inputs.ts';
import { SEARCH_KEPT, SEARCH_MAX, search, toPage, toSearchItem } from './run.ts';
import { noticeResult } from './shapes.ts';

const pages = { ...presentation, sort: z.enum(NOTICE_SORTS).optional().describe('- is descending') };
const input = z.strictObject({ query: optionally(query), ...noticeFilters, ...pages });

export const searchNotices = defineOperation({
  name: 'search_notices',
  title: 'Search procurement notices',
  description:
    'Use this to find UK public procurement of any stage; for what can be bid for now use {search_tenders}. Several codes: commas between. ' +
    "Take an item's notice_id to {get_notice} or {lookup_contract}, its buyer_id to the buyer tools.",
  credits: 2,
  input,
  filters: ROWS,
  output: noticeResult,
  bindings: [
    {
      method: 'GET',
      path: '/notices/search',
      operationId: 'search_notices',
      summary: 'Search notices of every stage',
      description:
        'Searches notices of every stage: planned, open, awarded and changed. Each result is one notice. {search_tenders} finds what can be bid for now, {get_notice} answers a whole notice, and {lookup_contract} who won it. With stage=planning, tender_expected_from and tender_expected_to find what is to be put out to tender, and sort=tender_expected lists the soonest first. For the next page, send meta.next_cursor as cursor.',
      inputs: namesOf(input),
      example: { query: 'maintenance', limit: 2 },
    },
  ],
  stated: [
    'items.notice_id',
    'items.title',
    'items.buyer',
    'items.published',
    'items.buyer_id',
    'count',
    'total',
    'meta.next_cursor',
  ],
  shortening: {
    of: 'items',
    keep: [
      'items.buyer_id',
      'items.deadline_at',
      'items.stage',
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
    const { answer, frame } = await search(services, 'notices', input);
    const now = services.clocks.catalogueNow();
    const items = answer.hits.map((hit) => ({
      notice_id: hit.notice_id,
      title: hit.title,
      buyer: hit.buyer,
      published: hit.published,
      ...toSearchItem(hit, now),
      ...(hit.deadline && { deadline: hit.deadline }),
    }));
    return toPage(items, frame);
  },
});
