import type { Settings } from '../../schema/config/settings.ts';
import { describeAll } from '../answer/meanings/fields.ts';
import { inputSchema, type JsonSchema, priceSentence, refersTo } from '../answer/published-schema.ts';
import { topUpUrl } from '../contract/errors.ts';
import {
  type Binding,
  type NameCall,
  nameCalls,
  type Operation,
  openPath,
  restNames,
  takesBody,
  takesKey,
} from '../contract/operation.ts';
import { pathInputs } from '../http/rest/input.ts';
import { answerComponents, answerName, referInput } from './components.ts';
import { DOWNLOAD_PATHS, DOWNLOAD_SCHEMAS } from './download.ts';
import { ERROR_SCHEMAS, errorResponses } from './errors.ts';
import { answerExamples } from './examples.ts';
import { describeInput, examplesOf } from './parameters.ts';

/** The version of the public contract, which only grows. */
export const CONTRACT_VERSION = '1.0.0';

export interface OpenApi {
  openapi: '3.1.0';
  info: Record<string, unknown>;
  paths: Record<string, Record<string, unknown>>;
  [more: string]: unknown;
}

/** The REST contract as OpenAPI 3.1, derived from the operations table. */
export function makeOpenApi(
  settings: Pick<Settings, 'BASE_URL' | 'APP_URL'>,
  operations: readonly Operation[],
): OpenApi {
  const paths: OpenApi['paths'] = {};
  for (const operation of operations) {
    for (const binding of operation.bindings) {
      const path = openPath(binding.path);
      paths[path] = { ...paths[path], [binding.method.toLowerCase()]: describe(operation, binding, settings.BASE_URL) };
    }
  }
  const hasFiles = operations.some(({ name }) => name === 'get_export');
  if (hasFiles) Object.assign(paths, DOWNLOAD_PATHS);
  const document: OpenApi = {
    openapi: '3.1.0',
    info: {
      title: 'UK procurement data API',
      version: CONTRACT_VERSION,
      description:
        'UK public procurement notices, tenders, contracts, suppliers, buyers and frameworks, metered in credits. ' +
        'Contains public sector information licensed under the Open Government Licence v3.0.',
    },
    servers: [{ url: settings.BASE_URL }],
    security: [{ apiKey: [] }],
    tags: listTags(operations),
    paths,
    components: {
      schemas: {
        ...describeAll(ERROR_SCHEMAS),
        ...(hasFiles ? DOWNLOAD_SCHEMAS : {}),
        ...answerComponents(operations),
      },
      responses: errorResponses(topUpUrl(settings)),
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'Your API key' } },
    },
  };
  return nameInWords(document, restNames(operations));
}

/** The same document with descriptions and messages that name calls as REST does. */
function nameInWords<T>(node: T, nameCall: NameCall): T {
  if (typeof node === 'string') return nameCalls(node, nameCall) as T;
  if (Array.isArray(node)) return node.map((each) => nameInWords(each, nameCall)) as T;
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([name, value]) => [name, nameInWords(value, nameCall)]);
  return Object.fromEntries(entries) as T;
}

const TAGS: Readonly<Record<string, string>> = {
  notices: 'Notices as they were published, of every stage.',
  tenders: 'Procurements that can be bid for now.',
  contracts: 'Who won what, for how much, and the documents.',
  companies: 'Suppliers, with their Companies House record and what they won.',
  buyers: 'Public bodies and what they buy.',
  frameworks: 'Framework agreements and dynamic markets, with their lots and suppliers.',
  changes: 'What is new, changed or gone, to keep up with or to keep a copy.',
  watches: 'Saved searches that deliver what changes.',
  exports: 'Many rows as one file.',
  filters: 'What the searches can be narrowed by.',
  balance: 'The credits that are left.',
  ledger: 'What every credit went on.',
  status: 'How fresh and complete the data is.',
};

/** The kinds of things that addresses are about, in the order of the table. */
function listTags(operations: readonly Operation[]): { name: string; description?: string }[] {
  const names = new Set(operations.flatMap(({ bindings }) => bindings.map(tagOf)));
  return [...names].map((name) => ({ name, ...(name in TAGS ? { description: TAGS[name] } : {}) }));
}

/** Groups the addresses of one kind of thing. */
function tagOf({ path }: Binding): string {
  return path.split('/')[1] ?? '';
}

