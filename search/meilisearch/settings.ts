import type { Settings } from 'meilisearch';
import { FACET_VALUES_MAX } from '../documents/facets.ts';
import { FACETS } from '../filters/facets.ts';
import { TOKEN_ROWS } from '../filters/read.ts';
import { synonymTable } from '../query/synonyms.ts';
import { DEPTH_MAX } from '../results/cursor.ts';
import { FORGIVES } from './corrections.ts';
import { listAttribute } from './filters.ts';

/** `total` is exact up to here; one more tells that there are more. */
export const COUNT_MAX = 10_000;
/** Past this the server answers with what it has, without saying so: later than any deadline of a query, after which nobody listens. */
const CUTOFF_MS = 30_000;

/** In the order of the first edition, as another order is another version of the index. */
const FILTERED = [
  'scopes',
  'open_until',
  'deadline_day',
  'deadline_seconds',
  'published_seconds',
  'place',
  'pounds',
  'ceiling_pounds',
  'cpv_parts',
  'region_parts',
  'cpvs',
  'buyer_id',
  'source',
  'stage',
  'notice_type',
  'notice_id',
  'ocid',
  'company_numbers',
  'said_codes',
  'says_technology',
  ...FACETS.map((name) => `facet_${name}`),
];

/** What words are looked for in, the weightiest first. */
export const SEARCHED = ['title', 'buyer', 'suppliers', 'subjects', 'description'];

/** Settings of the index. A change of any of them rebuilds the index. */
export const INDEX_SETTINGS: Settings = {
  searchableAttributes: SEARCHED,
  filterableAttributes: [...new Set([...FILTERED, ...TOKEN_ROWS.map(listAttribute)])],
  sortableAttributes: ['place', 'deadline_seconds', 'pounds', 'ceiling_pounds'],
  // An explicit sort decides alone; otherwise words that stand together and as they were asked, title over buyer over description; the newest of equals.
  rankingRules: ['sort', 'words', 'typo', 'proximity', 'exactness', 'attribute', 'title_words:asc', 'place:desc'],
  typoTolerance: {
    enabled: true,
    minWordSizeForTypos: { oneTypo: FORGIVES.one, twoTypos: FORGIVES.two },
    disableOnNumbers: true,
  },
  synonyms: synonymTable(),
  faceting: { maxValuesPerFacet: FACET_VALUES_MAX, sortFacetValuesBy: { '*': 'count' } },
  pagination: { maxTotalHits: Math.max(COUNT_MAX + 1, DEPTH_MAX) },
  searchCutoffMs: CUTOFF_MS,
};
