import type { z } from 'zod';
import type { AnyFilterRow } from '../../search/filters/row.ts';
import type { InputFault } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import { hintValue, hintWord, type Refused } from './hints.ts';
import { inputFacts, inputTypes, type JsonType } from './inputs.ts';
import { hintName } from './words.ts';

type Issue = z.core.$ZodIssue;
type Named = Pick<InputFault, 'type' | 'msg' | 'ctx'>;

/** Inputs repeated in a refusal are cut, or the refusal would be as long as the mistake. */
const ECHO_CHARS = 200;

/**
 * Zod's faults for the inputs of an operation in pydantic's words, with what to send instead.
 * `withExamples` also uses the examples of the inputs if the intention is unclear.
 */
export function toFaults(
  operation: Operation,
  issues: readonly Issue[],
  given: Record<string, unknown>,
  withExamples = true,
): InputFault[] {
  const types = inputTypes(operation);
  return issues.flatMap((issue) => {
    const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
    if (issue.code === 'unrecognized_keys')
      return unknownInputs(
        issue.keys.map((key) => [...path, key]),
        Object.keys(types),
        operation.filters,
      );
    const input = readAt(given, path);
    const [name = ''] = path.map(String);
    const facts = inputFacts(operation, name);
    const refused = { ...facts, name, input, type: types[name], ...(!withExamples && { example: undefined }) };
    if (input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value'))
      return [{ path, ...MISSING, msg: MISSING.msg + hintValue({ ...refused, type: undefined }) }];
    const named = nameFault(issue, input, types[name]);
    return [{ path, ...named, msg: named.msg + hintOf(issue, refused), ...echo(input) }];
  });
}

/** The first fault of each input, without those that follow from it. Unknown names share one. */
export function firstOfEach(issues: readonly Issue[]): Issue[] {
  const first = new Map<string, Issue>();
  for (const issue of issues) {
    const path = JSON.stringify(issue.path);
    const before = first.get(path);
    if (!before || isSafeRange(before)) first.set(path, issue);
  }
  return [...first.values()];
}

/** Zod reports its own bounds of whole numbers first; those of the input are more useful. */
function isSafeRange(issue: Issue): boolean {
  return (issue.code === 'too_big' || issue.code === 'too_small') && issue.origin === 'int';
}

function hintOf(issue: Issue, refused: Refused): string {
  const { input } = refused;
  if (input === null) return hintValue(refused);
  if (typeof input === 'string' && input.trim() === '') return hintValue({ ...refused, input: '' });
  if (issue.code === 'invalid_type') return issue.path.length === 1 ? hintValue(refused) : '';
  if (issue.code === 'invalid_format') return hintValue(refused);
  return issue.code === 'invalid_value' ? hintWord(refused, issue.values.map(String)) : '';
}

const MISSING: Named = { type: 'missing', msg: 'Field required' };

/** An input that an address requires but did not receive. */
export function missingInput(name: string): InputFault {
  return { path: [name], ...MISSING };
}

/** Most unknown inputs named in a refusal. */
export const UNKNOWN_NAMED = 20;
/** The most for which a suggestion is looked up. */
const UNKNOWN_HINTED = 5;

/** Faults of unknown inputs: the first ones by name, the very first with a suggestion, the rest counted. */
export function unknownInputs(
  paths: readonly (string | number)[][],
  names: readonly string[],
  filters?: readonly AnyFilterRow[],
): InputFault[] {
  const named = paths
    .slice(0, UNKNOWN_NAMED)
    .map((path, at) => unknownInput(path, at < UNKNOWN_HINTED ? names : null, filters));
  const more = paths.length - named.length;
  if (more === 0) return named;
  return [...named, { path: [], type: 'extra_forbidden', msg: `${more} more unknown parameters` }];
}

function unknownInput(
  path: (string | number)[],
  names: readonly string[] | null,
  filters?: readonly AnyFilterRow[],
): InputFault {
  const name = String(path.at(-1));
  const hint = names && path.length === 1 ? hintName(name.slice(0, 64), names, filters) : '';
  return { path, type: 'extra_forbidden', msg: `Unknown parameter '${name.slice(0, 64)}'${hint}` };
}

function readAt(given: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], given);
}

