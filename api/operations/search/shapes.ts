import { z } from 'zod';
import { countKind, filtersUsed, instant } from '../../../schema/answers/shapes.ts';
import { unknownFilters } from '../filters/known.ts';
import { alsoOn, nation, noticeStatus, stage } from '../shared/notice-shapes.ts';
import { CONTRACT_SORTS, FRAMEWORK_SORTS, NOTICE_SORTS, SORTS, wordsMatch } from './inputs.ts';

const stated = { notice_id: z.string(), title: z.string() };
const published = z.string();
const buyer = z.string().nullable();
const deadline = z.string().nullable();

/** Fields of an item from which `fields` may choose. */
const further = {
  ocid: z.string().optional(),
  buyer_id: z.string().optional(),
  extract: z.string().optional(),
  highlight: z.string().optional(),
  published_at: z.string().optional(),
  deadline_at: z.string().optional(),
  tender_expected: z.string().optional(),
  value: z.number().optional(),
  currency: z.string().optional(),
  cpv: z.string().optional(),
  region: z.string().optional(),
  region_code: z.string().optional(),
  nation: nation.optional(),
  source: z.string().optional(),
  also_on: alsoOn.optional(),
  stage: stage.optional(),
  notice_type: z.string().optional(),
  status: noticeStatus.optional(),
  framework_id: z.string().optional(),
  url: z.string().optional(),
};

export const noticeItem = z.object({ ...stated, buyer, published, ...further, deadline: deadline.optional() });
export const tenderItem = z.object({
  ...stated,
  deadline,
  ...further,
  buyer: buyer.optional(),
  published: published.optional(),
});

/** How many results have each value of one facet. */
export const facet = z.record(z.string(), z.int());
export const facets = z.record(z.string(), facet);

export const searchEngine = z.enum(['embedded', 'meilisearch']);
export const searchSort = z.enum(SORTS);
export const noticeSort = z.enum(NOTICE_SORTS);
export const contractSort = z.enum(CONTRACT_SORTS);
export const frameworkSort = z.enum(FRAMEWORK_SORTS);
const sortUsed = z.enum([...new Set([...NOTICE_SORTS, ...CONTRACT_SORTS, ...FRAMEWORK_SORTS])]);
export const failover = z.object({
  engine: searchEngine,
  reason: z.enum(['down', 'slow', 'failing', 'behind', 'long', 'any', 'few', 'continued', 'many']),
});
export const correction = z.object({ from: z.string(), to: z.string() });
export const rewording = z.object({ from: z.string(), to: z.array(z.string()) });

/** How the search was carried out. */
export const searchMeta = z.object({
  query: z.string(),
  filters: filtersUsed.describe('The effective filters'),
  sort: sortUsed,
  as_of: z
    .record(z.string(), instant.nullable())
    .describe('Source to the instant before which everything published is held'),
  engine: searchEngine.describe('Which one answered'),
  failover: failover.optional().describe('Which engine was to answer, and why it did not'),
  ranking_limited: z
    .boolean()
    .describe(
      'True where only the newest hits of a very common query were looked at, ranked or counted by facet, or its commonest words were not weighed',
    ),
  match: wordsMatch.describe('How many words a result must hold'),
  match_level: z
    .enum(['all', 'prefix', 'any'])
    .describe('all: every word; prefix: the last as a beginning; any: one of them'),
  any: z
    .int()
    .optional()
    .describe('Where nothing has all of the words: how many have some (match=any finds them), counted to 10,000'),
  ignored_words: z.int().optional().describe('How many of the last words were not looked for, being too many'),
  corrections: z.array(correction).describe('Typing mistakes that were forgiven'),
  synonyms: z.array(rewording).optional().describe('Wordings of the query that were looked for in other words too'),
  unknown_filters: unknownFilters,
  next_cursor: z.string().nullable(),
});

/** The answer of a search for such items. */
export function resultOf<T extends z.ZodObject>(item: T) {
  return z.object({
    items: z.array(item),
    count: z.int().describe('Items in this answer'),
    total: z.int().optional().describe('How many match; absent on an empty page behind the last'),
    total_is: countKind.optional(),
    facets: facets.optional(),
    meta: searchMeta,
  });
}

export const noticeResult = resultOf(noticeItem);
export const tenderResult = resultOf(tenderItem);
