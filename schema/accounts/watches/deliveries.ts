import type { Database, Statement } from '../../db/interface.ts';
import type { watchDelivery } from '../tables/watches.ts';
import { ITEMS_LOOKED_AT, writeInWindows } from './delivered.ts';
import { isWithin } from './outbox.ts';
import type { WatchRow } from './row.ts';

export const DELIVERY_STATES = ['waiting', 'delivered', 'failed', 'dropped'] as const;

export type DeliveryRow = typeof watchDelivery.$inferSelect & { status: (typeof DELIVERY_STATES)[number] };

/** A delivery that is due, with what is needed to send it. */
export type DueDelivery = DeliveryRow &
  Pick<WatchRow, 'name' | 'collection' | 'webhook' | 'secret' | 'former_secret' | 'former_until' | 'every'> & {
    /** Address of the account holder; null where nobody signed up for the account. */
    email: string | null;
  };

interface DueOptions {
  /** Milliseconds since the epoch. */
  nowMs: number;
  /** Watches whose deliveries are being sent. */
  busy?: readonly string[];
  /** Beginnings of addresses (`https://example.org/`), and accounts, that already have as many calls running as they may. */
  full?: { hosts: readonly string[]; accounts: readonly string[] };
  limit: number;
  /** By mail, or by webhook. */
  mailed: boolean;
}

/**
 * Whether a waiting delivery (`d`) of a watch (`w`) is next in its line, as SQL: a test always is, another once none is before it
 * and unless its watch is paused.
 */
export const IS_NEXT = `(d.kind = 'test' OR (w.state <> 'paused' AND NOT EXISTS (SELECT 1 FROM watch_delivery b
  WHERE b.watch_id = d.watch_id AND b.status = 'waiting' AND b.number < d.number AND b.kind = 'items')))`;

/**
 * The webhook or mail deliveries that are due: the tests and the first other one that waits of each watch, longest due first. A
 * test is sent even while its watch is paused or its receiver fails.
 */
export function readDueDeliveries(
  accounts: Database,
  { nowMs, busy = [], full = { hosts: [], accounts: [] }, limit, mailed }: DueOptions,
): Promise<DueDelivery[]> {
  return accounts.read<DueDelivery>({
    sql: `SELECT d.*, w.name, w.collection, w.webhook, w.secret, w.former_secret, w.former_until, w.every,
            (SELECT u.email FROM account a JOIN auth_user u ON u.id = a.user_id WHERE a.id = d.account_id) AS email
          FROM watch_delivery d JOIN watch w ON w.id = d.watch_id
          WHERE d.status = 'waiting' AND d.next_attempt_at <= ?1 AND ${IS_NEXT}
            AND (w.webhook IS NULL) = ?4 AND d.watch_id NOT IN (SELECT value FROM json_each(?2))
            AND d.account_id NOT IN (SELECT value FROM json_each(?6))
            AND NOT EXISTS (SELECT 1 FROM json_each(?5) f WHERE substr(w.webhook, 1, length(f.value)) = f.value)
          ORDER BY d.next_attempt_at, d.number LIMIT ?3`,
    args: [
      nowMs,
      JSON.stringify(busy),
      limit,
      mailed ? 1 : 0,
      JSON.stringify(full.hosts),
      JSON.stringify(full.accounts),
    ],
  });
}

/** What came of an attempt. */
export interface Attempt {
  /** HTTP status of the answer; null where none came. */
  status: number | null;
  ms: number;
  /** How its body begins. */
  answer: string | null;
  /** Whether its receiver may have what was sent, whatever it answered. */
  isSent: boolean;
  /** Why it counts as failed; null where it was accepted. */
  error: string | null;
}

/** Records that a receiver accepted a delivery, also where its watch was changed or deleted meanwhile: then without what it answered. */
export function deliveredStatements({ id, watch_id }: DeliveryRow, attempt: Attempt, at: string): Statement[] {
  return [
    {
      sql: `UPDATE watch_delivery SET status = 'delivered', attempts = attempts + 1, ended_at = ?1, delivered_at = coalesce(delivered_at, ?1),
              answer_status = ?2, answer_ms = ?3, answer = CASE status WHEN 'waiting' THEN ?4 END, error = NULL, refused_since = NULL
            WHERE id = ?5 AND status IN ('waiting', 'failed')`,
      args: [at, attempt.status, attempt.ms, attempt.answer, id],
    },
    { sql: 'UPDATE watch SET last_delivered_at = ? WHERE id = ?', args: [at, watch_id] },
  ];
}

