import { z } from 'zod';
import type { Operation } from './operation.ts';

export type JsonType = 'integer' | 'number' | 'boolean' | 'string' | 'array' | 'object' | 'unknown';

const known = new WeakMap<Operation, Record<string, JsonType>>();

/** An example of an input, or what it is taken to be where it is left out. */
export function inputExample({ input }: Operation, name: string): unknown {
  const schema = input.shape[name] as z.ZodType | undefined;
  const [example] = (schema?.meta()?.examples as unknown[] | undefined) ?? [];
  return example ?? (schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined);
}

/** The JSON type of each input of an operation, as its schema names it. */
export function inputTypes(operation: Operation): Record<string, JsonType> {
  const held = known.get(operation);
  if (held) return held;
  const schema = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' });
  const types = Object.entries(schema.properties ?? {}).map(([name, property]) => [name, jsonType(property)] as const);
  const made = Object.fromEntries(types);
  known.set(operation, made);
  return made;
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
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
