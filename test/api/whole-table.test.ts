import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller, Operation, Services } from '../../api/contract/operation.ts';
import { operations } from '../../api/operations/index.ts';
import { makeWebApp } from '../../api/web/app.ts';
import { EXPORT_DATASETS } from '../../schema/accounts/exports/datasets.ts';
import type { Database } from '../../schema/db/interface.ts';
import { ask } from '../support/client.ts';
import { buildSampleServer } from '../support/sample-services.ts';
import type { BuiltServer } from '../support/services.ts';
import { makeSample } from '../upstream/sample/make.ts';
import { callMcp, callRest, type Inputs, readReal, toReal } from './transports.ts';
import { explain, type Watched, type WatchedDatabase, watch } from './watched-statements.ts';

/** The whole table of operations and every page, asked for everything that a generated sample holds. */

let server: BuiltServer;
let watched: WatchedDatabase;
let real: Inputs & { company: string; buyer: string };
beforeAll(async () => {
  const watching = (catalogue: Database) => {
    watched = watch(catalogue);
    return watched.database;
  };
  server = await buildSampleServer({ watch: watching, credits: 1_000_000, web: makeWebApp });
  real = await readReal(server);
  watched.take();
});
afterAll(() => server.close());

/** Tables of one row for each source of the table in ingest/sources, whatever is ingested. */
const ONE_ROW_A_SOURCE = /^SCAN (?:source|s|coverage_summary)\b/;
/** Rows found through an index are counted or gathered, and no more of them than it says. */
const UP_TO =
  /^SELECT (?:count\(\*\) AS count|json_group_array\(name_key\) AS keys) FROM\s+\(SELECT (?:1|name_key) [^()]+ WHERE .+ LIMIT (?:\?|\d+)\)$/s;
/** What an index finds of one thing, up to a bound, is told apart. */
const FIRST_OF = /FROM \(SELECT [^()]+ WHERE \w+ = \? LIMIT \d+\) r\b/;
const isUnbounded = (sql: string, step: string) =>
  /^SCAN (?!json_each|CONSTANT)|TEMP B-TREE/.test(step) &&
  !ONE_ROW_A_SOURCE.test(step) &&
  !(step === 'SCAN (subquery-1)' && UP_TO.test(sql)) &&
  !(/^SCAN r$|count\(DISTINCT\)$/.test(step) && FIRST_OF.test(sql));

/** Statements among these that would read more the more is held, with the steps that do. */
async function findUnbounded(statements: readonly Watched[]): Promise<[string, string[]][]> {
  const bySql = new Map(statements.map((statement) => [statement.sql, statement]));
  const explained = [...bySql.values()].map(async (statement): Promise<[string, string[]]> => {
    const steps = await explain(server.catalogue, statement);
    return [statement.sql, steps.filter((step) => isUnbounded(statement.sql, step))];
  });
  return (await Promise.all(explained)).filter(([, steps]) => steps.length > 0);
}

/** What each operation is asked beside its examples: other ways in, which other statements answer. */
const FURTHER: Record<string, () => Inputs[]> = {
  bulk_export: () => EXPORT_DATASETS.map((dataset) => ({ dataset, dry_run: true })),
  lookup_company: () => [{ name: `${real.company} Lifts` }, { name: 'Zzyx Unlikely' }, { company_number: 'name-none' }],
  lookup_buyer: () => [{ name: `Ancient ${real.buyer}` }, { name: 'Zzyx Unlikely' }, { buyer_id: 'gb-nhs-none' }],
  company_profile: () => [{ name: real.company, limit: 1 }],
  lookup_contract: () => [{ notice_id: 'ocds-h6vhtk-none' }, { notice_id: 'ocds-h6vhtk-none/1' }],
  lookup_framework: () => [{ framework_id: 'RM9999' }, { framework_id: String(real.notice_id) }],
  search_notices: () => [{ query: 'services', facets: 'region,stage', highlight: true }],
};
const rows = operations.map((operation): [string, Operation] => [operation.name, operation]);

describe('every statement is answered by an index, however much is stored', () => {
  it.each(rows)('%s', async (name, operation) => {
    for (const binding of operation.bindings)
      await callRest(server.url, binding, toReal(operation, binding.example, real), server.key);
    const examples = [toReal(operation, operation.example, real), ...(FURTHER[name]?.() ?? [])];
    for (const inputs of operation.restOnly ? [] : examples)
      await callMcp(server.url, `svc_${name}`, inputs, server.key);
    expect(await findUnbounded(watched.take())).toEqual([]);
  });

  it.each([
    ['a page of the service', () => ['/', '/status', '/docs', '/pricing']],
    [
      'a search',
      () => ['/search?query=services', '/notices?query=services&facets=1', '/tenders', '/tenders.atom', '/frameworks'],
    ],
    ['a thing', () => ['notices', 'contracts'].map((list) => `/${list}/${real.notice_id}`)],
    ['a company', () => [`/companies/${real.company_number}`, `/companies?name=${encodeURIComponent(real.company)}`]],
    ['a buyer', () => [`/buyers/${real.buyer_id}`, `/buyers?name=${encodeURIComponent(`Old ${real.buyer}`)}`]],
    ['a framework', () => [`/frameworks/${real.framework_id}`]],
  ])('the pages: %s', async (_what, paths) => {
    for (const path of paths()) expect([path, (await ask(server.url, path)).status]).toEqual([path, 200]);
    const asked = watched.take();
    expect(asked).not.toEqual([]);
    expect(await findUnbounded(asked)).toEqual([]);
  });
});

