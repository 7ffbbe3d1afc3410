import { type Account, readKeys } from './accounts-store.ts';
import type { Database, SqlValue } from './database.ts';
import { walkLedger } from './ledger-walk.ts';
import { readPayments } from './payments.ts';

const MOST = 1_000_000;

/** The auth library's user of an account. */
export interface User {
  id: string;
  name: string;
  email: string;
}

export async function readUser(accounts: Database, { user_id }: Account): Promise<User | null> {
  const sql = 'SELECT id, name, email, email_verified, created_at FROM auth_user WHERE id = ?';
  const [user] = await accounts.read<User>({ sql, args: [user_id] });
  return user ?? null;
}

/**
 * All that is held of a customer as JSON, in pieces: person, sessions, keys without hashes, payments, exports, every ledger
 * line from the first on. `at` is an ISO 8601 instant, UTC.
 */
export async function* writeHeld(accounts: Database, account: Account, at: string): AsyncGenerator<string> {
  const held = await readHeld(accounts, account, at);
  yield `${JSON.stringify(held, null, 2).slice(0, -2)},\n  "ledger": [`;
  let between = '';
  for await (const lines of walkLedger(accounts, account.id)) {
    for (const line of lines) {
      yield `${between}\n    ${JSON.stringify(line)}`;
      between = ',';
    }
  }
  yield '\n  ]\n}\n';
}

async function readHeld(accounts: Database, account: Account, at: string) {
  const { id } = account;
  const user = await readUser(accounts, account);
  const readOf = (sql: string, of: SqlValue = id) => accounts.read({ sql, args: [of] });
  return {
    exported_at: at,
    account,
    user,
    sessions: await readOf(
      'SELECT created_at, expires_at, ip_address, user_agent FROM auth_session WHERE user_id = ?',
      user?.id ?? null,
    ),
    keys: await readKeys(accounts, id, at),
    payments: await readPayments(accounts, id, MOST),
    exports: await readOf(
      'SELECT id, dataset, format, filters, status, rows, credits_charged, created_at FROM export WHERE account_id = ?',
    ),
    remembered_calls: await readOf('SELECT key, state, charge_id, created_at FROM idempotency WHERE account_id = ?'),
  };
}
