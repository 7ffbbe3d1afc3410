import type { Database } from '../../../schema/db/interface.ts';
import type { Collection } from '../../collections/shape.ts';
import type { AnyDocument } from '../../engine.ts';
import type { FacetName } from '../../filters/facets.ts';

const READ_CODES = 'SELECT name, code FROM facet_value WHERE name IN (SELECT value FROM json_each(?))';
const READ_LAST = 'SELECT max(code) AS code FROM facet_value';
/** As one text: the driver takes longer over rows than the index over finding them. */
const READ_NAMES = 'SELECT json_group_array(json_array(code, name)) AS names FROM facet_value WHERE code > ?';

/**
 * Values of facets are kept as numbers, which are short to keep and quick to count. The remainder by how many facets the
 * collection has is the place of the facet among them, so what is not asked for is told by the number alone.
 */

/** Codes by the names of values, and the highest number that any has. */
export interface Codes {
  known: Map<string, number>;
  last: number;
}

/** The codes of an index that some documents need, as far as it has them. */
export async function readCodes(index: Database, documents: AnyDocument[], collection: Collection): Promise<Codes> {
  const names = JSON.stringify([...new Set(documents.flatMap((document) => namesOf(document, collection)))]);
  const known = await index.read<{ name: string; code: number }>({ sql: READ_CODES, args: [names] });
  const [last] = await index.read<{ code: number | null }>({ sql: READ_LAST });
  return {
    known: new Map(known.map(({ name, code }) => [name, code])),
    last: Math.floor((last?.code ?? 0) / collection.facets.length),
  };
}

/** The codes of each document as one text, and the values which were new to `codes`; there they are known from now on. */
export function encodeFacets(
  documents: AnyDocument[],
  codes: Codes,
  collection: Collection,
): { texts: string[]; values: [number, string][] } {
  const values: [number, string][] = [];
  const codeOf = (name: string) => {
    const known = codes.known.get(name);
    if (known !== undefined) return known;
    codes.last += 1;
    const code = codes.last * collection.facets.length + Number.parseInt(name, 10);
    codes.known.set(name, code);
    values.push([code, name]);
    return code;
  };
  const texts = documents.map((document) => namesOf(document, collection).map(codeOf).join(','));
  return { texts, values };
}

function namesOf(document: AnyDocument, collection: Collection): string[] {
  const values = collection.facetValues(document);
  return collection.facets.flatMap((facet, place) => (values[facet] ?? []).map((value) => `${place} ${value}`));
}

/** How often each code stands in a text of codes up to `last`, by facet; the most frequent first, at most `most`. */
export function countCodes(
  text: string,
  last: number,
  { wanted, facets }: { wanted: readonly FacetName[]; facets: readonly FacetName[] },
  most: number,
): Map<FacetName, [number, number][]> {
  const { counts, seen } = tally(text, last);
  const ranks = new Map<FacetName, number[]>(wanted.map((name) => [name, []]));
  for (const code of seen) {
    const facet = facets[code % facets.length];
    if (facet) ranks.get(facet)?.push((counts[code] ?? 0) * RANK - code);
  }
  return new Map([...ranks].map(([name, list]) => [name, mostFrequent(list, most)]));
}

/** A count and a code as one number: numbers are sorted far sooner than pairs. */
const RANK = 2 ** 32;

function mostFrequent(ranks: number[], most: number): [number, number][] {
  const sorted = Float64Array.from(ranks).sort().reverse().subarray(0, most);
  return Array.from(sorted, (rank) => {
    const count = Math.ceil(rank / RANK);
    return [count * RANK - rank, count];
  });
}

/** Digit by digit: a hundred thousand codes as texts of their own would take most of the time. */
function tally(text: string, last: number): { counts: Uint32Array; seen: number[] } {
  const counts = new Uint32Array(last + 1);
  const seen: number[] = [];
  let code = 0;
  const count = () => {
    const before = counts[code] ?? 0;
    if (before === 0 && code > 0) seen.push(code);
    counts[code] = before + 1;
    code = 0;
  };
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit >= 0) code = code * 10 + digit;
    else count();
  }
  count();
  return { counts, seen };
}

/** The values that codes stand for, by code. A value keeps its code for as long as the index is there, so each is read once. */
export async function readFacetValues(index: Database): Promise<string[]> {
  const values = VALUES.get(index) ?? [];
  VALUES.set(index, values);
  const [row] = await index.read<{ names: string | null }>({ sql: READ_NAMES, args: [values.length - 1] });
  for (const [code, name] of JSON.parse(row?.names ?? '[]') as [number, string][]) {
    values[code] = name.slice(name.indexOf(' ') + 1);
  }
  return values;
}

const VALUES = new WeakMap<Database, string[]>();
