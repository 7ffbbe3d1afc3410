import { groupBy } from '../../../schema/text/memoise.ts';
import { type Texts, textAt } from '../columns.ts';
import { type Chunk, EMPTY, type Facts, merge, rowOf, SUPPLIER } from './columns.ts';
import { type Place, placeOf } from './place.ts';
import { makeTraitTable, type Traits, type TraitTable } from './traits.ts';

/** All companies of the register, as far as lists read them. */
export interface Register {
  readonly chunks: Map<string, Chunk>;
  /** The keys of the chunks, rising. */
  keys: string[];
  readonly traits: TraitTable;
  /** For each number of traits, how many companies are not suppliers; null where they have to be counted again. */
  counts: Int32Array | null;
}

/** A register from stored chunks and traits; otherwise an empty one. */
export function makeRegister(chunks: Iterable<[string, Chunk]> = [], traits?: readonly Traits[]): Register {
  const all = new Map(chunks);
  return { chunks: all, keys: [...all.keys()].sort(), traits: makeTraitTable(traits), counts: null };
}

/** Facts of a company, with the key of its chunk. */
export type Keyed = Facts & Pick<Place, 'key'>;

/** Facts of a company by its number. */
export function placeKeyed(number: string, facts: Omit<Facts, 'low'>): Keyed {
  return { ...placeOf(number), ...facts };
}

/** Replaces the data of companies. One that the list of suppliers has keeps its `SUPPLIER` flag. */
export function putCompanies(register: Register, companies: readonly Keyed[]): void {
  for (const [key, some] of groupBy(companies, (company) => company.key)) {
    const chunk = register.chunks.get(key) ?? EMPTY;
    const updated = some.map((one) => ({ ...one, traits: one.traits | supplierFlag(chunk, one.low) }));
    register.chunks.set(key, merge(chunk, updated));
  }
  if (register.keys.length < register.chunks.size) register.keys = [...register.chunks.keys()].sort();
  register.counts = null;
}

function supplierFlag(chunk: Chunk, low: number): number {
  return (chunk.traits[rowOf(chunk, low)] ?? 0) & SUPPLIER;
}

/** Flags the companies that the list of suppliers has, by their numbers, and no others. */
export function markSuppliers(register: Register, numbers: Texts): void {
  for (const { traits } of register.chunks.values()) {
    for (let row = 0; row < traits.length; row++) traits[row] = (traits[row] as number) & ~SUPPLIER;
  }
  for (let at = 0; at < numbers.ends.length; at++) {
    const { key, low } = placeOf(textAt(numbers, at));
    const chunk = register.chunks.get(key);
    const row = chunk ? rowOf(chunk, low) : -1;
    if (chunk && row >= 0) chunk.traits[row] = (chunk.traits[row] as number) | SUPPLIER;
  }
  register.counts = null;
}

/** How many companies only the register lists, for each number of traits. */
export function countByTraits(register: Register): Int32Array {
  if (register.counts) return register.counts;
  const counts = new Int32Array(register.traits.all.length);
  for (const { traits } of register.chunks.values()) {
    for (let row = 0; row < traits.length; row++) {
      const number = traits[row] ?? SUPPLIER;
      if (number < SUPPLIER) counts[number] = (counts[number] ?? 0) + 1;
    }
  }
  register.counts = counts;
  return counts;
}
