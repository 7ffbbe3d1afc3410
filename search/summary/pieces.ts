import { COLUMNS, type Column, type ColumnKind, type ColumnName, isWide, NONE } from './columns.ts';

/** Several names of each contract: those of row `n` are `all` from `ends[n - 1]` to `ends[n]`. */
export interface NameLists {
  ends: Int32Array;
  all: Int32Array;
}

/** A piece of a column, by its kind. */
type Piece = Int32Array | Float64Array | NameLists;

/** Some columns of a run of rows. */
export type Pieces = Partial<Record<ColumnName, Piece>>;

/** What a contract has in a column: numbers only. */
export type Cell = number | readonly number[];

/** Memory into which successive pieces of a column are unpacked. Each overwrites the previous piece. */
export interface Room {
  /** @param use its purpose: the same purpose gets the same memory */
  take(use: string, size: number): Int32Array;
}

/** Memory allocated on first use. */
export function makeRoom(): Room {
  const known = new Map<string, Int32Array>();
  return {
    take(use, size) {
      const last = known.get(use);
      if (last?.length === size) return last;
      // Lists of names vary in length from piece to piece.
      const isEnough = last !== undefined && last.buffer.byteLength >= 4 * size;
      const numbers = isEnough ? new Int32Array(last.buffer, 0, size) : new Int32Array(size);
      known.set(use, numbers);
      return numbers;
    },
  };
}

const FRESH: Room = { take: (_use, size) => new Int32Array(size) };

/**
 * Stored whole numbers: how many there are, the least, and how many bytes each takes, in four bytes each; then each number's
 * difference from the least. Reading fewer bytes saves more time than unpacking costs.
 */
const HEADER_BYTES = 12;

/** A piece in its stored form; lists begin with where each ends. */
export function packPiece(kind: ColumnKind, cells: readonly Cell[]): Uint8Array {
  if (isWide(kind)) return new Uint8Array(Float64Array.from(cells as number[]).buffer);
  if (kind !== 'names') return packNumbers(cells as readonly number[]);
  const lists = cells as readonly (readonly number[])[];
  let end = 0;
  const [ends, all] = [packNumbers(lists.map(({ length }) => (end += length))), packNumbers(lists.flat())];
  const packed = new Uint8Array(ends.length + all.length);
  packed.set(ends);
  packed.set(all, ends.length);
  return packed;
}

function packNumbers(given: readonly number[]): Uint8Array {
  const numbers = Int32Array.from(given);
  let [least, most] = numbers.length === 0 ? [0, 0] : [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const number of numbers) {
    least = Math.min(least, number);
    most = Math.max(most, number);
  }
  const width = widthOf(most - least);
  // The difference from the least may need more than four bytes.
  if (width === 4) least = 0;
  const packed = new Uint8Array(HEADER_BYTES + upToFour(width * numbers.length));
  new Int32Array(packed.buffer, 0, 3).set([numbers.length, least, width]);
  if (width === 0) return packed;
  const stored = new STORED[width](packed.buffer, HEADER_BYTES, numbers.length);
  numbers.forEach((number, at) => {
    stored[at] = number - least;
  });
  return packed;
}

const STORED = { 1: Uint8Array, 2: Uint16Array, 4: Int32Array };

function widthOf(range: number): 0 | keyof typeof STORED {
  if (range === 0) return 0;
  if (range < 256) return 1;
  return range < 65_536 ? 2 : 4;
}

function upToFour(bytes: number): number {
  return Math.ceil(bytes / 4) * 4;
}

/**
 * Unpacks a stored piece. @param stored bytes that begin at the start of their memory, or at a multiple of eight @param room
 * memory to unpack into; by default its own
 */
export function unpackPiece(name: ColumnName, stored: Uint8Array, room: Room = FRESH): Piece {
  const { kind }: Column = COLUMNS[name];
  if (isWide(kind)) return new Float64Array(stored.buffer, stored.byteOffset, stored.byteLength / 8);
  const first = unpackNumbers(stored, 0, (size) => room.take(name, size));
  if (kind !== 'names') return first.numbers;
  const { numbers: all } = unpackNumbers(stored, first.end, (size) => room.take(`all ${name}`, size));
  return { ends: first.numbers, all };
}

function unpackNumbers({ buffer, byteOffset }: Uint8Array, from: number, take: (size: number) => Int32Array) {
  const at = byteOffset + from;
  const [size = 0, least = 0, width = 0] = new Int32Array(buffer, at, 3);
  const numbers = take(size);
  if (width === 0) numbers.fill(least);
  else if (width === 1) widenBytes(new Uint8Array(buffer, at + HEADER_BYTES, size), least, numbers);
  else if (width === 2) widenPairs(new Uint16Array(buffer, at + HEADER_BYTES, size), least, numbers);
  else numbers.set(new Int32Array(buffer, at + HEADER_BYTES, size));
  return { numbers, end: from + HEADER_BYTES + upToFour(size * width) };
}

// Two functions: one that handled arrays of both kinds would take twice as long.
function widenBytes(stored: Uint8Array, least: number, numbers: Int32Array): void {
  for (let row = 0; row < stored.length; row++) numbers[row] = least + (stored[row] as number);
}

function widenPairs(stored: Uint16Array, least: number, numbers: Int32Array): void {
  for (let row = 0; row < stored.length; row++) numbers[row] = least + (stored[row] as number);
}

/** The cells of a piece, so that some can be set. */
export function cellsOf(piece: Piece): Cell[] {
  if (!('ends' in piece)) return [...piece];
  return Array.from(piece.ends, (end, row) => [...piece.all.subarray(piece.ends[row - 1] ?? 0, end)]);
}

/** A column's value where a row has gone. */
export function emptyCell(kind: ColumnKind): Cell {
  if (kind === 'names') return [];
  return isWide(kind) ? Number.NaN : NONE;
}
