import type { InputFault } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import { LISTS } from './hints.ts';
import { inputBounds } from './types.ts';

/** Longer than any text that an input without a bound of its own takes. */
const TEXT_MOST = 1_000;
/** Values of one list that are checked one by one; a filter accepts fewer. */
const VALUES_MOST = 100;

/**
 * Inputs longer than anything that is taken, told by their length alone: what splits, matches or explains a value costs
 * more than to send it, and comes after this.
 */
export function findTooLong(operation: Operation, given: Readonly<Record<string, unknown>>): InputFault[] {
  const bounds = inputBounds(operation);
  return Object.entries(given).flatMap(([name, value]) => {
    const fault = name in bounds && tooLong(name, value, bounds[name]);
    return fault ? [{ path: [name], ...fault }] : [];
  });
}

function tooLong(name: string, value: unknown, most: number | undefined): Omit<InputFault, 'path'> | undefined {
  if (Array.isArray(value)) return tooMany(value.length, most ?? VALUES_MOST);
  if (typeof value !== 'string') return undefined;
  const mostChars = most ?? TEXT_MOST;
  if (value.trim().length > mostChars) return tooManyChars(value, mostChars, '');
  if (countWrittenOut(value.trim()) > mostChars)
    return tooManyChars(value, mostChars, ' once its ligatures are written out');
  return LISTS.includes(name) ? tooMany(countParts(value), VALUES_MOST) : undefined;
}

/** Characters of a normalised search text: one Unicode character may become eighteen letters. */
export function countWrittenOut(text: string): number {
  return text.normalize('NFKC').length;
}

function tooManyChars(value: string, mostChars: number, when: string): Omit<InputFault, 'path'> {
  return {
    type: 'string_too_long',
    msg: `Input should have at most ${mostChars} characters${when}`,
    input: value.slice(0, VALUES_MOST),
    ctx: { max_length: mostChars },
  };
}

function tooMany(count: number, most: number): Omit<InputFault, 'path'> | undefined {
  if (count <= most) return undefined;
  return {
    type: 'too_long',
    msg: `Input should have at most ${most} values, these are ${count}`,
    ctx: { max_length: most },
  };
}

function countParts(list: string): number {
  let count = 1;
  for (let at = list.indexOf(','); at >= 0; at = list.indexOf(',', at + 1)) count += 1;
  return count;
}
