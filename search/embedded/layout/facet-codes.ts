import type { Database } from '../../../schema/db/interface.ts';
import type { Collection } from '../../collections/shape.ts';
import type { AnyDocument } from '../../engine.ts';
import type { FacetName } from '../../filters/facets.ts';

const READ_CODES = 'SELECT name, code FROM facet_value WHERE name IN (SELECT value FROM json_each(?))';
const READ_LAST = 'SELECT max(code) AS code FROM facet_value';
/** As one text, because the driver returns rows more slowly than the index finds them. */
const READ_NAMES = `SELECT json_group_array(json_array(code, substr(name, instr(name, ' ') + 1))) AS names FROM facet_value
  WHERE code IN (SELECT value FROM json_each(?))`;

/**
 * Facet values are stored as numbers, which are short and quick to count. The remainder of a code, divided by the number of
 * facets in the collection, is the position of its facet. So codes of other facets are skipped without a look-up.
 */

/** The codes of values, for each facet of the collection in its order, and the last number in use. */
export interface Codes {
  known: Map<string, number>[];
  last: number;
}

/** No codes yet. */
export function noCodes({ facets }: Pick<Collection, 'facets'>): Codes {
  return { known: facets.map(() => new Map()), last: 0 };
}

/** The codes that an index already has for the values of some documents. */
export async function readCodes(index: Database, documents: AnyDocument[], collection: Collection): Promise<Codes> {
  const names = new Set<string>();
  for (const document of documents) {
    eachValue(document, collection, (place, value) => names.add(nameOf(place, value)));
  }
  const args = [JSON.stringify([...names])];
  const read = await index.read<{ name: string; code: number }>({ sql: READ_CODES, args });
  const [last] = await index.read<{ code: number | null }>({ sql: READ_LAST });
  const codes = noCodes(collection);
  codes.last = Math.floor((last?.code ?? 0) / collection.facets.length);
  for (const { name, code } of read) {
    codes.known[Number.parseInt(name, 10)]?.set(name.slice(name.indexOf(' ') + 1), code);
  }
  return codes;
}

/** The codes of each document as one text, and the values that were new, which are added to `codes`. */
export function encodeFacets(
  documents: AnyDocument[],
  codes: Codes,
  collection: Collection,
): { texts: string[]; values: [number, string][] } {
  const values: [number, string][] = [];
  const texts = documents.map((document) => {
    let text = '';
    eachValue(document, collection, (place, value) => {
      const known = codes.known[place];
      let code = known?.get(value);
      if (code === undefined) {
        codes.last += 1;
        code = codes.last * collection.facets.length + place;
        known?.set(value, code);
        values.push([code, nameOf(place, value)]);
      }
      text += text === '' ? code : `,${code}`;
    });
    return text;
  });
  return { texts, values };
}

/** How a value is named in the index: by the position of its facet, and itself. */
function nameOf(place: number, value: string): string {
  return `${place} ${value}`;
}

function eachValue(document: AnyDocument, collection: Collection, take: (place: number, value: string) => void): void {
  const values = collection.facetValues(document);
  for (const [place, facet] of collection.facets.entries()) {
    for (const value of values[facet] ?? []) take(place, value);
  }
}

/** How often each code of the wanted facets occurs in a text of codes, by facet: the `most` most frequent, in order. */
export function countCodes(
  text: string,
  { wanted, facets }: { wanted: readonly FacetName[]; facets: readonly FacetName[] },
  most: number,
): Map<FacetName, [code: number, count: number][]> {
  const ranks = facets.map((): number[] => []);
  tally(text, (code, count) => ranks[code % facets.length]?.push(count * RANK - code));
  return new Map(wanted.map((name) => [name, mostFrequent(ranks[facets.indexOf(name)] ?? [], most)]));
}

/** Combines a count and a code in one number, because numbers are sorted much faster than pairs. */
const RANK = 2 ** 32;

function mostFrequent(ranks: number[], most: number): [number, number][] {
  const sorted = new Float64Array(ranks).sort().reverse().subarray(0, most);
  return Array.from(sorted, (rank) => {
    const count = Math.ceil(rank / RANK);
    return [count * RANK - rank, count];
  });
}

/**
 * Counts codes digit by digit, in a hash table. As separate texts or keys of a map, a hundred thousand codes would take
 * most of the time. An array over all codes would take twenty megabytes a query where suppliers are counted, as each is a
 * value.
 */
function tally(text: string, found: (code: number, count: number) => void): void {
  // Every distinct code except the first hundred takes at least four characters, so there is always a free slot.
  const bits = Math.ceil(Math.log2(text.length / 4 + 64));
  const mask = 2 ** bits - 1;
  const codes = new Uint32Array(mask + 1);
  const counts = new Uint32Array(mask + 1);
  for (let at = 0, code = 0; at <= text.length; at++) {
    const digit = at < text.length ? text.charCodeAt(at) - 48 : -1;
    if (digit >= 0) {
      code = code * 10 + digit;
      continue;
    }
    // No value has the code 0. It marks a document without values, and a free slot.
    if (code === 0) continue;
    let place = Math.imul(code, SPREAD) >>> (32 - bits);
    while (codes[place] !== code && codes[place] !== 0) place = (place + 1) & mask;
    codes[place] = code;
    counts[place] = (counts[place] ?? 0) + 1;
    code = 0;
  }
  for (let place = 0; place <= mask; place++) {
    const code = codes[place] ?? 0;
    if (code > 0) found(code, counts[place] ?? 0);
  }
}

/** Multiplication by this spreads neighbouring codes over the table. */
const SPREAD = 0x9e3779b1;

/** V8 optimises code that has run a few times. Without this, the first answers with facets take three times as long. */
const WARM_UP_RUNS = 6;
const READ_NEWEST =
  'SELECT group_concat(facets) AS facets FROM (SELECT facets FROM facet ORDER BY key DESC LIMIT 10000)';

/** Counts the codes of the newest documents, so that V8 optimises the counting. */
export async function* warmUpCounting(index: Database): AsyncGenerator<void> {
  const [row] = await index.read<{ facets: string | null }>({ sql: READ_NEWEST });
  for (let time = 0; time < WARM_UP_RUNS; time++) {
    yield;
    countCodes(row?.facets ?? '', { wanted: ['source'], facets: ['source'] }, 1);
  }
}

/** The values of some codes. Read for each answer, because all values together may be half a million texts. */
export async function readFacetValues(index: Database, codes: readonly number[]): Promise<Map<number, string>> {
  const [row] = await index.read<{ names: string }>({ sql: READ_NAMES, args: [JSON.stringify(codes)] });
  return new Map(JSON.parse(row?.names ?? '[]') as [number, string][]);
}
