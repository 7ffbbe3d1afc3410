import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount, createKey } from '../../../schema/accounts/customer/account.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import {
  BatchRefused,
  type Database,
  DatabaseAway,
  DatabaseBusy,
  OutcomeUnknown,
  type SqlValue,
} from '../../../schema/db/interface.ts';
import { awaitMigrated, migrate, pendingMigrations } from '../../../schema/db/migrate.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { findDatabaseFault } from '../../../schema/db/readiness.ts';
import { makeFolder } from '../../support/databases.ts';
import { startHrana } from '../../support/libsql-server.ts';

const server = process.env.LIBSQL_URL;
const token = process.env.LIBSQL_AUTH_TOKEN;
if (!server) {
  console.warn(
    'remote.test: no libSQL server at hand (LIBSQL_URL names an empty one); the client speaks to our stand-in of its protocol.',
  );
}

let folder: Awaited<ReturnType<typeof makeFolder>>;
let standIn: Awaited<ReturnType<typeof startHrana>> | undefined;
let url: string;
let database: Database;

const open = (more: { readOnly?: boolean; busyWaitMs?: number } = {}) =>
  openDatabase({ url, authToken: token, durability: 'full', ...more });

const WAYS = server ? [server] : ['HTTP', 'WebSockets'];
describe.each(WAYS)(`a remote database (${server ? 'a libSQL server' : 'a stand-in'}) over %s`, (way) => {
  beforeAll(async () => {
    folder = await makeFolder();
    standIn = server ? undefined : await startHrana(join(folder.path, 'served.db'));
    url = server ?? (way === 'HTTP' ? standIn?.url : standIn?.socketUrl) ?? '';
    database = await open();
  });
  afterAll(async () => {
    await database.close();
    standIn?.close();
    await folder.remove();
  });

  it('is migrated once, by the first process to open it', async () => {
    const other = await open();
    const applied = await Promise.all([migrate(database, 'accounts'), migrate(other, 'accounts')]);
    expect(applied.flat().length).toBeGreaterThan(0);
    expect(new Set(applied.flat()).size).toBe(applied.flat().length);
    expect(await pendingMigrations(database, 'accounts')).toEqual([]);
    await (await awaitMigrated(() => open({ readOnly: true }), 'accounts', expect.fail)).close();
    await other.close();
  });

  it('keeps every kind of value, a whole number as one', async () => {
    const bytes = new Uint8Array([0, 1, 254, 255]);
    const values = [5, -1, 1.5, 'ünï', null, bytes, 9_007_199_254_740_991];
    const [outcome] = await database.write([
      { sql: 'SELECT ? AS a, ? AS b, ? AS c, ? AS d, ? AS e, ? AS f, ? AS g', args: values },
    ]);
    expect(Object.values(outcome?.rows[0] ?? {})).toEqual(values);
    const rows = await database.read({ sql: "SELECT ? || '' AS text, typeof(?) AS kind", args: [5, 5] });
    expect(rows).toEqual([{ text: '5', kind: 'integer' }]);
  });

  it('counts changes as a file does', async () => {
    const outcomes = await database.write([
      { sql: 'CREATE TABLE counted (id INTEGER PRIMARY KEY, n INTEGER)' },
      { sql: 'INSERT INTO counted (n) VALUES (1), (2), (3)' },
      { sql: 'UPDATE counted SET n = n + 1 WHERE n > ? RETURNING n', args: [1] },
      { sql: 'UPDATE counted SET n = 0 WHERE n > 9 RETURNING n' },
      { sql: 'DELETE FROM counted WHERE n = ?', args: [1] },
    ]);
    expect(outcomes.map(({ changes }) => changes).slice(1)).toEqual([3, 2, 0, 1]);
    expect(outcomes[2]?.rows).toEqual([{ n: 3 }, { n: 4 }]);
    await database.write([{ sql: 'DROP TABLE counted' }]);
  });

  it('writes inserts that follow each other like single ones: a later row over an earlier one', async () => {
    const row = '(?, ?)';
    const sql = `INSERT INTO kept (id, bytes) VALUES ${row} ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes`;
    const keep = (id: number, ...bytes: number[]) => ({ sql, row, args: [id, new Uint8Array(bytes)] });
    const outcomes = await database.write([
      { sql: 'CREATE TABLE kept (id INTEGER PRIMARY KEY, bytes BLOB)' },
      ...[keep(1, 1), keep(2, 2), keep(1, 3)],
      { sql: 'UPDATE kept SET id = 5 WHERE id = 2' },
      keep(2, 4),
    ]);
    expect(outcomes.slice(1).map(({ changes }) => changes)).toEqual([3, 0, 0, 1, 1]);
    expect(await database.read({ sql: 'SELECT * FROM kept ORDER BY id' })).toEqual([
      { id: 1, bytes: new Uint8Array([3]) },
      { id: 2, bytes: new Uint8Array([4]) },
      { id: 5, bytes: new Uint8Array([2]) },
    ]);
    await database.write([{ sql: 'DROP TABLE kept' }]);
  });

  it('writes a batch as a whole or not at all', async () => {
    const insert = { sql: "INSERT INTO lease (name, token, holder, expires_at) VALUES ('once', 't', 'h', 0)" };
    const refusal = { name: 'ServerError', message: expect.stringContaining('UNIQUE') };
    await expect(database.write([insert, insert])).rejects.toMatchObject(refusal);
    expect(await database.read({ sql: "SELECT * FROM lease WHERE name = 'once'" })).toEqual([]);
  });

  it('says by its type that a guard refused a batch, and that a value cannot be stored', async () => {
    const insert = { sql: "INSERT INTO lease (name, token, holder, expires_at) VALUES ('guard', 't', 'h', 0)" };
    const refused = database.write([insert, { ...insert, guard: true }]);
    await expect(refused).rejects.toBeInstanceOf(BatchRefused);
    await expect(database.write([{ ...insert, guard: true }, insert])).rejects.not.toBeInstanceOf(BatchRefused);
    expect(await database.read({ sql: "SELECT * FROM lease WHERE name = 'guard'" })).toEqual([]);
    const args = [{} as unknown as SqlValue];
    await expect(database.write([{ sql: 'DELETE FROM lease WHERE name = ?', args }])).rejects.toThrow(TypeError);
  });

  it('says in words that its disk is full, as a file does', async () => {
    const large = {
      sql: "INSERT INTO lease (name, token, holder, expires_at) VALUES ('large', zeroblob(1e7), 'h', 0)",
    };
    const full = database.write([{ sql: 'PRAGMA max_page_count = 1' }, large]);
    const said = `the disk is full: nothing of this was written to ${url}. Make room and run it again (SQLITE_FULL: `;
    await expect(full).rejects.toMatchObject({ name: 'DatabaseFault', message: expect.stringContaining(said) });
  });

  it('says where it is of before an upgrade', async () => {
    const said = { name: 'DatabaseFault', message: expect.stringMatching(/^the database at .* lacks a column/) };
    await expect(database.read({ sql: 'SELECT later FROM lease' })).rejects.toMatchObject(said);
    await expect(database.write([{ sql: "INSERT INTO lease (later) VALUES ('x')" }])).rejects.toMatchObject(said);
  });

  it('refuses every write where it was opened to read', async () => {
    const reader = await open({ readOnly: true });
    await expect(reader.write([{ sql: 'DELETE FROM lease' }])).rejects.toThrow(/readonly/);
    await expect(
      reader.read({ sql: "INSERT INTO lease (name, token, holder, expires_at) VALUES ('x', 't', 'h', 0)" }),
    ).rejects.toThrow(/readonly/);
    expect(await reader.read({ sql: "SELECT id FROM account WHERE id = '@mint'" })).toEqual([{ id: '@mint' }]);
    expect(await reader.read({ sql: "SELECT * FROM lease WHERE name = 'x'" })).toEqual([]);
    await reader.close();
  });

  it.skipIf(Boolean(server))('waits for another writer, then says so', async () => {
    const holder = await openDatabase({ url: `file:${join(folder.path, 'served.db')}`, durability: 'full' });
    await holder.read({ sql: 'BEGIN IMMEDIATE' });
    const short = await open({ busyWaitMs: 60 });
    await expect(short.write([{ sql: 'DELETE FROM lease' }])).rejects.toBeInstanceOf(DatabaseBusy);
    const patient = database.write([{ sql: 'DELETE FROM lease' }]);
    await holder.read({ sql: 'ROLLBACK' });
    expect(await patient).toHaveLength(1);
    await holder.close();
    await short.close();
  });

  it('opens accounts and keeps a ledger that is proved', async () => {
    const at = '2026-01-01T00:00:00Z';
    const account = await createAccount(database, { name: 'remote', signupCredits: 250, at });
    expect(account.balance).toBe(250);
    await createKey(database, { accountId: account.id, name: 'k', prefix: 'svc_live_', at });
    expect(await database.read({ sql: 'SELECT sum(balance) AS total FROM account' })).toEqual([{ total: 0 }]);
    expect(await verifyLedger(database)).toMatchObject({ faults: [] });
  });

  it.each([
    ['an update', 'UPDATE transfer SET credits = 1'],
    ['a delete', 'DELETE FROM transfer'],
    [
      'a replace of a line',
      "INSERT OR REPLACE INTO transfer (id, key, kind, from_account, to_account, credits, created_at) SELECT max(id), 'x', 'grant', '@mint', '@revenue', 9, 'now' FROM transfer",
    ],
    [
      'a replace of a key',
      "INSERT OR REPLACE INTO transfer (key, kind, from_account, to_account, credits, created_at) SELECT key, 'grant', '@mint', '@revenue', 9, 'now' FROM transfer LIMIT 1",
    ],
  ])('refuses %s in the ledger, whatever pragmas the server has', async (_name, sql) => {
    await expect(database.write([{ sql }])).rejects.toThrow(/append-only|already in the ledger/);
  });
});

