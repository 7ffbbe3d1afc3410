import type { Database } from '../../schema/db/interface.ts';
import { orderOf } from '../collections/index.ts';
import type { MatchLevel, SearchQuery } from '../engine.ts';
import { asksForWords, type ParsedQuery } from '../query/parse.ts';
import { COUNT_MAX } from '../results/cursor.ts';
import { RANKED_MAX, WEIGHED_MAX } from './layout/tables.ts';
import { filterTokens, type Token } from './layout/tokens.ts';
import {
  betterExpressions,
  clausesOf,
  exactly,
  filterExpression,
  levelExpression,
  partsOfPhrase,
  scoringExpression,
  type Term,
} from './match/expression.ts';
import { type KeyRange, type Matching, makeMatching, narrow } from './match/matching.ts';
import { type Counted, countNewest, countWhole, readKeys } from './match/query-cache.ts';

/** If fewer documents than this contain all words, the last word may be the beginning of a longer one. */
const TOO_FEW = 10;
/** If all words are very common, titles and names are searched in about this many of the newest documents with the rarest. */
const TIERED_MAX = 10_000;
/**
 * If all words and filters are very common, only about `searched` of the newest documents with the rarest are counted, unless
 * fewer than `enough` of them match. More are searched where facets are counted, as their counts are of all that is found.
 */
const NEWEST = { searched: 20_000, searchedForFacets: 60_000, enough: 100 };
const STRICT: readonly MatchLevel[] = ['all', 'prefix'];

/** What a cursor fixes, so that all pages of a query are ranked in the same way. */
export interface FixedByCursor {
  level: MatchLevel;
  /** Set if the pages are ranked by where the words are. */
  bound?: number | undefined;
}

/** What a query matches at the first level that finds enough, or at the level of its cursor. */
export async function chooseLevel(
  index: Database,
  query: SearchQuery,
  parsed: ParsedQuery,
  terms: Term[],
  kept?: FixedByCursor,
): Promise<Matching> {
  const groups = filterTokens(query);
  const filters = filterExpression(groups);
  const filterParts = filters === null ? [] : [filters];
  const parts = partsOf(parsed, terms, groups);
  const rarest = await readRarest(index, parts);
  const reach = reachOf(rarest, query, parsed, kept);
  const first: number[][] = [];
  let best: Matching | undefined;
  for (const level of STRICT) {
    const expression = levelExpression(level, terms, parsed);
    if (expression === null && level !== 'all') continue;
    // If one of several parts is rare, all of them together match so few documents that the cheaper count is exact.
    const count = rarest || (level === 'all' && parts.length > 0) ? countWhole : countNewest;
    const range = await readRange(index, level === 'all' ? parts : filterParts);
    const matching = await countMatching(index, makeMatching(level, expression, query, parsed, range), reach, count);
    matching.first = [...first];
    if (!best || matching.counted.count > best.counted.count || level === kept?.level) best = matching;
    if (query.match !== 'any' && (kept ? level === kept.level : matching.counted.count >= TOO_FEW)) break;
    first.push(await readFirst(index, matching));
  }
  if (!best) throw new Error('a query without a level');
  const any = query.match === 'any' ? await matchAny(index, query, parsed, terms, { first, filters, kept }) : null;
  if (any) return { ...any, ...chooseScoring(any, null, terms, parsed, kept) };
  return { ...best, ...chooseScoring(best, rarest, terms, parsed, kept) };
}

/** What any of the words matches, documents with more words first; null if the query has no words. */
async function matchAny(
  index: Database,
  query: SearchQuery,
  parsed: ParsedQuery,
  terms: Term[],
  { first, filters, kept }: { first: number[][]; filters: string | null; kept: FixedByCursor | undefined },
): Promise<Matching | null> {
  const expression = levelExpression('any', terms, parsed);
  if (expression === null) return null;
  const range = await readRange(index, filters === null ? [] : [filters]);
  const make = (text: string) => makeMatching('any', text, query, parsed, range);
  const rarest = await readRarest(index, parsed.phrases.flatMap(partsOfPhrase));
  const reach = reachOf(rarest, query, parsed, kept);
  for (const better of betterExpressions(terms, parsed)) {
    if (better !== null)
      first.push(await readFirst(index, await countMatching(index, make(better), reach, countNewest)));
  }
  return { ...(await countMatching(index, make(expression), reach, countNewest)), first };
}

