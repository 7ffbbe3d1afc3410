/**
 * Columns of many organisations, in the order of their list. Separate objects and texts would take several times the
 * memory, and a pass over them twenty times as long. No column changes; a merge creates the next one.
 */

/** Which row each new row continues: of the former column, or as `~index` of those that came. */
export type Plan = Int32Array;

/** Texts of rows, joined in pieces: one letter beyond Latin-1 doubles the memory of its whole piece. */
export interface Texts {
  pieces: readonly string[];
  /** Where the text of each row ends in its piece. */
  ends: Uint32Array;
}

/** Several numbers of each row: those of row `n` are `all` from `ends[n - 1]` to `ends[n]`. */
export interface Lists {
  all: Uint32Array;
  ends: Uint32Array;
}

/** Rows of a piece of texts. */
const PIECE_ROWS = 8_192;

export const NO_TEXTS: Texts = { pieces: [], ends: new Uint32Array() };
export const NO_LISTS: Lists = { all: new Uint32Array(), ends: new Uint32Array() };

/** The text of a row. */
export function textAt({ pieces, ends }: Texts, row: number): string {
  const start = row % PIECE_ROWS === 0 ? 0 : (ends[row - 1] as number);
  return (pieces[Math.floor(row / PIECE_ROWS)] as string).slice(start, ends[row]);
}

/** Each piece, with where its rows end in it and the number of its first row. */
export function eachPiece(
  { pieces, ends }: Texts,
  each: (text: string, ends: Uint32Array, first: number) => void,
): void {
  pieces.forEach((text, at) => {
    each(text, ends.subarray(at * PIECE_ROWS, (at + 1) * PIECE_ROWS), at * PIECE_ROWS);
  });
}

/** @param fresh the texts that came */
export function mergeTexts(old: Texts, plan: Plan, fresh: readonly string[]): Texts {
  const pieces: string[] = [];
  const ends = new Uint32Array(plan.length);
  for (let first = 0; first < plan.length; first += PIECE_ROWS) {
    const texts: string[] = [];
    let end = 0;
    for (let row = first; row < Math.min(first + PIECE_ROWS, plan.length); row++) {
      const from = plan[row] as number;
      const text = from < 0 ? (fresh[~from] as string) : textAt(old, from);
      texts.push(text);
      ends[row] = end += text.length;
    }
    pieces.push(texts.join(''));
  }
  return { pieces, ends };
}

/** @param room as many numbers as the plan has @param fresh the numbers that came @returns the room */
export function mergeNumbers<T extends Uint16Array | Uint32Array | Int32Array | Float64Array>(
  room: T,
  old: T,
  plan: Plan,
  fresh: readonly number[],
): T {
  for (let row = 0; row < plan.length; row++) {
    const from = plan[row] as number;
    room[row] = (from < 0 ? fresh[~from] : old[from]) as number;
  }
  return room;
}

/** @param fresh the numbers of those that came */
export function mergeLists(old: Lists, plan: Plan, fresh: readonly (readonly number[])[]): Lists {
  const startOf = (row: number) => (row === 0 ? 0 : (old.ends[row - 1] as number));
  const ends = new Uint32Array(plan.length);
  let end = 0;
  for (let row = 0; row < plan.length; row++) {
    const from = plan[row] as number;
    end += from < 0 ? (fresh[~from]?.length ?? 0) : (old.ends[from] as number) - startOf(from);
    ends[row] = end;
  }
  const all = new Uint32Array(end);
  for (let row = 0; row < plan.length; row++) {
    const from = plan[row] as number;
    const own = from < 0 ? (fresh[~from] ?? []) : old.all.subarray(startOf(from), old.ends[from]);
    all.set(own, ends[row - 1] ?? 0);
  }
  return { all, ends };
}

/** @param fresh the objects that came */
export function mergeObjects<T>(old: readonly T[], plan: Plan, fresh: readonly T[]): T[] {
  return Array.from(plan, (from) => (from < 0 ? fresh[~from] : old[from]) as T);
}
