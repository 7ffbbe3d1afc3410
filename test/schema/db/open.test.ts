import { chmod, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BatchRefused, type Database, DatabaseBusy, readFirst, type SqlValue } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let accounts: Database;

beforeAll(async () => {
  folder = await makeFolder();
  accounts = await makeDatabase(folder.path, 'accounts');
  await accounts.write([
    { sql: "INSERT INTO account (id, name, created_at) VALUES ('a', 'A', '2026-01-01T00:00:00Z')" },
  ]);
});
afterAll(async () => {
  await accounts.close();
  await folder.remove();
});

const pragma = async (database: Database, name: string) =>
  Object.values((await database.read<Record<string, number | string>>({ sql: `PRAGMA ${name}` }))[0] ?? {})[0];

describe('the pragmas of a durable database', () => {
  it('are in force on the accounts connection', async () => {
    expect(await pragma(accounts, 'journal_mode')).toBe('wal');
    expect(await pragma(accounts, 'synchronous')).toBe(2);
    expect(await pragma(accounts, 'recursive_triggers')).toBe(1);
    expect(await pragma(accounts, 'foreign_keys')).toBe(1);
  });

  it('are in force on the catalogue connection', async () => {
    const catalogue = await makeDatabase(folder.path, 'catalogue');
    expect(await pragma(catalogue, 'journal_mode')).toBe('wal');
    expect(await pragma(catalogue, 'synchronous')).toBe(1);
    await catalogue.close();
  });

  it('refuse a write on a read-only connection', async () => {
    const reader = await openDatabase({ url: accounts.url, durability: 'normal', readOnly: true });
    await expect(reader.write([{ sql: 'DELETE FROM idempotency' }])).rejects.toThrow(/readonly/);
    expect(await reader.read({ sql: "SELECT id FROM account WHERE id = 'a'" })).toEqual([{ id: 'a' }]);
    await reader.close();
  });
});

it.each([
  ['have any name', (path: string) => join(path, 'a%41 50% b#c?d')],
  ['begin with two slashes', (path: string) => `/${path}/twice`],
])('a folder may %s, to a reader too', async (_, nameIn) => {
  const path = nameIn(folder.path);
  await mkdir(path);
  await (await makeDatabase(path, 'accounts')).close();
  const writer = await openDatabase({ url: `file:${path}/accounts.db`, durability: 'full' });
  await writer.write([{ sql: "INSERT INTO account (id, name, created_at) VALUES ('b', 'B', '2026-01-01T00:00:00Z')" }]);
  const reader = await openDatabase({ url: writer.url, durability: 'normal', readOnly: true });
  expect(await reader.read({ sql: "SELECT id FROM account WHERE id = 'b'" })).toEqual([{ id: 'b' }]);
  await expect(reader.write([{ sql: 'DELETE FROM account' }])).rejects.toThrow(/readonly/);
  for (const each of [reader, writer]) await each.close();
});

it('only the owner can read a new file and those next to it; one that is there keeps its mode', async () => {
  const path = join(folder.path, 'new.db');
  const modes = () => Promise.all(['', '-wal', '-shm'].map(async (end) => (await stat(path + end)).mode & 0o777));
  const open = () => openDatabase({ url: `file:${path}`, durability: 'full' });
  const made = await open();
  await made.read({ sql: 'PRAGMA journal_mode=WAL' });
  await made.write([{ sql: 'CREATE TABLE a (b)' }]);
  expect(await modes()).toEqual([0o600, 0o600, 0o600]);
  await made.close();
  await chmod(path, 0o640);
  await (await open()).close();
  expect((await stat(path)).mode & 0o777).toBe(0o640);
});

it('a file is whole once it is closed, also where another process was just reading it', async () => {
  const path = join(folder.path, 'shared.db');
  const database = await openDatabase({ url: `file:${path}`, durability: 'full' });
  await database.read({ sql: 'PRAGMA journal_mode=WAL' });
  await database.write([{ sql: 'CREATE TABLE a (b)' }]);
  const other = new Sqlite(path);
  other.exec('BEGIN; SELECT * FROM a');
  await database.write([{ sql: 'INSERT INTO a VALUES (1)' }]);
  const closed = database.close();
  other.exec('COMMIT');
  await closed;
  expect((await stat(`${path}-wal`)).size).toBe(0);
  other.close();
});

