import { expect } from 'vitest';
import type { Shortfalls } from './shortfalls/because.ts';

/** How a case was judged: `kind` is what it shows, such as `positive`. */
interface Counted {
  kind: string;
  doubtful?: string | undefined;
  right: boolean;
}

/** Counts what is right of a set, doubtful cases by themselves. */
export function makeTally(set: string) {
  const counts = new Map<string, { right: number; all: number }>();
  return {
    count({ kind, doubtful, right }: Counted): void {
      const row = doubtful === undefined ? kind : 'doubtful';
      const { right: before, all } = counts.get(row) ?? { right: 0, all: 0 };
      counts.set(row, { right: before + (right ? 1 : 0), all: all + 1 });
    },
    /** One line: `suppliers: positive 96/100, near-miss 75/75, doubtful 9/12`. */
    tell(): string {
      const rows = [...counts].map(([row, { right, all }]) => `${row} ${right}/${all}`);
      return `${set}: ${rows.toSorted().join(', ')}`;
    },
    /** Cases judged so far. */
    size: () => [...counts.values()].reduce((sum, { all }) => sum + all, 0),
  };
}

/** One yes or no that was asked, and what is right. */
interface Answered {
  name: string;
  expected: boolean;
  given: boolean;
}

/** One line with precision and recall: how many of the given are right, and how many of the expected are given. */
export function tellPairs(set: string, answered: readonly Answered[]): string {
  const expected = answered.filter((one) => one.expected);
  const given = answered.filter((one) => one.given);
  const both = expected.filter((one) => one.given).length;
  const part = (all: number) => `${both}/${all} (${((100 * both) / Math.max(1, all)).toFixed(1)} %)`;
  return `${set}: precision ${part(given.length)}, recall ${part(expected.length)} of ${answered.length}`;
}

/** Fails where a case is wrong that is no known shortfall, and where a known shortfall has become right. */
export function expectShortfalls(
  judged: readonly { name: string; expected: unknown; given: unknown }[],
  shortfalls: Shortfalls,
): void {
  const wrong = judged.filter(({ expected, given }) => expected !== given);
  const isKnown = (name: string) => Object.hasOwn(shortfalls, name);
  expect(wrong.filter(({ name }) => !isKnown(name))).toEqual([]);
  const names = new Set(wrong.map(({ name }) => name));
  const right = Object.keys(shortfalls).filter((name) => !names.has(name));
  expect(right, 'these are right now: strike them out of the known shortfalls').toEqual([]);
}
