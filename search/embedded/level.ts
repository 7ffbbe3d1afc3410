import type { Database } from '../../schema/database.ts';
import type { MatchLevel, SearchQuery } from '../engine.ts';
import type { ParsedQuery } from '../query.ts';
import { COUNT_MAX, countNewest } from './counts.ts';
import { exactly, filterExpression, levelExpression, quote, scoringExpression, type Term } from './expression.ts';
import { type Matching, makeMatching } from './matching.ts';
import type { Counted } from './remembered.ts';
import { RANKED_MAX, WEIGHED_MAX } from './tables.ts';
import { filterTokens } from './tokens.ts';

/** With fewer documents than this for all words, most of them will do. */
const TOO_FEW = 10;
/**
 * Of words that are all very common, about so many documents of the rarest are looked at first; where these hold too few, as
 * many as will hold enough by what they held, at most so many. Words beside each other take longer to find than anywhere.
 */
const LOOKED_AT = {
  words: { first: 7_500, most: 60_000, enough: 500 },
  phrases: { first: 5_000, most: 30_000, enough: 100 },
} as const;
const LEVELS: readonly MatchLevel[] = ['all', 'prefix', 'most', 'any'];

/** What a cursor holds on to, so that all pages of a query are made alike. */
export interface Kept {
  level: MatchLevel;
  /** Set where the pages are ranked by place. */
  bound?: number | undefined;
}

/** The matching of the first level that finds enough, or of the level that a cursor names. */
export async function chooseLevel(
  index: Database,
  query: SearchQuery,
  parsed: ParsedQuery,
  terms: Term[],
  kept?: Kept,
): Promise<Matching> {
  const rarest = await readRarest(index, query, parsed, terms);
  const first: number[][] = [];
  let best: Matching | undefined;
  for (const level of LEVELS) {
    const expression = levelExpression(level, terms, parsed);
    if (expression === null && level !== 'all') continue;
    const matching = await countReached(index, rarest, parsed, (reach) =>
      makeMatching(level, expression, query, parsed, reach),
    );
    matching.first = [...first];
    if (!best || matching.counted.count > best.counted.count || level === kept?.level) best = matching;
    if (kept ? level === kept.level : matching.counted.count >= TOO_FEW) break;
    first.push(matching.counted.keys ?? []);
  }
  if (!best) throw new Error('a query without a level');
  return { ...best, ...chooseScoring(best, terms, parsed, kept) };
}

/** Counts what is matched; where all of it is very common, as far back as finds enough. */
async function countReached(
  index: Database,
  rarest: Counted | null,
  { phrases }: ParsedQuery,
  make: (reach: number) => Matching,
): Promise<Matching> {
  const countSince = async (reach: number): Promise<Matching> => {
    const matching = make(reach);
    return { ...matching, counted: await countNewest(index, matching) };
  };
  if (!rarest) return countSince(0);
  const { first, most, enough } = phrases.some(({ length }) => length > 1) ? LOOKED_AT.phrases : LOOKED_AT.words;
  const matching = await countSince(keyBefore(rarest, first));
  const { count } = matching.counted;
  if (count >= enough || matching.reach === 0) return matching;
  return countSince(keyBefore(rarest, Math.min(most, (1.2 * first * enough) / Math.max(1, count))));
}

/**
 * Very common words that seldom stand together take long to find together, as every document of the rarest is looked at.
 * Where each is very common, and the filters are, only the newest documents of the rarest are; null where not.
 */
async function readRarest(
  index: Database,
  query: SearchQuery,
  parsed: ParsedQuery,
  terms: Term[],
): Promise<Counted | null> {
  if (parsed.identifiers.length > 0 || terms.length + parsed.phrases.flat().length < 2) return null;
  const asked = [...parsed.phrases.flat().map((word) => quote([word])), ...terms.map(exactly)];
  let rarest: Counted | null = null;
  for (const expression of [...asked, filterExpression(filterTokens(query))]) {
    if (expression === null) continue;
    const counted = await countNewest(index, { from: 'FROM entry', where: 'WHERE entry MATCH ?', args: [expression] });
    if (counted.count <= COUNT_MAX) return null;
    if (!rarest || counted.oldest < rarest.oldest) rarest = counted;
  }
  return rarest;
}

/** About where the newest so many documents begin. Notices come evenly enough for an estimate of it. */
function keyBefore({ count, newest, oldest }: Counted, documents: number): number {
  return Math.max(0, Math.ceil(newest - ((newest - oldest) * documents) / count));
}

/** A few matches are weighed by their words; many, and those of common words alone, are ranked by where the words stand. */
function chooseScoring(
  { level, expression, counted, reach }: Matching,
  terms: Term[],
  parsed: ParsedQuery,
  kept: Kept | undefined,
): Pick<Matching, 'scoring' | 'bound' | 'unweighed'> {
  const weighs = kept ? kept.bound === undefined : counted.count <= WEIGHED_MAX && reach === 0;
  const telling = weighs ? scoringExpression(level, terms, parsed) : null;
  if (telling) return { scoring: { by: 'weight', text: telling.text }, bound: 0, unweighed: !telling.whole };
  const bound = counted.count > RANKED_MAX ? keyBefore(counted, RANKED_MAX) : 0;
  return { scoring: { by: 'place', text: expression }, bound: kept?.bound ?? bound, unweighed: false };
}
