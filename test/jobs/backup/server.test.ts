import { once } from 'node:events';
import { cp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyDump, splitStatements } from '../../../jobs/backup/server-dump.ts';
import { createAccount } from '../../../schema/accounts/customer/account.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { migrate } from '../../../schema/db/migrate.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { dumpRequest } from '../../../schema/db/remote.ts';
import { makeFolder } from '../../support/databases.ts';
import { createNamespace, hasLibsql, type LibsqlProcess, startLibsql } from '../../support/libsql-process.ts';
import { runHere } from '../../support/run-command.ts';

const SECRET = 'a'.repeat(32);
let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

async function statementsOf(text: string): Promise<string[]> {
  async function* lines() {
    yield* text.split('\n');
  }
  const statements: string[] = [];
  for await (const statement of splitStatements(lines())) statements.push(statement);
  return statements;
}

describe('the statements of a dump', () => {
  it('are rows of one line each, and tables and triggers of several', async () => {
    const table = 'CREATE TABLE IF NOT EXISTS a (\n\tid INTEGER,\n\tname TEXT\n);';
    const row = "INSERT INTO a VALUES(1,replace('one;\\ntwo\u2028three','\\n',char(10)));";
    const trigger = 'CREATE TRIGGER t BEFORE UPDATE ON a BEGIN\n  SELECT 1;\n  SELECT CASE WHEN 1 THEN 2 END;\nEND;';
    const parts = ['PRAGMA foreign_keys=OFF;', 'BEGIN TRANSACTION;', table, row, trigger, 'COMMIT;'];
    expect(await statementsOf(`${parts.join('\n')}\n`)).toEqual(parts);
  });
});

describe('the address of a dump', () => {
  it.each([
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/dump', {}],
    ['http://db.example.org/dev/accounts', 'http://db.example.org/dump', { 'x-namespace': 'accounts' }],
    ['http://db.example.org/behind/dev/accounts/', 'http://db.example.org/behind/dump', { 'x-namespace': 'accounts' }],
    ['libsql://accounts.example.org', 'https://accounts.example.org/dump', {}],
    ['libsql://127.0.0.1:8080?tls=0', 'http://127.0.0.1:8080/dump', {}],
    ['wss://accounts.example.org', 'https://accounts.example.org/dump', {}],
  ])('of %s is %s', (url, address, headers) => {
    expect(dumpRequest({ url })).toEqual({ address, headers });
    expect(dumpRequest({ url, authToken: 't' }).headers).toEqual({ ...headers, authorization: 'Bearer t' });
  });
});

