import { memoiseByObject } from '../../../schema/text/memoise.ts';
import { isInRanges } from '../postcodes.ts';
import { type Chunk, firstFrom, rowOf } from './columns.ts';
import type { Register } from './companies.ts';
import { isByDigits, KEY_CHARS, numberAt, type Place, placeOf } from './place.ts';
import { classTable, type RegisterWish, spanOfCodes } from './scan.ts';

/**
 * Companies of the register as numbers: the place of the chunk's key among all keys, and the row in the chunk. A question
 * matches thousands of names, for which texts and objects would take ten times as long.
 */
export type Rows = Uint32Array;

/** More than a chunk has rows. */
const CHUNK_ROWS = 65_536;
const NUMBER_CHARS = 8;
const COMMA = ',';
const [CODE_OF_0, CODE_OF_9] = [48, 57];

/** Where each key is: by its text, and mostly by the number that its digits make. */
interface Keys {
  byText: ReadonlyMap<string, number>;
  byDigits: Int32Array;
}

const keysOf = memoiseByObject((keys: readonly string[]): Keys => {
  const byText = new Map(keys.map((key, at) => [key, at]));
  const byDigits = Int32Array.from({ length: 10 ** KEY_CHARS }, (_, digits) => {
    return byText.get(String(digits).padStart(KEY_CHARS, '0')) ?? -1;
  });
  return { byText, byDigits };
});

/** The companies of the register with some numbers, rising and each once. @param numbers separated by commas */
export function rowsOfNumbers(register: Register, numbers: string): Rows {
  const keys = keysOf(register.keys);
  const rows: number[] = [];
  for (let at = 0; at < numbers.length; ) {
    const comma = numbers.indexOf(COMMA, at);
    const end = comma < 0 ? numbers.length : comma;
    const row = rowOfNumber(register, keys, numbers, at, end);
    if (row >= 0) rows.push(row);
    at = end + 1;
  }
  const sorted = Uint32Array.from(rows).sort();
  return sorted.filter((row, at) => row !== sorted[at - 1]);
}

function rowOfNumber(register: Register, { byText, byDigits }: Keys, text: string, from: number, to: number): number {
  if (to - from === NUMBER_CHARS) {
    const key = digitsAt(text, from);
    const low = digitsAt(text, from + KEY_CHARS);
    if (key >= 0 && low >= 0) return rowAt(register, byDigits[key] as number, low);
  }
  const { key, low } = placeOf(text.slice(from, to));
  return rowAt(register, byText.get(key) ?? -1, low);
}

/** Four digits as a number; -1 where there is anything else. */
function digitsAt(text: string, from: number): number {
  let digits = 0;
  for (let at = from; at < from + KEY_CHARS; at++) {
    const code = text.charCodeAt(at);
    if (code < CODE_OF_0 || code > CODE_OF_9) return -1;
    digits = digits * 10 + code - CODE_OF_0;
  }
  return digits;
}

function rowAt(register: Register, key: number, low: number): number {
  const row = key < 0 ? -1 : rowOf(chunkAt(register, key), low);
  return row < 0 ? -1 : key * CHUNK_ROWS + row;
}

function chunkAt({ keys, chunks }: Register, key: number): Chunk {
  return chunks.get(keys[key] as string) as Chunk;
}

/** Rising rows without those in another rising list. */
export function rowsWithout(rows: Rows, others: readonly Rows[]): Rows {
  if (others.length === 0) return rows;
  return rows.filter((row) => others.every((other) => other[firstFrom(other, row)] !== row));
}

/** The companies whose numbers have this beginning, rising, at most this many. */
export function rowsBeginning(register: Register, start: string, most: number): Rows {
  const found: number[] = [];
  for (let at = 0; at < register.keys.length && found.length < most; at++) {
    const key = register.keys[at] as string;
    if (!key.startsWith(start.slice(0, key.length))) continue;
    const { lows } = chunkAt(register, at);
    const isWhole = key.length >= start.length;
    for (let row = 0; row < lows.length && found.length < most; row++) {
      if (isWhole || numberAt(key, lows[row] as number).startsWith(start)) found.push(at * CHUNK_ROWS + row);
    }
  }
  return Uint32Array.from(found);
}

/** Wanted companies, with the class of each. */
interface Picked {
  rows: Rows;
  classes: Uint8Array;
}

/** The wanted ones among some companies. */
export function pickRegistered(register: Register, wish: RegisterWish, rows: Rows): Picked {
  const table = classTable(register, wish);
  const [from, to] = wish.days ?? [-Infinity, Infinity];
  const picked = { rows: new Uint32Array(rows.length), classes: new Uint8Array(rows.length) };
  let count = 0;
  for (const at of rows) {
    const chunk = chunkAt(register, Math.floor(at / CHUNK_ROWS));
    const row = at % CHUNK_ROWS;
    const own = table[chunk.traits[row] as number] as number;
    const day = chunk.days[row] as number;
    if (own === 0 || day < from || day > to || (wish.sic && !hasCode(chunk, row, wish.sic))) continue;
    if (wish.postcodes && !isInRanges(chunk.postcodes[row] as number, wish.postcodes)) continue;
    picked.rows[count] = at;
    picked.classes[count++] = own;
  }
  return { rows: picked.rows.subarray(0, count), classes: picked.classes.subarray(0, count) };
}

function hasCode(chunk: Chunk, row: number, wanted: NonNullable<RegisterWish['sic']>): boolean {
  return wanted.some(([least, most]) => chunk.rows.subarray(...spanOfCodes(chunk, least, most)).includes(row));
}

/**
 * The numbers of some companies, in order: the first of them after another number. @param rows rising @param after all without
 */
export function numbersOf(register: Register, rows: Rows, most: number, after = ''): string[] {
  const isInOrder = rows.every((at) => isByDigits(placeAt(register, at)));
  const listed: string[] = [];
  for (let at = 0; at < rows.length && !(isInOrder && listed.length >= most); at++) {
    const { key, low } = placeAt(register, rows[at] as number);
    const number = numberAt(key, low);
    if (number > after) listed.push(number);
  }
  return isInOrder ? listed : listed.sort().slice(0, most);
}

function placeAt(register: Register, at: number): Place {
  const key = Math.floor(at / CHUNK_ROWS);
  return { key: register.keys[key] as string, low: chunkAt(register, key).lows[at % CHUNK_ROWS] as number };
}

/** The number of a company and its day of incorporation as `yyyymmdd`. */
export function incorporatedAt(register: Register, at: number): { number: string; day: number } {
  const { key, low } = placeAt(register, at);
  const { days } = chunkAt(register, Math.floor(at / CHUNK_ROWS));
  return { number: numberAt(key, low), day: days[at % CHUNK_ROWS] as number };
}