/** Records that a delivery is being sent, unless it was dropped; returns its body as it is by then. */
export function sendingStatement({ id }: DeliveryRow, at: string): Statement {
  const sql = "UPDATE watch_delivery SET sending_at = ? WHERE id = ? AND status = 'waiting' RETURNING body";
  return { sql, args: [at, id] };
}

/** Records that a mail is being handed over, and returns its body; unless it is then recorded as sent, it is due again at an instant (milliseconds since the epoch). */
export function mailedStatement(
  { id, attempts }: DeliveryRow,
  { at, nextMs }: { at: string; nextMs: number },
): Statement {
  return {
    sql: `UPDATE watch_delivery SET sending_at = ?, next_attempt_at = ? WHERE id = ? AND status = 'waiting' AND attempts = ?
            AND next_attempt_at < ? RETURNING body`,
    args: [at, nextMs, id, attempts, nextMs],
  };
}

/**
 * Records a failed attempt and when the next is due, in milliseconds since the epoch; null: there is no next attempt.
 * `refusedSince`: where a mail server refused it, or its address, for now, since when it does.
 */
export function failedAttemptStatement(
  { id, sending_at }: DeliveryRow,
  attempt: Attempt,
  { nextMs, at, refusedSince = null }: { nextMs: number | null; at: string; refusedSince?: string | null },
): Statement {
  return {
    sql: `UPDATE watch_delivery SET attempts = attempts + 1, answer_status = ?1, answer_ms = ?2, answer = ?3, error = ?4, sending_at = ?8, refused_since = ?9,
            status = CASE WHEN ?5 IS NOT NULL THEN status WHEN delivered_at IS NULL THEN 'failed' ELSE 'delivered' END, ended_at = CASE WHEN ?5 IS NULL THEN ?6 END,
            next_attempt_at = coalesce(?5, next_attempt_at) WHERE id = ?7 AND status = 'waiting'`,
    args: [
      attempt.status,
      attempt.ms,
      attempt.answer,
      attempt.error,
      nextMs,
      at,
      id,
      attempt.isSent ? at : sending_at,
      refusedSince,
    ],
  };
}

/** Makes deliveries due whose next attempt is further away than the longest pause: a clock that was ahead set it. */
export function overlongStatement(nowMs: number, longestMs: number): Statement {
  const sql = "UPDATE watch_delivery SET next_attempt_at = ?1 WHERE status = 'waiting' AND next_attempt_at > ?2";
  return { sql, args: [nowMs, nowMs + longestMs] };
}

/** A page of a watch's deliveries, newest first, below a number. */
export function readDeliveries(
  accounts: Database,
  { accountId, watchId }: { accountId: string; watchId: string },
  { limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: number | undefined },
): Promise<DeliveryRow[]> {
  return accounts.read<DeliveryRow>({
    sql: 'SELECT * FROM watch_delivery WHERE watch_id = ? AND account_id = ? AND number < ? ORDER BY number DESC LIMIT ?',
    args: [watchId, accountId, before, limit],
  });
}

/** One delivery of an account's watch, or null. */
export async function readDelivery(
  accounts: Database,
  { accountId, watchId, id }: { accountId: string; watchId: string; id: string },
): Promise<DeliveryRow | null> {
  const sql = 'SELECT * FROM watch_delivery WHERE id = ? AND watch_id = ? AND account_id = ?';
  const [row] = await accounts.read<DeliveryRow>({ sql, args: [id, watchId, accountId] });
  return row ?? null;
}

/** What a delivery holds, for its owner: nothing while it can be refunded, as until then nobody has it. */
export function readableBody({ body, charge_id, sending_at, delivered_at }: DeliveryRow): string | null {
  return charge_id === null || sending_at !== null || delivered_at !== null ? body : null;
}

/** Whether there is a delivery with this id, of any watch. */
export async function isKnownDelivery(accounts: Database, id: string): Promise<boolean> {
  return (await accounts.read({ sql: 'SELECT 1 FROM watch_delivery WHERE id = ?', args: [id] })).length > 0;
}

