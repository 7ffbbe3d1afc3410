import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { checkBounds, parseFacets, parseFields } from './shared/check-filters.ts';
import { namesOf, optionally } from './shared/inputs.ts';
import { search, toSearchItem } from './shared/search.ts';
import { noticeFilters, presentation, query } from './shared/search-inputs.ts';
import { noticeItem, noticeResult } from './shared/search-shapes.ts';

const input = z.strictObject({ query: optionally(query), ...noticeFilters, ...presentation });
const FIELDS = Object.keys(noticeItem.shape);

export const searchNotices = defineOperation({
  name: 'search_notices',
  title: 'Search procurement notices',
  description:
    'Use this when you look for UK public procurement of any stage (planned, open, awarded, changed) by words, buyer, CPV, region, value or date. ' +
    'Answers brief items; take their notice_id to get_notice or lookup_contract, their buyer_id to the buyer operations. ' +
    'For live opportunities use search_tenders. total says how many match; meta.next_cursor leads on.',
  credits: 2,
  input,
  output: noticeResult,
  bindings: [
    {
      method: 'GET',
      path: '/notices/search',
      operationId: 'search_notices',
      summary: 'Search notices of every stage',
      inputs: namesOf(input),
      example: { query: 'maintenance', limit: 5 },
    },
  ],
  example: { query: 'maintenance', limit: 5 },
  check(input) {
    checkBounds(input);
    parseFacets(input.facets);
    parseFields(input.fields, FIELDS);
  },
  async run(input, house) {
    const { answer, frame } = await search(house, 'notices', input);
    const fields = parseFields(input.fields, FIELDS);
    const items = answer.hits.map((hit) => ({
      notice_id: hit.notice_id,
      title: hit.title,
      buyer: hit.buyer,
      published: hit.published,
      ...toSearchItem(hit, fields),
      ...(hit.deadline && (!fields || fields.has('deadline')) && { deadline: hit.deadline }),
    }));
    const body = { items, ...frame };
    return items.length === 0 ? { kind: 'answer', body, charge: 'none' } : { kind: 'answer', body };
  },
});
