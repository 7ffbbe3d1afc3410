import type { Operation } from './operation.ts';
import { inputSchema, type JsonSchema, outputSchema } from './published.ts';

/** Longer lists of words, longer patterns and greater bounds are left to the description and to the refusal, which says what may be sent. */
const WORDS_MAX = 10;
const PATTERN_MAX = 20;
const BOUND_MAX = 1_000_000;

/** Inputs as they were told, by their name: those that tools share are told by the first. */
type Told = Map<string, string>;

/**
 * What a tool takes, in few words. Never narrower than the input itself, which stays the only judge. What is said of an
 * input that a tool before it takes as well is not said again; an input that must be given keeps its example.
 */
export function toolInputSchema(
  operation: Operation,
  defaults: Readonly<Record<string, unknown>>,
  told: Told = new Map(),
): JsonSchema {
  const { properties = {}, ...schema } = inputSchema(operation);
  const short = Object.entries(properties).map(([name, property]) => {
    const own = name in defaults ? { default: defaults[name] } : {};
    const isAgain = told.get(name) === property.description;
    if (typeof property.description === 'string') told.set(name, property.description);
    const { description: _known, examples, ...rest } = shortenInput(property);
    const bare = { ...rest, ...(schema.required?.includes(name) ? { examples } : {}) };
    return [name, { ...(isAgain ? bare : shortenInput(property)), ...own }] as const;
  });
  return { ...schema, properties: Object.fromEntries(short) };
}

function shortenInput(property: JsonSchema): JsonSchema {
  const { minLength: _least, maxLength: _most, minimum: _from, pattern, enum: words, maximum, ...short } = property;
  return {
    ...short,
    ...(typeof pattern === 'string' && pattern.length <= PATTERN_MAX ? { pattern } : {}),
    ...(Array.isArray(words) && words.length <= WORDS_MAX ? { enum: words } : {}),
    ...(typeof maximum === 'number' && maximum <= BOUND_MAX ? { maximum } : {}),
  };
}

/** What a tool answers, in few words: the fields that it states, and of its credits. Every object is open, and every answer fits. */
export function toolOutputSchema(operation: Operation): JsonSchema {
  const schema = outputSchema(operation, true);
  const credits = ['credits_charged', 'credits_remaining'];
  const stated = [...(operation.stated ?? schema.required ?? []), ...credits];
  return {
    type: 'object',
    ...shapeOfObject(schema, [...new Set(stated)]),
    required: credits,
  };
}

/** Of an object, the fields at these paths. */
function shapeOfObject({ properties = {} }: JsonSchema, paths: readonly string[]): JsonSchema {
  const names = new Set(paths.map((path) => path.split('.', 1)[0] ?? ''));
  const fields = [...names].map((name) => {
    const inner = paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
    return [name, shapeOf(properties[name] ?? {}, inner)] as const;
  });
  return fields.length > 0 ? { properties: Object.fromEntries(fields) } : {};
}

function shapeOf(schema: JsonSchema, inner: readonly string[]): JsonSchema {
  const { type, items, anyOf, properties } = schema as JsonSchema & { items?: JsonSchema; anyOf?: JsonSchema[] };
  if (type === 'array') return items && inner.length > 0 ? { type, items: shapeOf(items, inner) } : { type };
  if (type === 'object' && properties) return inner.length > 0 ? shapeOfObject(schema, inner) : { type };
  if (type) return { type };
  const [held, none, ...more] = anyOf ?? [];
  if (!held || none?.type !== 'null' || more.length > 0) return {};
  const shape = shapeOf(held, inner);
  return typeof shape.type === 'string' ? { ...shape, type: [shape.type, 'null'] } : shape;
}
