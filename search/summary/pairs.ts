import { NONE } from './columns.ts';
import type { NameLists } from './pieces.ts';

/** Groups of two: each pair that occurs has a number, in order of occurrence. */
export interface Pairs {
  /** Numbers given so far. */
  readonly size: number;
  /** The pairs of each of this many contracts. */
  pairUp(contracts: number, first: NameLists, second: NameLists): NameLists;
  /** The two groups of a pair. */
  of(number: number): [number, number];
}

const ROOM = 1 << 14;

/** A hash table over plain numbers: a `Map` takes several times as long. @param seconds upper limit of the second groups' numbers */
export function makePairs(seconds: number): Pairs {
  let keys = new Float64Array(ROOM);
  let table = new Int32Array(2 * ROOM).fill(NONE);
  let size = 0;
  const find = (key: number) => {
    const mask = table.length - 1;
    // Both halves of the key count: it may exceed 32 bits.
    let at = (Math.imul(key | 0, 0x9e3779b1) ^ Math.imul((key / 4_294_967_296) | 0, 0x85ebca6b)) >>> 0;
    at = (at ^ (at >>> 15)) & mask;
    for (;;) {
      const known = table[at] as number;
      if (known === NONE || keys[known] === key) return at;
      at = (at + 1) & mask;
    }
  };
  const grow = () => {
    const before = keys;
    keys = new Float64Array(2 * before.length);
    keys.set(before);
    table = new Int32Array(2 * keys.length).fill(NONE);
    for (let number = 0; number < size; number++) table[find(keys[number] as number)] = number;
  };
  const numberOf = (key: number) => {
    const at = find(key);
    const known = table[at] as number;
    if (known !== NONE) return known;
    table[at] = size;
    keys[size] = key;
    size += 1;
    if (size === keys.length) grow();
    return size - 1;
  };
  return {
    get size() {
      return size;
    },
    pairUp(contracts, first, second) {
      const ends = new Int32Array(contracts);
      const all: number[] = [];
      let [one, two] = [0, 0];
      for (let row = 0; row < ends.length; row++) {
        const [endOne, endTwo] = [first.ends[row] as number, second.ends[row] as number];
        for (; one < endOne; one++) {
          for (let at = two; at < endTwo; at++)
            all.push(numberOf((first.all[one] as number) * seconds + (second.all[at] as number)));
        }
        two = endTwo;
        ends[row] = all.length;
      }
      return { ends, all: Int32Array.from(all) };
    },
    of(number) {
      const key = keys[number] as number;
      return [Math.floor(key / seconds), key % seconds];
    },
  };
}
