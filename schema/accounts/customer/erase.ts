import { createHmac } from 'node:crypto';
import { DAY_MS } from '../../config/clocks.ts';
import type { Database, Statement } from '../../db/interface.ts';
import { oneAddress } from '../../text/email-addresses.ts';
import { writeWithBalance } from '../ledger/transfers.ts';
import { CHARGE_LINE } from '../remembered-answers.ts';
import { eraseWatchStatements } from '../watches/lifecycle.ts';
import type { Account } from './account.ts';
import { readUser, type User } from './personal-data.ts';

const UNCONFIRMED_DAYS = 7;
/** Few enough that debits do not wait long for one batch, nor a server past its deadline. */
const KEYS_A_BATCH = 5_000;

/**
 * Erases a customer's identity for good: the person, sessions, key names and stored searches. Their keys stop working and the
 * account is closed; its ledger stays and still adds up. A keyed hash of the e-mail address is kept, so that free credits are
 * given to an address only once. All in one batch, after most of its remembered answers: these may be many, and are forgotten in
 * batches of their own. `at` is an ISO 8601 instant, UTC. Returns the credits left.
 */
export async function closeAccount(
  accounts: Database,
  account: Account,
  { at, secret }: { at: string; secret: string },
): Promise<number | null> {
  const user = await readUser(accounts, account);
  await forgetMostAnswers(accounts, account.id, at);
  const erasing = [...eraseAccount(account.id, at), ...(user ? eraseUser(user, { at, secret }) : [])];
  return (await writeWithBalance(accounts, account.id, erasing)).balance;
}

/** Whether an address, however it is spelt, belonged to an account that is now closed. */
export async function isFormerAddress(accounts: Database, email: string, secret: string): Promise<boolean> {
  // Older rows hold an address as it was typed.
  const args = [hashAddress(oneAddress(email), secret), hashAddress(email.toLowerCase(), secret)];
  return (await accounts.read({ sql: 'SELECT 1 FROM former_address WHERE hash IN (?, ?)', args })).length > 0;
}

/** A keyed hash: without the secret nobody can test which address it belongs to. */
function hashAddress(address: string, secret: string): string {
  return createHmac('sha256', secret).update(`former-address:${address}`).digest('hex');
}

function eraseAccount(id: string, at: string): Statement[] {
  return [
    { sql: "UPDATE account SET state = 'closed', name = 'closed account', user_id = NULL WHERE id = ?", args: [id] },
    {
      sql: "UPDATE api_key SET name = 'erased', revoked_at = coalesce(revoked_at, ?) WHERE account_id = ?",
      args: [at, id],
    },
    ...forgetAnswers(id, at),
    ...eraseWatchStatements(id),
    // Upkeep then removes the files, also one whose last row is being written.
    {
      sql: `UPDATE export SET filters = '{}', expires_at = CASE WHEN status IN ('processing', 'completed') THEN ? ELSE expires_at END
            WHERE account_id = ?`,
      args: [at, id],
    },
  ];
}

/** Whether the answer of a key may still be stored: upkeep drops them soon after they expire. */
const ANSWERED = 'account_id = ?1 AND (expires_at > ?2 OR body IS NOT NULL)';
const LAST_OF_BATCH = `SELECT max(key) AS last FROM (
  SELECT key FROM idempotency WHERE ${ANSWERED} AND key > ?3 ORDER BY key LIMIT ${KEYS_A_BATCH})`;
const FIRST_KEY = '';
/** After every key: these are ASCII. */
const LAST_KEY = '\u{10FFFF}';

/** Forgets the answers that an account has now, in batches. */
async function forgetMostAnswers(accounts: Database, id: string, at: string): Promise<void> {
  for (let after = FIRST_KEY; ; ) {
    const args = [id, oldestKept(at), after];
    const [batch] = await accounts.read<{ last: string | null }>({ sql: LAST_OF_BATCH, args });
    if (!batch?.last) return;
    await accounts.write(forgetAnswers(id, at, { after, last: batch.last }));
    after = batch.last;
  }
}

/** Forgets the answers of all keys of an account, or of those from one to another. */
function forgetAnswers(id: string, at: string, { after, last } = { after: FIRST_KEY, last: LAST_KEY }): Statement[] {
  const args = [id, oldestKept(at), after, last];
  const those = `${ANSWERED} AND key > ?3 AND key <= ?4`;
  const lines = `SELECT ${CHARGE_LINE} FROM idempotency i WHERE state = 'done' AND ${those}`;
  return [
    { sql: `DELETE FROM remembered_answer WHERE line IN (${lines})`, args },
    { sql: `UPDATE idempotency SET body = NULL, expires_at = 0 WHERE ${those}`, args },
  ];
}

const oldestKept = (at: string) => Date.parse(at) - DAY_MS;

function eraseUser({ id, email }: User, { at, secret }: { at: string; secret: string }): Statement[] {
  return [
    { sql: 'DELETE FROM auth_session WHERE user_id = ?', args: [id] },
    { sql: 'DELETE FROM auth_account WHERE user_id = ?', args: [id] },
    // Every mailed link names its user. Its address may be the end of somebody else's.
    { sql: 'DELETE FROM auth_verification WHERE instr(value, ?)', args: [id] },
    { sql: 'DELETE FROM auth_user WHERE id = ?', args: [id] },
    {
      sql: 'INSERT INTO former_address (hash, closed_at) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING',
      args: [hashAddress(oneAddress(email), secret), at],
    },
  ];
}

/** Statements that delete users who never confirmed their address and have no link that works, and expired sessions and links. */
export function forgetStatements(now: Date): Statement[] {
  const oldest = now.getTime() - UNCONFIRMED_DAYS * DAY_MS;
  const unconfirmed = `SELECT id FROM auth_user u WHERE email_verified = 0 AND created_at < ?1
    AND NOT EXISTS (SELECT 1 FROM account WHERE user_id = u.id)
    AND NOT EXISTS (SELECT 1 FROM auth_verification v WHERE v.expires_at >= ?2 AND instr(v.value, u.id))`;
  const args = [oldest, now.getTime()];
  return [
    { sql: `DELETE FROM auth_account WHERE user_id IN (${unconfirmed})`, args },
    { sql: `DELETE FROM auth_user WHERE id IN (${unconfirmed})`, args },
    { sql: 'DELETE FROM auth_session WHERE expires_at < ?', args: [now.getTime()] },
    { sql: 'DELETE FROM sign_up_day WHERE day < ?', args: [now.toISOString().slice(0, 10)] },
    { sql: 'DELETE FROM auth_verification WHERE expires_at < ?', args: [now.getTime()] },
  ];
}
