import { BAND_EDGES, bandOf } from '../documents/facets.ts';
import type { SearchFilters } from '../filters/index.ts';
import type { IndexToken } from './shape.ts';

/** Whatever lies in this decade or later: dates of the year 2999 are published too. */
const LAST_DECADE = 210;
/** How many years have a token for each month; a later end counts as open. */
const YEARS_MAX = 9;

/** The amounts that divide a band into steps. People ask for these amounts, so tokens alone find values between two of them. */
const STEP_EDGES = BAND_EDGES.flatMap((edge) => (edge === 0 ? [0, 1_000, 5_000] : [edge, 2.5 * edge, 5 * edge]));

/** Numbers of bids below this have a token each. */
const BIDS_MAX = 10;
const SOME = 'n';

/** The names of the bounds that tokens decide without comparing numbers. Value bounds that cross are not among them. */
export function decidedByTokens({ value_min: least, value_max: most, bids_max: bids }: SearchFilters): string[] {
  const isCrossed = least !== undefined && most !== undefined && least > most;
  return [
    ...(isEdge(least) && !isCrossed ? ['value_min'] : []),
    ...(isEdge(most) && !isCrossed ? ['value_max'] : []),
    ...(bids !== undefined && bids < BIDS_MAX ? ['bids_max'] : []),
  ];
}

/** Whether all of a step is above an amount, and all of the step before below it. Negative amounts are in the lowest step. */
function isEdge(amount: number | undefined): boolean {
  return amount !== undefined && amount > 0 && STEP_EDGES.includes(amount);
}

function stepOf(value: number): number {
  return Math.max(
    0,
    STEP_EDGES.findLastIndex((edge) => value >= edge),
  );
}

/** The band and the step of a value in pounds, and whether the value is the edge of the step: a bound includes its amount. */
export function valueTokens(letter: string, value: number | null): IndexToken[] {
  if (value === null) return [];
  const step = stepOf(value);
  const values = [`${bandOf(value)}`, `s${step}`, ...(isEdge(value) ? [`e${step}`] : [])];
  return values.map((one) => ({ letter, value: one }));
}

/** The bands between two value bounds, and the steps of bands that the bounds divide. */
export function wantedValues(letter: string, { value_min: least, value_max: most }: SearchFilters): IndexToken[][] {
  if (least === undefined && most === undefined) return [];
  const first = stepOf(least ?? 0);
  const last = most === undefined ? STEP_EDGES.length - 1 : stepOf(most) - Number(isEdge(most));
  const steps = range(first, last);
  const isWhole = (band: number) => steps.filter((step) => bandOfStep(step) === band).length === stepsOf(band).length;
  const values = steps.map((step) => (isWhole(bandOfStep(step)) ? `${bandOfStep(step)}` : `s${step}`));
  if (isEdge(most) && (least ?? 0) <= (most ?? 0)) values.push(`e${stepOf(most ?? 0)}`);
  // Bounds that cross leave no step; the later comparisons leave no document.
  return values.length === 0 ? [] : [[...new Set(values)].map((value) => ({ letter, value }))];
}

function bandOfStep(step: number): number {
  return bandOf(STEP_EDGES[step] ?? 0);
}

function stepsOf(band: number): number[] {
  return range(0, STEP_EDGES.length - 1).filter((step) => bandOfStep(step) === band);
}

/** A token for the number of bids, and one that says that the number is known. */
export function bidsTokens(letter: string, bids: number | null): IndexToken[] {
  if (bids === null) return [];
  const count = Math.max(0, Math.ceil(bids));
  return [SOME, ...(count < BIDS_MAX ? [`${count}`] : [])].map((value) => ({ letter, value }));
}

/** The tokens of bids up to a number: any of them is enough. */
export function wantedBids(letter: string, { bids_max: most }: SearchFilters): IndexToken[][] {
  if (most === undefined) return [];
  const values = most < BIDS_MAX ? range(0, most).map(String) : [SOME];
  return [values.map((value) => ({ letter, value }))];
}

/** The month, the year and the decade of a date. */
export function monthTokens(letter: string, date: string | null): IndexToken[] {
  if (!date) return [];
  const [year, month] = [date.slice(0, 4), date.slice(5, 7)];
  return [`${year}${month}`, `y${year}`, `z${decadeOf(Number(year))}`].map((value) => ({ letter, value }));
}

function decadeOf(year: number): number {
  return Math.min(LAST_DECADE, Math.floor(year / 10));
}

/**
 * The months from one day (`YYYY-MM-DD`) to another, or onwards: months of partial years, whole years, and decades where there
 * is no near end. None without a first day, or where the days cross: the later comparisons leave no document.
 */
export function wantedMonths(letter: string, from: string | undefined, to = '9999-12'): IndexToken[][] {
  if (from === undefined || from.slice(0, 7) > to.slice(0, 7)) return [];
  const [year, month] = partsOf(from);
  const [lastYear, lastMonth] = partsOf(to);
  const isOpen = lastYear > year + YEARS_MAX;
  const decade = decadeOf(year);
  const years = range(year, isOpen ? decade * 10 + 9 : lastYear);
  const values = [
    ...years.flatMap((one) => monthsOf(one, one === year ? month : 1, one === lastYear ? lastMonth : 12)),
    ...(isOpen ? range(Math.min(decade + 1, LAST_DECADE), LAST_DECADE).map((one) => `z${one}`) : []),
  ];
  return [values.map((value) => ({ letter, value }))];
}

function partsOf(day: string): [year: number, month: number] {
  return [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
}

function monthsOf(year: number, first: number, last: number): string[] {
  if (first === 1 && last === 12) return [`y${year}`];
  return range(first, last).map((month) => `${year}${String(month).padStart(2, '0')}`);
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
