import type { Tool } from '@modelcontextprotocol/server';
import { memoiseByObject } from '../../schema/text/memoise.ts';
import { inputSchema, type JsonSchema, outputSchema, priceSentence } from '../answer/published-schema.ts';
import { type NameCall, nameCalls, type Operation, toolNames, toolRows } from '../contract/operation.ts';

/** An operation as a tool. */
export interface CompiledTool {
  operation: Operation;
  /** Written when it is first listed. Once the services of the catalogue are known, those of the start are not listed. */
  readonly tool: Tool;
  /** Values for omitted arguments. */
  defaults: Readonly<Record<string, unknown>>;
  /** How it names other tools. */
  nameCall: NameCall;
}

/** The tools of the table by their names. */
export function compileTools(operations: readonly Operation[], prefix: string): Map<string, CompiledTool> {
  const nameCall = toolNames(operations, prefix);
  return new Map(
    toolRows(operations).map((operation) => {
      const defaults = { ...('detail' in operation.input.shape && { detail: 'brief' }), ...operation.toolDefaults };
      let tool: Tool | undefined;
      const compiled = {
        operation,
        get tool() {
          tool ??= toTool(operation, prefix, defaults, nameCall);
          return tool;
        },
        defaults,
        nameCall,
      };
      return [prefix + operation.name, compiled];
    }),
  );
}

function toTool(operation: Operation, prefix: string, defaults: CompiledTool['defaults'], nameCall: NameCall): Tool {
  const { bindings } = operation;
  // A tool without an address of its own does what several operations do, deleting among them.
  const deletes = bindings.length === 0;
  const changes = deletes || bindings.some(({ method }) => method !== 'GET');
  return {
    name: prefix + operation.name,
    title: operation.title,
    description: nameCalls(`${operation.description} ${priceSentence(operation)}`, nameCall),
    inputSchema: toolInputSchema(operation, defaults, nameCall) as Tool['inputSchema'],
    outputSchema: toolOutputSchema(operation) as Tool['outputSchema'],
    annotations: {
      readOnlyHint: !changes,
      destructiveHint: deletes,
      idempotentHint: !changes,
      openWorldHint: false,
    },
  };
}

/** Longer lists of words and larger bounds are left to the description, and to the refusal, which says what may be sent. */
const WORDS_MAX = 10;
const NAMES_MAX = 14;
const BOUND_MAX = 1_000;

/**
 * A tool's input in few words. Each tool stands alone, as clients load them one by one, except for the filters of searches.
 * Never narrower than the input, which alone decides.
 */
function toolInputSchema(
  operation: Operation,
  defaults: Readonly<Record<string, unknown>>,
  nameCall: NameCall,
): JsonSchema {
  const { properties = {}, ...schema } = inputSchema(operation);
  const short = Object.entries(properties).map(([name, property]) => {
    const own = name in defaults ? { default: defaults[name] } : {};
    const { description } = property;
    const wording = name === 'fields' ? firstNames(description) : nameCalls(String(description ?? ''), nameCall);
    const input: JsonSchema = { ...shortenInput(property), ...(wording ? { description: wording } : {}), ...own };
    // The words of an optional input show what it looks like; only a required one has room for an example.
    if (!schema.required?.includes(name)) delete input.examples;
    if (operation.describedBy?.inputs.includes(name)) delete input.description;
    return [name, input] as const;
  });
  return { ...schema, properties: Object.fromEntries(short) };
}

/** The first names of a long list; a refusal of an unknown name lists them all. */
function firstNames(description: unknown): string {
  const names = String(description).split(', ');
  const more = names.length - NAMES_MAX;
  return more > 0 ? [...names.slice(0, NAMES_MAX), `${more} more`].join(', ') : names.join(', ');
}

/** Allowed words are obviously text, and options are off by default. */
function shortenInput({ examples, enum: words, maximum, type, default: usual, ...property }: JsonSchema): JsonSchema {
  const { minLength: _least, maxLength: _most, minimum: _from, pattern: _form, format: _day, ...bounded } = property;
  const { propertyNames: _names, additionalProperties: _others, minItems: _few, ...short } = bounded;
  // A list of words that are named is no longer than they are.
  if ((short.items as JsonSchema | undefined)?.enum) delete short.maxItems;
  const [example] = Array.isArray(examples) ? examples : [];
  const isShort = Array.isArray(words) && words.length <= WORDS_MAX;
  const typed = type || !short.anyOf ? { type: type ?? 'string' } : {};
  return {
    ...short,
    ...(usual === undefined || usual === false ? {} : { default: usual }),
    ...(isShort ? { enum: words } : typed),
    ...(typeof maximum === 'number' && maximum <= BOUND_MAX ? { maximum } : {}),
    ...(example === undefined ? {} : { examples: [example] }),
  };
}

/** A tool's answer in few words: its stated fields and credits. Every object is open, so that every answer fits. */
const toolOutputSchema = memoiseByObject((operation: Operation): JsonSchema => {
  const schema = outputSchema(operation, true);
  const credits = ['credits_charged', 'credits_remaining'];
  const stated = [...(operation.stated ?? schema.required ?? []), ...credits];
  return {
    type: 'object',
    ...shapeOfObject(schema, [...new Set(stated)]),
    required: credits,
  };
});

/** Most fields are text, so that is not stated. */
function typeOf(type: NonNullable<JsonSchema['type']>): JsonSchema {
  return type === 'string' ? {} : { type };
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
  if (type) return typeOf(type);
  const [value, none, ...more] = anyOf ?? [];
  if (!value || none?.type !== 'null' || more.length > 0) return {};
  const shape = shapeOf(value, inner);
  return typeof shape.type === 'string' ? { ...shape, type: [shape.type, 'null'] } : shape;
}