function describe(operation: Operation, binding: Binding, baseUrl: string): Record<string, unknown> {
  const input = inputSchema(operation);
  const parameters = [...listParameters(operation, binding, input), ...(takesKey(operation) ? [IDEMPOTENCY_KEY] : [])];
  return {
    operationId: binding.operationId,
    tags: [tagOf(binding)],
    summary: binding.summary,
    description: `${binding.description} ${priceSentence(operation)}`,
    'x-credits': operation.credits,
    ...(operation.priceNote ? { 'x-credits-note': operation.priceNote } : {}),
    ...(operation.public ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(takesBody(binding) ? { requestBody: describeBody(operation, binding, input) } : {}),
    responses: listResponses(operation, binding, baseUrl),
  };
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A text of your own that marks a call and its retries: it is never charged twice. For 24 hours a retry gets the first answer; after that the key is refused. 1 to 255 visible ASCII characters.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
};

function listParameters(operation: Operation, binding: Binding, input: JsonSchema): unknown[] {
  const inPath = pathInputs(binding);
  const names = takesBody(binding) ? inPath : [...binding.inputs];
  return names.map((name) => {
    const { description, ...schema } = describeSchema(operation, input, name);
    const required = inPath.includes(name) || isRequired(binding, input, name);
    const list = schema.type === 'array' ? { style: 'form', explode: false } : {};
    const example = name in binding.example ? { example: binding.example[name] } : {};
    return {
      name,
      in: inPath.includes(name) ? 'path' : 'query',
      required,
      ...(description ? { description } : {}),
      ...list,
      schema,
      ...example,
    };
  });
}

/** An input's schema for people: its words, its examples, and its values as a named component. */
function describeSchema(operation: Operation, input: JsonSchema, name: string): JsonSchema {
  const { description: _forAgents, ...schema } = input.properties?.[name] ?? {};
  const description = describeInput(operation, name, schema);
  const examples = examplesOf(operation, name, schema);
  return {
    ...referInput(name, schema),
    ...(examples.length > 0 ? { examples } : {}),
    ...(description ? { description } : {}),
  };
}

function isRequired(binding: Binding, input: JsonSchema, name: string): boolean {
  return (binding.required ?? []).includes(name) || (input.required ?? []).includes(name);
}

/** The body of a POST or PATCH, inline: with a component, TypeScript clients would require every input that has a default. */
function describeBody(operation: Operation, binding: Binding, input: JsonSchema): Record<string, unknown> {
  const inPath = new Set(pathInputs(binding));
  const names = binding.inputs.filter((name) => !inPath.has(name));
  const properties = Object.fromEntries(names.map((name) => [name, describeSchema(operation, input, name)]));
  const required = names.filter((name) => isRequired(binding, input, name));
  const schema = {
    type: 'object',
    properties,
    additionalProperties: false,
    ...(required.length > 0 ? { required } : {}),
  };
  const example = Object.fromEntries(Object.entries(binding.example).filter(([name]) => !inPath.has(name)));
  return { required: required.length > 0, content: { 'application/json': { schema, example } } };
}

function listResponses(operation: Operation, binding: Binding, baseUrl: string): Record<string, unknown> {
  const schema = { $ref: refersTo(answerName(operation)) };
  const examples = answerExamples(binding, baseUrl);
  const content = { schema, ...(Object.keys(examples).length > 0 ? { examples } : {}) };
  const ok = { description: 'The answer', content: { 'application/json': content } };
  const refused = (name: string) => ({ $ref: `#/components/responses/${name}` });
  const metered = operation.credits > 0;
  return {
    '200': metered ? { ...ok, headers: REPLAYED } : ok,
    ...(operation.public ? {} : { '401': refused('Unauthorized') }),
    ...(metered ? { '402': refused('NotEnoughCredits') } : {}),
    ...(pathInputs(binding).length > 0 || binding.required || operation.findsNothing
      ? { '404': refused('NotFound') }
      : {}),
    ...(metered ? { '409': refused('InFlight') } : {}),
    ...(operation.conflict ? { '409': refused('Conflict') } : {}),
    ...(operation.cursorExpires ? { '410': refused('CursorExpired') } : {}),
    ...(takesBody(binding) ? { '413': refused('TooLarge'), '415': refused('UnsupportedMediaType') } : {}),
    '414': refused('TooLong'),
    '422': refused('Invalid'),
    '429': refused('TooManyRequests'),
    '500': refused('InternalError'),
    '503': refused('Unavailable'),
  };
}

const REPLAYED = {
  'Idempotent-Replayed': {
    description: 'true where this is the first answer of the same Idempotency-Key again',
    schema: { type: 'string', enum: ['true'] },
  },
};
