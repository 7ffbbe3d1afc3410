import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount, createKey } from '../../../schema/accounts/customer/account.ts';
import { newPaymentStatement } from '../../../schema/accounts/payments.ts';
import type { Database, SqlValue } from '../../../schema/db/interface.ts';
import { addDelivery, addWatch } from '../../jobs/watches/seed.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { findFaults } from './tamper.ts';

const AT = '2026-06-01T09:00:00Z';
const PAYMENT = { credits: 100, amount: 120, vat: 20, vat_percent: 20, currency: 'gbp', live: 0, created_at: AT };
let folder: Awaited<ReturnType<typeof makeFolder>>;
let accounts: Database;

/** A person with an account of 100 credits, a key, two payments, a watch and its delivery. */
beforeAll(async () => {
  folder = await makeFolder();
  accounts = await makeDatabase(folder.path, 'accounts');
  await accounts.write([user('usr_1', 'ann@example.org', 'ann@example.org')]);
  const { id } = await createAccount(accounts, { name: 'A', userId: 'usr_1', signupCredits: 100, at: AT });
  await createKey(accounts, { accountId: id, name: 'k', prefix: 'svc_live_', at: AT });
  const { id: watchId } = await addWatch(accounts, { account_id: id });
  await addDelivery(accounts, watchId, ['a']);
  await accounts.write([
    ...['pay_1', 'pay_2'].map((payment) => newPaymentStatement({ ...PAYMENT, id: payment, account_id: id })),
    { sql: "UPDATE payment SET session_id = 'cs', payment_intent = 'pi' WHERE id = 'pay_1'" },
    { sql: "UPDATE api_key SET former_hash = 'f'" },
  ]);
});
afterAll(async () => {
  await accounts.close();
  await folder.remove();
});

function user(id: string, email: string, address: string): { sql: string; args: SqlValue[] } {
  return {
    sql: 'INSERT INTO auth_user (id, name, email, address, email_verified, created_at, updated_at) VALUES (?, ?, ?, ?, 1, 0, 0)',
    args: [id, 'Ann', email, address],
  };
}

const OWN = "(SELECT id FROM account WHERE user_id = 'usr_1')";
const charge = (from: string, to: string, credits: string) => `
  INSERT INTO transfer (key, kind, from_account, to_account, credits, action, created_at)
  VALUES ('charge:ch_x', 'charge', ${from}, ${to}, ${credits}, 'x', '${AT}')`;
const again = (table: string, changes: Record<string, string>, columns: string) => {
  const values = columns.split(', ').map((column) => changes[column] ?? column);
  return `INSERT INTO ${table} (${columns}) SELECT ${values.join(', ')} FROM ${table} LIMIT 1`;
};

describe('the accounts refuse', () => {
  it.each([
    [
      'one credit more than there is',
      charge(OWN, "'@revenue'", `(SELECT balance + 1 FROM account WHERE id = ${OWN})`),
      'account_balance_not_negative',
    ],
    ['a transfer from an account to itself', charge(OWN, OWN, '1'), 'transfer_between_two'],
    ['a transfer to nobody', charge(OWN, "'acc_none'", '1'), 'does not exist'],
    ['a transfer of nobody', charge("'acc_none'", "'@revenue'", '1'), 'does not exist'],
    [
      'a second account of a person',
      "INSERT INTO account (id, name, user_id, created_at) VALUES ('acc_2', 'B', 'usr_1', '')",
      'account.user_id',
    ],
    [
      'a key of nobody',
      again(
        'api_key',
        { id: "'key_2'", account_id: "'acc_none'", hash: "'h2'" },
        'id, account_id, name, hash, hint, created_at',
      ),
      'FOREIGN KEY',
    ],
    [
      'two keys of one text',
      again('api_key', { id: "'key_2'" }, 'id, account_id, name, hash, hint, created_at'),
      'api_key.hash',
    ],
    [
      'two keys that were one text',
      again('api_key', { id: "'key_2'", hash: "'h2'" }, 'id, account_id, name, hash, hint, created_at, former_hash'),
      'api_key.former_hash',
    ],
    ['two payments of one session', "UPDATE payment SET session_id = 'cs' WHERE id = 'pay_2'", 'payment.session_id'],
    [
      'two payments of one intent',
      "UPDATE payment SET payment_intent = 'pi' WHERE id = 'pay_2'",
      'payment.payment_intent',
    ],
    ['a payment of nothing', "UPDATE payment SET amount = 0 WHERE id = 'pay_2'", 'payment_amount_positive'],
    ['a payment for nothing', "UPDATE payment SET credits = 0 WHERE id = 'pay_2'", 'payment_credits_positive'],
    [
      'two deliveries of one id',
      again('watch_delivery', {}, 'id, watch_id, account_id, kind, items, credits, created_at, next_attempt_at'),
      'watch_delivery.id',
    ],
  ])('%s', async (_what, sql, words) => {
    await expect(accounts.write([{ sql }])).rejects.toThrow(words);
    expect(await findFaults(accounts)).toEqual([]);
  });

  it('a second person of an address, or of its mailbox', async () => {
    const other = (email: string, address: string) => accounts.write([user('usr_3', email, address)]);
    await expect(other('ann@example.org', 'other@example.org')).rejects.toThrow('auth_user.email');
    await expect(other('ann+x@example.org', 'ann@example.org')).rejects.toThrow('auth_user.address');
  });
});

it('sessions and the password of a person go with the person', async () => {
  const count = async () =>
    (await accounts.read({ sql: 'SELECT id FROM auth_session UNION ALL SELECT id FROM auth_account' })).length;
  await accounts.write([
    user('usr_2', 'bo@example.org', 'bo@example.org'),
    {
      sql: `INSERT INTO auth_session (id, expires_at, token, created_at, updated_at, user_id)
            VALUES ('ses_1', 9e9, 't', 0, 0, 'usr_2')`,
    },
    {
      sql: `INSERT INTO auth_account (id, account_id, provider_id, user_id, password, created_at, updated_at)
            VALUES ('pw_1', 'usr_2', 'credential', 'usr_2', 'a hash', 0, 0)`,
    },
  ]);
  expect(await count()).toBe(2);
  await accounts.write([{ sql: "DELETE FROM auth_user WHERE id = 'usr_2'" }]);
  expect(await count()).toBe(0);
});

it('a batch that shows that its lease is held leaves nothing of that', async () => {
  await accounts.write([{ sql: 'INSERT INTO fence (ok) VALUES (1)' }]);
  await expect(accounts.write([{ sql: 'INSERT INTO fence (ok) VALUES (0)' }])).rejects.toThrow('lease lost');
  expect(await accounts.read({ sql: 'SELECT ok FROM fence' })).toEqual([]);
});
