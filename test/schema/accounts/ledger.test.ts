import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createAccount,
  createKey,
  readAccounts,
  readKeys,
  revokeKey,
  setAccountState,
} from '../../../schema/accounts/customer/account.ts';
import { hashKey, isKeyShaped, makeKey } from '../../../schema/accounts/customer/api-key.ts';
import { closeAccount, isFormerAddress } from '../../../schema/accounts/customer/erase.ts';
import { readLedger } from '../../../schema/accounts/ledger/lines.ts';
import {
  grantStatement,
  REVENUE,
  readBalance,
  refundStatement,
  signupGrantKey,
  topUpStatement,
} from '../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import type { Database, Statement } from '../../../schema/db/interface.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { plant } from './tamper.ts';

const AT = '2026-11-21T12:00:00Z';
let folder: Awaited<ReturnType<typeof makeFolder>>;
let accounts: Database;
let id: string;

beforeAll(async () => {
  folder = await makeFolder();
  accounts = await makeDatabase(folder.path, 'accounts');
  await accounts.write([
    {
      sql: "INSERT INTO auth_user (id, name, email, email_verified, created_at, updated_at) VALUES ('user', 'A', 'a@x', 1, 1, 1)",
    },
  ]);
  id = (await createAccount(accounts, { name: 'A', userId: 'user', signupCredits: 250, at: AT })).id;
});
afterAll(async () => {
  await accounts.close();
  await folder.remove();
});

const charge = (chargeId: string, credits: number) => ({
  sql: `INSERT INTO transfer (key, kind, from_account, to_account, credits, action, request_id, created_at)
        VALUES (?, 'charge', ?, '@revenue', ?, 'lookup_thing', ?, ?)`,
  args: [`charge:${chargeId}`, id, credits, chargeId, AT],
});
/** The indexes by which a page of an account's ledger is found. */
async function indexesOf(account: string): Promise<unknown> {
  let asked: Statement = { sql: '' };
  const noted: Database = {
    ...accounts,
    read(statement) {
      asked = statement;
      return accounts.read(statement);
    },
  };
  await readLedger(noted, account, { limit: 5 });
  const steps = await accounts.read<{ detail: string }>({ ...asked, sql: `EXPLAIN QUERY PLAN ${asked.sql}` });
  return steps.flatMap(({ detail }) => /transfer USING (.*)/.exec(detail)?.[1] ?? []);
}
const faults = async () => (await verifyLedger(accounts)).faults.map(({ fault }) => fault);

describe('an account', () => {
  it('is one per user, with its sign-up credits once, however many requests there are', async () => {
    const again = await createAccount(accounts, { name: 'A', userId: 'user', signupCredits: 250, at: AT });
    expect([again.id, again.balance]).toEqual([id, 250]);
    const grant = { key: signupGrantKey(id), accountId: id, credits: 250, at: AT };
    expect((await accounts.write([grantStatement(grant)]))[0]?.changes).toBe(0);
    expect((await readAccounts(accounts)).map(({ id: each }) => each)).toEqual([id]);
  });

  it('keeps its keys as hashes alone and stops them', async () => {
    const {
      key,
      id: keyId,
      hint,
    } = await createKey(accounts, { accountId: id, name: 'k', prefix: 'svc_live_', at: AT });
    expect(isKeyShaped(key)).toBe(true);
    const [row] = await accounts.read<Record<string, unknown>>({ sql: 'SELECT * FROM api_key' });
    expect(row?.hash).toBe(hashKey(key));
    expect(JSON.stringify(row)).not.toContain(key);
    expect(key.endsWith(hint.slice(-4))).toBe(true);
    expect([await revokeKey(accounts, 'other', keyId, AT), await revokeKey(accounts, id, keyId, AT)]).toEqual([
      false,
      true,
    ]);
    expect((await readKeys(accounts, id, AT))[0]?.revoked_at).toBe(AT);
    await expect(createKey(accounts, { accountId: 'nobody', name: 'k', prefix: 'svc_live_', at: AT })).rejects.toThrow(
      /nobody/,
    );
  });

  it('can be frozen', async () => {
    expect(await setAccountState(accounts, id, 'frozen')).toBe(true);
    expect(await setAccountState(accounts, id, 'active')).toBe(true);
  });

  it('that was closed leaves its address known, however it is spelt, also as older programs noted it', async () => {
    const email = 'Ada+news@gmail.com';
    const sql = `INSERT INTO auth_user (id, name, email, email_verified, created_at, updated_at) VALUES ('ada', 'A', ?, 1, 1, 1)`;
    await accounts.write([{ sql, args: [email] }]);
    const account = await createAccount(accounts, { name: 'A', userId: 'ada', signupCredits: 0, at: AT });
    await closeAccount(accounts, account, { at: AT, secret: 's' });
    const asTyped = createHmac('sha256', 's').update('former-address:bo+old@example.org').digest('hex');
    await accounts.write([{ sql: 'INSERT INTO former_address (hash, closed_at) VALUES (?, ?)', args: [asTyped, AT] }]);
    const spelt = ['a.da@googlemail.com', email, 'Bo+old@example.org', 'ada@example.org'];
    const known = spelt.map((one) => isFormerAddress(accounts, one, 's'));
    expect(await Promise.all(known)).toEqual([true, true, true, false]);
  });

  it('that was closed while a command found it open stays closed, and gets nothing but what was paid for', async () => {
    const { id: closed } = await createAccount(accounts, { name: 'B', signupCredits: 0, at: AT });
    expect(await setAccountState(accounts, closed, 'closed')).toBe(true);
    expect([
      await setAccountState(accounts, closed, 'active'),
      await setAccountState(accounts, closed, 'frozen'),
    ]).toEqual([false, false]);
    const given = { key: 'late', accountId: closed, credits: 10, at: AT };
    await accounts.write([grantStatement(given)]);
    expect(await readBalance(accounts, closed)).toBe(0);
    await accounts.write([topUpStatement(given)]);
    expect(await readBalance(accounts, closed)).toBe(10);
    const [{ state } = {}] = await accounts.read<{ state?: string }>({
      sql: 'SELECT state FROM account WHERE id = ?',
      args: [closed],
    });
    expect(state).toBe('closed');
  });
});

