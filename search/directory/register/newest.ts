import { compareText } from '../../../schema/text/ids.ts';
import { isInRanges } from '../postcodes.ts';
import type { Chunk } from './columns.ts';
import type { Register } from './companies.ts';
import { numberAt } from './place.ts';
import { classTable, type RegisterWish, spanOfCodes } from './scan.ts';

/** A company by its number, and its day of incorporation as `yyyymmdd`. */
export interface Incorporated {
  number: string;
  day: number;
}

/** The first year with a place for each of its days; no company is older. */
const FIRST_YEAR = 1_400;
const SLOTS = 1 + 1_000 * 13 * 32;

/** A day as an index into a table of all days; the first is for unknown days. */
function slotOf(day: number): number {
  const [year, month, date] = [Math.floor(day / 10_000), Math.floor(day / 100) % 100, day % 100];
  const slot = 1 + ((year - FIRST_YEAR) * 13 + month) * 32 + date;
  return Math.min(Math.max(slot, 0), SLOTS - 1);
}

/**
 * Companies that only the register lists, most recently incorporated first, at most this many, and how many there are in all.
 * Two passes: the first counts the days, so that the second collects and sorts little more than a page.
 */
export function listIncorporated(
  register: Register,
  wish: RegisterWish,
  most: number,
  after?: Incorporated,
): { listed: Incorporated[]; total: number } {
  const counts = new Uint32Array(SLOTS);
  let total = 0;
  eachWanted(register, wish, (_key, { days }, row) => {
    const slot = slotOf(days[row] as number);
    counts[slot] = (counts[slot] as number) + 1;
    total += 1;
  });
  if (most <= 0) return { listed: [], total };
  const last = after ? slotOf(after.day) : SLOTS - 1;
  // For the last day of the previous page, the number that remain is not known yet.
  let first = last;
  for (let covered = after ? 0 : (counts[last] as number); first > 0 && covered < most; )
    covered += counts[--first] as number;
  const listed: Incorporated[] = [];
  eachWanted(register, wish, (key, { days, lows }, row) => {
    const day = days[row] as number;
    const slot = slotOf(day);
    if (slot < first || slot > last) return;
    const one = { number: numberAt(key, lows[row] as number), day };
    if (!after || compare(after, one) < 0) listed.push(one);
  });
  return { listed: listed.sort(compare).slice(0, most), total };
}

function compare(one: Incorporated, other: Incorporated): number {
  return other.day - one.day || compareText(one.number, other.number);
}

function eachWanted(register: Register, wish: RegisterWish, each: (key: string, chunk: Chunk, row: number) => void) {
  const table = classTable(register, wish);
  const [from, to] = wish.days ?? [-Infinity, Infinity];
  for (const key of register.keys) {
    const chunk = register.chunks.get(key) as Chunk;
    const { traits, days, postcodes } = chunk;
    const look = (row: number) => {
      const day = days[row] as number;
      const isThere = !wish.postcodes || isInRanges(postcodes[row] as number, wish.postcodes);
      if (table[traits[row] as number] !== 0 && day >= from && day <= to && isThere) each(key, chunk, row);
    };
    if (!wish.sic) {
      for (let row = 0; row < traits.length; row++) look(row);
      continue;
    }
    // One row may have several of the codes.
    new Set(wish.sic.flatMap(([least, most]) => [...chunk.rows.subarray(...spanOfCodes(chunk, least, most))])).forEach(
      look,
    );
  }
}
