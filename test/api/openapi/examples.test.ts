import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { makeOpenApi } from '../../../api/openapi/document.ts';
import { operations } from '../../../api/operations/index.ts';
import { EXPORT_DATASETS } from '../../../schema/accounts/exports/datasets.ts';
import { CHANGE_KINDS, type ChangeKind } from '../../../schema/catalogue/changes/kinds.ts';
import { changeFilterNames } from '../../../search/changes/match.ts';
import { allRowsOf, LISTED_ROWS } from '../../../search/filters/listed.ts';
import { ROWS } from '../../../search/filters/read.ts';

const document = makeOpenApi({ BASE_URL: 'https://api.example', APP_URL: 'https://app.example' }, operations);
const judge = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
formats.default(judge);
judge.addSchema(document, 'contract');

interface Content {
  schema: { properties?: Record<string, { examples?: unknown[] }> };
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
type Responses = Record<string, { content?: { 'application/json'?: Content } }>;
interface Described {
  operationId: string;
  responses: Responses;
  parameters?: { name: string; schema: { examples?: unknown[] }; example?: unknown }[];
  requestBody?: { content: { 'application/json': Content } };
}
const described = Object.values(document.paths).flatMap((methods) => Object.values(methods) as Described[]);

/** What a schema of the document says of a value. */
function faultsOf(schema: object, value: unknown): unknown[] {
  const whole = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"contract#/'));
  const check = judge.compile(whole);
  return check(value) ? [] : (check.errors ?? []);
}

function listFaults(content: Content | undefined): unknown[] {
  const values = Object.values(content?.examples ?? {}).map(({ value }) => value);
  return values.flatMap((value) => faultsOf(content?.schema ?? {}, value));
}

describe('the examples of the contract', () => {
  it.each(described.filter(({ responses }) => responses['200']?.content?.['application/json']))(
    '$operationId has an answer of the sample that fits its schema',
    ({ responses }) => {
      const content = responses['200']?.content?.['application/json'];
      expect(Object.keys(content?.examples ?? {})).toEqual(['sample']);
      expect(listFaults(content)).toEqual([]);
    },
  );

  it.each(Object.entries((document.components as { responses: Responses }).responses))(
    'every body of %s fits its schema',
    (_name, { content }) => {
      expect(Object.keys(content?.['application/json']?.examples ?? {})).not.toEqual([]);
      expect(listFaults(content?.['application/json'])).toEqual([]);
    },
  );

  it.each(described)('$operationId takes the inputs that it shows', ({ parameters = [], requestBody }) => {
    const shown = parameters.flatMap(({ name, schema, example }) =>
      [...(example === undefined ? [] : [example]), ...(schema.examples ?? [])].flatMap((value) =>
        faultsOf(schema, value).map((fault) => ({ name, fault })),
      ),
    );
    expect(shown).toEqual([]);
    const body = requestBody?.content['application/json'];
    if (body) expect(faultsOf(body.schema, body.example)).toEqual([]);
  });

  const bindings = operations.flatMap((operation) => operation.bindings.map((binding) => ({ operation, binding })));
  it.each(bindings)('$binding.operationId takes all that it shows at once', ({ operation, binding }) => {
    const { parameters = [], requestBody } =
      described.find(({ operationId }) => operationId === binding.operationId) ?? {};
    const inputs = [
      ...parameters.map(({ name, schema, example }) => [name, example ?? schema.examples?.[0]]),
      ...Object.entries(requestBody?.content['application/json'].schema.properties ?? {}).map(([name, property]) => [
        name,
        property.examples?.[0],
      ]),
    ].filter(([name, value]) => value !== undefined && name !== 'Idempotency-Key');
    const given = { ...Object.fromEntries(inputs), ...binding.example };
    // An export takes the filters of its dataset alone.
    const dataset = EXPORT_DATASETS.find((one) => one === given.dataset);
    const own = dataset && allRowsOf(dataset).map(({ name }) => name);
    for (const { name } of own ? [...ROWS, ...LISTED_ROWS] : []) if (!own?.includes(name)) delete given[name];
    // Changes take the filters of every kind that is asked for.
    const kinds = operation.name === 'list_changes' ? (String(given.kinds).split(',') as ChangeKind[]) : [];
    const isTaken = (name: string) => kinds.every((kind) => changeFilterNames(kind).includes(name));
    for (const kind of kinds.length > 0 ? CHANGE_KINDS : [])
      for (const name of changeFilterNames(kind)) if (!isTaken(name)) delete given[name];
    const parsed = operation.input.parse(given);
    expect(() =>
      operation.check?.(parsed, { settings: { WATCH_ADDRESSES: 'public' } } as never, {} as never),
    ).not.toThrow();
    expect(Object.keys(given).length).toBeGreaterThanOrEqual(Object.keys(binding.example).length);
  });

  it.each(['download_export', 'describe_export'])('%s shows its inputs and an answer that fits its schema', (name) => {
    const found = described.find(({ operationId }) => operationId === name);
    const parameters = found?.parameters ?? [];
    expect(parameters.map(({ example }) => typeof example)).toEqual(['string', 'number', 'string']);
    const contents: Content[] = Object.values(found?.responses['200']?.content ?? {});
    const shown = contents.filter(({ examples }) => examples);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.flatMap(listFaults)).toEqual([]);
  });

  it('are small enough to read', () => {
    const answers = described.map(({ operationId, responses }) => ({
      operationId,
      characters: JSON.stringify(responses['200']?.content?.['application/json']?.examples ?? {}).length,
    }));
    expect(answers.filter(({ characters }) => characters > 4_000)).toEqual([]);
  });
});
