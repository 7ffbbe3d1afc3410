import { z } from 'zod';
import type { Operation } from '../contract/operation.ts';

export type JsonType = 'integer' | 'number' | 'boolean' | 'string' | 'array' | 'object' | 'unknown';

interface Known {
  types: Record<string, JsonType>;
  /** Most characters of a text, or entries of a list; undefined where the schema names none. */
  bounds: Record<string, number | undefined>;
}

const known = new WeakMap<Operation, Known>();

/** An example of an input, or what it is taken to be where it is left out. */
function inputExample({ input }: Operation, name: string): unknown {
  const schema = input.shape[name] as z.ZodType | undefined;
  const [example] = (schema?.meta()?.examples as unknown[] | undefined) ?? [];
  return example ?? (schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined);
}

/** What a refusal can suggest of an operation's inputs: an example of each, and what each accepts. */
export function inputHints(operation: Operation) {
  return {
    exampleOf: (name: string) => inputExample(operation, name),
    accepts: (name: string, value: unknown) =>
      (operation.input.shape[name] as z.ZodType | undefined)?.safeParse(value).success ?? false,
  };
}

/** The JSON type of each input of an operation, as its schema names it. */
export function inputTypes(operation: Operation): Record<string, JsonType> {
  return readKnown(operation).types;
}

/** Most characters or entries of each input of an operation, where its schema names a bound. */
export function inputBounds(operation: Operation): Record<string, number | undefined> {
  return readKnown(operation).bounds;
}

function readKnown(operation: Operation): Known {
  const held = known.get(operation);
  if (held) return held;
  const schema = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' });
  const properties = Object.entries(schema.properties ?? {});
  const made = {
    types: Object.fromEntries(properties.map(([name, property]) => [name, jsonType(property)])),
    bounds: Object.fromEntries(properties.map(([name, property]) => [name, boundOf(property)])),
  };
  known.set(operation, made);
  return made;
}

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
 * Text of a path or a query as the JSON type its schema names; text that cannot be one stays text, for the schema to refuse.
 * A list is comma-separated or repeated; anything else given twice becomes a list, which its schema refuses.
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

/** Digits of a code or a company number that is sent as a number. */
const CODE_MOST = 99_999_999;
const DAY = /_(?:from|to)$/;

/**
 * Inputs with what is plainly meant put right: numbers, true and false sent as text, a code sent as a number, and a known
 * word in whatever case. All else stays as it is, for the schema to refuse.
 */
export function readMeant(operation: Operation, given: Record<string, unknown>): Record<string, unknown> {
  const types = inputTypes(operation);
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, meant(operation, name, value, types[name] ?? 'unknown')]),
  );
}

function meant({ input }: Operation, name: string, value: unknown, type: JsonType): unknown {
  if (typeof value === 'string') return type === 'string' ? asWord(input, name, value) : readText([value.trim()], type);
  const isCode = type === 'string' && Number.isInteger(value) && Number(value) >= 0 && Number(value) <= CODE_MOST;
  return isCode && !DAY.test(name) ? String(value) : value;
}

function asWord(input: z.ZodObject, name: string, value: string): string {
  const words = wordsOf(input.shape[name] as z.ZodType | undefined);
  const sent = value.trim().toLowerCase();
  // A day is written in one way alone, however far from the margin.
  return words.find((word) => word.toLowerCase() === sent) ?? (DAY.test(name) ? value.trim() : value);
}

/** The words that an input takes, where it takes no others. */
function wordsOf(schema: z.ZodType | undefined): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return wordsOf(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
}
