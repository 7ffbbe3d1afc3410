import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCommitter } from '../../../api/concurrency/group-commit.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import type { Database, Statement } from '../../../schema/db/interface.ts';
import { ask } from '../../support/client.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';
import { testRows } from '../test-operations.ts';

let server: BuiltServer;
let urls: string[];
beforeAll(async () => {
  server = await buildServer({ operations: testRows });
  urls = [server.url, (await server.addServer()).url];
});
afterAll(async () => {
  expect((await verifyLedger(server.accounts)).faults).toEqual([]);
  await server.close();
});

describe('calls at once', () => {
  it('with one idempotency key are charged once', async () => {
    const { key, accountId } = await server.addCustomer(1_000);
    const asked = Array.from({ length: 50 }, (_, index) =>
      ask(urls[index % 2] ?? server.url, '/v1/things/a', key, { headers: { 'idempotency-key': 'one' } }),
    );
    const answers = await Promise.all(asked);
    const bodies = new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text));
    expect(bodies.size).toBe(1);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const [row] = await server.accounts.read<{ balance: number }>({
      sql: 'SELECT balance FROM account WHERE id = ?',
      args: [accountId],
    });
    expect(row?.balance).toBe(995);
  });
});

describe('debits that wait together', () => {
  const insert = (name: string): Statement => ({ sql: 'INSERT INTO note (name) VALUES (?)', args: [name] });

  it('share one commit, and each gets its own outcomes', async () => {
    const batches: number[] = [];
    const database = countBatches(server.accounts, batches);
    await database.write([{ sql: 'CREATE TABLE note (name TEXT PRIMARY KEY)' }]);
    batches.length = 0;
    const committer = makeCommitter(database);
    const count = { sql: 'SELECT count(*) AS held FROM note' };
    const outcomes = await Promise.all(['a', 'b', 'c'].map((name) => committer.commit([insert(name), count])));
    expect(batches).toEqual([6]);
    expect(outcomes.map(([, held]) => held?.rows[0]?.held)).toEqual([1, 2, 3]);
  });

  it('do not suffer for a neighbour that fails', async () => {
    const committer = makeCommitter(server.accounts);
    const settled = await Promise.allSettled(['d', 'a', 'e'].map((name) => committer.commit([insert(name)])));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await committer.drain();
  });
});

function countBatches(database: Database, sizes: number[]): Database {
  return {
    ...database,
    write(statements) {
      sizes.push(statements.length);
      return database.write(statements);
    },
  };
}