/** Whether a request already had a different delivery of its account sent again. */
export async function isRetriedUnder(
  accounts: Database,
  { accountId, id }: { accountId: string; id: string },
  under: string,
): Promise<boolean> {
  const sql = 'SELECT 1 FROM watch_delivery WHERE account_id = ? AND retried_under = ? AND id <> ? LIMIT 1';
  return (await accounts.read({ sql, args: [accountId, under, id] })).length > 0;
}

/**
 * Sends a delivery again, free, with its original `webhook-id`. Does nothing where its body is no longer stored, or the same
 * request (`under`) already had it sent again.
 */
export function retryStatement(id: string, nowMs: number, under: string | null = null): Statement {
  return {
    sql: `UPDATE watch_delivery SET status = 'waiting', next_attempt_at = ?1, ended_at = NULL, retried_under = ?3
          WHERE id = ?2 AND body IS NOT NULL AND status <> 'dropped' AND (?3 IS NULL OR retried_under IS NOT ?3) RETURNING id`,
    args: [nowMs, id, under],
  };
}

/**
 * Puts a free test delivery into the outbox. Does nothing where the account has made `perHour` deliveries in this hour (UTC), or
 * the id is in use.
 */
export function testStatement(
  { id: watchId, account_id }: WatchRow,
  { id, body, now, at, perHour }: { id: string; body: string; now: Date; at: string; perHour: number },
): Statement {
  return {
    sql: `INSERT INTO watch_delivery (id, watch_id, account_id, kind, items, credits, body, created_at, next_attempt_at)
          SELECT ?1, ?2, ?3, 'test', 0, 0, ?4, ?5, ?6
          WHERE (SELECT count(*) FROM watch_delivery WHERE account_id = ?3 AND ${isWithin('created_at', '?5', 13)}) < ?7
            AND NOT EXISTS (SELECT 1 FROM watch_delivery WHERE id = ?1)`,
    args: [id, watchId, account_id, body, at, now.getTime(), perHour],
  };
}

/** Deliveries that are looked at in one commit. Nothing is sorted by age, so all are looked at. */
const DELIVERIES_LOOKED_AT = 1_000;

// The plus sign: by the index of states, each window would look at all deliveries.
const FORGET_BODIES = `UPDATE watch_delivery SET body = NULL, answer = NULL WHERE number > ?1 AND number <= ?2
  AND (+status IN ('delivered', 'dropped') OR body IS NULL) AND (body IS NOT NULL OR answer IS NOT NULL)
  AND coalesce(ended_at, created_at) < ?3`;
// A test costs nothing: an account could fill the disk without paying.
const FORGET_TESTS = `DELETE FROM watch_delivery WHERE number > ?1 AND number <= ?2
  AND kind = 'test' AND +status <> 'waiting' AND body IS NULL AND coalesce(ended_at, created_at) < ?3`;
// A watch reports what is gone however long ago it was delivered, as a contract runs for years.
const FORGET_ITEMS = `DELETE FROM watch_item WHERE rowid > ?1 AND rowid <= ?2 AND at < ?3
  AND (gone = 1 OR NOT EXISTS (SELECT 1 FROM watch w WHERE w.id = watch_item.watch_id AND instr(w.changes, '"gone"')))`;

/**
 * Drops the bodies of deliveries that ended before one instant, with whole tests, and the records of what watches delivered
 * before another, both ISO 8601, UTC. The records of a watch that reports what is gone stay. @param fence - the first statement
 * of every batch
 */
export async function forgetDeliveries(
  accounts: Database,
  { bodies, items, fence }: { bodies: string; items: string; fence: Statement },
): Promise<void> {
  for (const [table, forget, before, step] of [
    ['watch_delivery', [FORGET_BODIES, FORGET_TESTS], bodies, DELIVERIES_LOOKED_AT],
    ['watch_item', [FORGET_ITEMS], items, ITEMS_LOOKED_AT],
  ] as const)
    await writeInWindows(accounts, { table, step, fence }, (after, upTo) =>
      forget.map((sql) => ({ sql, args: [after, upTo, before] })),
    );
}
