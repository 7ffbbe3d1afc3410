import { type Texts, textAt } from '../columns.ts';
import { type Chunk, EMPTY, type Facts, merge, rowOf, SUPPLIER } from './columns.ts';
import { type Place, placeOf } from './place.ts';
import { makeStandings, type Standing, type Standings } from './traits.ts';

/** All companies of the register, as far as lists read them. */
export interface Register {
  readonly chunks: Map<string, Chunk>;
  /** The keys of the chunks, rising. */
  keys: string[];
  readonly standings: Standings;
  /** How many companies of each standing are not suppliers; null where they have to be counted again. */
  counts: Int32Array | null;
}

/** A register from stored chunks and standings; otherwise an empty one. */
export function makeRegister(chunks: Iterable<[string, Chunk]> = [], standings?: readonly Standing[]): Register {
  const all = new Map(chunks);
  return { chunks: all, keys: [...all.keys()].sort(), standings: makeStandings(standings), counts: null };
}

/** Facts of a company, with the key of its chunk. */
export type Keyed = Facts & Pick<Place, 'key'>;

/** Facts of a company by its number. */
export function placeKeyed(number: string, facts: Omit<Facts, 'low'>): Keyed {
  return { ...placeOf(number), ...facts };
}

/** Replaces the data of companies. One that the list of suppliers has stays marked. */
export function putCompanies(register: Register, companies: readonly Keyed[]): void {
  const byKey = new Map<string, Keyed[]>();
  for (const company of companies) {
    const some = byKey.get(company.key) ?? [];
    some.push(company);
    byKey.set(company.key, some);
  }
  for (const [key, some] of byKey) {
    const chunk = register.chunks.get(key) ?? EMPTY;
    const kept = some.map((one) => ({ ...one, standing: one.standing | markOf(chunk, one.low) }));
    register.chunks.set(key, merge(chunk, kept));
  }
  if (register.keys.length < register.chunks.size) register.keys = [...register.chunks.keys()].sort();
  register.counts = null;
}

function markOf(chunk: Chunk, low: number): number {
  return (chunk.standings[rowOf(chunk, low)] ?? 0) & SUPPLIER;
}

/** Marks the companies that the list of suppliers has, by their numbers, and no others. */
export function markSuppliers(register: Register, numbers: Texts): void {
  for (const { standings } of register.chunks.values()) {
    for (let row = 0; row < standings.length; row++) standings[row] = (standings[row] as number) & ~SUPPLIER;
  }
  for (let at = 0; at < numbers.ends.length; at++) {
    const { key, low } = placeOf(textAt(numbers, at));
    const chunk = register.chunks.get(key);
    const row = chunk ? rowOf(chunk, low) : -1;
    if (chunk && row >= 0) chunk.standings[row] = (chunk.standings[row] as number) | SUPPLIER;
  }
  register.counts = null;
}

/** How many companies of each standing only the register lists. */
export function countStandings(register: Register): Int32Array {
  if (register.counts) return register.counts;
  const counts = new Int32Array(register.standings.all.length);
  for (const { standings } of register.chunks.values()) {
    for (let row = 0; row < standings.length; row++) {
      const standing = standings[row] ?? SUPPLIER;
      if (standing < SUPPLIER) counts[standing] = (counts[standing] ?? 0) + 1;
    }
  }
  register.counts = counts;
  return counts;
}