/** A server that answers every request alike. With a status of 0 it loses the connection half-way. */
async function withAnswer<T>(status: number, text: string, work: (url: string) => Promise<T>): Promise<T> {
  const server = createServer((_, response) => {
    if (status === 0) response.write(text, () => response.destroy());
    else response.writeHead(status).end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return work(url).finally(() => server.close());
}

describe.skipIf(!hasLibsql('the backup of an accounts server'))('the backup of an accounts server', () => {
  let server: LibsqlProcess;
  let accounts: Database;
  let environment: Record<string, string>;
  beforeAll(async () => {
    server = await startLibsql({ folder: join(folder.path, 'server'), namespaces: true });
    await createNamespace(server, 'money', { durability_mode: 'strong' });
    const ACCOUNTS_URL = `${server.url}/dev/money`;
    accounts = await openDatabase({ url: ACCOUNTS_URL, durability: 'full' });
    await migrate(accounts, 'accounts');
    environment = { DATA_DIR: folder.path, ACCOUNTS_URL, AUTH_SECRET: SECRET };
    const at = '2026-11-21T12:00:00Z';
    // Everything that a text may hold and that a dump has to write otherwise.
    const name = "O'Hara; --\r\nand sons\u2028ünï 𝒳\\n";
    for (const signupCredits of [250, 7]) await createAccount(accounts, { name, signupCredits, at });
    // In a dump the passwords come before the persons that they refer to.
    await accounts.write([
      {
        sql: `INSERT INTO auth_user (id, name, email, email_verified, created_at, updated_at)
              VALUES ('usr_1', 'Ann', 'ann@example.org', 1, 0, 0)`,
      },
      {
        sql: `INSERT INTO auth_account (id, account_id, provider_id, user_id, password, created_at, updated_at)
              VALUES ('pw_1', 'usr_1', 'credential', 'usr_1', 'a hash', 0, 0)`,
      },
    ]);
  });
  afterAll(async () => {
    await accounts?.close();
    await server?.kill();
  });

  it('is its dump, proved as a file is, and says the same', async () => {
    const file = join(folder.path, 'accounts.backup');
    const taken = await runHere(environment, 'backup', file);
    expect(taken).toMatchObject({ code: 0, stderr: '' });
    expect(taken.stdout).toMatch(
      /accounts\.backup written, .* MB, and proved: 2 accounts hold 257 credits; 2 lines\nhead 2:/,
    );
    const copy = await openDatabase({ url: `file:${file}`, durability: 'full' });
    expect(await verifyLedger(copy)).toEqual(await verifyLedger(accounts));
    for (const table of ['account', 'auth_account', 'transfer', 'migration', 'sqlite_master'])
      expect(await readAll(copy, table)).toEqual(await readAll(accounts, table));
    await copy.close();
  });

  it('comes back the way that `restore` names', async () => {
    const file = join(folder.path, 'again.backup');
    expect(await runHere(environment, 'backup', file)).toMatchObject({ code: 0 });
    const before = await verifyLedger(accounts);
    await createAccount(accounts, { name: 'later', signupCredits: 1, at: '2026-11-21T13:00:00Z' });
    const refused = await runHere(environment, 'restore', file);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/dbs\/NAME\/data .*remove every other file/),
    ]);
    await server.kill();
    const data = join(folder.path, 'server', 'dbs', 'money');
    for (const name of await readdir(data)) await rm(join(data, name), { recursive: true });
    await cp(file, join(data, 'data'));
    await server.start();
    expect(await verifyLedger(accounts)).toEqual(before);
    await runHere(environment, 'migrate', '--create');
    expect((await runHere(environment, 'ledger', 'verify')).stdout).toMatch(/^the ledger is right: 2 accounts/);
  });
});

it('a dump may be cut anywhere on its way, within a letter too, and need not end its last line', async () => {
  const text = "BEGIN TRANSACTION;\nCREATE TABLE IF NOT EXISTS a (name);\nINSERT INTO a VALUES('Süd 𝒳');\nCOMMIT;";
  const server = createServer(async (_, response) => {
    for (const byte of Buffer.from(text)) await new Promise((sent) => response.write(Buffer.of(byte), sent));
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const copy = await openDatabase({ url: 'file::memory:', durability: 'normal' });
  await copyDump({ ACCOUNTS_URL: url, ACCOUNTS_AUTH_TOKEN: undefined }, copy);
  expect(await copy.read({ sql: 'SELECT name FROM a' })).toEqual([{ name: 'Süd 𝒳' }]);
  await copy.close();
  server.close();
});

describe('a server that gives no whole dump', () => {
  it.each([
    ['that breaks off', 200, 'BEGIN TRANSACTION;\nCREATE TABLE IF NOT EXISTS a (id);\n', /breaks off before its end/],
    [
      'that is killed half-way',
      0,
      'BEGIN TRANSACTION;\nCREATE TABLE IF NOT EXISTS a (id);\n',
      /breaks off before its end/,
    ],
    ['that knows none', 404, 'not found', /gives no dump \(404\)/],
  ])('%s makes no backup', async (_what, status, text, words) => {
    const copy = await openDatabase({ url: 'file::memory:', durability: 'normal' });
    const asked = withAnswer(status, text, (url) =>
      copyDump({ ACCOUNTS_URL: url, ACCOUNTS_AUTH_TOKEN: undefined }, copy),
    );
    await expect(asked).rejects.toThrow(words);
    await copy.close();
  });
});

function readAll(database: Database, table: string): Promise<unknown[]> {
  const columns =
    table === 'sqlite_master'
      ? "type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'libsql%'"
      : `* FROM ${table}`;
  return database.read({ sql: `SELECT ${columns} ORDER BY 1, 2` });
}
