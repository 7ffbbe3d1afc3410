import { indexPrints, printNumber } from '../results/match-prints.ts';

/** The pairs of all organisations in a list, one organisation after the other, and the index at which the pairs of each end. */
interface LaidPairs {
  pairs: Uint16Array;
  ends: Uint32Array;
}

/**
 * Pairs of numbers by organisation. All are in two columns, as an array for each of a million organisations would take fifty
 * times the memory of its contents.
 */
export interface PairsByOwner {
  /** Adds pairs to those collected for an organisation, before `pack`. */
  add(id: string, pairs: readonly number[]): void;
  /** Collecting is complete. */
  pack(): void;
  /** Replaces an organisation's pairs. */
  replace(id: string, pairs: readonly number[]): void;
  /** The pairs in the order of a list. @param prints of its organisations, the same object until something changes */
  layOut(prints: Float64Array): LaidPairs;
}

/** The present layout: the rows of a list, followed by organisations that it does not have. */
interface Packed extends LaidPairs {
  /** Of the list for which it was laid out. */
  listed: Float64Array;
  /** Of its own rows. */
  prints: Float64Array;
}

const FIRST_ROOM = 1 << 14;
const NONE = new Float64Array();

/** Pairs of no organisation yet. */
export function makePairsByOwner(): PairsByOwner {
  let buffer: ReturnType<typeof makePairBuffer> | null = makePairBuffer();
  let packed: Packed = { listed: NONE, prints: NONE, pairs: new Uint16Array(), ends: new Uint32Array() };
  const replaced = new Map<number, readonly number[]>();
  return {
    add(id, pairs) {
      buffer?.add(id, pairs);
    },
    pack() {
      if (buffer) packed = buffer.pack();
      buffer = null;
    },
    replace(id, pairs) {
      replaced.set(printNumber(id), pairs);
    },
    layOut(prints) {
      if (packed.listed === prints && replaced.size === 0) return packed;
      packed = layAgain(packed, prints, replaced);
      replaced.clear();
      return packed;
    },
  };
}

/** Pairs as they arrive, each with the number of its owner. */
function makePairBuffer() {
  const numbers = new Map<string, number>();
  let owners = new Uint32Array(FIRST_ROOM);
  let values = new Uint16Array(2 * FIRST_ROOM);
  let count = 0;
  return {
    add(id: string, pairs: readonly number[]) {
      const owner = numbers.get(id) ?? numbers.size;
      numbers.set(id, owner);
      for (let at = 0; at < pairs.length; at += 2) {
        if (count === owners.length) {
          owners = grown(owners, new Uint32Array(2 * count));
          values = grown(values, new Uint16Array(4 * count));
        }
        owners[count] = owner;
        values.set([pairs[at] as number, pairs[at + 1] as number], 2 * count++);
      }
    },
    pack(): Packed {
      const ends = new Uint32Array(numbers.size);
      for (let at = 0; at < count; at++) ends[owners[at] as number] = (ends[owners[at] as number] as number) + 2;
      const next = new Uint32Array(ends.length);
      let end = 0;
      for (let owner = 0; owner < ends.length; owner++) {
        next[owner] = end;
        end += ends[owner] as number;
      }
      const pairs = new Uint16Array(end);
      for (let at = 0; at < count; at++) {
        const owner = owners[at] as number;
        pairs.set(values.subarray(2 * at, 2 * at + 2), next[owner] as number);
        next[owner] = (next[owner] as number) + 2;
      }
      // Each now begins at the end of the previous one's.
      return { listed: NONE, prints: Float64Array.from(numbers.keys(), printNumber), pairs, ends: next };
    },
  };
}

function grown<T extends Uint32Array | Uint16Array>(old: T, room: T): T {
  room.set(old);
  return room;
}

function layAgain(old: Packed, listed: Float64Array, replaced: ReadonlyMap<number, readonly number[]>): Packed {
  const rowOf = indexPrints(old.prints);
  const isListed = indexPrints(listed);
  const lacking = [...old.prints, ...replaced.keys()].filter((print) => isListed(print) < 0);
  const prints = Float64Array.from([...listed, ...new Set(lacking)]);
  const pairsOf = (print: number): ArrayLike<number> => {
    const row = rowOf(print);
    return replaced.get(print) ?? (row < 0 ? [] : old.pairs.subarray(old.ends[row - 1] ?? 0, old.ends[row]));
  };
  const ends = new Uint32Array(prints.length);
  let end = 0;
  for (let row = 0; row < ends.length; row++) ends[row] = end += pairsOf(prints[row] as number).length;
  const pairs = new Uint16Array(end);
  for (let row = 0; row < ends.length; row++) pairs.set(pairsOf(prints[row] as number), ends[row - 1] ?? 0);
  return { listed, prints, pairs, ends };
}
