import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAccount, createKey } from '../../../schema/accounts/customer/account.ts';
import { grantStatement, refundStatement } from '../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { findFaults, plant } from './tamper.ts';

const AT = '2026-10-31T23:00:00Z';
const LATER = '2026-11-01T01:00:00Z';
let folder: Awaited<ReturnType<typeof makeFolder>>;
let accounts: Database;
let copies = 0;

/** Lines 1 and 2 give 250 and 10, 3 and 4 charge 100 and 5, 5 refunds 40 of line 3. */
beforeAll(async () => {
  folder = await makeFolder();
  const made = await makeDatabase(folder.path, 'accounts');
  const { id } = await createAccount(made, { name: 'A', signupCredits: 250, at: AT });
  const { id: keyId } = await createKey(made, { accountId: id, name: 'k', prefix: 'svc_live_', at: AT });
  const charge = (name: string, credits: number) => ({
    sql: `INSERT INTO transfer (key, kind, from_account, to_account, credits, action, request_id, key_id, created_at)
          VALUES (?, 'charge', ?, '@revenue', ?, 'lookup_thing', ?, ?, ?)`,
    args: [`charge:ch_${name}`, id, credits, `req_${name}`, keyId, AT],
  });
  await made.write([
    grantStatement({ key: 'g', accountId: id, credits: 10, at: AT }),
    charge('a', 100),
    charge('b', 5),
    refundStatement({ key: 'a:rows', chargeId: 'ch_a', credits: 40, at: LATER }),
    {
      sql: "INSERT INTO idempotency VALUES (?, 'k', 'f', 'done', 't', 0, NULL, 'ch_b', 5, 155, ?, 0, 4)",
      args: [id, AT],
    },
    {
      sql: `INSERT INTO export (id, account_id, dataset, format, filters, status, rows, matched, credits_charged, charge_id, created_at)
            VALUES ('ex_1', ?, 'buyers', 'csv', '{}', 'processing', 1, 1, 100, 'ch_a', ?)`,
      args: [id, AT],
    },
  ]);
  // A file of its own with everything in it: what is closed may still have its newest pages beside it.
  await made.read({ sql: 'VACUUM INTO ?', args: [join(folder.path, 'whole.db')] });
  await made.close();
});
afterAll(() => folder.remove());

beforeEach(async () => {
  const path = join(folder.path, `copy-${++copies}.db`);
  await copyFile(join(folder.path, 'whole.db'), path);
  accounts = await openDatabase({ url: `file:${path}`, durability: 'full' });
});
afterEach(() => accounts.close());

/** What keeps the ledger as it is: triggers that every accounts database has. */
const GUARDS = [
  'transfer_never_updated',
  'transfer_never_deleted',
  'transfer_key_once',
  'transfer_line_once',
  'transfer_lines_fit',
  'transfer_between_known_accounts',
  'transfer_moves_balances',
  'transfer_counts_key_month',
  'transfer_counts_usage',
  'account_never_deleted',
  'used_key_never_deleted',
  'used_key_never_changed',
  'ledger_seal_never_updated',
  'ledger_seal_never_deleted',
];

const lines = () => accounts.read({ sql: 'SELECT * FROM transfer ORDER BY id' });