describe('a key', () => {
  it('is distinguished from a mistyped one without a database', () => {
    const { key } = makeKey('svc_live_');
    expect(key).toMatch(/^svc_live_[0-9A-Za-z]{38}$/);
    const swapped = key.slice(0, 12) + (key[12] === 'x' ? 'y' : 'x') + key.slice(13);
    expect([isKeyShaped(key), isKeyShaped(swapped), isKeyShaped(''), isKeyShaped(`${key}0`)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(new Set(Array.from({ length: 200 }, () => makeKey('svc_live_').key)).size).toBe(200);
  });
});

describe('the ledger', () => {
  it('gives grants and top-ups once for each key', async () => {
    const grant = { key: 'g', accountId: id, credits: 10, at: AT };
    await accounts.write([grantStatement(grant), grantStatement(grant), topUpStatement({ ...grant, key: 'p' })]);
    expect(await readBalance(accounts, id)).toBe(270);
  });

  it('refunds a charge, never more than it, never one that is not there', async () => {
    await accounts.write([charge('c1', 100)]);
    const refund = { chargeId: 'c1', credits: 60, at: AT };
    const twice = [refundStatement({ ...refund, key: 'c1:a' }), refundStatement({ ...refund, key: 'c1:a' })];
    const outcomes = await accounts.write([
      ...twice,
      refundStatement({ ...refund, key: 'c1:b' }),
      refundStatement({ ...refund, chargeId: 'no', key: 'n' }),
    ]);
    expect(outcomes.map(({ changes }) => changes)).toEqual([1, 0, 0, 0]);
    expect(await readBalance(accounts, id)).toBe(230);
    expect(await faults()).toEqual([]);
  });

  it('is read newest first, page by page, signed as the account sees it', async () => {
    const first = await readLedger(accounts, id, { limit: 3 });
    expect(first.map(({ kind, credits }) => [kind, credits])).toEqual([
      ['refund', 60],
      ['charge', -100],
      ['top_up', 10],
    ]);
    const rest = await readLedger(accounts, id, { limit: 3, before: first[2]?.id });
    expect(rest.map(({ kind, credits }) => [kind, credits])).toEqual([
      ['grant', 10],
      ['grant', 250],
    ]);
  });

  it.each([
    [
      'balance is not the sum of the ledger',
      'UPDATE account SET balance = balance + 1 WHERE id = ?',
      'UPDATE account SET balance = balance - 1 WHERE id = ?',
    ],
    [
      'orphan refund',
      `INSERT INTO transfer (key, kind, from_account, to_account, credits, corrects, created_at) VALUES ('refund:x', 'refund', '@revenue', ?, 1, 999, '${AT}')`,
      null,
    ],
    [
      'a request charged more than once',
      `INSERT INTO transfer (key, kind, from_account, to_account, credits, action, request_id, created_at) VALUES ('charge:y', 'charge', ?, '@revenue', 1, 'x', 'c1', '${AT}')`,
      null,
    ],
    [
      'a remembered answer without its charge',
      `INSERT INTO idempotency VALUES (?, 'k', 'f', 'done', 't', 0, NULL, 'ch_none', 5, 1, '${AT}', 0, NULL)`,
      "DELETE FROM idempotency WHERE account_id = ? AND key = 'k'",
    ],
  ])('proves itself: %s is found', async (fault, breaking, mending) => {
    await accounts.write([{ sql: breaking, args: [id] }]);
    expect(await faults()).toContain(fault);
    if (mending) await plant(accounts, mending.replace('?', `'${id}'`));
  });
});

describe('what an account received', () => {
  it('is found by its index, and what `@revenue` received by the lines themselves', async () => {
    const [paid, row] = ['INDEX transfer_by_from (from_account=? AND id<?)', 'INTEGER PRIMARY KEY (rowid=?)'];
    expect(await indexesOf(id)).toEqual([paid, row, 'INDEX transfer_by_to (to_account=? AND id<?)', row]);
    expect(await indexesOf(REVENUE)).toEqual([paid, row, 'INTEGER PRIMARY KEY (rowid<?)', row]);
    const sql = 'SELECT id FROM transfer WHERE ? IN (from_account, to_account) ORDER BY id DESC';
    for (const account of [id, REVENUE]) {
      const all = await accounts.read<{ id: number }>({ sql, args: [account] });
      const listed = await readLedger(accounts, account, { limit: 1_000 });
      expect(all.length).toBeGreaterThan(0);
      expect(listed.map((line) => line.id)).toEqual(all.map((line) => line.id));
    }
  });
});
