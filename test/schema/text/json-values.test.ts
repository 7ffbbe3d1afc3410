import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, listOf, textOf } from '../../../schema/text/json-values.ts';

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
