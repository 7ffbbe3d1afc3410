import type { Database, Statement } from '../../db/interface.ts';
import { makeId } from '../../text/tokens.ts';
import { grantStatement, signupGrantKey } from '../ledger/transfers.ts';
import { pauseOfKeyStatement } from '../watches/lifecycle.ts';
import { isStopped, makeKey } from './api-key.ts';

export interface Account {
  id: string;
  name: string;
  user_id: string | null;
  balance: number;
  state: 'active' | 'frozen' | 'closed';
  created_at: string;
  /** 1 or 0: whether its holder wants a mail once the balance is low. */
  low_balance_mail: number;
}

interface NewAccount {
  name: string;
  /** The auth library's user. A user has one account, even if it is opened twice. */
  userId?: string;
  /** Credits granted once, in the same commit; 0 for none. */
  signupCredits: number;
  /** ISO 8601 instant, UTC. */
  at: string;
}

/** The user was erased while the account was being opened, as another machine deleted the account. */
export class UserErased extends Error {
  override name = 'UserErased';
}

const OPEN = `INSERT INTO account (id, name, user_id, created_at) SELECT ?1, ?2, ?3, ?4
  WHERE ?3 IS NULL OR EXISTS (SELECT 1 FROM auth_user WHERE id = ?3) ON CONFLICT (user_id) DO NOTHING`;
/** The one that was opened, or that the user had before. */
const OPENED = 'SELECT * FROM account WHERE id = ?1 OR user_id = ?2';

/** Opens an account with its sign-up grant, or returns the one that the user already has. @throws UserErased */
export async function createAccount(accounts: Database, account: NewAccount): Promise<Account> {
  const { name, userId = null, signupCredits, at } = account;
  const known = userId ? await readAccountOfUser(accounts, userId) : null;
  if (known) return known;
  const id = makeId('acc');
  const insert = { sql: OPEN, args: [id, name, userId, at] };
  const grants = signupCredits > 0 ? [signupGrant(id, signupCredits, at)] : [];
  // Read in the same commit: a read after it could fail, and the account would look as if it had not been opened.
  const outcomes = await accounts.write([insert, ...grants, { sql: OPENED, args: [id, userId] }]);
  const [made] = (outcomes.at(-1)?.rows ?? []) as unknown as Account[];
  if (!made) throw new UserErased('an account that was just opened is not there');
  return made;
}

const signupGrant = (accountId: string, credits: number, at: string) =>
  grantStatement({ key: signupGrantKey(accountId), accountId, credits, note: 'sign-up credits', at });

/** The account with this id, or null. */
export async function readAccount(accounts: Database, id: string): Promise<Account | null> {
  const [row] = await accounts.read<Account>({ sql: 'SELECT * FROM account WHERE id = ?', args: [id] });
  return row ?? null;
}

/** The account of a user of the auth library, or null. */
export async function readAccountOfUser(accounts: Database, userId: string): Promise<Account | null> {
  const [row] = await accounts.read<Account>({ sql: 'SELECT * FROM account WHERE user_id = ?', args: [userId] });
  return row ?? null;
}

/** Customers' accounts, oldest first, without the internal ones (`@mint`, `@revenue`). */
export function readAccounts(accounts: Database): Promise<Account[]> {
  return accounts.read<Account>({ sql: "SELECT * FROM account WHERE substr(id, 1, 1) <> '@' ORDER BY created_at, id" });
}

/**
 * Freezes, reopens or closes an account. Calls on a frozen or closed account are refused; its ledger stays. Returns false where
 * there is none, or it is closed already: that is for good.
 */
export async function setAccountState(accounts: Database, id: string, state: Account['state']): Promise<boolean> {
  const sql = "UPDATE account SET state = ? WHERE id = ? AND state <> 'closed' RETURNING id";
  const [outcome] = await accounts.write([{ sql, args: [state, id] }]);
  return (outcome?.changes ?? 0) > 0;
}

/** Sets the holder's name for the account, and whether they want a mail when the balance is low. */
export async function changeAccount(
  accounts: Database,
  id: string,
  { name, lowBalanceMail }: { name: string; lowBalanceMail: boolean },
): Promise<void> {
  // The name of one that was closed meanwhile stays erased.
  const sql = "UPDATE account SET name = ?, low_balance_mail = ? WHERE id = ? AND state <> 'closed'";
  await accounts.write([{ sql, args: [name, lowBalanceMail ? 1 : 0, id] }]);
}

/** An account with a low balance, and the address of its holder. */
export interface LowAccount {
  id: string;
  balance: number;
  email: string;
}

const LOW = `
  SELECT a.id, a.balance, u.email FROM account a JOIN auth_user u ON u.id = a.user_id
  WHERE a.balance < ? AND a.low_balance_told IS NULL AND a.low_balance_mail = 1 AND a.state = 'active'
    AND EXISTS (SELECT 1 FROM transfer t WHERE t.from_account = a.id AND t.kind = 'charge') ORDER BY a.id LIMIT ?`;

/** At most `most` accounts that spent credits, fell below `credits`, want a mail and have had none since. */
export function readLowAccounts(accounts: Database, credits: number, most: number): Promise<LowAccount[]> {
  return accounts.read<LowAccount>({ sql: LOW, args: [credits, most] });
}

/** Records that a mail about a low balance is being sent. Changes nothing if one was already sent, or the balance has recovered; a trigger then clears the record. */
export function noteLowBalanceStatement(accountId: string, credits: number): Statement {
  return {
    sql: `UPDATE account SET low_balance_told = ?1
          WHERE id = ?2 AND low_balance_told IS NULL AND balance < ?1 AND low_balance_mail = 1 AND state = 'active' RETURNING id`,
    args: [credits, accountId],
  };
}