describe('the ledger', () => {
  it.each([
    ['an update', 'UPDATE transfer SET credits = 1'],
    ['an update that ignores or replaces', "UPDATE OR REPLACE transfer SET key = 'charge:ch_a' WHERE id = 4"],
    ['a delete', 'DELETE FROM transfer WHERE id = 5'],
    ['a line put in the place of another', line("5, 'x', 'grant'", 'INSERT OR REPLACE')],
    ['a key put in the place of another', line("NULL, 'charge:ch_b', 'grant'", 'REPLACE')],
    ['an upsert of a key', `${line("NULL, 'charge:ch_b', 'grant'")} ON CONFLICT (key) DO UPDATE SET credits = 1`],
    ['an upsert of a line', `${line("4, 'y', 'grant'")} ON CONFLICT (id) DO UPDATE SET credits = 1`],
    ['a second line of a key, ignored', line("NULL, 'charge:ch_b', 'grant'", 'INSERT OR IGNORE')],
    ['credits that are none', line("NULL, 'z', 'grant'").replace(', 9,', ', 0,')],
    ['a kind nobody knows', line("NULL, 'z', 'gift'")],
    ['an account that is deleted', "DELETE FROM account WHERE id LIKE 'acc%'"],
    ['a used key that is deleted', "DELETE FROM idempotency WHERE key = 'k'"],
    ['a used key that forgets its line', "UPDATE idempotency SET line = NULL WHERE key = 'k'"],
    ['a used key that is free again', "UPDATE idempotency SET state = 'free' WHERE key = 'k'"],
  ])('refuses %s', async (_name, sql) => {
    const before = await lines();
    await expect(accounts.write([{ sql }])).rejects.toThrow(
      /append-only|already in the ledger|never deleted|credits_positive|kind_known|key of a charge is kept/,
    );
    expect(await lines()).toEqual(before);
    await accounts.write([{ sql: line("NULL, 'next', 'grant'").replace("'@revenue'", ACCOUNT) }]);
    // The ids leave no gap, whatever was refused.
    expect(await findFaults(accounts)).toEqual([]);
  });

  it('counts a refund in the month of its charge, which its key’s cap is about', async () => {
    const months = await accounts.read({ sql: 'SELECT month, credits FROM key_month' });
    expect(months).toEqual([{ month: '2026-10', credits: 65 }]);
  });

  it('counts the usage of a day, less what was given back of it, and knows between which lines it stands', async () => {
    const days = await accounts.read({
      sql: 'SELECT day, action, calls, credits, first_line, last_line FROM usage_day',
    });
    const lookups = { action: 'lookup_thing', calls: 2, credits: 65, first_line: 3, last_line: 4 };
    expect(days).toEqual([{ day: '2026-10-31', ...lookups }]);
  });
});

