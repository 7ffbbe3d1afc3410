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
/** Of words that are all very common, so many documents of the rarest are looked at, about; and where that finds few, so many. */
const LOOKED_AT = [20_000, 60_000] as const;
/** Beside each other words take longer to find than anywhere. */
const PHRASES_LOOKED_AT = [10_000, 40_000] as const;
/** What is enough to look no further. */
const FOUND_ENOUGH = 1_000;
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
  const matchings = (phrases.some(({ length }) => length > 1) ? PHRASES_LOOKED_AT : LOOKED_AT).map((documents) =>
    make(rarest ? keyBefore(rarest, documents) : 0),
  );
  for (const matching of matchings) {
    matching.counted = await countNewest(index, matching);
    if (matching.reach === 0 || matching.counted.count >= FOUND_ENOUGH) return matching;
  }
  return matchings.at(-1) as Matching;
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
