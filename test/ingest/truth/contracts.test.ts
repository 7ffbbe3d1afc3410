import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comparable, expectedOf, readCase } from './served-contracts.ts';
import { CORRECTIONS, SUPPLIERS } from './sets.ts';
import { CORRECTION_SHORTFALLS, SUPPLIER_SHORTFALLS } from './shortfalls/contracts.ts';
import { openStore, type Store } from './store.ts';
import { makeTally } from './tally.ts';

/**
 * Each case is read, stored and asked for as in operation. A contract is right with every supplier once and the right
 * company number, the value and how it is counted, and a warning where the case speaks of warnings. Doubtful cases are
 * counted and never asserted.
 */
const SETS = [
  { set: 'suppliers', cases: SUPPLIERS, shortfalls: SUPPLIER_SHORTFALLS },
  { set: 'corrections', cases: CORRECTIONS, shortfalls: CORRECTION_SHORTFALLS },
];

let store: Store;
beforeAll(async () => {
  store = await openStore();
});
afterAll(() => store.close());

describe.each(SETS)('the judging set $set', ({ set, cases, shortfalls }) => {
  const tally = makeTally(set);
  afterAll(() => console.info(tally.tell()));

  it.each(cases.map((one) => [one.kind, one.name, one] as const))('%s: %s', async (_kind, name, one) => {
    const expected = expectedOf(one);
    const served = comparable(await readCase(store, one), expected);
    const right = isDeepStrictEqual(served, expected);
    tally.count({ ...one, right });
    if (one.doubtful !== undefined) return;
    if (name in shortfalls) expect(right, 'is right now: strike it out of the known shortfalls').toBe(false);
    else expect(served).toEqual(expected);
  });

  it('leaves no case out, and knows no shortfall of another set', () => {
    expect(tally.size()).toBe(cases.length);
    const names = new Set(cases.flatMap(({ name, doubtful }) => (doubtful === undefined ? name : [])));
    expect(Object.keys(shortfalls).filter((name) => !names.has(name))).toEqual([]);
  });
});
