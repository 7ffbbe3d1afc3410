import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, flagOf, listOf, numberOf, textOf } from '../../../schema/text/json-values.ts';

/** The same with V8's own sort and quoting. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return new Map(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted((value as Record<string, unknown>)[key])]),
  );
}

function write(value: unknown): string {
  if (value instanceof Map) return `{${[...value].map(([key, one]) => `${JSON.stringify(key)}:${write(one)}`)}}`;
  return Array.isArray(value) ? `[${value.map(write)}]` : JSON.stringify(value);
}

describe('canonical JSON', () => {
  it('sorts the members of every object by their names (500 random values)', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => canonicalJson(value) === write(sorted(value))),
      { numRuns: 500 },
    );
  });

  it('sorts few members and many', () => {
    for (const count of [2, 32, 33, 200]) {
      const keys = Array.from({ length: count }, (_, index) => `k${(index * 7) % count}`);
      const value = Object.fromEntries(keys.map((key) => [key, key]));
      expect(canonicalJson(value)).toBe(write(sorted(value)));
    }
  });
});

it('a list leaves out what nothing can be made of', () => {
  expect(listOf(['a', null, {}, ' ', 'b'], textOf)).toEqual(['a', 'b']);
  expect(listOf([0, 1], (member) => (member === 0 ? null : member))).toEqual([1]);
});

it('the only member of a list is read as the value that it stands for', () => {
  expect([textOf([' a ']), numberOf(['£5']), numberOf([5]), flagOf([true]), flagOf(['no'])]).toEqual([
    'a',
    5,
    5,
    true,
    false,
  ]);
  expect([textOf(['a', 'b']), textOf([]), numberOf([]), flagOf([true, true])]).toEqual(new Array(4).fill(undefined));
});

it('a number in a text is read where it can be read in one way only', () => {
  const plain = ['1250.5', ' £1,250.50 ', '1 250.5', '1\u00a0250.50', '-£5', '1.2e3', 7];
  expect(plain.map(numberOf)).toEqual([1250.5, 1250.5, 1250.5, 1250.5, -5, 1200, 7]);
  const counted = ['GBP 1,250.50', '1250.50 gbp', '£1.2m', '£ 1.2 Million', 'GBP80K', '£2bn'];
  expect(counted.map(numberOf)).toEqual([1250.5, 1250.5, 1_200_000, 1_200_000, 80_000, 2_000_000_000]);
  const unclear = [
    '12m',
    '£1m-£2m',
    '£1.2e3m',
    'EUR 100',
    '12,50',
    '1.250,50',
    '1,5',
    '£10 £20',
    '1,000 2,000',
    '0x10',
    '£',
    '.',
    '',
    'TBC',
    '1e999',
    true,
    [5, 6],
  ];
  expect(unclear.map(numberOf)).toEqual(unclear.map(() => undefined));
});