/** Clears that record: the mail was not sent. */
export function clearLowBalanceStatement(accountId: string): Statement {
  return { sql: 'UPDATE account SET low_balance_told = NULL WHERE id = ?', args: [accountId] };
}

export interface KeyRow {
  id: string;
  account_id: string;
  name: string;
  hint: string;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  monthly_cap: number | null;
  /** Credits spent in the requested month. */
  spent: number;
  rolled_at: string | null;
  /** Until when the text before the last roll still works. */
  former_until: string | null;
}

interface NewKeyOptions {
  accountId: string;
  name: string;
  /** KEY_PREFIX. */
  prefix: string;
  at: string;
  expiresAt?: string;
  /** Most credits that the key may spend in a calendar month (UTC). */
  monthlyCap?: number;
}

interface MadeKey {
  id: string;
  /** The text itself, returned here once and never again. */
  key: string;
  hint: string;
}

/** Makes a key. @throws Error where the account does not exist, or is closed. */
export async function createKey(accounts: Database, options: NewKeyOptions): Promise<MadeKey> {
  const made = await createKeyOnce(accounts, makeId('key'), options);
  if (!made) throw new Error(`no account ${options.accountId}`);
  return made;
}

/** Makes a key with a given id. Null where the id is in use, or the account does not exist or is closed. */
export async function createKeyOnce(accounts: Database, id: string, options: NewKeyOptions): Promise<MadeKey | null> {
  const { key, hash, hint } = makeKey(options.prefix);
  const sql = `INSERT INTO api_key (id, account_id, name, hash, hint, created_at, expires_at, monthly_cap)
               SELECT ?, id, ?, ?, ?, ?, ?, ? FROM account WHERE id = ? AND state <> 'closed' ON CONFLICT (id) DO NOTHING RETURNING id`;
  const { accountId, name, at, expiresAt = null, monthlyCap = null } = options;
  const [outcome] = await accounts.write([{ sql, args: [id, name, hash, hint, at, expiresAt, monthlyCap, accountId] }]);
  return outcome?.changes === 1 ? { id, key, hint } : null;
}

/** Revokes a key and pauses the watches that it created. No process accepts it after two seconds. Returns whether the account had this key and it was working. */
export async function revokeKey(accounts: Database, accountId: string, keyId: string, at: string): Promise<boolean> {
  const sql = 'UPDATE api_key SET revoked_at = ? WHERE id = ? AND account_id = ? AND revoked_at IS NULL RETURNING id';
  const [outcome] = await accounts.write([
    { sql, args: [at, keyId, accountId] },
    pauseOfKeyStatement(accountId, keyId),
  ]);
  return (outcome?.changes ?? 0) > 0;
}

interface Roll {
  accountId: string;
  keyId: string;
  /** KEY_PREFIX. */
  prefix: string;
  at: string;
  /** Until when the old text also works. */
  formerUntil: string;
  /** Rolls the key only while its text has this hint, so that a repeated request rolls it once. */
  hint?: string;
}

const ROLL = `
  UPDATE api_key SET former_hash = hash, former_until = min(?1, coalesce(expires_at, ?1)), hash = ?2, hint = ?3, rolled_at = ?4
  WHERE id = ?5 AND account_id = ?6 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?4)
    AND (?7 IS NULL OR hint = ?7) RETURNING former_until`;

/**
 * Gives a key a new text; its id, name, cap, expiry and spending stay. The old text works until `formerUntil`, but no
 * longer than the key; a text rolled earlier stops working at once. Returns the new text, which is not kept, and until when the
 * old one works; null where the account has no such working key.
 */
export async function rollKey(
  accounts: Database,
  roll: Roll,
): Promise<{ key: string; hint: string; formerUntil: string } | null> {
  const { key, hash, hint } = makeKey(roll.prefix);
  const args = [roll.formerUntil, hash, hint, roll.at, roll.keyId, roll.accountId, roll.hint ?? null];
  const [outcome] = await accounts.write([{ sql: ROLL, args }]);
  const [rolled] = outcome?.rows ?? [];
  return rolled ? { key, hint, formerUntil: String(rolled.former_until) } : null;
}

const KEYS = `
  SELECT id, account_id, name, hint, created_at, last_used_at, expires_at, revoked_at, monthly_cap, rolled_at, former_until,
    coalesce((SELECT credits FROM key_month WHERE key_id = id AND month = ?), 0) AS spent
  FROM api_key WHERE account_id = ? ORDER BY created_at DESC, id`;

/** An account's keys, newest first, without their hashes; `spent` covers the calendar month (UTC) that `at` lies in. */
export function readKeys(accounts: Database, accountId: string, at: string): Promise<KeyRow[]> {
  return accounts.read<KeyRow>({ sql: KEYS, args: [at.slice(0, 7), accountId] });
}

/** Most credits that a key may spend in a calendar month (UTC), for as long as it exists; null where it has no cap. */
export async function readMonthlyCap(accounts: Database, keyId: string): Promise<number | null> {
  const sql = 'SELECT monthly_cap FROM api_key WHERE id = ?';
  const [row] = await accounts.read<Pick<KeyRow, 'monthly_cap'>>({ sql, args: [keyId] });
  return row?.monthly_cap ?? null;
}

/** Whether a key no longer works at an instant (ISO 8601, UTC). */
export async function isKeyStopped(accounts: Database, keyId: string, at: string): Promise<boolean> {
  const sql = `SELECT 1 FROM api_key k WHERE id = ? AND ${isStopped('?')}`;
  return (await accounts.read({ sql, args: [keyId, at] })).length > 0;
}
