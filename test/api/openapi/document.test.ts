import { validate } from '@readme/openapi-parser';
import { describe, expect, it } from 'vitest';
import { type JsonSchema, outputSchema } from '../../../api/answer/published-schema.ts';
import { takesKey } from '../../../api/contract/operation.ts';
import { describeTable } from '../../../api/http/download/csv-metadata.ts';
import { makeOpenApi } from '../../../api/openapi/document.ts';
import { operations } from '../../../api/operations/index.ts';
import { EXPORT_DATASETS } from '../../../schema/accounts/exports/datasets.ts';
import { testRows } from '../test-operations.ts';

const settings = { BASE_URL: 'https://api.example', APP_URL: 'https://app.example' };

describe('the OpenAPI document', () => {
  it('of the table is valid 3.1', async () => {
    const document = makeOpenApi(settings, operations);
    const result = await validate(structuredClone(document) as never);
    expect(result).toMatchObject({ valid: true });
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', '1.0.0']);
  });

  it('says of every address its price, its key and its refusals', () => {
    const paths = makeOpenApi(settings, operations).paths as Record<string, Record<string, Described>>;
    for (const operation of operations) {
      for (const { path, method, operationId } of operation.bindings) {
        const described = paths[`/v1${path.replace(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()];
        expect(described).toMatchObject({ operationId, 'x-credits': operation.credits });
        const headers =
          described?.parameters?.filter((parameter) => parameter.in === 'header').map(({ name }) => name) ?? [];
        expect(headers).toEqual(takesKey(operation) ? ['Idempotency-Key'] : []);
        const metered = ['402', '409'].filter((status) => described?.responses[status]);
        const refused = operation.credits > 0 ? ['402', '409'] : operation.conflict ? ['409'] : [];
        expect(metered).toEqual(refused);
      }
    }
  });

  it('tells path, query and body apart and what each address requires', () => {
    const { paths } = makeOpenApi(settings, testRows);
    const search = paths['/v1/things/search']?.get as Described;
    expect(search.parameters?.map(({ name, in: where, required }) => [name, where, required])).toEqual([
      ['name', 'query', true],
      ['limit', 'query', false],
      ['Idempotency-Key', 'header', false],
    ]);
    const lookup = paths['/v1/things/{thing_id}']?.get as Described;
    expect(lookup.parameters?.[0]).toMatchObject({ name: 'thing_id', in: 'path', required: true });
    const make = paths['/v1/things']?.post as { requestBody: unknown };
    expect(make.requestBody).toMatchObject({
      required: false,
      content: { 'application/json': { schema: { additionalProperties: false } } },
    });
  });
});

/** One name, other things: an instant and a map of them, a row of the ledger, words and their rewordings, a wish and a finding, how many match and what they come to, kinds of change and those of a contract. */
const ANOTHER_THING = ['as_of', 'changes', 'id', 'match', 'to', 'total'];

describe('a field', () => {
  it('has one type in all answers: lists are plural, counts end in _count', () => {
    const types = new Map<string, Set<string>>();
    for (const operation of operations) collectTypes(outputSchema(operation), types);
    const torn = [...types].filter(([name, each]) => each.size > 1 && !ANOTHER_THING.includes(name));
    expect(torn.map(([name, each]) => [name, [...each]])).toEqual([]);
  });
});

function collectTypes(schema: JsonSchema, types: Map<string, Set<string>>): void {
  const { items, anyOf = [], properties = {} } = schema as JsonSchema & { items?: JsonSchema; anyOf?: JsonSchema[] };
  for (const inner of items ? [items, ...anyOf] : anyOf) collectTypes(inner, types);
  for (const [name, property] of Object.entries(properties)) {
    types.set(name, (types.get(name) ?? new Set()).add(typeOf(property)));
    collectTypes(property, types);
  }
}

function typeOf({ type, items, anyOf }: JsonSchema): string {
  const [first] = ((anyOf as JsonSchema[] | undefined) ?? []).filter((each) => each.type !== 'null');
  if (first) return typeOf(first);
  const [name] = [type].flat().filter((each) => each !== 'null');
  return name === 'array' ? `list of ${typeOf(items as JsonSchema)}` : String(name);
}

describe('what generated clients read', () => {
  const document = makeOpenApi(settings, operations);
  const text = JSON.stringify(document);

  it('names every shape that has fields, each once', () => {
    const { schemas } = document.components as { schemas: Record<string, object> };
    const unnamed = Object.entries(schemas).flatMap(([name, schema]) => findUnnamed(schema, name));
    expect(unnamed).toEqual([]);
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['Supplier', 'Match', 'Contract', 'Notice', 'Facet']));
    const named = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(Object.keys(schemas).filter((name) => !named.includes(name))).toEqual([]);
    expect(named.filter((name) => !(String(name) in schemas))).toEqual([]);
  });

  it('lists no words in a field whose own name, after its shape, is that of a component with other words', () => {
    const { schemas } = document.components as { schemas: Record<string, JsonSchema> };
    const inline = Object.entries(schemas).flatMap(([shape, { properties = {} }]) =>
      Object.entries(properties).flatMap(([field, { enum: words }]) => {
        const generated = shape + field.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase());
        return words ? [{ generated, words }] : [];
      }),
    );
    expect(inline.length).toBeGreaterThan(20);
    expect(
      inline.filter(({ generated, words }) => String(schemas[generated]?.enum ?? words) !== String(words)),
    ).toEqual([]);
  });

  it('lists no words in a field named as its shape: a client in Rust has both under one name', () => {
    const { schemas } = document.components as { schemas: Record<string, JsonSchema> };
    const same = Object.entries(schemas).filter(
      ([shape, { properties = {} }]) => properties[shape.toLowerCase()]?.enum,
    );
    expect(same).toEqual([]);
  });

  it('has no bound that no double holds, and no pattern that other engines do not read', () => {
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
    expect(text).not.toMatch(/\\\\p\{|"\(\?</);
    expect(text).not.toContain('"$schema"');
  });

  it('gives every value one type, or one and null: generators of Go clients refuse longer lists', () => {
    const lists = [...text.matchAll(/"type":(\[[^\]]*\])/g)].map(([, list]) => JSON.parse(String(list)) as string[]);
    expect(lists.length).toBeGreaterThan(0);
    expect(lists.filter((list) => list.filter((type) => type !== 'null').length > 1)).toEqual([]);
  });

  it.each(EXPORT_DATASETS)('says what each column of an exported file of %s holds', (dataset) => {
    const { tableSchema } = describeTable({ dataset }, 'download', []) as {
      tableSchema: { columns: Record<string, string>[] };
    };
    const described = tableSchema.columns.map((column) => column['dc:description']);
    expect(described.filter((words) => !words?.endsWith('.') || words.startsWith('undefined'))).toEqual([]);
    if (dataset === 'frameworks')
      expect(described).toContain('What kind of thing it is. One of: framework, dynamic_market.');
    if (dataset === 'contracts')
      expect(described).toContain('The status as the notices state it. One of: pending, active, ended, terminated.');
  });

  it('says what every field means, and which are days and instants', () => {
    const { schemas } = document.components as { schemas: Record<string, JsonSchema> };
    const fields = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).map(([field, property]: [string, Record<string, unknown>]) => ({
        at: `${name}.${field}`,
        ...property,
      })),
    );
    expect(fields.filter((field) => !('description' in field)).map(({ at }) => at)).toEqual([]);
    const formats = Object.fromEntries(fields.map((field) => [field.at, 'format' in field ? field.format : undefined]));
    expect(formats).toMatchObject({ 'Notice.published': 'date', 'Notice.deadline_at': 'date-time' });
    const days = fields.filter((field) => /"The (?:first |last )?day (?!of the month)/.test(JSON.stringify(field)));
    expect(days.length).toBeGreaterThan(50);
    expect(days.filter((field) => !('format' in field)).map(({ at }) => at)).toEqual([]);
  });

  it('says what each tag is about', () => {
    const tags = document.tags as { name: string; description?: string }[];
    const used = Object.values(document.paths).flatMap((methods) =>
      (Object.values(methods) as { tags: string[] }[]).flatMap((described) => described.tags),
    );
    expect(tags.map(({ name }) => name).sort()).toEqual([...new Set(used)].sort());
    expect(tags.filter(({ description }) => !description)).toEqual([]);
  });

  it('lists the words of every field that our own code alone fills', () => {
    const { schemas } = document.components as { schemas: Record<string, JsonSchema> };
    const follow = (schema: JsonSchema): JsonSchema =>
      typeof schema.$ref === 'string' ? follow(schemas[schema.$ref.replace(/.*\//, '')] ?? {}) : schema;
    const listed = CLOSED.map((at) => {
      const [shape = '', field = ''] = at.split('.');
      return [at, Array.isArray(follow(schemas[shape]?.properties?.[field] ?? {}).enum)];
    });
    expect(listed.filter(([, isClosed]) => !isClosed)).toEqual([]);
  });

  it('says of every parameter and every input of a body what it is, in sentences', () => {
    const inputs = Object.values(document.paths).flatMap((methods) =>
      (Object.values(methods) as Described[]).flatMap(({ operationId, parameters = [], requestBody }) => [
        ...parameters.map(({ name, description }) => ({ at: `${operationId} ${name}`, description })),
        ...Object.entries(requestBody?.content['application/json'].schema.properties ?? {}).map(([name, property]) => ({
          at: `${operationId} ${name}`,
          description: property.description,
        })),
      ]),
    );
    expect(inputs.length).toBeGreaterThan(100);
    expect(inputs.filter(({ description }) => !/^\S.{15,}\.$/.test(String(description)))).toEqual([]);
  });

  it('says of every limit how many it takes, and of every address that it may be too long', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const described of Object.values(methods) as Described[]) {
        expect(Object.keys(described.responses), path).toContain('414');
        const limit = described.parameters?.find(({ name }) => name === 'limit');
        if (limit) expect(limit).toMatchObject({ schema: { minimum: 1, maximum: expect.any(Number) } });
      }
    }
  });
});

const CLOSED = [
  ...[
    'Match.method',
    'FrameworkLink.method',
    'Buyer.kind',
    'Buyer.kind_source',

    'Company.is_sme_source',
  ],
  ...[
    'Award.status',
    'Contract.status',
    'WonContract.status',
    'IssuedContract.status',
    'Notice.status',
    'Notice.stage',
  ],
  ...[
    'Award.framework_role',
    'Contract.value_basis',
    'Notice.value_basis',
    'Contract.value_class',
    'Document.link_kind',
  ],
  ...['Framework.kind', 'Framework.ceiling_from', 'SearchMeta.sort', 'SearchMeta.engine', 'SearchMeta.match_level'],
  ...['UnknownFilter.input', 'SearchEngineLag.engine', 'SourceRun.state', 'SourceDay.covered', 'LedgerLine.kind'],
  ...['Export.status', 'Export.dataset', 'Export.format', 'Export.matched_is', 'Error.error', 'NotEnoughCredits.error'],
];

/** Places inside a shape where another one stands that has fields and no name. */
function findUnnamed(node: object, at: string): string[] {
  return Object.entries(node).flatMap(([key, inner]) => {
    if (typeof inner !== 'object' || inner === null) return [];
    const here = `${at}.${key}`;
    return [...('properties' in inner && key !== 'properties' ? [here] : []), ...findUnnamed(inner, here)];
  });
}

interface Described {
  operationId: string;
  parameters?: { name: string; in: string; required: boolean; description?: string }[];
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } };
  responses: Record<string, unknown>;
}
