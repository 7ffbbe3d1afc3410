import { DAY_MS, isoInstant, londonDate, londonInstant } from '../../config/clocks.ts';
import type { Database, SqlValue, Statement } from '../../db/interface.ts';
import { isStopped } from '../customer/api-key.ts';
import { noteOf } from './deleted.ts';
import { dropWaitingStatements } from './dropped.ts';
import { AFTER_ALL } from './outbox.ts';
import type { PausedReason, WatchRhythm, WatchRow, WatchSpec } from './row.ts';

interface BegunWatch extends WatchSpec {
  /** Sealed; null for mail. */
  secret: string | null;
  /** The catalogue's last `seq`: the watch delivers what comes after it. */
  position: number;
  /** Its first digest; null for `run`. ISO 8601 instant, UTC. */
  dueAt: string | null;
  at: string;
}

interface NewWatch extends BegunWatch {
  id: string;
  accountId: string;
  /** The key that creates it; null on the dashboard. */
  keyId: string | null;
}

const CREATE = `
  INSERT INTO watch (id, account_id, key_id, name, collection, filters, webhook, secret, every, changes, credits_per_day_max,
    position, position_id, due_at, created_at, changed_at)
  SELECT ?1, id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, '${AFTER_ALL}', ?12, ?13, ?13 FROM account
  WHERE id = ?14 AND state = 'active' AND (SELECT count(*) FROM watch WHERE account_id = ?14) < ?15
    AND NOT EXISTS (SELECT 1 FROM idempotency WHERE account_id = ?14 AND key = ?16)
  ON CONFLICT (id) DO NOTHING RETURNING id`;

/** Creates a watch; false where the account already has `most`, or the id is or was in use. */
export async function createWatch(accounts: Database, made: NewWatch, most: number): Promise<boolean> {
  const { id, keyId, secret, position, dueAt, at, accountId } = made;
  const [name, collection, filters, webhook, every, changes, perDay] = specValues(made);
  const [outcome] = await accounts.write([
    {
      sql: CREATE,
      args: [
        ...[id, keyId, name ?? null, collection ?? null, filters ?? null, webhook ?? null, secret],
        ...[every ?? null, changes ?? null, perDay ?? null, position, dueAt, at, accountId, most, noteOf(id)],
      ],
    },
  ]);
  return outcome?.changes === 1;
}

function specValues({
  name,
  collection,
  filters,
  webhook,
  every,
  changes,
  credits_per_day_max,
}: WatchSpec): SqlValue[] {
  return [name, collection, JSON.stringify(filters), webhook, every, JSON.stringify(changes), credits_per_day_max];
}

/** The watch of an account with this id, or null. */
export async function readWatch(accounts: Database, accountId: string, id: string): Promise<WatchRow | null> {
  const sql = 'SELECT * FROM watch WHERE id = ? AND account_id = ?';
  const [row] = await accounts.read<WatchRow>({ sql, args: [id, accountId] });
  return row ?? null;
}

/** A page of an account's watches, newest first. `before` is where the previous page ended. */
export function readWatches(
  accounts: Database,
  accountId: string,
  { limit, before }: { limit: number; before?: { at: string; id: string } | undefined },
): Promise<WatchRow[]> {
  return accounts.read<WatchRow>({
    sql: 'SELECT * FROM watch WHERE account_id = ? AND (created_at, id) < (?, ?) ORDER BY created_at DESC, id DESC LIMIT ?',
    args: [accountId, before?.at ?? '9999', before?.id ?? '', limit],
  });
}

/** Watches of an account that wait or are paused, latest first: at most `most`. */
export function readStopped(accounts: Database, accountId: string, most: number): Promise<WatchRow[]> {
  return accounts.read<WatchRow>({
    sql: "SELECT * FROM watch WHERE account_id = ? AND state <> 'active' ORDER BY created_at DESC, id DESC LIMIT ?",
    args: [accountId, most],
  });
}