const ENTITY = /&(?:amp;)*(?:#\d+|#x[0-9a-f]+|amp|lt|gt|quot|apos|nbsp|[lr][sd]quo|[nm]dash|pound);/i;
const TAG = /<\/?[a-z!][^<>]*>/i;

/** Texts of an answer in which HTML is left, each after its place. Addresses are as published. */
function findHtml(value: unknown, place = ''): string[] {
  if (typeof value === 'string') return ENTITY.test(value) || TAG.test(value) ? [`${place}: ${value}`] : [];
  if (typeof value !== 'object' || value === null) return [];
  const members = Object.entries(value).filter(([name]) => name !== 'url');
  return members.flatMap(([name, member]) => findHtml(member, Array.isArray(value) ? place : `${place}.${name}`));
}

describe('no tag and no entity is served', () => {
  const THINGS: [string, string, string][] = [
    ['/notices/', '', 'SELECT DISTINCT notice_id AS id FROM notice'],
    ['/contracts/', '/documents', 'SELECT id FROM process'],
    ['/contracts/', '', 'SELECT id FROM contract'],
    ['/frameworks/', '', 'SELECT id FROM framework'],
    ['/companies/', '/profile', 'SELECT id FROM company'],
    ['/companies/', '/contracts', 'SELECT id FROM company WHERE contract_count > 0'],
    ['/companies/', '', 'SELECT id FROM company'],
    ['/buyers/', '/profile', 'SELECT id FROM buyer'],
    ['/buyers/', '/contracts', 'SELECT id FROM buyer WHERE contract_count > 0'],
    ['/buyers/', '', 'SELECT id FROM buyer'],
  ];

  it.each(THINGS)('%s…%s, each that is stored', async (before, after, sql) => {
    const things = await server.catalogue.read<{ id: string }>({ sql });
    expect(things.length).toBeGreaterThan(0);
    const answers = things.map(async ({ id }) => {
      const { status, body } = await ask(server.url, `/v1${before}${encodeURIComponent(id)}${after}`, server.key);
      return [id, status, ...findHtml(body)];
    });
    expect(await Promise.all(answers)).toEqual(things.map(({ id }) => [id, 200]));
  });

  it.each(rows.filter(([, { restOnly }]) => !restOnly))('%s, by its examples', async (name, operation) => {
    const inputs = [toReal(operation, operation.example, real), ...(FURTHER[name]?.() ?? [])];
    for (const input of inputs.map(({ highlight: _, ...rest }) => rest))
      expect(findHtml((await callMcp(server.url, `svc_${name}`, input, server.key)).body)).toEqual([]);
  });

  it('though the sources publish them', () => {
    const published = JSON.stringify([...makeSample({ notices: 300, buyers: 30, companies: 120 }).contractsFinder]);
    expect([ENTITY.test(published), TAG.test(published)]).toEqual([true, true]);
  });
});

const lasting = operations.filter((operation) => operation.lasting);

it.each(lasting.map(({ name }) => name))(
  '%s, whose answers last, reads the catalogue and nothing else',
  async (name) => {
    const operation = lasting.find((row) => row.name === name) as Operation;
    const refuse = (_: object, part: string | symbol) => {
      throw new Error(`${name} reads ${String(part)}`);
    };
    const { catalogue } = server;
    const others = new Proxy({}, { get: refuse });
    const bare = new Proxy({ catalogue } as Services, {
      get: (it, part) => (part === 'catalogue' ? it.catalogue : refuse(it, part)),
    });
    for (const example of [...operation.bindings.map((binding) => binding.example), ...(FURTHER[name]?.() ?? [])]) {
      const input = operation.input.parse(toReal(operation, example, real));
      expect(['answer', 'nothing']).toContain((await operation.run(input, bare, others as Caller)).kind);
    }
    expect(operation.creditsNeeded).toBeUndefined();
  },
);

it('a framework has the date of its notice, for searches and exports alike', async () => {
  const sql = `SELECT count(*) AS held, count(*) FILTER (WHERE n.published = f.published) AS same
    FROM framework f JOIN notice n ON n.notice_id = f.notice_id AND n.process_id = f.process_id`;
  const [counted] = await server.catalogue.read<{ held: number; same: number }>({ sql });
  expect(counted?.held).toBeGreaterThan(0);
  expect(counted?.same).toBe(counted?.held);
});
