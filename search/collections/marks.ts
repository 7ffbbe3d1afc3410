import { BAND_EDGES, bandOf } from '../documents/facets.ts';
import type { SearchFilters } from '../filters/index.ts';
import type { Mark } from './shape.ts';

const DECADES_AHEAD = 6;
const MONTH_LETTER = 'd';

/** Whether all of a band is above an amount, and all of the band before below it. Negative amounts are in the lowest band. */
export function isEdge(amount: number | undefined): boolean {
  return amount !== undefined && amount > 0 && BAND_EDGES.some((edge) => edge === amount);
}

/** The band of a value in pounds. */
export function bandMarks(letter: string, value: number | null): Mark[] {
  return value === null ? [] : [{ letter, value: String(bandOf(value)) }];
}

/** The bands between the bounds of a value. */
export function wantedBands(letter: string, { value_min: least, value_max: most }: SearchFilters): Mark[][] {
  if (least === undefined && most === undefined) return [];
  const first = bandOf(least ?? 0);
  const last = most === undefined ? BAND_EDGES.length - 1 : bandOf(most);
  // Bounds that cross leave no band; the comparisons after leave no document.
  return first > last ? [] : [range(first, last).map((band) => ({ letter, value: String(band) }))];
}

/** The month and the year of a date. */
export function monthMarks(date: string | null): Mark[] {
  if (!date) return [];
  const [year, month] = [date.slice(0, 4), date.slice(5, 7)];
  return [`${year}${month}`, `y${year}`].map((value) => ({ letter: MONTH_LETTER, value }));
}

/** This month (`YYYY-MM`) and the rest of its year, then the years of its decade, then decades. */
export function monthsFrom(month: string): Mark[] {
  const year = Number(month.slice(0, 4));
  const months = range(Number(month.slice(5, 7)), 12).map((number) => `${year}${String(number).padStart(2, '0')}`);
  const decade = Math.floor(year / 10);
  const years = range(year + 1, decade * 10 + 9).map((one) => `y${one}`);
  const decades = range(decade + 1, decade + DECADES_AHEAD).map((one) => ({
    letter: MONTH_LETTER,
    value: `y${one}`,
    isBeginning: true,
  }));
  return [...[...months, ...years].map((value) => ({ letter: MONTH_LETTER, value })), ...decades];
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