function echo(input: unknown): { input?: unknown } {
  if (input === undefined || input === null || typeof input === 'object') return {};
  return typeof input === 'string' ? { input: input.slice(0, ECHO_CHARS) } : { input };
}

function nameFault(issue: Issue, input: unknown, type: JsonType | undefined): Named {
  switch (issue.code) {
    case 'invalid_type':
      return nameType(issue, input, type);
    case 'too_small':
      return nameBound(issue.origin, 'least', Number(issue.minimum), issue.inclusive !== false);
    case 'too_big':
      return nameBound(issue.origin, 'most', Number(issue.maximum), issue.inclusive !== false);
    case 'invalid_value': {
      const expected = issue.values
        .map((value) => (typeof value === 'string' ? `'${value}'` : String(value)))
        .join(', ');
      const among = issue.values.length > 1 ? 'one of ' : '';
      return { type: 'literal_error', msg: `Input should be ${among}${expected}`, ctx: { expected } };
    }
    case 'invalid_format':
      return issue.format === 'date'
        ? { type: 'date_parsing', msg: 'Input should be a date as YYYY-MM-DD' }
        : { type: 'string_pattern_mismatch', msg: issue.message };
    default:
      return { type: 'value_error', msg: issue.message };
  }
}

const EXPECTED: Record<string, { type: string; word: string }> = {
  integer: { type: 'int', word: 'integer' },
  number: { type: 'float', word: 'number' },
  boolean: { type: 'bool', word: 'boolean' },
  string: { type: 'string', word: 'string' },
  array: { type: 'list', word: 'list' },
};

function nameType(issue: Issue & { code: 'invalid_type' }, input: unknown, type: JsonType | undefined): Named {
  const wanted = issue.path.length === 1 ? (type ?? issue.expected) : issue.expected;
  const { type: short, word } = EXPECTED[wanted === 'int' ? 'integer' : wanted] ?? {
    type: 'model',
    word: 'valid object',
  };
  const article = /^[aeiou]/.test(word) ? 'an' : 'a';
  if (short === 'int' && typeof input === 'number') {
    return { type: 'int_from_float', msg: 'Input should be a whole number, without a fraction' };
  }
  const parsed = typeof input === 'string' && short !== 'string' && short !== 'list' && short !== 'model';
  return { type: `${short}_${parsed ? 'parsing' : 'type'}`, msg: `Input should be ${article} ${word}` };
}

/** How pydantic names the two bounds of a text or a list, and of a number. */
const BOUNDS = {
  least: {
    size: { at: 'at least', ctx: 'min_length', type: 'too_short' },
    inclusive: { words: 'greater than or equal to', ctx: 'ge', type: 'greater_than_equal' },
    exclusive: { words: 'greater than', ctx: 'gt', type: 'greater_than' },
  },
  most: {
    size: { at: 'at most', ctx: 'max_length', type: 'too_long' },
    inclusive: { words: 'less than or equal to', ctx: 'le', type: 'less_than_equal' },
    exclusive: { words: 'less than', ctx: 'lt', type: 'less_than' },
  },
} as const;

function nameBound(origin: string, side: keyof typeof BOUNDS, bound: number, isInclusive: boolean): Named {
  const { size, inclusive, exclusive } = BOUNDS[side];
  if (origin === 'string' || origin === 'array') {
    const unit = origin === 'string' ? 'character' : 'item';
    return {
      type: origin === 'string' ? `string_${size.type}` : size.type,
      msg: `Input should have ${size.at} ${bound} ${unit}${bound === 1 ? '' : 's'}`,
      ctx: { [size.ctx]: bound },
    };
  }
  const { words, ctx, type } = isInclusive ? inclusive : exclusive;
  return { type, msg: `Input should be ${words} ${bound}`, ctx: { [ctx]: bound } };
}