/** Refuses its batch where a watch is no longer as it was read: another machine may change it at the same time. */
function unchangedStatement({ id, account_id, secret, ...row }: WatchRow): Statement {
  const { name, collection, filters, webhook, every, changes, credits_per_day_max: perDay } = row;
  const sql = `INSERT INTO fence (ok) SELECT EXISTS (SELECT 1 FROM watch WHERE id = ? AND account_id = ?
    AND (secret, name, collection, filters, webhook, every, changes, credits_per_day_max) IS (?, ?, ?, ?, ?, ?, ?, ?))`;
  const args = [id, account_id, secret, name, collection, filters, webhook, every, changes, perDay];
  return { sql, args, guard: true };
}

/**
 * Changes what a watch looks for or where it delivers. Unsent deliveries are dropped and refunded; it continues from `position`.
 * @throws BatchRefused where it is no longer as it was read
 */
export async function changeWatch(accounts: Database, row: WatchRow, to: BegunWatch): Promise<void> {
  const { id, account_id } = row;
  await accounts.write([
    unchangedStatement(row),
    ...dropWaitingStatements({ watchId: id, why: 'its watch was changed', at: to.at }),
    {
      sql: `UPDATE watch SET name = ?, collection = ?, filters = ?, webhook = ?, every = ?, changes = ?, credits_per_day_max = ?,
              secret = ?, position = ?, position_id = '${AFTER_ALL}', due_at = ?, changed_at = ?, reason = nullif(reason, 'older_service'),
              state = CASE reason WHEN 'older_service' THEN 'active' ELSE state END WHERE id = ? AND account_id = ?`,
      args: [...specValues(to), to.secret, to.position, to.dueAt, to.at, id, account_id],
    },
  ]);
}

/**
 * Renames a watch and sets its daily spending limit. It continues as it was, with the deliveries that are waiting.
 * @throws as `changeWatch`
 */
export async function renameWatch(
  accounts: Database,
  row: WatchRow,
  { name, creditsPerDay }: { name: string; creditsPerDay: number | null },
): Promise<void> {
  const sql = 'UPDATE watch SET name = ?, credits_per_day_max = ? WHERE id = ? AND account_id = ?';
  await accounts.write([unchangedStatement(row), { sql, args: [name, creditsPerDay, row.id, row.account_id] }]);
}

/**
 * Pauses a watch at its position; its outbox waits too. Does nothing if it is already paused (except for the operator, whose
 * pause the owner cannot lift), or if mail is to end and it delivers to a webhook by now.
 * @param delivery - what failed: a watch that has dropped it since was changed, and continues
 */
export function pauseStatement(id: string, reason: PausedReason, delivery: string | null = null): Statement {
  return {
    sql: `UPDATE watch SET state = 'paused', reason = ?1, reason_mailed_at = NULL
          WHERE id = ?2 AND (state <> 'paused' OR (?1 = 'by_operator' AND reason <> ?1)) AND (?1 <> 'unsubscribed' OR webhook IS NULL)
            AND (?3 IS NULL OR EXISTS (SELECT 1 FROM watch_delivery WHERE id = ?3 AND status = 'waiting')) RETURNING id`,
    args: [reason, id, delivery],
  };
}

/**
 * Resumes a paused watch where it stood, first with deliveries that were not accepted; an owner cannot where the operator paused it.
 * A revoked or expired key is replaced by `keyId` (null: none). The outcome of the last statement shows whether it was resumed.
 */
export function resumeStatements(
  id: string,
  now: Date,
  { by = 'owner', keyId = null }: { by?: 'owner' | 'operator'; keyId?: string | null } = {},
): Statement[] {
  const mayResume = "state = 'paused' AND (reason <> 'by_operator' OR ?2 = 'operator')";
  return [
    {
      sql: `UPDATE watch_delivery SET status = 'waiting', attempts = 0, next_attempt_at = ?3, ended_at = NULL
            WHERE watch_id = ?1 AND kind = 'items' AND status IN ('waiting', 'failed') AND body IS NOT NULL
              AND EXISTS (SELECT 1 FROM watch WHERE id = ?1 AND ${mayResume})`,
      args: [id, by, now.getTime()],
    },
    {
      sql: `UPDATE watch SET state = 'active', reason = NULL, reason_mailed_at = NULL, key_id = CASE WHEN EXISTS
              (SELECT 1 FROM api_key k WHERE k.id = watch.key_id AND ${isStopped('?3')}) THEN ?4 ELSE key_id END
            WHERE id = ?1 AND ${mayResume} RETURNING id`,
      args: [id, by, isoInstant(now), keyId],
    },
  ];
}

