import type { MultiSearchResult, SearchParams } from 'meilisearch';
import { makeCursor, type Position, parseCursor } from '../cursor.ts';
import type { FacetName, MatchLevel, SearchAnswer, SearchHit, SearchQuery } from '../engine.ts';
import { CLOSE_MARK, OPEN_MARK, renderMarks } from '../marks.ts';
import { type ParsedQuery, parseQuery } from '../query.ts';
import { type IndexedDocument, SHOWN } from './documents.ts';
import { filterConditions, identifierCondition, sortRules } from './filters.ts';
import { COUNT_MAX } from './settings.ts';

/** With fewer documents than this for all words, most of them will do. */
const TOO_FEW = 10;
/** The server reads no more words of a query than this. */
const WORDS_READ = 10;
/** How far a page boundary may have moved since the page before, in documents. */
const SLACK = 100;
const SNIPPET_WORDS = 32;

type Found = MultiSearchResult<IndexedDocument>;
/** Runs several searches of one index in one request. */
export type RunSearches = (queries: (Omit<SearchParams, 'q'> & { q: string })[]) => Promise<Found[]>;

/**
 * Answers one query. Pages start after the last document of the page before, wherever it stands by now.
 * @throws BadCursor
 */
export async function findWithMeilisearch(run: RunSearches, query: SearchQuery): Promise<SearchAnswer> {
  const position = query.cursor === undefined ? undefined : parseCursor(query.cursor, query);
  const parsed = parseQuery(query.text);
  const { level, asked, total } = await chooseAsked(run, query, parsed, position?.level);
  const offset = position ? await readOffset(run, asked, position) : 0;
  const [page] = await run([
    { ...asked, offset, limit: query.limit + 1, attributesToRetrieve: [...SHOWN], ...(query.highlight ? MARKS : {}) },
  ]);
  const found = page?.hits ?? [];
  const last = found.slice(0, query.limit).at(-1);
  const served = (position?.served ?? 0) + Math.min(found.length, query.limit);
  const more = found.length > query.limit && last;
  return {
    hits: found.slice(0, query.limit).map(toHit),
    total: Math.min(total.totalHits ?? 0, COUNT_MAX),
    exact: (total.totalHits ?? 0) <= COUNT_MAX,
    nextCursor: more ? makeCursor({ engine: 'meilisearch', served, level, key: last.id, value: null }, query) : null,
    ...(query.facets ? { facets: readFacets(total, query.facets) } : {}),
    meta: {
      engine: 'meilisearch',
      bounded: false,
      corrections: [],
      matched: level,
      ignoredWords: parsed.ignoredWords + Math.max(0, parsed.words.length - WORDS_READ),
    },
  };
}

const MARKS: Omit<SearchParams, 'q'> = {
  attributesToHighlight: ['title', 'description'],
  attributesToCrop: ['description'],
  cropLength: SNIPPET_WORDS,
  highlightPreTag: OPEN_MARK,
  highlightPostTag: CLOSE_MARK,
};

type Asked = Omit<SearchParams, 'q'> & { q: string };

/** All words, or most of them where too few documents have all; with the exact total and the facets of what was chosen. */
async function chooseAsked(
  run: RunSearches,
  query: SearchQuery,
  parsed: ParsedQuery,
  wanted: MatchLevel | undefined,
): Promise<{ level: MatchLevel; asked: Asked; total: Found }> {
  const facets = query.facets?.map((name) => `facet_${name}`);
  // A page of its own is what makes the server count exactly.
  const counting = { page: 1, hitsPerPage: 1, attributesToRetrieve: ['id'], ...(facets ? { facets } : {}) };
  const all = askedFor(query, parsed, 'all');
  const most = { ...all, matchingStrategy: 'frequency' as const };
  const single = parsed.words.length < 2;
  const strict = wanted === undefined || wanted === 'all' || wanted === 'prefix';
  if (strict || single) {
    const [total] = await run([{ ...all, ...counting }]);
    const enough = single || wanted !== undefined || (total?.totalHits ?? 0) >= TOO_FEW;
    if (total && enough) return { level: 'all', asked: all, total };
    const [wider] = await run([{ ...most, ...counting }]);
    if (total && (wider?.totalHits ?? 0) <= (total.totalHits ?? 0)) return { level: 'all', asked: all, total };
    if (wider) return { level: 'most', asked: most, total: wider };
  }
  const [total] = await run([{ ...most, ...counting }]);
  if (!total) throw new Error('a search without an answer');
  return { level: 'most', asked: most, total };
}

function askedFor(query: SearchQuery, parsed: ParsedQuery, matchingStrategy: 'all'): Asked {
  const quoted = parsed.phrases.map((words) => `"${words.join(' ')}"`);
  const words = [...quoted, ...parsed.words].join(' ');
  const sort = sortRules(query, words !== '');
  return {
    // A trailing space ends the last word; without one it may be the beginning of a longer one.
    q: parsed.partial ? words : `${words} `.trimStart(),
    filter: [...filterConditions(query), ...parsed.identifiers.map(identifierCondition)],
    matchingStrategy,
    ...(sort.length > 0 ? { sort } : {}),
  };
}

/** Where the next page starts now: after the last document served, if it is still about where it was. */
async function readOffset(run: RunSearches, asked: Asked, position: Position): Promise<number> {
  if (position.engine !== 'meilisearch') return position.served;
  const start = Math.max(0, position.served - SLACK);
  const [around] = await run([{ ...asked, offset: start, limit: 2 * SLACK, attributesToRetrieve: ['id'] }]);
  const place = around?.hits.findIndex(({ id }) => id === position.key) ?? -1;
  return place < 0 ? position.served : start + place + 1;
}

function toHit(found: Found['hits'][number]): SearchHit {
  const { _formatted: formatted, ...rest } = found;
  const shown = Object.fromEntries(SHOWN.map((name) => [name, rest[name] ?? null])) as unknown as SearchHit;
  const marked = [formatted?.description, formatted?.title].find((text) => text?.includes(OPEN_MARK));
  return marked === undefined ? shown : { ...shown, highlight: renderMarks(marked) };
}

function readFacets(total: Found, wanted: FacetName[]): NonNullable<SearchAnswer['facets']> {
  return Object.fromEntries(
    wanted.map((name) => {
      const counts = Object.entries(total.facetDistribution?.[`facet_${name}`] ?? {});
      return [name, Object.fromEntries(counts.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)))];
    }),
  );
}
