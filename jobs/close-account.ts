import { open } from 'node:fs/promises';
import { type Account, readKeys } from '../schema/accounts-store.ts';
import type { Database, SqlValue, Statement } from '../schema/database.ts';
import { readLedger } from '../schema/ledger.ts';
import { readPayments } from '../schema/payments.ts';
import { findAccount } from './customers.ts';
import { ExpectedFault } from './house.ts';

/** Lines of the ledger that are read at once. */
const PAGE_LINES = 5_000;
const MOST = 1_000_000;

interface User {
  id: string;
  name: string;
  email: string;
}

/**
 * Writes all that is held of a customer to a new file of JSON, readable by its owner alone: person, sessions, keys without
 * hashes, payments, exports, every ledger line. @throws ExpectedFault for an account nobody opened, or a file that exists.
 */
export async function exportAccount(accounts: Database, id: string, file: string, at: string): Promise<void> {
  const account = await findAccount(accounts, id);
  const user = await readUser(accounts, account);
  const held = {
    exported_at: at,
    account,
    user,
    sessions: await readOf(
      accounts,
      'SELECT created_at, expires_at, ip_address, user_agent FROM auth_session WHERE user_id = ?',
      user?.id,
    ),
    keys: await readKeys(accounts, id, at),
    payments: await readPayments(accounts, id, MOST),
    exports: await readOf(
      accounts,
      'SELECT id, dataset, format, filters, status, rows, credits_charged, created_at FROM export WHERE account_id = ?',
      id,
    ),
    remembered_calls: await readOf(
      accounts,
      'SELECT key, state, charge_id, created_at FROM idempotency WHERE account_id = ?',
      id,
    ),
    ledger: await readWholeLedger(accounts, id),
  };
  await writeNew(file, `${JSON.stringify(held, null, 2)}\n`);
}

/**
 * Erases who a customer is, for good: the person, sessions, names of keys, what was asked for. The keys stop, the account
 * is closed, its ledger stays and still adds up. In one batch: all of it or nothing.
 */
export async function closeAccount(accounts: Database, id: string, at: string): Promise<Account> {
  const account = await findAccount(accounts, id);
  const user = await readUser(accounts, account);
  await accounts.write([...eraseAccount(id, at), ...(user ? eraseUser(user) : [])]);
  return findAccount(accounts, id);
}

function eraseAccount(id: string, at: string): Statement[] {
  return [
    { sql: "UPDATE account SET state = 'closed', name = 'closed account', user_id = NULL WHERE id = ?", args: [id] },
    {
      sql: "UPDATE api_key SET name = 'erased', revoked_at = coalesce(revoked_at, ?) WHERE account_id = ?",
      args: [at, id],
    },
    { sql: 'UPDATE idempotency SET body = NULL, expires_at = 0 WHERE account_id = ?', args: [id] },
    // Upkeep then removes the files.
    {
      sql: `UPDATE export SET filters = '{}', expires_at = CASE status WHEN 'completed' THEN ? ELSE expires_at END WHERE account_id = ?`,
      args: [at, id],
    },
  ];
}

function eraseUser({ id, email }: User): Statement[] {
  return [
    { sql: 'DELETE FROM auth_session WHERE user_id = ?', args: [id] },
    { sql: 'DELETE FROM auth_account WHERE user_id = ?', args: [id] },
    {
      sql: 'DELETE FROM auth_verification WHERE instr(identifier, ?1) OR instr(value, ?1) OR instr(value, ?2)',
      args: [email, id],
    },
    { sql: 'DELETE FROM auth_user WHERE id = ?', args: [id] },
  ];
}

async function readUser(accounts: Database, { user_id }: Account): Promise<User | null> {
  const sql = 'SELECT id, name, email, email_verified, created_at FROM auth_user WHERE id = ?';
  const [user] = await accounts.read<User>({ sql, args: [user_id] });
  return user ?? null;
}

function readOf(accounts: Database, sql: string, of: SqlValue | undefined): Promise<Record<string, unknown>[]> {
  return accounts.read({ sql, args: [of ?? null] });
}

async function readWholeLedger(accounts: Database, id: string) {
  const lines: Awaited<ReturnType<typeof readLedger>> = [];
  for (;;) {
    const page = await readLedger(accounts, id, { limit: PAGE_LINES, before: lines.at(-1)?.id });
    lines.push(...page);
    if (page.length < PAGE_LINES) return lines;
  }
}

/** On the disk before anything is erased; never over another file. */
async function writeNew(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new ExpectedFault(`${file} exists: nothing was written or erased`) : error;
  });
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