/** Gives a watch a new secret; if a secret is named, only while the watch still has it. The old one also signs until `formerUntil`. */
export function rotateStatement(
  id: string,
  { secret, formerUntil, from = null }: { secret: string; formerUntil: string; from?: string | null },
): Statement {
  return {
    sql: `UPDATE watch SET former_secret = secret, former_until = ?, secret = ?
          WHERE id = ? AND secret = coalesce(?, secret) AND webhook IS NOT NULL RETURNING id`,
    args: [formerUntil, secret, id, from],
  };
}

/** Pauses the watches that an account's revoked key created, in the batch that revokes it. */
export function pauseOfKeyStatement(accountId: string, keyId: string): Statement {
  return {
    sql: `UPDATE watch SET state = 'paused', reason = 'key_revoked', reason_mailed_at = NULL
          WHERE account_id = ? AND key_id = ? AND state <> 'paused'`,
    args: [accountId, keyId],
  };
}

/** Erases the watches of a closed account: what they looked for, where they delivered and what. */
export function eraseWatchStatements(accountId: string): Statement[] {
  return [
    {
      sql: 'DELETE FROM watch_item WHERE watch_id IN (SELECT id FROM watch WHERE account_id = ?)',
      args: [accountId],
    },
    {
      sql: `UPDATE watch_delivery SET body = NULL, answer = NULL, error = NULL,
              status = CASE status WHEN 'waiting' THEN 'failed' ELSE status END WHERE account_id = ?`,
      args: [accountId],
    },
    { sql: 'DELETE FROM watch WHERE account_id = ?', args: [accountId] },
  ];
}

/** A watch that waits or is paused, and whose owner has not been mailed about it. */
interface Unmailed {
  id: string;
  name: string;
  state: WatchRow['state'];
  reason: string;
  email: string;
}

/** At most `most` watches that stopped for one of some reasons and whose owners have not been mailed about it. */
export function readUnmailedReasons(accounts: Database, reasons: readonly string[], most: number): Promise<Unmailed[]> {
  return accounts.read<Unmailed>({
    sql: `SELECT w.id, w.name, w.state, w.reason, u.email FROM watch w JOIN account a ON a.id = w.account_id
            JOIN auth_user u ON u.id = a.user_id
          WHERE w.state <> 'active' AND w.reason_mailed_at IS NULL AND a.state = 'active'
            AND w.reason IN (SELECT value FROM json_each(?)) ORDER BY w.id LIMIT ?`,
    args: [JSON.stringify(reasons), most],
  });
}

/** Records that the owner is being mailed why a watch stopped; a null instant records that the mail was not sent. */
export function noteReasonStatement(id: string, reason: string, at: string | null): Statement {
  return {
    sql: 'UPDATE watch SET reason_mailed_at = ?1 WHERE id = ?2 AND reason = ?3 AND (reason_mailed_at IS NULL) <> (?1 IS NULL) RETURNING id',
    args: [at, id, reason],
  };
}

const MONDAY = 1;

/**
 * The next instant at which a digest is due: the next time that it is this hour in London, on a Monday if the digest is
 * weekly. Null if a watch delivers after each run.
 */
export function nextDigest(every: WatchRhythm, now: Date, hour: number): Date | null {
  if (every === 'run') return null;
  const time = `T${String(hour).padStart(2, '0')}:00:00`;
  // Calendar days are counted at noon UTC, which no clock change moves to another day.
  for (let noon = Date.parse(`${londonDate(now)}T12:00:00Z`); ; noon += DAY_MS) {
    const day = new Date(noon);
    if (every === 'week' && day.getUTCDay() !== MONDAY) continue;
    const due = londonInstant(`${day.toISOString().slice(0, 10)}${time}`);
    if (due > now) return due;
  }
}
