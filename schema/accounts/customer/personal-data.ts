import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database } from '../../db/interface.ts';
import { readWholeLedger } from '../ledger/pages.ts';
import { readPaymentPages } from '../payments.ts';
import { type Account, readKeys } from './account.ts';

/** Rows of a list read in one step, which takes a few milliseconds. */
const PAGE_ROWS = 500;

/** The auth library's user of an account. */
export interface User {
  id: string;
  name: string;
  email: string;
}

/** The auth library's user of an account, or null once it is erased. */
export async function readUser(accounts: Database, { user_id }: Account): Promise<User | null> {
  const sql = 'SELECT id, name, email, email_verified, created_at FROM auth_user WHERE id = ?';
  const [user] = await accounts.read<User>({ sql, args: [user_id] });
  return user ?? null;
}

/**
 * Yields all personal data of a customer as pieces of JSON: person, sessions, keys without hashes, payments, exports, watches,
 * and every ledger line, oldest first. Long lists are read in steps, so that other requests are answered in between. `at` is an
 * ISO 8601 instant, UTC.
 */
export async function* writePersonalData(accounts: Database, account: Account, at: string): AsyncGenerator<string> {
  const { id } = account;
  const user = await readUser(accounts, account);
  yield JSON.stringify({ exported_at: at, account, user }, null, 2).slice(0, -2);
  yield* writeList('sessions', readRows(accounts, SESSIONS, user?.id ?? null));
  yield* writeList('keys', [await readKeys(accounts, id, at)]);
  yield* writeList('payments', readPaymentPages(accounts, id, PAGE_ROWS));
  yield* writeList('exports', readRows(accounts, EXPORTS, id));
  yield* writeList('remembered_calls', readRows(accounts, CALLS, id));
  yield* writeList('watches', readRows(accounts, WATCHES, id));
  yield* writeList('watch_deliveries', readRows(accounts, DELIVERIES, id));
  yield* writeList('ledger', readWholeLedger(accounts, id));
  yield '\n}\n';
}

/** The columns that are read for one owner, and the column by which the rows are paged (their key). */
interface Listed {
  columns: string;
  table: string;
  owner: string;
  key: string;
}

const SESSIONS: Listed = {
  columns: 'created_at, expires_at, ip_address, user_agent',
  table: 'auth_session',
  owner: 'user_id',
  key: 'id',
};
const EXPORTS: Listed = {
  columns: 'id, dataset, format, filters, status, rows, credits_charged, created_at',
  table: 'export',
  owner: 'account_id',
  key: 'id',
};
const WATCHES: Listed = {
  columns: 'id, name, collection, filters, webhook, every, changes, credits_per_day_max, state, reason, created_at',
  table: 'watch',
  owner: 'account_id',
  key: 'id',
};
const DELIVERIES: Listed = {
  columns: 'id, watch_id, kind, status, items, credits, charge_id, created_at, delivered_at, answer_status, answer',
  table: 'watch_delivery',
  owner: 'account_id',
  key: 'id',
};
const CALLS: Listed = {
  columns: 'key, state, charge_id, created_at',
  table: 'idempotency',
  owner: 'account_id',
  key: 'key',
};

async function* readRows(accounts: Database, listed: Listed, of: string | null): AsyncGenerator<object[]> {
  const { columns, table, owner, key } = listed;
  const sql = `SELECT ${columns}, ${key} AS after FROM ${table} WHERE ${owner} = ? AND ${key} > ? ORDER BY ${key} LIMIT ?`;
  for (let from = ''; ; ) {
    const rows = await accounts.read<{ after: string }>({ sql, args: [of, from, PAGE_ROWS] });
    yield rows.map(({ after: _, ...row }) => row);
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_ROWS) return;
    from = last.after;
  }
}

async function* writeList(
  name: string,
  pages: AsyncIterable<readonly object[]> | Iterable<readonly object[]>,
): AsyncGenerator<string> {
  yield `,\n  "${name}": [`;
  let between = '';
  for await (const rows of pages) {
    if (rows.length > 0) yield between + rows.map((row) => `\n    ${JSON.stringify(row)}`).join(',');
    between ||= rows.length > 0 ? ',' : '';
    await yieldToEventLoop();
  }
  yield '\n  ]';
}
