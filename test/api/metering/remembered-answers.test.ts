import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readAccount } from '../../../schema/accounts/customer/account.ts';
import { closeAccount } from '../../../schema/accounts/customer/erase.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { packAnswer, unpackAnswer } from '../../../schema/accounts/remembered-answers.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { plant } from '../../schema/accounts/tamper.ts';
import { ask } from '../../support/client.ts';
import { runHere } from '../../support/run-command.ts';
import { buildSampleServer } from '../../support/sample-services.ts';
import type { BuiltServer } from '../../support/services.ts';

let server: BuiltServer;
beforeAll(async () => {
  server = await buildSampleServer({ credits: 10_000 });
});
afterAll(() => server?.close());

const PATH = '/v1/notices/search?limit=50';
const keyed = (key: string) => ask(server.url, PATH, server.key, { headers: { 'idempotency-key': key } });
const readSizes = async () => {
  const sql =
    'SELECT count(*) AS answers, coalesce(sum(bytes), 0) AS bytes, coalesce(sum(length(body)), 0) AS held FROM remembered_answer';
  const [sizes] = await server.accounts.read<{ answers: number; bytes: number; held: number }>({ sql });
  return sizes ?? { answers: 0, bytes: 0, held: 0 };
};

describe('a remembered answer', () => {
  it('takes a quarter of its text or less, in a table of its own, and is given again byte for byte', async () => {
    const first = await keyed('small');
    expect(first.text.length).toBeGreaterThan(10_000);
    const { answers, bytes, held } = await readSizes();
    expect([answers, bytes]).toEqual([1, held]);
    expect(bytes).toBeLessThan(first.text.length / 4);
    expect((await keyed('small')).text).toBe(first.text);
    expect(await server.accounts.read({ sql: 'SELECT 1 FROM idempotency WHERE body IS NOT NULL' })).toEqual([]);
  });

  it.each(['{}', '{"a":1}', `{"text":"${'é£\\u0000 '.repeat(500)}"}`])('comes back as it was: %.20s', (body) => {
    expect(unpackAnswer(packAnswer(body))).toBe(body);
  });

  it('that a program of before wrote as it was is given again too', async () => {
    const first = await keyed('former');
    const [row] = await server.accounts.read<{ line: number; body: Uint8Array }>({
      sql: 'SELECT line, body FROM remembered_answer ORDER BY line DESC LIMIT 1',
    });
    const text = Buffer.from(unpackAnswer(row?.body ?? new Uint8Array()));
    await server.accounts.write([
      { sql: "UPDATE idempotency SET body = ? WHERE key = 'former'", args: [text] },
      { sql: 'DELETE FROM remembered_answer WHERE line = ?', args: [row?.line ?? 0] },
    ]);
    expect((await keyed('former')).text).toBe(first.text);
  });

  it('whose line a program of before did not write down is found by its charge, and goes with its account', async () => {
    const { accountId, key } = await server.addCustomer(100);
    const call = () => ask(server.url, PATH, key, { headers: { 'idempotency-key': 'without-a-line' } });
    const first = await call();
    await plant(server.accounts, `UPDATE idempotency SET line = NULL WHERE account_id = '${accountId}'`);
    expect((await call()).text).toBe(first.text);
    const before = (await readSizes()).answers;
    const account = await readAccount(server.accounts, accountId);
    if (account) await closeAccount(server.accounts, account, { at: '2026-11-21T12:00:00Z', secret: 's' });
    expect((await readSizes()).answers).toBe(before - 1);
  });

  it('goes with its account however many there are, a few thousand in one batch', async () => {
    const { accountId } = await server.addCustomer(100);
    const add = `INSERT INTO idempotency (account_id, key, fingerprint, state, claim_token, claim_expires_at, created_at, expires_at)
      SELECT ?, value, '', 'free', value, 0, '', ? FROM generate_series(1, 11000)`;
    await server.accounts.write([{ sql: add, args: [accountId, Date.parse('2026-11-22T12:00:00Z')] }]);
    const account = await readAccount(server.accounts, accountId);
    const write = vi.spyOn(server.accounts, 'write');
    if (account) await closeAccount(server.accounts, account, { at: '2026-11-21T12:00:00Z', secret: 's' });
    expect(write).toHaveBeenCalledTimes(4);
    write.mockRestore();
    const left = 'SELECT count(*) AS left FROM idempotency WHERE account_id = ? AND expires_at > 0';
    expect(await server.accounts.read({ sql: left, args: [accountId] })).toEqual([{ left: 0 }]);
  });

  it('is in a backup only with --answers', async () => {
    const sizes = [];
    for (const [name, ...options] of [['without'], ['with', '--answers']] as const) {
      const file = join(server.folder, `${name}.backup`);
      expect(await runHere({ DATA_DIR: server.folder }, 'backup', file, ...options)).toMatchObject({ code: 0 });
      const copy = await openDatabase({ url: `file:${file}`, durability: 'full' });
      sizes.push((await copy.read({ sql: 'SELECT 1 FROM remembered_answer' })).length);
      // No page of the file keeps what was left out.
      expect(await copy.read({ sql: 'PRAGMA freelist_count' })).toEqual([{ freelist_count: 0 }]);
      expect((await verifyLedger(copy)).faults).toEqual([]);
      expect((await copy.read({ sql: "SELECT 1 FROM idempotency WHERE state = 'done'" })).length).toBeGreaterThan(0);
      await copy.close();
    }
    expect(sizes).toEqual([0, (await readSizes()).answers]);
  });

  it('goes with the account that was closed, and no other does', async () => {
    const { accountId, key } = await server.addCustomer(100);
    const before = (await readSizes()).answers;
    await ask(server.url, PATH, key, { headers: { 'idempotency-key': 'theirs' } });
    expect((await readSizes()).answers).toBe(before + 1);
    const account = await readAccount(server.accounts, accountId);
    if (account) await closeAccount(server.accounts, account, { at: '2026-11-21T12:00:00Z', secret: 's' });
    expect((await readSizes()).answers).toBe(before);
  });

  it('that was lost leaves its key refused, free', async () => {
    await keyed('lost');
    await server.accounts.write([{ sql: 'DELETE FROM remembered_answer' }]);
    const again = await keyed('lost');
    expect([again.status, again.body.detail[0].type]).toEqual([422, 'idempotency_key_expired']);
    expect((await verifyLedger(server.accounts)).faults).toEqual([]);
  });
});