describe('a row', () => {
  it('has the same values alone and among others, whether the statement names its columns or not', async () => {
    const values = "SELECT 'é' AS word, 7 AS whole, 0.5 AS part, NULL AS missing, x'0102' AS bytes, x'' AS empty";
    const row = {
      word: 'é',
      whole: 7,
      part: 0.5,
      missing: null,
      bytes: new Uint8Array([1, 2]),
      empty: new Uint8Array(),
    };
    for (const sql of [values, `SELECT * FROM (${values})`]) {
      expect(await accounts.read({ sql: `${sql} UNION ALL ${sql}` })).toStrictEqual([row, row]);
      expect(await readFirst(accounts, { sql: `${sql} UNION ALL ${sql}` })).toStrictEqual(row);
      expect(await readFirst(accounts, { sql: `${sql} WHERE false` })).toBeUndefined();
    }
  });

  it('has the columns that its table has now, where the statement takes all', async () => {
    const url = `file:${folder.path}/changed.db`;
    const [reader, owner] = [await openDatabase({ url, durability: 'normal' }), new Sqlite(url.slice('file:'.length))];
    owner.exec('CREATE TABLE a (b, c); INSERT INTO a VALUES (1, 2)');
    expect(await readFirst(reader, { sql: 'SELECT * FROM a' })).toEqual({ b: 1, c: 2 });
    owner.exec(
      'CREATE TABLE d (c, b); INSERT INTO d (b, c) SELECT b, c FROM a; DROP TABLE a; ALTER TABLE d RENAME TO a',
    );
    expect(await readFirst(reader, { sql: 'SELECT * FROM a' })).toEqual({ b: 1, c: 2 });
    owner.close();
    await reader.close();
  });

  it('that was read alone keeps no snapshot: the log can be moved into the file', async () => {
    const reader = await openDatabase({ url: accounts.url, durability: 'normal', readOnly: true });
    await readFirst(reader, { sql: 'SELECT id FROM account ORDER BY id' });
    await accounts.write([{ sql: "UPDATE account SET name = 'B' WHERE id = 'a'" }]);
    expect(await accounts.read({ sql: 'PRAGMA wal_checkpoint(TRUNCATE)' })).toMatchObject([{ busy: 0, log: 0 }]);
    await reader.close();
  });
});

describe('a batch', () => {
  it('commits as a whole or not at all', async () => {
    const insert = {
      sql: "INSERT INTO idempotency VALUES ('a', 'k', 'f', 'running', 't', 0, NULL, NULL, NULL, NULL, 'now', 0, NULL)",
    };
    await expect(accounts.write([insert, insert])).rejects.toThrow(/UNIQUE/);
    expect(await accounts.read({ sql: 'SELECT * FROM idempotency' })).toEqual([]);
  });

  it('that a guard refuses says so by its type; another statement that is refused does not', async () => {
    const claim =
      "INSERT INTO idempotency VALUES ('a', 'g', 'f', 'running', 't', 0, NULL, NULL, NULL, NULL, 'now', 0, NULL)";
    const guard = { sql: claim, guard: true } as const;
    await accounts.write([guard]);
    const account = "INSERT INTO account (id, name, created_at) VALUES ('guarded', 'G', 'now')";
    await expect(accounts.write([{ sql: account }, guard])).rejects.toBeInstanceOf(BatchRefused);
    expect(await accounts.read({ sql: "SELECT * FROM account WHERE id = 'guarded'" })).toEqual([]);
    await expect(accounts.write([{ sql: claim }])).rejects.not.toBeInstanceOf(BatchRefused);
    const free = { sql: 'DELETE FROM idempotency', guard: true } as const;
    await expect(accounts.write([free, { sql: claim }, { sql: claim }])).rejects.not.toBeInstanceOf(BatchRefused);
    await accounts.write([free]);
  });

  it.each([
    ['an object', {}],
    ['a boolean', true],
  ])('with a value that no database holds is a fault of its maker, not of the file: %s', async (_name, value) => {
    const args = [value as unknown as SqlValue];
    await expect(accounts.write([{ sql: 'DELETE FROM idempotency WHERE key = ?', args }])).rejects.toThrow(TypeError);
    await expect(accounts.read({ sql: 'SELECT ? AS value', args })).rejects.toThrow(TypeError);
  });

  it('waits for another writer without blocking, then says so', async () => {
    const other = await openDatabase({ url: accounts.url, durability: 'full', busyWaitMs: 60 });
    await accounts.read({ sql: 'BEGIN IMMEDIATE' });
    let turned = false;
    setTimeout(() => {
      turned = true;
    }, 0);
    await expect(other.write([{ sql: 'DELETE FROM idempotency' }])).rejects.toBeInstanceOf(DatabaseBusy);
    await accounts.read({ sql: 'ROLLBACK' });
    expect(turned).toBe(true);
    await other.close();
  });
});

