import { memoiseByObject } from '../../schema/text/memoise.ts';
import { NONE } from '../summary/columns.ts';
import { type Entry, isBehind, type ListAsk, makeMeant, type Placed, type Position } from './entries.ts';

/** Below every day of a contract: organisations without one come last. */
const NEVER = 100_000_000;

/** The dates that decide how new an organisation is, as `yyyymmdd`; `NONE` where unknown. */
interface Days {
  last_award: number;
  incorporated?: number;
}

/** How new an organisation is: by its newest contract; without one by its incorporation, after all that have one. */
function newsOf({ last_award, incorporated = NONE }: Days): number {
  return last_award === NONE ? incorporated - NEVER : last_award;
}

/** The day of incorporation from which `newsOf` made this number; undefined where it was the day of a contract. */
export function incorporatedOf(news: number): number | undefined {
  return news < 0 ? news + NEVER : undefined;
}

/** The position of an organisation among all, newest first. */
export function positionOf(id: string, days: Days): Position {
  return { level: 0, size: newsOf(days), id };
}

/** Rows of a list, the newest first. */
const orderOf = memoiseByObject((sorted: readonly (Entry & Days)[]): Uint32Array => {
  const news = Float64Array.from(sorted, newsOf);
  const rows = Uint32Array.from(sorted, (_, row) => row);
  return rows.sort((a, b) => {
    const [one, other] = [sorted[a] as Entry, sorted[b] as Entry];
    return (news[b] as number) - (news[a] as number) || (one.id < other.id ? -1 : 1);
  });
});

/**
 * The newest wanted entries after a position, one more than a page has, and how many there are in all. @param sorted - the same
 * list until something changes @param wanted - for each entry 1 or 0 @param alsoKey - another cleaned name that the query stands
 * for
 */
export function placeNewest<E extends Entry & Days>(
  sorted: readonly E[],
  { query, limit, after }: ListAsk,
  wanted: Uint8Array,
  alsoKey?: string,
): { placed: Placed<E>[]; total: number } {
  const isMeant = query === undefined ? () => true : makeMeant(sorted, query, alsoKey);
  const placed: Placed<E>[] = [];
  let total = 0;
  for (const row of orderOf(sorted)) {
    const entry = sorted[row] as E;
    if (wanted[row] !== 1 || !isMeant(row)) continue;
    total += 1;
    if (placed.length > limit) continue;
    const at = positionOf(entry.id, entry);
    if (!after || isBehind(at, after)) placed.push({ entry, at });
  }
  return { placed, total };
}
