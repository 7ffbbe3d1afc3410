import type { Database } from '../../schema/db/interface.ts';
import type { MatchLevel, SearchQuery } from '../engine.ts';
import type { ParsedQuery } from '../query/parse.ts';
import { RANKED_MAX, WEIGHED_MAX } from './layout/tables.ts';
import { filterTokens } from './layout/tokens.ts';
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
import { COUNT_MAX, type Counted, countNewest, countWhole } from './match/query-cache.ts';
import { readKeys } from './rank/field-tiers.ts';

/** With fewer documents than this for all words, the last one may be the beginning of a word. */
const TOO_FEW = 10;
/** If all words are very common, titles and names are searched in about this many of the newest documents of the rarest word. */
const TIERED_MAX = 10_000;
/**
 * Adjacent words take longer to find than words anywhere. If all are very common, only this many of the newest documents of the
 * rarest are counted, unless they contain too few matches.
 */
const PHRASED = { looked: 60_000, enough: 100 };
const STRICT: readonly MatchLevel[] = ['all', 'prefix'];

/** What a cursor fixes, so that all pages of a query are made alike. */
export interface Kept {
  level: MatchLevel;
  /** Set where the pages are ranked by position. */
  bound?: number | undefined;
}

/** The matching of the first level that finds enough, or of the level in a cursor. */
export async function chooseLevel(
  index: Database,
  query: SearchQuery,
  parsed: ParsedQuery,
  terms: Term[],
  kept?: Kept,
): Promise<Matching> {
  const filters = filterExpression(filterTokens(query));
  const parts = partsOf(parsed, terms, filters);
  const rarest = await readRarest(index, parts);
  const reach = rarest ? phrasesReach(rarest, parsed, kept) : 0;
  const first: number[][] = [];
  let best: Matching | undefined;
  for (const level of STRICT) {
    const expression = levelExpression(level, terms, parsed);
    if (expression === null && level !== 'all') continue;
    // If one of several parts is rare, their combination never exceeds what is counted.
    const count = rarest || (level === 'all' && parts.length > 0) ? countWhole : countNewest;
    const range = await readRange(index, level === 'all' ? parts : parts.filter((part) => part === filters));
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

/** Documents with any of the words, those with more words first; null where there are none. */
async function matchAny(
  index: Database,
  query: SearchQuery,
  parsed: ParsedQuery,
  terms: Term[],
  { first, filters, kept }: { first: number[][]; filters: string | null; kept: Kept | undefined },
): Promise<Matching | null> {
  const expression = levelExpression('any', terms, parsed);
  if (expression === null) return null;
  const range = await readRange(index, filters === null ? [] : [filters]);
  const make = (text: string) => makeMatching('any', text, query, parsed, range);
  const rarest = await readRarest(index, parsed.phrases.flatMap(partsOfPhrase));
  const reach = rarest ? phrasesReach(rarest, parsed, kept) : 0;
  for (const better of betterExpressions(terms, parsed)) {
    if (better !== null)
      first.push(await readFirst(index, await countMatching(index, make(better), reach, countNewest)));
  }
  return { ...(await countMatching(index, make(expression), reach, countNewest)), first };
}

/** The matches that come before those of the next level: the newest of them, where they are many. */
async function readFirst(index: Database, matching: Matching): Promise<number[]> {
  const { keys } = matching.counted;
  return keys ?? (await readKeys(index, matching, { sql: `ORDER BY entry.rowid DESC LIMIT ${WEIGHED_MAX}`, args: [] }));
}

/** The key from which phrases are counted. All pages of a query look as far back as the first. */
function phrasesReach(rarest: Counted, { phrases }: ParsedQuery, kept: Kept | undefined): number {
  if (!phrases.some(({ length }) => length > 1)) return 0;
  const reach = keyBefore(rarest, PHRASED.looked);
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
    if (counted.count >= PHRASED.enough) return { ...matching, counted, reach };
  }
  return { ...matching, counted: await count(index, matching) };
}

/** What each document of the strictest level contains, where that is several words, or words and filters, alone. */
function partsOf(parsed: ParsedQuery, terms: Term[], filters: string | null): string[] {
  const words = [...parsed.phrases.flatMap(partsOfPhrase), ...clausesOf(terms, parsed, exactly)];
  const parts = [...words, filters].filter((part) => part !== null);
  return parts.length > 1 && parsed.identifiers.length === 0 ? parts : [];
}

/** The range of keys that contains all matches of some parts: a rare part, or open tenders, is found quickly. */
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
 * Very common words that seldom occur together take long to find, as every document of the rarest is looked at. Where each word
 * and the filters are very common, the newest documents of the rarest are used; otherwise null.
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
  return countNewest(index, { from: 'FROM entry', where: 'WHERE entry MATCH ?', args: [part] });
}

/** The approximate key at which the newest documents begin. Notices arrive evenly enough for an estimate. */
function keyBefore({ count, newest, oldest }: Counted, documents: number): number {
  return Math.max(0, Math.ceil(newest - ((newest - oldest) * documents) / count));
}

/** A few matches are scored by their words. Many matches, and those of common words only, are ranked by where the words are. */
function chooseScoring(
  { level, expression, counted, reach }: Matching,
  rarest: Counted | null,
  terms: Term[],
  parsed: ParsedQuery,
  kept: Kept | undefined,
): Pick<Matching, 'scoring' | 'bound' | 'unweighed'> {
  const weighs = kept ? kept.bound === undefined : !rarest && counted.count <= WEIGHED_MAX;
  const telling = weighs ? scoringExpression(level, terms, parsed) : null;
  if (telling) return { scoring: { by: 'weight', text: telling.text }, bound: 0, unweighed: !telling.whole };
  const bound = Math.max(reach, tiersFrom(counted, rarest));
  const isAll = counted.count <= COUNT_MAX && reach === 0 && counted.oldest >= bound;
  return { scoring: { by: 'place', text: expression }, bound: kept?.bound ?? (isAll ? 0 : bound), unweighed: false };
}

/** The key from which titles and names are searched. */
function tiersFrom(counted: Counted, rarest: Counted | null): number {
  if (rarest) return keyBefore(rarest, TIERED_MAX);
  return counted.count > RANKED_MAX ? keyBefore(counted, RANKED_MAX) : 0;
}
