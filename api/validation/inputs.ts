import { z } from 'zod';
import { memoiseByObject } from '../../schema/text/memoise.ts';
import type { AnyFilterRow, InputsOf } from '../../search/filters/row.ts';
import type { InputFault } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';

export type JsonType = 'integer' | 'number' | 'boolean' | 'string' | 'array' | 'object' | 'unknown';

interface Known {
  types: Record<string, JsonType>;
  /** Most characters of a text, or entries of a list; undefined where the schema states none. */
  bounds: Record<string, number | undefined>;
  /** The words that an input accepts, if it accepts no others. */
  words: Record<string, readonly string[]>;
  /** Those that are comma-separated lists; in any other list each entry is a separate value. */
  lists: ReadonlySet<string>;
}

/** What a hint can say about an input. */
export interface InputFacts {
  /** Its example, or its default. */
  example: unknown;
  /** Its row in the table of filters, where it is one of them. */
  filter: AnyFilterRow | undefined;
  /** Whether it is a comma-separated list; in any other list each entry is a separate value. */
  isList: boolean;
  /** Whether the input accepts a value: no other is suggested. */
  accepts(value: unknown): boolean;
}

/** Inputs that are comma-separated lists but not filters. */
const LISTS = ['fields', 'facets', 'group_by', 'kinds', 'sic', 'company_status'];

/** What a hint can say about one of an operation's inputs. */
export function inputFacts(operation: Operation, name: string): InputFacts {
  const { input, filters } = operation;
  const schema = input.shape[name] as z.ZodType | undefined;
  const [example] = (schema?.meta()?.examples as unknown[] | undefined) ?? [];
  const filter = filters?.find((row) => row.name === name);
  return {
    example: example ?? (schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined),
    filter,
    isList: readKnown(operation).lists.has(name),
    accepts: (value) => value !== undefined && (schema?.safeParse(value).success ?? false),
  };
}

/** The JSON type of each input of an operation, according to its schema. */
export function inputTypes(operation: Operation): Record<string, JsonType> {
  return readKnown(operation).types;
}

const readKnown = memoiseByObject((operation: Operation): Known => {
  const schema = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' });
  const properties = Object.entries(schema.properties ?? {});
  const listed = operation.filters?.filter(({ several }) => several === true).map(({ name }) => name);
  return {
    types: Object.fromEntries(properties.map(([name, property]) => [name, jsonType(property)])),
    bounds: Object.fromEntries(properties.map(([name, property]) => [name, boundOf(property)])),
    words: Object.fromEntries(properties.map(([name]) => [name, wordsOf(operation.input.shape[name])])),
    lists: new Set([...LISTS, ...(listed ?? [])]),
  };
});

function boundOf(property: unknown): number | undefined {
  const { maxLength, maxItems } = Object(property) as { maxLength?: number; maxItems?: number };
  return maxLength ?? maxItems;
}

function jsonType(property: unknown): JsonType {
  if (typeof property !== 'object' || property === null) return 'unknown';
  const { type, anyOf } = property as { type?: JsonType; anyOf?: unknown[] };
  if (type) return type;
  const first = anyOf?.map(jsonType).find((each) => each !== 'unknown');
  return first ?? 'unknown';
}

/**
 * Converts text from a path or a query to the JSON type in its schema; text that does not convert stays text, for the schema to
 * refuse. A list is comma-separated or repeated; any other repeated input becomes a list, which its schema refuses.
 */
export function readText(texts: readonly string[], type: JsonType): unknown {
  if (type === 'array') return texts.flatMap((text) => text.split(',')).map((text) => text.trim());
  if (texts.length > 1) return texts;
  const [text = ''] = texts;
  if (type === 'integer' && /^[+-]?\d{1,15}(?:\.0+)?$/.test(text)) return Number(text);
  if (type === 'number' && /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,2})?$/i.test(text)) return Number(text);
  if (type === 'boolean' && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text;
}

/** Digits of a code or a company number that was sent as a number. */
const CODE_MAX = 99_999_999;
const DAY = /_(?:from|to)$/;

