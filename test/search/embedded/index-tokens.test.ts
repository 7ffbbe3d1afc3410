import { describe, expect, it } from 'vitest';
import { COLLECTIONS, tokenRows } from '../../../search/collections/index.ts';
import type { IndexToken } from '../../../search/collections/shape.ts';
import {
  bidsTokens,
  decidedByTokens,
  monthTokens,
  valueTokens,
  wantedBids,
  wantedMonths,
  wantedValues,
} from '../../../search/collections/tokens.ts';
import { identifierTokens } from '../../../search/embedded/layout/tokens.ts';
import { someDocument } from '../documents.ts';

/** Whether tokens have one of each group that is wanted. */
function meet(tokens: IndexToken[], wanted: IndexToken[][]): boolean {
  const own = new Set(tokens.map(({ letter, value }) => letter + value));
  return wanted.every((group) => group.some(({ letter, value }) => own.has(letter + value)));
}

const EDGES = [1_000, 10_000, 25_000, 50_000, 100_000, 5_000_000, 100_000_000, 500_000_000];
const AMOUNTS = [-5, 0, 0.5, ...EDGES.flatMap((edge) => [edge - 0.01, edge, edge + 0.01]), 70_000, 2e12];
const BOUNDS = [undefined, 0, 60_000, 1e12, ...EDGES];

describe('words of the index that stand for numbers', () => {
  it('find every value between two bounds, and no other where they tell a bound alone', () => {
    let decided = 0;
    for (const value_min of BOUNDS) {
      for (const value_max of BOUNDS) {
        const filters = {
          ...(value_min === undefined ? {} : { value_min }),
          ...(value_max === undefined ? {} : { value_max }),
        };
        const wanted = wantedValues('v', filters);
        const isDecided = decidedByTokens(filters).length === Object.keys(filters).length;
        decided += Number(isDecided);
        for (const amount of AMOUNTS) {
          const isBetween = amount >= (value_min ?? -Infinity) && amount <= (value_max ?? Infinity);
          const found = meet(valueTokens('v', amount), wanted);
          expect([amount, filters, isDecided ? found : found || !isBetween]).toEqual([
            amount,
            filters,
            isDecided ? isBetween : true,
          ]);
        }
        expect(meet(valueTokens('v', null), wanted)).toBe(Object.keys(filters).length === 0 || wanted.length === 0);
      }
    }
    expect(decided).toBeGreaterThan(50);
  });

  it('leave bounds that cross to the comparison', () => {
    expect(decidedByTokens({ value_min: 100_000, value_max: 50_000 })).toEqual([]);
    expect(wantedValues('v', { value_min: 100_000, value_max: 50_000 })).toEqual([]);
    expect(wantedMonths('d', '2027-01-01', '2026-12-31')).toEqual([]);
  });

  it('find bids up to a number, and where they are known', () => {
    for (const bids_max of [0, 1, 9, 10, 11, 500]) {
      const isDecided = decidedByTokens({ bids_max }).length === 1;
      for (const bids of [0, 1, 2, 9, 10, 11, 12, 1_000]) {
        const found = meet(bidsTokens('x', bids), wantedBids('x', { bids_max }));
        expect([bids_max, bids, isDecided ? found : found || bids > bids_max]).toEqual([
          bids_max,
          bids,
          isDecided ? bids <= bids_max : true,
        ]);
      }
      expect(meet(bidsTokens('x', null), wantedBids('x', { bids_max }))).toBe(false);
    }
    expect(decidedByTokens({ bids_max: 9 })).toEqual(['bids_max']);
  });

  it('find every day between two, with or without an end, up to the last year there is', () => {
    const days = [
      '1998-02-28',
      '2026-01-01',
      '2026-11-30',
      '2026-12-01',
      '2029-12-31',
      '2030-01-01',
      '2099-12-31',
      '2100-01-01',
      '2150-06-30',
      '9999-12-31',
    ];
    for (const from of days) {
      for (const to of [undefined, ...days]) {
        if (to !== undefined && to < from) continue;
        const wanted = wantedMonths('d', from, to);
        for (const day of days) {
          const isBetween = day >= from && day <= (to ?? '9999-12-31');
          if (isBetween) expect([from, to, day, meet(monthTokens('d', day), wanted)]).toEqual([from, to, day, true]);
        }
      }
    }
    // Of a few months none but theirs.
    expect(meet(monthTokens('d', '2027-06-01'), wantedMonths('d', '2026-11-20', '2027-05-20'))).toBe(false);
    expect(meet(monthTokens('d', '2026-10-31'), wantedMonths('d', '2026-11-20'))).toBe(false);
    expect(meet(monthTokens('d', null), wantedMonths('d', '2026-11-20'))).toBe(false);
  });
});

it('ids that differ in one digit alone have words of their own', () => {
  const tokens = new Set<string>();
  for (let number = 0; number < 100_000; number++) {
    const digits = String(number).padStart(6, '0');
    for (const { text } of identifierTokens({
      notice_id: `${digits}-2026`,
      ocid: `ocds-h6vhtk-${digits}`,
      words: [],
    })) {
      tokens.add(text);
    }
  }
  expect(tokens.size).toBe(200_000);
  expect([...tokens].every((token) => /^zzi[0-9]{1,7}x[0-9]{1,10}$/.test(token))).toBe(true);
});

it.each(Object.values(COLLECTIONS))('nothing else in the index of $name has the letter of a filter', (collection) => {
  const rows = tokenRows(collection);
  const ofFilters = rows.flatMap((row) => [
    row.letter,
    ...(row.kind === 'prefix' && row.names ? [row.names.letter] : []),
  ]);
  const dated = {
    deadline: '2031-01-01',
    deadline_at: '2031-01-01T12:00:00Z',
    starts: '2031-01-01',
    ends: '2031-01-01',
  };
  const document = { ...someDocument({ value: 1, currency: 'GBP', ceiling: 1 }), ...dated, bids: 1 };
  const others = new Set(collection.tokens(document).map(({ letter }) => letter));
  // Flags, words of titles, ids and company numbers.
  const letters = [...ofFilters, ...others, 's', 'l', 'i', 'k'];
  expect(letters.filter((letter, place) => letters.indexOf(letter) !== place)).toEqual([]);
  expect(letters.length).toBeGreaterThan(15);
});
