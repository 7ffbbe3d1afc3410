import { expect } from 'vitest';
import type { Shortfalls } from './shortfalls/because.ts';

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
