import { createHmac } from 'node:crypto';
import { DAY_MS } from '../../config/clocks.ts';
import type { Database, Statement } from '../../db/interface.ts';
import { oneAddress } from '../../text/email-addresses.ts';
import { forgetAnswersStatement } from '../kept-answers.ts';
import { eraseWatchStatements } from '../watches/lifecycle.ts';
import type { Account } from './account.ts';
import { readUser, type User } from './personal-data.ts';

const UNCONFIRMED_DAYS = 7;

/**
 * Erases a customer's identity for good: the person, sessions, key names and stored searches. Their keys stop working and the
 * account is closed; its ledger stays and still adds up. A keyed hash of the e-mail address is kept, so that free credits are
 * given to an address only once. All in one batch. `at` is an ISO 8601 instant, UTC.
 */
export async function closeAccount(
  accounts: Database,
  account: Account,
  { at, secret }: { at: string; secret: string },
): Promise<void> {
  const user = await readUser(accounts, account);
  await accounts.write([...eraseAccount(account.id, at), ...(user ? eraseUser(user, { at, secret }) : [])]);
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
    { sql: 'UPDATE idempotency SET body = NULL, expires_at = 0 WHERE account_id = ?', args: [id] },
    forgetAnswersStatement(id),
    ...eraseWatchStatements(id),
    // Upkeep then removes the files.
    {
      sql: `UPDATE export SET filters = '{}', expires_at = CASE status WHEN 'completed' THEN ? ELSE expires_at END WHERE account_id = ?`,
      args: [at, id],
    },
  ];
}

function eraseUser({ id, email }: User, { at, secret }: { at: string; secret: string }): Statement[] {
  return [
    { sql: 'DELETE FROM auth_session WHERE user_id = ?', args: [id] },
    { sql: 'DELETE FROM auth_account WHERE user_id = ?', args: [id] },
    {
      sql: 'DELETE FROM auth_verification WHERE instr(identifier, ?1) OR instr(value, ?1) OR instr(value, ?2)',
      args: [email, id],
    },
    { sql: 'DELETE FROM auth_user WHERE id = ?', args: [id] },
    {
      sql: 'INSERT INTO former_address (hash, closed_at) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING',
      args: [hashAddress(oneAddress(email), secret), at],
    },
  ];
}

/** Statements that delete users who never confirmed their address, and expired sessions and links. */
export function forgetStatements(now: Date): Statement[] {
  const oldest = now.getTime() - UNCONFIRMED_DAYS * DAY_MS;
  const unconfirmed = `SELECT id FROM auth_user u WHERE email_verified = 0 AND created_at < ?
    AND NOT EXISTS (SELECT 1 FROM account WHERE user_id = u.id)`;
  return [
    { sql: `DELETE FROM auth_account WHERE user_id IN (${unconfirmed})`, args: [oldest] },
    { sql: `DELETE FROM auth_user WHERE id IN (${unconfirmed})`, args: [oldest] },
    { sql: 'DELETE FROM auth_session WHERE expires_at < ?', args: [now.getTime()] },
    { sql: 'DELETE FROM sign_up_day WHERE day < ?', args: [now.toISOString().slice(0, 10)] },
    { sql: 'DELETE FROM auth_verification WHERE expires_at < ?', args: [now.getTime()] },
  ];
}