/** The keys of the matches that come before those of the next level. If there are many, the newest. */
async function readFirst(index: Database, matching: Matching): Promise<number[]> {
  const { keys } = matching.counted;
  return keys ?? (await readKeys(index, matching, { sql: `ORDER BY entry.rowid DESC LIMIT ${WEIGHED_MAX}`, args: [] }));
}

/** The key from which documents are counted if all their words and filters are very common: the same for all pages of a query. */
function reachOf(
  rarest: Counted | null,
  query: SearchQuery,
  parsed: ParsedQuery,
  kept: FixedByCursor | undefined,
): number {
  // People who sort, or filter without words, want to know how many there are, and no text is searched by place.
  if (!rarest || !asksForWords(parsed) || orderOf(query, true) !== null) return 0;
  const reach = keyBefore(rarest, query.facets ? NEWEST.searchedForFacets : NEWEST.searched);
  return kept ? Math.min(reach, kept.bound ?? 0) : reach;
}

async function countMatching(
  index: Database,
  matching: Matching,
  reach: number,
  count: typeof countWhole,
): Promise<Matching> {
  if (reach > matching.range.since) {
    const counted = await count(index, narrow(matching, matching.expression, { since: reach }));
    if (counted.count >= NEWEST.enough) return { ...matching, counted, reach };
  }
  return { ...matching, counted: await count(index, matching) };
}

/** The parts that every match of the strictest level contains: words and filters. Empty if there are not several. */
function partsOf(parsed: ParsedQuery, terms: Term[], groups: Token[][]): string[] {
  const words = [...parsed.phrases.flatMap(partsOfPhrase), ...clausesOf(terms, parsed, exactly)];
  const parts = [...words, ...groups.map((group) => filterExpression([group]))].filter((part) => part !== null);
  return parts.length > 1 && parsed.identifiers.length === 0 ? parts : [];
}

/** The range of keys that contains all matches of some parts. It is narrow if a part is rare or has recent documents only. */
async function readRange(index: Database, parts: string[]): Promise<KeyRange> {
  const range = { since: 0, before: Infinity };
  for (const part of parts) {
    const { count, oldest, newest } = await countPart(index, part);
    if (count > COUNT_MAX) continue;
    range.since = Math.max(range.since, oldest);
    range.before = Math.min(range.before, newest + 1);
  }
  return range;
}

/**
 * The newest documents with the rarest part, if all parts are very common; otherwise null. Very common words that seldom
 * occur together would take long to find, as the index reads every document with the rarest.
 */
async function readRarest(index: Database, parts: string[]): Promise<Counted | null> {
  let rarest: Counted | null = null;
  for (const part of parts) {
    const counted = await countPart(index, part);
    if (counted.count <= COUNT_MAX) return null;
    if (!rarest || counted.oldest < rarest.oldest) rarest = counted;
  }
  return rarest;
}

function countPart(index: Database, part: string): Promise<Counted> {
  return countNewest(index, { from: 'FROM entry', where: 'entry MATCH ?', args: [part] });
}

/** The approximate key from which on there are this many documents. Notices arrive evenly enough for an estimate. */
function keyBefore({ count, newest, oldest }: Counted, documents: number): number {
  return Math.max(0, Math.ceil(newest - ((newest - oldest) * documents) / count));
}

/**
 * A few matches are scored by the weight of their words. Many, and those of common words only, are ranked by where the
 * words are.
 */
function chooseScoring(
  { level, expression, counted, reach }: Matching,
  rarest: Counted | null,
  terms: Term[],
  parsed: ParsedQuery,
  kept: FixedByCursor | undefined,
): Pick<Matching, 'scoring' | 'bound' | 'unweighed'> {
  const isWeighed = kept ? kept.bound === undefined : !rarest && counted.count <= WEIGHED_MAX;
  const weighed = isWeighed ? scoringExpression(level, terms, parsed) : null;
  if (weighed) return { scoring: { by: 'weight', text: weighed.text }, bound: 0, unweighed: !weighed.whole };
  const bound = Math.max(reach, tiersFrom(counted, rarest));
  const isAll = counted.count <= COUNT_MAX && reach === 0 && counted.oldest >= bound;
  return { scoring: { by: 'place', text: expression }, bound: kept?.bound ?? (isAll ? 0 : bound), unweighed: false };
}

/** The key from which titles and names are searched. */
function tiersFrom(counted: Counted, rarest: Counted | null): number {
  if (rarest) return keyBefore(rarest, TIERED_MAX);
  return counted.count > RANKED_MAX ? keyBefore(counted, RANKED_MAX) : 0;
}
