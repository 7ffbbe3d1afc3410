import type { OpenApi } from '../../openapi/document.ts';

/** An input or a field of an answer. */
export interface FieldLine {
  /** `items[].title` */
  name: string;
  type: string;
  required: boolean;
  description: string;
}

/** An endpoint, as its page shows it. */
export interface Reference {
  id: string;
  /** The group of the endpoint. */
  tag: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  credits: number;
  priceNote: string | undefined;
  needsKey: boolean;
  /** `example` is empty if there is none. */
  inputs: (FieldLine & { in: string; example: string })[];
  answer: FieldLine[];
  refusals: { status: string; description: string }[];
  /** An example call; null if the address comes whole from another answer. */
  curl: string | null;
  /** An example of a JSON body; null if the call has none. */
  body: string | null;
}

type Json = Record<string, unknown>;

const DEPTH = 3;

/** Reads every endpoint from the OpenAPI document. */
export function readReference(document: OpenApi, baseUrl: string): Reference[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const known = operation as Json;
      const inputs = [...readParameters(document, known), ...readBody(document, known)];
      return {
        id: String(known.operationId),
        tag: String((known.tags as string[])[0]),
        method: method.toUpperCase(),
        path,
        summary: String(known.summary ?? ''),
        description: String(known.description ?? ''),
        credits: Number(known['x-credits'] ?? 0),
        priceNote: known['x-credits-note'] as string | undefined,
        needsKey: known.security === undefined,
        inputs,
        answer: readAnswer(document, known),
        refusals: readRefusals(document, known),
        curl: makeCurl(method.toUpperCase(), `${baseUrl}${path}`, known),
        body: bodyOf(known) ? JSON.stringify(bodyOf(known), null, 2) : null,
      };
    }),
  );
}

/** The endpoints whose name, address, description, inputs or answer fields contain all of the words. */
export function findEntries(entries: readonly Reference[], words: string): Reference[] {
  const wanted = words.toLowerCase().split(/\s+/);
  return entries.filter((entry) => {
    const { id, tag, path, summary, description, inputs, answer } = entry;
    const fields = [...inputs, ...answer].flatMap((field) => [field.name, field.description]);
    const text = [id, tag, path, summary, description, ...fields].join(' ').toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

function readParameters(document: OpenApi, operation: Json): Reference['inputs'] {
  return ((operation.parameters ?? []) as Json[]).map((parameter) => ({
    name: String(parameter.name),
    in: String(parameter.in),
    type: nameType(document, (parameter.schema ?? {}) as Json),
    required: parameter.required === true,
    description: String(parameter.description ?? ''),
    example: String(parameter.example ?? ''),
  }));
}

function readBody(document: OpenApi, operation: Json): Reference['inputs'] {
  const schema = dig(operation, 'requestBody', 'content', 'application/json', 'schema');
  return schema
    ? listFields(document, follow(document, schema), '', 1).map((field) => ({ ...field, in: 'body', example: '' }))
    : [];
}

function readAnswer(document: OpenApi, operation: Json): FieldLine[] {
  const schema = dig(operation, 'responses', '200', 'content', 'application/json', 'schema');
  return schema ? listFields(document, follow(document, schema), '', DEPTH) : [];
}

function readRefusals(document: OpenApi, operation: Json): Reference['refusals'] {
  return Object.entries((operation.responses ?? {}) as Json)
    .filter(([status]) => status !== '200')
    .map(([status, response]) => ({
      status,
      description: String(follow(document, response as Json).description ?? ''),
    }));
}

/** The fields of an object, nested ones to a depth. */
function listFields(document: OpenApi, schema: Json, prefix: string, depth: number): FieldLine[] {
  const required = new Set((schema.required ?? []) as string[]);
  return Object.entries((schema.properties ?? {}) as Record<string, Json>).flatMap(([name, property]) => {
    const resolved = follow(document, withoutNull(property));
    const inner = resolved.type === 'array' ? follow(document, (resolved.items ?? {}) as Json) : resolved;
    const whole = `${prefix}${name}${resolved.type === 'array' ? '[]' : ''}`;
    const line = {
      name: whole,
      type: nameType(document, property),
      required: required.has(name),
      description: String(property.description ?? resolved.description ?? ''),
    };
    return [line, ...(depth > 1 ? listFields(document, inner, `${whole}.`, depth - 1) : [])];
  });
}

/** A type in words: `string or null`, `list of object`, or the allowed values. */
function nameType(document: OpenApi, given: Json): string {
  const schema = follow(document, given);
  const choices = schema.anyOf as Json[] | undefined;
  if (choices) return choices.map((choice) => nameType(document, choice)).join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const values = schema.enum as unknown[] | undefined;
  if (values && values.length <= 10) return values.map(String).join(' | ');
  if (schema.type === 'array') return `list of ${nameType(document, (schema.items ?? {}) as Json)}`;
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  const base = String(schema.format ?? schema.type ?? 'any');
  return schema.default === undefined ? base : `${base}, default ${JSON.stringify(schema.default)}`;
}

function withoutNull(schema: Json): Json {
  const choices = schema.anyOf as Json[] | undefined;
  return choices?.find((choice) => choice.type !== 'null') ?? schema;
}

function follow(document: OpenApi, node: Json): Json {
  const address = node.$ref;
  if (typeof address !== 'string') return node;
  return dig(document, ...address.replace('#/', '').split('/')) ?? {};
}

function dig(node: unknown, ...path: string[]): Json | undefined {
  let at: unknown = node;
  for (const step of path) at = typeof at === 'object' && at !== null ? (at as Json)[step] : undefined;
  return at as Json | undefined;
}

const bodyOf = (operation: Json) => dig(operation, 'requestBody', 'content', 'application/json')?.example;

function makeCurl(method: string, address: string, operation: Json): string | null {
  const parameters = (operation.parameters ?? []) as Json[];
  // A signed address can only come from another answer, and an example of one has expired.
  if (parameters.some(({ name }) => name === 'signature')) return null;
  const query = new URLSearchParams();
  let filled = address;
  for (const { name, in: where, example } of parameters) {
    if (example === undefined) continue;
    if (where === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(String(example)));
    else query.set(String(name), String(example));
  }
  if (filled.includes('{')) return null;
  const text = query.toString();
  const lines = [operation.security === undefined ? `-H "Authorization: Bearer $API_KEY"` : ''];
  const body = bodyOf(operation);
  if (method !== 'GET') lines.push(`-X ${method}`);
  if (body !== undefined) lines.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body)}'`);
  const parts = [...lines.filter(Boolean), `'${filled}${text ? `?${text}` : ''}'`];
  return `curl ${parts.join(parts.length > 2 ? ' \\\n  ' : ' ')}`;
}
