import { printOf } from './served-hits.ts';

/** Characters of a print that identify a match: 72 bits; `readPrints` keeps 53 of them. */
export const MATCH_CHARS = 12;
const BYTES = (MATCH_CHARS / 4) * 3;
const WHOLE_BYTES = 6;
const MORE_BITS = 5;

/** The beginnings of the prints of some ids, concatenated. */
export function joinPrints(ids: readonly string[]): string {
  return ids.map((id) => printOf(id).slice(0, MATCH_CHARS)).join('');
}

/**
 * The same as numbers, each of the 53 bits that a number represents exactly. Of a million ids, two share one with a
 * probability of 1 in 18,000.
 */
function readPrints(prints: string): Float64Array {
  const bytes = Buffer.from(prints, 'base64');
  const numbers = new Float64Array(bytes.length / BYTES);
  for (let at = 0; at < numbers.length; at++) {
    const first = at * BYTES;
    const more = (bytes[first + WHOLE_BYTES] as number) >> (8 - MORE_BITS);
    numbers[at] = bytes.readUIntBE(first, WHOLE_BYTES) * 2 ** MORE_BITS + more;
  }
  return numbers;
}

/** The number of one id. */
export function printNumber(id: string): number {
  return readPrints(joinPrints([id]))[0] as number;
}

const FREE = -1;

/**
 * Whether a number belongs to one of some prints: a hash table, as a `Set` takes several times as long. `indexPrints` would look
 * up each number in a second array as well, which takes half as long again.
 */
export function makePrintSet(prints: string): (number: number) => boolean {
  const numbers = readPrints(prints);
  const mask = 2 ** Math.ceil(Math.log2(2 * numbers.length + 1)) - 1;
  const table = new Float64Array(mask + 1).fill(FREE);
  // The low bits of a print are as good as random.
  const find = (number: number) => {
    let at = number & mask;
    while (table[at] !== FREE && table[at] !== number) at = (at + 1) & mask;
    return at;
  };
  for (const number of numbers) table[find(number)] = number;
  return (number) => table[find(number)] === number;
}

/** Where each of some numbers is; -1 for any other. Of two equal ones the last counts. */
export function indexPrints(numbers: Float64Array): (number: number) => number {
  const mask = 2 ** Math.ceil(Math.log2(2 * numbers.length + 1)) - 1;
  const table = new Int32Array(mask + 1).fill(FREE);
  const find = (number: number) => {
    let at = number & mask;
    while (table[at] !== FREE && numbers[table[at] as number] !== number) at = (at + 1) & mask;
    return at;
  };
  numbers.forEach((number, at) => {
    table[find(number)] = at;
  });
  return (number) => table[find(number)] as number;
}
