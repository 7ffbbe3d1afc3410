import { basename, join } from 'node:path';
import Sqlite from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../api/operations/index.ts';
import { makeWebApp } from '../../api/web/app.ts';
import { type DatabaseName, migrate } from '../../schema/db/migrate.ts';
import { openDatabase } from '../../schema/db/open.ts';
import { callMcp, callRest, readReal, toReal } from '../api/transports.ts';
import { ask } from '../support/client.ts';
import { makeFolder } from '../support/databases.ts';
import { hasLibsql, type LibsqlProcess, startLibsql } from '../support/libsql-process.ts';
import { runHere } from '../support/run-command.ts';
import { buildSampleServer } from '../support/sample-services.ts';
import type { BuiltServer } from '../support/services.ts';
import { LIMITS_MS } from '../support/time-limits.ts';

/** What only a file is asked (pragmas, transactions, copies, a rebuild's two attached files), and migrations, which have run by then. */
const OF_FILES =
  /^\s*(CREATE|ALTER|DROP|PRAGMA|ATTACH|DETACH|VACUUM|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b|\blive\./i;

/** Every text that this process prepares, by the file name of its database, until it is told to stop. */
function record() {
  const texts = new Map<string, Set<string>>();
  const names = new WeakMap<object, string>();
  const { prepare } = Sqlite.prototype;
  const nameOf = (connection: Sqlite.Database) => {
    const known = names.get(connection);
    if (known) return known;
    const [main] = prepare.call(connection, 'PRAGMA database_list').all([]) as { file: string }[];
    names.set(connection, basename(main?.file ?? ''));
    return basename(main?.file ?? '');
  };
  Sqlite.prototype.prepare = function (this: Sqlite.Database, sql: string) {
    const name = nameOf(this);
    texts.set(name, (texts.get(name) ?? new Set()).add(sql));
    return prepare.call(this, sql);
  } as typeof prepare;
  return {
    of: (name: DatabaseName) => [...(texts.get(`${name}.db`) ?? [])].filter((sql) => !OF_FILES.test(sql)),
    stop() {
      Sqlite.prototype.prepare = prepare;
    },
  };
}

describe.skipIf(!hasLibsql('whether a server takes every statement'))('every statement of the program', () => {
  let server: LibsqlProcess;
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let built: BuiltServer;
  const recorded = record();
  beforeAll(async () => {
    folder = await makeFolder();
    server = await startLibsql({ folder: join(folder.path, 'server'), namespaces: true });
    // Altered, so that it is ingested here and not copied from an earlier test.
    built = await buildSampleServer({ alter: (release) => release, web: makeWebApp, credits: 100_000 });
    await askEverything(built);
    await commandEverything(built);
    recorded.stop();
  }, LIMITS_MS.long);
  afterAll(async () => {
    recorded.stop();
    await built?.close();
    await server?.kill();
    await folder?.remove();
  });

  it.each([
    ['catalogue', 200],
    ['accounts', 50],
  ] as const)('of the %s is understood by a libSQL server', async (name, least) => {
    const { adminUrl, url } = server;
    const headers = { 'content-type': 'application/json' };
    await fetch(`${adminUrl}/v1/namespaces/${name}/create`, { method: 'POST', headers, body: '{}' });
    const database = await openDatabase({ url: `${url}/dev/${name}`, durability: 'full' });
    await migrate(database, name);
    await database.close();
    const statements = recorded.of(name);
    const refused: string[] = [];
    for (const sql of statements) {
      const fault = await describeOn(`${url}/dev/${name}/v2/pipeline`, name, sql);
      if (fault) refused.push(`${fault}: ${sql}`);
    }
    expect(refused).toEqual([]);
    expect(statements.length).toBeGreaterThan(least);
  });
});

/** What a server says against a statement, without running it; null where it takes it. */
async function describeOn(address: string, namespace: string, sql: string): Promise<string | null> {
  const body = JSON.stringify({ requests: [{ type: 'describe', sql }, { type: 'close' }] });
  const headers = { 'content-type': 'application/json', 'x-namespace': namespace };
  const answer = (await (await fetch(address, { method: 'POST', headers, body })).json()) as {
    results: { type: string; error?: { message: string } }[];
  };
  return answer.results[0]?.error?.message ?? null;
}

/** Each operation over both transports, and a page of each kind. */
async function askEverything(built: BuiltServer): Promise<void> {
  const real = await readReal(built);
  for (const operation of operations) {
    for (const binding of operation.bindings)
      await callRest(built.url, binding, toReal(operation, binding.example, real), built.key);
    if (!operation.restOnly)
      await callMcp(built.url, `svc_${operation.name}`, toReal(operation, operation.example, real), built.key);
  }
  const keyed = { headers: { 'idempotency-key': 'once' } };
  await ask(built.url, `/v1/companies/${real.company_number}`, built.key, keyed);
  const pages = ['/', '/status', '/pricing', '/search?query=services', '/notices?query=services&facets=1', '/tenders'];
  const things = [`/notices/${real.notice_id}`, `/contracts/${real.notice_id}`, `/frameworks/${real.framework_id}`];
  const parties = [`/companies/${real.company_number}`, `/buyers/${real.buyer_id}`, '/sign-up', '/sign-in'];
  for (const path of [...pages, ...things, ...parties]) await ask(built.url, path);
}

/** The operator's commands, over the same databases. */
async function commandEverything({ settings, accountId, keyId, catalogue }: BuiltServer): Promise<void> {
  const [notice] = await catalogue.read<{ id: string }>({ sql: 'SELECT notice_id AS id FROM notice LIMIT 1' });
  const environment = { DATA_DIR: settings.DATA_DIR, AS_OF: settings.AS_OF?.toISOString() ?? '' };
  const id = notice?.id ?? '';
  for (const command of [
    ...['status', 'coverage', 'runs', 'contacts', 'payments', 'ledger list', 'ledger verify', 'account list'],
    ...[
      'quarantine list',
      'quarantine show 1',
      'quarantine retry --all',
      'takedown list',
      'export list',
      'search sync',
    ],
    ...[`explain ${id}`, `ledger list ${accountId}`, `credits grant ${accountId} 5`, `key create ${accountId}`],
    ...[`key list ${accountId}`, `key roll ${accountId} ${keyId}`, `key revoke ${accountId} ${keyId}`],
    ...[`account freeze ${accountId}`, `account unfreeze ${accountId}`, 'coverage --overdue', 'runs --failed'],
    ...[`account export ${accountId} ${settings.DATA_DIR}/customer.json`, `takedown notice ${id} --reason asked`],
    ...[`account close ${accountId} --export ${settings.DATA_DIR}/closed.json`, 'reopen find-a-tender'],
  ])
    await runHere(environment, ...command.split(' '));
}
