import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { toFaults } from '../../../api/validation/faults.ts';
import { inputFacts } from '../../../api/validation/inputs.ts';
import { knownOperations as operations } from '../../support/known-operations.ts';

/** What a refusal says to send instead is taken, for that input. */

const NUMBERS = [
  1.5,
  -1.5,
  1e20,
  -1,
  0,
  '1.5',
  '1e20',
  '100000000000000000000',
  '£1.5',
  '1.5k',
  '9999999bn',
  'many',
  '1,5',
];
const DAYS = [
  '31/02/2026',
  '1/1/0001',
  '99/99/9999',
  '2026-13-45',
  'May 2026',
  '0000',
  '9999999999',
  '2026-1-1T9',
  '31 Feb',
];
const WORDS = ['', ' ', 'true', 'TRUE ', 'yes', 'awarded', 'Award,open', 'zzz', '45,IT services', '"', 'x'.repeat(900)];
const OTHERS = [
  null,
  true,
  [],
  ['a'],
  ['45', '72'],
  ['award', 'tender'],
  [1, 2],
  {},
  Array(150).fill('45'),
  ['x'.repeat(900)],
];
const MONSTERS: readonly unknown[] = [...NUMBERS, ...DAYS, ...WORDS, ...OTHERS];

/** The value that a message tells to send, if any. */
function suggested(msg: string): unknown[] {
  const [, json] = /(?:; send|, for example) (\[.*\]|\{.*\}|"(?:[^"\\]|\\.)*"|[^\s;"]+)/.exec(msg) ?? [];
  const [, word] = /(?:did you mean|one at a time: send) '([^']*)'/.exec(msg) ?? [];
  if (json !== undefined && !/^(?:words|some)/.test(json)) return [JSON.parse(json)];
  return word === undefined ? [] : [word];
}

describe('a hint', () => {
  it.each(operations.map((operation) => [operation.name, operation] as const))('of %s is taken', (_name, operation) => {
    const wrong = Object.keys(operation.input.shape).flatMap((name) =>
      MONSTERS.flatMap((value) => {
        const parsed = operation.input.safeParse({ [name]: value });
        const faults = toFaults(operation, parsed.error?.issues ?? [], { [name]: value });
        return faults.flatMap(({ path, msg }) =>
          suggested(msg).flatMap((meant) =>
            inputFacts(operation, String(path[0])).accepts(meant) ? [] : [{ path, value, msg }],
          ),
        );
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('of an input that says it takes several values names them all', () => {
    const single = operations.flatMap((operation) =>
      Object.entries(operation.input.shape).flatMap(([name, schema]) =>
        /commas? between/.test(String((schema as z.ZodType).meta()?.description)) && !inputFacts(operation, name).isList
          ? [`${operation.name} ${name}`]
          : [],
      ),
    );
    expect(single).toEqual([]);
  });

  it.each([
    ['bulk_export', 'max_rows', '1.5', /^(?!.*send 1\.5)/],
    ['search_notices', 'limit', '100000000000000000000', /^(?!.*send 1)/],
    ['search_notices', 'value_min', '1.1m', /send 1100000$/],
    ['search_notices', 'published_from', '31/02/2026', /send "2026-02-28"/],
  ] as const)('of %s %s %s', (tool, name, value, said) => {
    const operation = operations.find((one) => one.name === tool);
    if (!operation) throw new Error(`${tool} is not there`);
    const issues = operation.input.safeParse({ [name]: value }).error?.issues ?? [];
    const faults = toFaults(operation, issues, { [name]: value });
    expect(faults.find(({ path }) => path[0] === name)?.msg).toMatch(said);
  });
});
