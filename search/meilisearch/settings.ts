import type { Settings } from 'meilisearch';
import { tokenRows } from '../collections/index.ts';
import type { Collection } from '../collections/shape.ts';
import { FACET_VALUES_MAX } from '../documents/facets.ts';
import { synonymTable } from '../query/synonyms.ts';
import { COUNT_MAX, DEPTH_MAX } from '../results/cursor.ts';
import { FORGIVES } from './corrections.ts';
import { listAttributes, orderedBy } from './filters.ts';

/** After this time the server answers with partial results, without saying so: later than any query's deadline, so that no such answer is used. */
const CUTOFF_MS = 30_000;

/** What is filtered by in every collection, in addition to its own numbers, values and facets. */
const FILTERED = [
  'standings',
  'day',
  'place',
  'cpvs',
  'notice_id',
  'ocid',
  'company_numbers',
  'districts',
  'said_codes',
  'says_technology',
];

/** The searched fields, the most important first. */
export const SEARCHED = ['title', 'buyer', 'suppliers', 'subjects', 'description'];

/** Signs that the server takes for letters: `£50k` is one word to it. */
const SIGNS = [...'$<=>^|~¢£¤¥¦¨©¬®¯°´¸€'];
/** Queries have no possessive endings, and a phrase would not be found across one. */
const POSSESSIVES = ["'s ", '’s ', "'S ", '’S '];

/** Settings of a collection's index. A change of any of them rebuilds the index. */
export const indexSettings = (collection: Collection): Settings => ({
  searchableAttributes: SEARCHED,
  filterableAttributes: [
    ...new Set([
      ...FILTERED,
      ...collection.compared.map(({ name }) => name),
      ...tokenRows(collection).flatMap(listAttributes),
      ...collection.facets.map((name) => `facet_${name}`),
    ]),
  ],
  sortableAttributes: orderedBy(collection),
  // An explicit sort decides alone. Otherwise words that are close together and as requested count first, then title over buyer over description; equals are newest first.
  rankingRules: ['sort', 'words', 'typo', 'proximity', 'exactness', 'attribute', 'title_words:asc', 'place:desc'],
  typoTolerance: {
    enabled: true,
    minWordSizeForTypos: { oneTypo: FORGIVES.one, twoTypos: FORGIVES.two },
    disableOnNumbers: true,
  },
  separatorTokens: [...SIGNS, ...POSSESSIVES],
  synonyms: synonymTable(),
  faceting: { maxValuesPerFacet: FACET_VALUES_MAX, sortFacetValuesBy: { '*': 'count' } },
  // One more than is counted shows that there are more.
  pagination: { maxTotalHits: Math.max(COUNT_MAX + 1, DEPTH_MAX) },
  searchCutoffMs: CUTOFF_MS,
});
