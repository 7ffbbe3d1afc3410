import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dropAnswers } from '../../../schema/accounts/remembered-answers.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

const NOW = 1_000_000;
const fence = { sql: 'SELECT 1' };
let folder: Awaited<ReturnType<typeof makeFolder>>;
let accounts: Database;
beforeAll(async () => {
  folder = await makeFolder();
  accounts = await makeDatabase(folder.path, 'accounts');
});
afterAll(async () => {
  await accounts?.close();
  await folder?.remove();
});
beforeEach(() => accounts.write([{ sql: 'DELETE FROM remembered_answer' }]));

/** `count` answers of `bytes` each, which expire a millisecond after one another from `from` on. */
const remember = (count: number, bytes: number, from: number) =>
  accounts.write([
    {
      sql: `INSERT INTO remembered_answer (line, expires_at, bytes, body) SELECT value + ?2, value + ?2, ?3, x'7b7d' FROM json_each(?1)`,
      args: [JSON.stringify(Array.from({ length: count }, (_none, at) => at)), from, bytes],
    },
  ]);
const drop = (megabytes: number) => dropAnswers(accounts, { nowMs: NOW, megabytes, fence });
const readLeft = () =>
  accounts.read({ sql: 'SELECT count(*) AS left_over, min(expires_at) AS oldest FROM remembered_answer' });

describe('remembered answers', () => {
  it('go when their day is over, however many they are', async () => {
    await remember(5_001, 10, NOW - 5_000);
    await remember(3, 10, NOW + 60_000);
    expect(await drop(1)).toBe(5_001);
    expect(await readLeft()).toEqual([{ left_over: 3, oldest: NOW + 60_000 }]);
  });

  it('go earlier, the oldest first, where together they take more than the disk that is set aside for them', async () => {
    await remember(100, 100_000, NOW + 1);
    expect(await drop(10)).toBe(0);
    expect(await drop(4)).toBe(60);
    expect(await readLeft()).toEqual([{ left_over: 40, oldest: NOW + 61 }]);
  });
});
