import { compareText } from '../../schema/text/ids.ts';
import { indexPrints, printNumber } from '../results/match-prints.ts';
import { mergeNumbers, mergeTexts, NO_TEXTS, type Plan, type Texts, textAt } from './columns.ts';

/** An organisation as it comes into a list: its search keys and its order. */
export interface Entry {
  id: string;
  /** Its cleaned name and its other cleaned names, as `namesOf` joins them. */
  names: string;
  /** The first letters of its words, if people use them as its name. */
  initials?: readonly string[];
  /** Contracts first, then less significant measures: higher numbers come first. */
  size: number;
}

/** Organisations in the order of a list without a query: the largest first, then by id. The same object until something changes. */
export interface Listed<C = unknown> {
  /** The columns that only this list has. */
  own: C;
  /** Their ids, and the same as numbers of 53 bits. */
  ids: Texts;
  prints: Float64Array;
  /** Lines, each after a line break, with one at the end: each name, `#id` in capitals, `@initials`. */
  lines: Texts;
  sizes: Float64Array;
}

/** How the columns that only one list has are built. */
export interface OwnColumns<E extends Entry, C> {
  none: C;
  merge(old: C, plan: Plan, fresh: readonly E[]): C;
}

/** What changed of an organisation: its data as it is now; null if it has gone. */
export interface Change<E> {
  entry: E | null;
  /** Whether it counts only for an organisation that the list has. */
  isUpdate: boolean;
}

/** Cleaned names as one text, each once: the name first, then its other names. */
export function namesOf(...keys: readonly string[]): string {
  return [...new Set(keys)].filter((key, at) => at === 0 || key !== '').join('\n');
}

/** A list without entries. */
export function emptyList<E extends Entry, C>({ none }: OwnColumns<E, C>): Listed<C> {
  return { own: none, ids: NO_TEXTS, prints: new Float64Array(), lines: NO_TEXTS, sizes: new Float64Array() };
}

/** Changes are merged into the ordered rest, which takes far less time than ordering everything again. */
export function mergeListed<E extends Entry, C>(
  old: Listed<C>,
  changes: ReadonlyMap<string, Change<E>>,
  { merge }: OwnColumns<E, C>,
): Listed<C> {
  const rowOf = indexPrints(old.prints);
  const goes = new Uint8Array(old.prints.length);
  const fresh: E[] = [];
  for (const [id, { entry, isUpdate }] of changes) {
    const row = rowOf(printNumber(id));
    const isThere = row >= 0 && textAt(old.ids, row) === id;
    if (isThere) goes[row] = 1;
    if (entry && (isThere || !isUpdate)) fresh.push(entry);
  }
  fresh.sort((a, b) => b.size - a.size || compareText(a.id, b.id));
  const plan = planMerge(old, goes, fresh);
  const lines = fresh.map(({ id, names, initials = [] }) =>
    ['', names, `#${id.toUpperCase()}`, ...initials.map((each) => `@${each}`), ''].join('\n'),
  );
  const ids = fresh.map(({ id }) => id);
  const sizes = fresh.map(({ size }) => size);
  return {
    own: merge(old.own, plan, fresh),
    ids: mergeTexts(old.ids, plan, ids),
    prints: mergeNumbers(new Float64Array(plan.length), old.prints, plan, ids.map(printNumber)),
    lines: mergeTexts(old.lines, plan, lines),
    sizes: mergeNumbers(new Float64Array(plan.length), old.sizes, plan, sizes),
  };
}

/** @param goes 1 for each old row that does not stay @param fresh in order */
function planMerge({ ids, sizes }: Listed, goes: Uint8Array, fresh: readonly Entry[]): Plan {
  const plan = new Int32Array(goes.length + fresh.length);
  let [count, old] = [0, 0];
  const keepWhile = (isBefore: (row: number) => boolean) => {
    for (; old < goes.length && (goes[old] === 1 || isBefore(old)); old++) if (goes[old] === 0) plan[count++] = old;
  };
  fresh.forEach(({ id, size }, at) => {
    keepWhile((row) => {
      const own = sizes[row] as number;
      return own === size ? textAt(ids, row) < id : own > size;
    });
    plan[count++] = ~at;
  });
  keepWhile(() => true);
  return plan.slice(0, count);
}