describe('a file that another process holds for itself', () => {
  it('is waited for when it is opened and read, and then said to be busy', async () => {
    const url = `file:${folder.path}/held.db`;
    const holder = await openDatabase({ url, durability: 'normal' });
    await holder.read({ sql: 'PRAGMA locking_mode=EXCLUSIVE' });
    await holder.write([{ sql: 'CREATE TABLE kept (value)' }]);
    const later = openDatabase({ url, durability: 'normal', busyWaitMs: 5_000 }).then((database) =>
      database.read({ sql: 'SELECT value FROM kept' }),
    );
    const impatient = openDatabase({ url, durability: 'normal', busyWaitMs: 30 }).then((database) =>
      database.read({ sql: 'SELECT value FROM kept' }),
    );
    await expect(impatient).rejects.toBeInstanceOf(DatabaseBusy);
    await holder.read({ sql: 'PRAGMA locking_mode=NORMAL' });
    await holder.read({ sql: 'SELECT value FROM kept' });
    expect(await later).toEqual([]);
  });
});

describe('the ledger', () => {
  const transfer = (key: string, from: string, to: string, credits: number) => ({
    sql: "INSERT INTO transfer (key, kind, from_account, to_account, credits, created_at) VALUES (?, 'grant', ?, ?, ?, 'now')",
    args: [key, from, to, credits],
  });

  it('moves balances with the transfer and keeps them from going below zero', async () => {
    await accounts.write([transfer('g1', '@mint', 'a', 250)]);
    expect(await accounts.read({ sql: "SELECT balance FROM account WHERE id = 'a'" })).toEqual([{ balance: 250 }]);
    await expect(accounts.write([transfer('c1', 'a', '@revenue', 251)])).rejects.toThrow(/not_negative/);
    expect(await accounts.read({ sql: 'SELECT sum(balance) AS total FROM account' })).toEqual([{ total: 0 }]);
  });

  it.each([
    ['an update', 'UPDATE transfer SET credits = 1'],
    ['a delete', 'DELETE FROM transfer'],
    [
      'a replace',
      "INSERT OR REPLACE INTO transfer (id, key, kind, from_account, to_account, credits, created_at) VALUES (1, 'x', 'grant', '@mint', 'a', 9, 'now')",
    ],
    [
      'a second row for a key',
      "INSERT OR REPLACE INTO transfer (key, kind, from_account, to_account, credits, created_at) VALUES ('g1', 'grant', '@mint', 'a', 9, 'now')",
    ],
    [
      'an account nobody opened',
      "INSERT INTO transfer (key, kind, from_account, to_account, credits, created_at) VALUES ('y', 'grant', '@mint', 'b', 9, 'now')",
    ],
    [
      'one that pays and nobody opened',
      "INSERT INTO transfer (key, kind, from_account, to_account, credits, created_at) VALUES ('y', 'grant', '@none', 'a', 9, 'now')",
    ],
  ])('refuses %s', async (_name, sql) => {
    await expect(accounts.write([{ sql }])).rejects.toThrow(/append-only|already in the ledger|does not exist/);
  });
});