describe('the proof of the ledger', () => {
  it('finds nothing where nothing is wrong', async () => {
    expect(await verifyLedger(accounts)).toEqual({
      accounts: 1,
      lines: 5,
      charges: 2,
      credits: 195,
      head: null,
      faults: [],
    });
  });

  it.each([
    [
      'a balance that was raised',
      "UPDATE account SET balance = 196 WHERE id LIKE 'acc%'",
      /^balance is not the sum of the ledger: acc_/,
    ],
    ['credits from nowhere', "UPDATE account SET balance = 196 WHERE id LIKE 'acc%'", /^balances do not sum to zero/],
    [
      'a line that was changed',
      'UPDATE transfer SET credits = 6 WHERE id = 4',
      /^balance is not the sum of the ledger: acc_/,
    ],
    ['a line that was taken out', 'DELETE FROM transfer WHERE id = 4', /^a line is missing: line 4/],
    ['the last line taken out', 'DELETE FROM transfer WHERE id = 5', /^a line is missing: line 5/],
    [
      'a charge paid to somebody',
      "UPDATE transfer SET to_account = '@mint' WHERE id = 4",
      /^a charge that is not one: line 4 charge:ch_b/,
    ],
    ['a charge for nothing', 'UPDATE transfer SET action = NULL WHERE id = 4', /^a charge that is not one: line 4/],
    [
      'a request charged twice',
      "UPDATE transfer SET request_id = 'req_a' WHERE id = 4",
      /^a request charged more than once: req_a/,
    ],
    [
      'a key used twice',
      "DROP INDEX transfer_by_key; UPDATE transfer SET key = 'charge:ch_a' WHERE id = 4",
      /^a key used more than once: charge:ch_a/,
    ],
    [
      'a grant not from the mint',
      "UPDATE transfer SET from_account = '@revenue' WHERE id = 2",
      /^a gift that is not one: line 2 grant:g/,
    ],
    [
      'a line of nobody',
      "UPDATE transfer SET from_account = 'acc_gone' WHERE id = 4",
      /^a line of an account that is not there: line 4/,
    ],
    ['a line of half a credit', 'UPDATE transfer SET credits = 4.5 WHERE id = 4', /^a line that is none: line 4/],
    ['a refund of nothing', 'UPDATE transfer SET corrects = NULL WHERE id = 5', /^orphan refund: line 5 refund:a:rows/],
    ['a refund of a grant', 'UPDATE transfer SET corrects = 2 WHERE id = 5', /^orphan refund: line 5/],
    [
      'a refund to another than the payer',
      "UPDATE transfer SET to_account = '@mint' WHERE id = 5",
      /^orphan refund: line 5/,
    ],
    [
      'a refund of more than was paid',
      'UPDATE transfer SET credits = 101 WHERE id = 5',
      /^refunds exceed their charge: line 3 charge:ch_a/,
    ],
    [
      'a grant taken back more than once over',
      takeBack('@mint', 11),
      /^a grant taken back more than once over: grant:g/,
    ],
    ['a grant taken back by another', takeBack('@revenue', 10), /^a correction that corrects no grant: grant:back/],
    [
      'an answer without its charge',
      "UPDATE idempotency SET charge_id = 'ch_none'",
      /^a remembered answer without its charge: acc_\w+ k/,
    ],
    [
      'an answer of another price',
      'UPDATE idempotency SET credits_charged = 6',
      /^a remembered answer without its charge/,
    ],
    ['an answer of another line', 'UPDATE idempotency SET line = 3', /^a remembered answer without its charge/],
    [
      'a charge remembered under two keys',
      "INSERT INTO idempotency SELECT account_id, 'k2', fingerprint, state, claim_token, claim_expires_at, body, charge_id, credits_charged, credits_remaining, created_at, expires_at, line FROM idempotency",
      /^a charge remembered more than once: ch_b/,
    ],
    [
      'a monthly sum that was lowered',
      'UPDATE key_month SET credits = 0',
      /^a monthly sum is not the ledger's: key_\w+ 2026-10/,
    ],
    [
      'a day that was lowered',
      'UPDATE usage_day SET credits = 0',
      /^a day of usage is not the ledger's: acc_\w+ 2026-10-31/,
    ],
    [
      'a day that hides a line',
      'UPDATE usage_day SET last_line = 3',
      /^a day of usage is not the ledger's: acc_\w+ 2026-10-31/,
    ],
    ['an export nobody paid', "UPDATE export SET charge_id = 'ch_none'", /^an export without its charge: ex_1/],
  ])('names %s', async (_name, sql, said) => {
    await plant(accounts, sql);
    expect((await findFaults(accounts)).join('\n')).toMatch(new RegExp(said.source, 'm'));
  });

  it('names everything in which a day differs, not the credits alone', async () => {
    await plant(accounts, 'UPDATE usage_day SET calls = 3');
    const [wrong] = (await verifyLedger(accounts)).faults;
    expect(wrong?.detail).toBe('65 credits in 3 calls, lines 3 to 4 instead of 65 credits in 2 calls, lines 3 to 4');
  });

  it.each(GUARDS)('misses %s', async (guard) => {
    await accounts.write([{ sql: `DROP TRIGGER ${guard}` }]);
    expect(await findFaults(accounts)).toEqual([`a guard of the ledger is missing: ${guard}`]);
  });
});

/** Line 2 gave 10. */
function takeBack(to: string, credits: number): string {
  return `INSERT INTO transfer (key, kind, from_account, to_account, credits, corrects, created_at)
          SELECT 'grant:back', 'grant', to_account, '${to}', ${credits}, id, '${LATER}' FROM transfer WHERE id = 2`;
}

const ACCOUNT = "(SELECT id FROM account WHERE id LIKE 'acc%')";

function line(values: string, verb = 'INSERT'): string {
  return `${verb} INTO transfer (id, key, kind, from_account, to_account, credits, created_at)
          VALUES (${values}, '@mint', '@revenue', 9, '${LATER}')`;
}
