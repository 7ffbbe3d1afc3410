import type { Operation } from './operation.ts';
import { inputSchema, type JsonSchema, outputSchema } from './published.ts';

/** Longer lists of words, longer patterns and greater bounds are left to the description and to the refusal, which says what may be sent. */
const WORDS_MAX = 10;
const PATTERN_MAX = 20;
const BOUND_MAX = 1_000_000;
/** Fields that may be absent and are named all the same: what the next call takes. */
const LEADS_ON = /((?<!charge)_id|_ids|_number|_cursor|^ocid|^download_url)$/;

/** What a tool takes, in few words. Never narrower than the input itself, which stays the only judge. */
export function toolInputSchema(operation: Operation): JsonSchema {
  const { properties = {}, ...schema } = inputSchema(operation);
  const short = Object.entries(properties).map(([name, property]) => [name, shortenInput(property)] as const);
  return { ...schema, properties: Object.fromEntries(short) };
}

function shortenInput(property: JsonSchema): JsonSchema {
  const { minLength: _least, maxLength: _most, pattern, enum: words, maximum, ...short } = property;
  return {
    ...short,
    ...(typeof pattern === 'string' && pattern.length <= PATTERN_MAX ? { pattern } : {}),
    ...(Array.isArray(words) && words.length <= WORDS_MAX ? { enum: words } : {}),
    ...(typeof maximum === 'number' && maximum <= BOUND_MAX ? { maximum } : {}),
  };
}

/**
 * What a tool answers, in few words: of the answer, of the objects in it and of the items of its lists, the fields that
 * are always there and those that lead on to another call. Every object is open, and every answer of the operation fits.
 */
export function toolOutputSchema(operation: Operation): JsonSchema {
  const schema = outputSchema(operation);
  return { ...shapeOfFields(schema, 'answer'), required: schema.required ?? [] };
}

function promised({ properties = {}, required = [] }: JsonSchema): Record<string, JsonSchema> {
  const kept = Object.entries(properties).filter(([name]) => required.includes(name) || LEADS_ON.test(name));
  return Object.fromEntries(kept);
}

/** Where a field stands: in the answer itself, in an object of it, or in an item of a list. */
type Place = 'answer' | 'object' | 'item';

/**
 * The type alone, with the fields of an object and of the items of a list. An item's own objects and lists are left out,
 * and of an object those lists whose items lead nowhere.
 */
function shapeOf(schema: JsonSchema, place: Place): JsonSchema {
  const { type, items, anyOf, properties } = schema as JsonSchema & { items?: JsonSchema; anyOf?: JsonSchema[] };
  if (type === 'array')
    return items && isShown(items, place) ? { type, items: shapeOfFields(items, 'item') } : { type };
  if (type === 'object' && properties) return place === 'item' ? { type } : shapeOfFields(schema, 'object');
  if (type) return { type };
  const [held, none, ...more] = anyOf ?? [];
  if (!held || none?.type !== 'null' || more.length > 0) return {};
  return orNull(shapeOf(held, place));
}

function isShown({ properties }: JsonSchema, place: Place): boolean {
  if (!properties || place === 'item') return false;
  return place === 'answer' || Object.keys(properties).some((name) => LEADS_ON.test(name));
}

function shapeOfFields(schema: JsonSchema, place: Place): JsonSchema {
  const fields = Object.entries(promised(schema)).map(([name, field]) => [name, shapeOf(field, place)] as const);
  return { type: 'object', ...(fields.length > 0 ? { properties: Object.fromEntries(fields) } : {}) };
}

function orNull({ type, ...shape }: JsonSchema): JsonSchema {
  return typeof type === 'string' ? { ...shape, type: [type, 'null'] } : {};
}
