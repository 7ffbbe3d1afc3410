/**
 * Companies of the register whose numbers begin alike, as columns of numbers in the order of their places. A company takes some
 * fifteen bytes, so that millions fit into one process's memory and are searched in milliseconds.
 */
export interface Chunk {
  /** Places within the chunk, rising. */
  lows: Uint16Array;
  /** The number of its traits (`TraitTable`), with `SUPPLIER` added if the list of suppliers has it. */
  traits: Uint16Array;
  /** Day of incorporation as `yyyymmdd`; `NONE` where unknown. */
  days: Int32Array;
  /** Numbers of postcodes (`postcodeNumber`). */
  postcodes: Uint32Array;
  /** Numbers of the SIC codes that occur, rising. */
  codes: Uint32Array;
  /** Where the rows of each code end in `rows`. */
  ends: Uint32Array;
  /** Rows by code, rising within each. */
  rows: Uint16Array;
}

/** The flag of a row that the list of suppliers has, so the register alone does not list it. */
export const SUPPLIER = 0x8000;

/** The data of one company. */
export interface Facts {
  low: number;
  traits: number;
  day: number;
  postcode: number;
  codes: readonly number[];
}

export const EMPTY: Chunk = {
  lows: new Uint16Array(),
  traits: new Uint16Array(),
  days: new Int32Array(),
  postcodes: new Uint32Array(),
  codes: new Uint32Array(),
  ends: new Uint32Array(),
  rows: new Uint16Array(),
};

/** A code and a row as one number that sorts by both. */
const ROWS = 65_536;

/** The chunk with new data for these companies. @param added in any order, the last of a place counts */
export function merge(chunk: Chunk, added: readonly Facts[]): Chunk {
  const fresh = [...new Map(added.map((one) => [one.low, one])).values()].sort((a, b) => a.low - b.low);
  const size = chunk.lows.length + fresh.filter(({ low }) => rowOf(chunk, low) < 0).length;
  const merged = {
    lows: new Uint16Array(size),
    traits: new Uint16Array(size),
    days: new Int32Array(size),
    postcodes: new Uint32Array(size),
  };
  const pairs: number[] = [];
  /** The new position of each old row; -1 where it was replaced. */
  const moved = new Int32Array(chunk.lows.length);
  let [old, next] = [0, 0];
  for (let row = 0; row < size; row++) {
    const low = chunk.lows[old] ?? ROWS;
    const facts = fresh[next];
    if (facts && facts.low <= low) {
      if (facts.low === low) moved[old++] = -1;
      next++;
      merged.lows[row] = facts.low;
      merged.traits[row] = facts.traits;
      merged.days[row] = facts.day;
      merged.postcodes[row] = facts.postcode;
      for (const code of new Set(facts.codes)) pairs.push(code * ROWS + row);
    } else {
      moved[old] = row;
      merged.lows[row] = low;
      merged.traits[row] = chunk.traits[old] ?? 0;
      merged.postcodes[row] = chunk.postcodes[old] ?? 0;
      merged.days[row] = chunk.days[old++] ?? 0;
    }
  }
  eachCode(chunk, (code, row) => {
    const to = moved[row] ?? -1;
    if (to >= 0) pairs.push(code * ROWS + to);
  });
  return { ...merged, ...byCode(Float64Array.from(pairs).sort()) };
}

function eachCode({ codes, ends, rows }: Chunk, each: (code: number, row: number) => void): void {
  let at = 0;
  for (let index = 0; index < codes.length; index++) {
    const end = ends[index] ?? 0;
    while (at < end) each(codes[index] ?? 0, rows[at++] ?? 0);
  }
}

function byCode(pairs: Float64Array): Pick<Chunk, 'codes' | 'ends' | 'rows'> {
  const codes: number[] = [];
  const ends: number[] = [];
  const rows = new Uint16Array(pairs.length);
  pairs.forEach((pair, at) => {
    const code = Math.floor(pair / ROWS);
    rows[at] = pair % ROWS;
    if (codes.at(-1) !== code) codes.push(code);
    ends[codes.length - 1] = at + 1;
  });
  return { codes: Uint32Array.from(codes), ends: Uint32Array.from(ends), rows };
}

/** The row of a place; -1 where there is none. */
export function rowOf({ lows }: Pick<Chunk, 'lows'>, low: number): number {
  let [from, to] = [0, lows.length - 1];
  while (from <= to) {
    const middle = (from + to) >> 1;
    const found = lows[middle] ?? 0;
    if (found === low) return middle;
    if (found < low) from = middle + 1;
    else to = middle - 1;
  }
  return -1;
}

/** The first position at which a rising column has this value or a larger one. */
export function firstFrom(column: Uint16Array | Uint32Array, value: number): number {
  let [from, to] = [0, column.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((column[middle] ?? 0) < value) from = middle + 1;
    else to = middle;
  }
  return from;
}
