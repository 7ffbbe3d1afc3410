import { compareText } from '../../schema/text/ids.ts';
import { memoiseByObject } from '../../schema/text/memoise.ts';
import { NONE } from '../summary/columns.ts';
import { textAt } from './columns.ts';
import { isAfter, type ListAsk, makeMeant, type Placed, type Position } from './entries.ts';
import type { Listed } from './listed.ts';

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

/** The day of incorporation from which `newsOf` derived this number; undefined where it was the day of a contract. */
export function incorporatedOf(news: number): number | undefined {
  return news < 0 ? news + NEVER : undefined;
}

/** The position of an organisation among all, newest first. */
export function positionOf(id: string, days: Days): Position {
  return { level: 0, size: newsOf(days), id };
}

/** The days of organisations as columns. */
interface DayColumns {
  lastAwards: Int32Array;
  incorporated?: Int32Array;
}

const newsAt = ({ lastAwards, incorporated }: DayColumns, row: number) =>
  newsOf({ last_award: lastAwards[row] as number, incorporated: incorporated?.[row] ?? NONE });

/** Rows of a list, the newest first. */
const orderOf = memoiseByObject(({ own, ids, sizes }: Listed<DayColumns>): Uint32Array => {
  const news = Float64Array.from(sizes, (_, row) => newsAt(own, row));
  const texts = Array.from(sizes, (_, row) => textAt(ids, row));
  const rows = Uint32Array.from(sizes, (_, row) => row);
  return rows.sort(
    (a, b) => (news[b] as number) - (news[a] as number) || compareText(texts[a] as string, texts[b] as string),
  );
});

/**
 * The rows of the newest wanted entries after a position, one more than a page has, and how many there are in all. @param listed -
 * the same list until something changes @param wanted - for each row 1 or 0 @param alsoKey - another cleaned name that the query
 * stands for
 */
export function placeNewest(
  listed: Listed<DayColumns>,
  { query, limit, after }: ListAsk,
  wanted: Uint8Array,
  alsoKey?: string,
): { placed: Placed<number>[]; total: number } {
  const isMeant = query === undefined ? () => true : makeMeant(listed, query, alsoKey);
  const placed: Placed<number>[] = [];
  let total = 0;
  for (const row of orderOf(listed)) {
    if (wanted[row] !== 1 || !isMeant(row)) continue;
    total += 1;
    if (placed.length > limit) continue;
    const at = { level: 0, size: newsAt(listed.own, row), id: textAt(listed.ids, row) };
    if (!after || isAfter(at, after)) placed.push({ entry: row, at });
  }
  return { placed, total };
}
