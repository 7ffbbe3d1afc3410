import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { checkBounds, parseFacets, parseFields } from './shared/check-filters.ts';
import { namesOf } from './shared/inputs.ts';
import { search, toSearchItem } from './shared/search.ts';
import { noticeFilters, presentation, query, tenderFilters } from './shared/search-inputs.ts';
import { tenderItem, tenderResult } from './shared/search-shapes.ts';

const input = z.strictObject({ query, ...noticeFilters, ...tenderFilters, ...presentation });
const FIELDS = Object.keys(tenderItem.shape);

export const searchTenders = defineOperation({
  name: 'search_tenders',
  title: 'Search live tenders',
  description:
    'Use this when you look for UK public tenders that can be bid for now; live is decided at the moment of asking. ' +
    'Each procurement comes once, with its deadline. Narrow by buyer, CPV, region, value or dates; status closed or any looks back. ' +
    'Take notice_id to get_notice for the whole text and how to apply. query * means all.',
  credits: 2,
  input,
  output: tenderResult,
  bindings: [
    {
      method: 'GET',
      path: '/tenders/search',
      operationId: 'search_tenders',
      summary: 'Search live tenders',
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
    const { answer, frame } = await search(house, 'tenders', input);
    const fields = parseFields(input.fields, FIELDS);
    const asked = (name: string) => !fields || fields.has(name);
    const items = answer.hits.map((hit) => ({
      notice_id: hit.notice_id,
      title: hit.title,
      deadline: hit.deadline,
      ...(asked('buyer') && { buyer: hit.buyer }),
      ...(asked('published') && { published: hit.published }),
      ...toSearchItem(hit, fields),
    }));
    const body = { items, ...frame };
    return items.length === 0 ? { kind: 'answer', body, charge: 'none' } : { kind: 'answer', body };
  },
});
