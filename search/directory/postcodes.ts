/**
 * Postcodes as numbers in alphabetical order, so that a column of them takes four bytes a company and everything with one
 * beginning lies in one or two ranges.
 */
import { memoiseByObject } from '../../schema/text/memoise.ts';

/** Where ranges begin and end in turn, rising: a range has its beginning, and not its end. */
export type Ranges = readonly number[];

/** No postcode, or none in the form of the United Kingdom. No range has it. */
const UNKNOWN = 0;
const LETTERS = 26;
/** The last letters of a postcode: C, I, K, M, O and V never are. */
const INWARD = 'ABDEFGHJLNPQRSTUWXYZ';
const UNITS = INWARD.length ** 2;
const SECTORS = 10 * UNITS;
/** What may follow the first digit of a district. */
const SECOND = ['', ...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const SECONDS = SECOND.length;
const DISTRICTS = 10 * SECONDS * SECTORS;

const WHOLE = /^([A-Z]{1,2})(\d)([A-Z\d]?)\s*(\d)([ABD-HJLNP-UW-Z])([ABD-HJLNP-UW-Z])$/;
const SECTOR = /^([A-Z]{1,2})(\d)([A-Z\d]?)\s+(\d)$/;
const DISTRICT = /^([A-Z]{1,2})(\d)([A-Z\d]?)$/;
const AREA = /^[A-Z]{1,2}$/;

/** The number of a whole postcode, however it is written; `UNKNOWN` for any other text. */
export function postcodeNumber(raw: string | null | undefined): number {
  const parts = WHOLE.exec((raw ?? '').trim().toUpperCase());
  if (!parts) return UNKNOWN;
  const [, area = '', first = '', second = '', sector = '', one = '', two = ''] = parts;
  return startOf(area, first, second, sector) + INWARD.indexOf(one) * INWARD.length + INWARD.indexOf(two);
}

/** The numbers of all postcodes that whole ones, sectors (`LS1 4`), districts (`LS1`) or areas (`LS`) stand for. */
export function postcodeRanges(asked: readonly string[]): Ranges {
  const ranges: number[] = [];
  for (const [from, to] of asked.flatMap(spansOf).toSorted(([a], [b]) => a - b)) {
    const last = ranges.at(-1) ?? UNKNOWN;
    if (from > last) ranges.push(from, to);
    else ranges[ranges.length - 1] = Math.max(last, to);
  }
  return ranges;
}

/** Whether one of the ranges has a number. Lists ask this of every company. */
export function isInRanges(number: number, ranges: Ranges): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle] as number) <= number) low = middle + 1;
    else high = middle;
  }
  return low % 2 === 1;
}

const rangesOf = memoiseByObject(postcodeRanges);

/** Whether a postcode is one of some, or lies in one of their sectors, districts or areas. */
export function isAt(postcode: string | undefined, asked: readonly string[]): boolean {
  return isInRanges(postcodeNumber(postcode), rangesOf(asked));
}

function spansOf(asked: string): (readonly [number, number])[] {
  const text = asked.trim().toUpperCase();
  const whole = postcodeNumber(text);
  if (whole !== UNKNOWN) return [spanOf(whole, 1)];
  const [, area = '', first = '', second = '', sector] = SECTOR.exec(text) ?? DISTRICT.exec(text) ?? [];
  if (sector !== undefined) return [spanOf(startOf(area, first, second, sector), UNITS)];
  if (AREA.test(text)) return [spanOf(startOf(text), DISTRICTS)];
  if (area === '') return [];
  const own = spanOf(startOf(area, first, second), SECTORS);
  // W1 is divided into W1A to W1W: without the letter, all of them.
  return second === '' ? [own, spanOf(startOf(area, first, 'A'), LETTERS * SECTORS)] : [own];
}

function spanOf(start: number, length: number): readonly [number, number] {
  return [start, start + length];
}

/** The number of the first postcode that begins so. */
function startOf(area: string, first = '0', second = '', sector = '0'): number {
  const letters = letterAt(area, 0) * (LETTERS + 1) + letterAt(area, 1);
  const district = Number(first) * SECONDS + SECOND.indexOf(second);
  return letters * DISTRICTS + district * SECTORS + Number(sector) * UNITS;
}

/** The place of a letter in the alphabet, from 1 on; 0 where there is none. */
function letterAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) - 64 : 0;
}