describe('a server that hangs', () => {
  it('is away for a read, and leaves the outcome of a write unknown, at their deadlines', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const hanging = await openDatabase({
      url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      durability: 'full',
      deadlineMs: { read: 50, write: 50 },
    });
    await expect(hanging.read({ sql: 'SELECT 1' })).rejects.toThrow(DatabaseAway);
    await expect(hanging.read({ sql: 'SELECT 1' })).rejects.toThrow(/cannot be used: .*timeout/);
    await expect(hanging.write([{ sql: 'DELETE FROM lease' }])).rejects.toThrow(OutcomeUnknown);
    await hanging.close();
    silent.closeAllConnections();
    silent.close();
  });

  it('is not ready, which is said long before its deadlines', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const never = { read: 600_000, write: 600_000 };
    const hanging = await openDatabase({ url, durability: 'full', deadlineMs: never });
    expect(await findDatabaseFault(hanging, 'accounts', { writable: true })).toBe('accounts: no answer within 2 s');
    await hanging.close();
    silent.closeAllConnections();
    silent.close();
  });

  it('that is not there is away at once', async () => {
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    const nobody = await openDatabase({ url: `http://127.0.0.1:${port}`, durability: 'full' });
    await expect(nobody.read({ sql: 'SELECT 1' })).rejects.toThrow(DatabaseAway);
    // Nothing left for it, so nothing was written: that is certain, and no unknown outcome.
    await expect(nobody.write([{ sql: 'DELETE FROM lease' }])).rejects.toThrow(DatabaseAway);
    await nobody.close();
  });
});

it.each(['{"message":"Endpoint request timed out"}', '{"message":null}', '"Bad gateway"', 'null'])(
  'a gateway that answers in JSON for a server, %s, leaves the outcome of a write unknown',
  async (body) => {
    const json = { 'content-type': 'application/json' };
    const gateway = createServer((_request, response) => void response.writeHead(504, json).end(body));
    await once(gateway.listen(0, '127.0.0.1'), 'listening');
    const behind = await openDatabase({
      url: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
      durability: 'full',
    });
    await expect(behind.read({ sql: 'SELECT 1' })).rejects.toThrow(DatabaseAway);
    await expect(behind.write([{ sql: 'DELETE FROM lease' }])).rejects.toThrow(OutcomeUnknown);
    await behind.close();
    gateway.closeAllConnections();
    gateway.close();
  },
);