/**
 * Corrects inputs whose meaning is plain: numbers, true and false sent as text, a code sent as a number, and a known word in any
 * case. Everything else stays as it is, for the schema to refuse.
 */
export function readMeant(operation: Operation, given: Record<string, unknown>): Record<string, unknown> {
  const { types, words } = readKnown(operation);
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      meant(name, value, types[name] ?? 'unknown', words[name] ?? []),
    ]),
  );
}

function meant(name: string, value: unknown, type: JsonType, words: readonly string[]): unknown {
  if (typeof value === 'string') return type === 'string' ? asWord(name, value, words) : readText([value.trim()], type);
  const isCode = type === 'string' && Number.isInteger(value) && Number(value) >= 0 && Number(value) <= CODE_MAX;
  return isCode && !DAY.test(name) ? String(value) : value;
}

function asWord(name: string, value: string, words: readonly string[]): string {
  const sent = value.trim().toLowerCase();
  // A day has only one form, whatever spaces surround it.
  return words.find((word) => word.toLowerCase() === sent) ?? (DAY.test(name) ? value.trim() : value);
}

function wordsOf(schema: unknown): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return wordsOf(schema.unwrap());
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
}

/** Longer than any text that an input without a limit of its own accepts. */
const TEXT_MAX = 1_000;
/** Values of one list that are checked one by one; a filter accepts fewer. */
const VALUES_MAX = 100;

/**
 * Inputs that are too long, refused by their length alone: splitting, matching or explaining a value costs more than sending it,
 * and is done later.
 */
export function findTooLong(operation: Operation, given: Readonly<Record<string, unknown>>): InputFault[] {
  const { bounds } = readKnown(operation);
  return Object.entries(given).flatMap(([name, value]) => {
    const fault = name in bounds && tooLong(operation, name, value, bounds[name]);
    return fault ? [{ path: [name], ...fault }] : [];
  });
}

/** The inputs without those that are too long to be worth parsing. */
export function leaveOut(given: Record<string, unknown>, faults: readonly InputFault[]): Record<string, unknown> {
  if (faults.length === 0) return given;
  const names = new Set(faults.map(({ path }) => path[0]));
  return Object.fromEntries(Object.entries(given).filter(([name]) => !names.has(name)));
}

function tooLong(
  operation: Operation,
  name: string,
  value: unknown,
  most: number | undefined,
): Omit<InputFault, 'path'> | undefined {
  if (Array.isArray(value)) return tooMany(value.length, most ?? VALUES_MAX);
  if (typeof value !== 'string') return undefined;
  const mostChars = most ?? TEXT_MAX;
  const text = value.trim();
  if (text.length > mostChars) return tooManyChars(value, mostChars, '');
  if (text.length * WRITTEN_OUT_MAX > mostChars && countWrittenOut(text) > mostChars)
    return tooManyChars(value, mostChars, ' once its ligatures are written out');
  return readKnown(operation).lists.has(name) ? tooMany(countParts(value), VALUES_MAX) : undefined;
}

/** As how many letters one character may be written out (U+FDFA). */
const WRITTEN_OUT_MAX = 18;

/** How many characters a search text has once normalised. */
export function countWrittenOut(text: string): number {
  return text.normalize('NFKC').length;
}

function tooManyChars(value: string, mostChars: number, when: string): Omit<InputFault, 'path'> {
  return {
    type: 'string_too_long',
    msg: `Input should have at most ${mostChars} characters${when}`,
    input: value.slice(0, VALUES_MAX),
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

const made = memoiseByObject((row: AnyFilterRow) => row.input(z));

/** The input schema of a filter: the same object each time for the same row. */
export function inputOf<R extends AnyFilterRow>(row: R): ReturnType<R['input']> {
  return made(row) as ReturnType<R['input']>;
}

/** The input schemas of some rows, by name. */
export function inputsOf<R extends AnyFilterRow>(rows: readonly R[]): InputsOf<R> {
  return Object.fromEntries(rows.map((row) => [row.name, inputOf(row)])) as InputsOf<R>;
}
