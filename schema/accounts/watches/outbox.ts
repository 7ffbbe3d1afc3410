import type { Database, Outcome, Statement } from '../../db/interface.ts';
import { chargeKey, REVENUE } from '../ledger/transfers.ts';
import type { WaitingReason, WatchRow } from './row.ts';

/** Credits of a delivery of up to 25 items. */
export const DELIVERY_CREDITS = 2;
export const ITEMS_PER_CHARGE = 25;

/** The ledger's action of a delivery. */
export const DELIVERY_ACTION = 'watch_delivery';

/** What a delivery of so many items costs; an empty one is never made. */
export const deliveryCredits = (items: number): number => Math.ceil(items / ITEMS_PER_CHARGE) * DELIVERY_CREDITS;

/** Watches that are to be matched with what comes after their position. */
interface DueGroup {
  position: number;
  watches: number;
}

/** Spent by a watch on the day (UTC) of `?at`. */
const spentToday = (at: string) => `coalesce((SELECT sum(d.credits) FROM watch_delivery d
  WHERE d.watch_id = w.id AND d.kind = 'items' AND d.status <> 'dropped' AND d.created_at >= substr(${at}, 1, 10)), 0)`;

/** Why a watch (`w`, its account `a` and its key `k`) cannot pay some credits at an instant; null where it can. */
const shortfall = (credits: string, at: string) => `CASE
  WHEN a.state <> 'active' THEN 'account_stopped'
  WHEN k.revoked_at <= ${at} OR k.expires_at <= ${at} THEN 'key_revoked'
  WHEN a.balance < ${credits} THEN 'no_credits'
  WHEN k.monthly_cap IS NOT NULL AND ${credits} + coalesce((SELECT m.credits FROM key_month m
    WHERE m.key_id = k.id AND m.month = substr(${at}, 1, 7)), 0) > k.monthly_cap THEN 'key_cap'
  WHEN w.credits_per_day_max IS NOT NULL AND ${credits} + ${spentToday(at)} > w.credits_per_day_max THEN 'daily_maximum'
END`;

const FROM = 'FROM watch w JOIN account a ON a.id = w.account_id LEFT JOIN api_key k ON k.id = w.key_id';

/** Active, or waiting for something that is there again; at `?1`. */
const IS_READY = `(w.state = 'active' OR (w.state = 'waiting' AND ${shortfall(String(DELIVERY_CREDITS), '?1')} IS NULL))
  AND (w.due_at IS NULL OR w.due_at <= ?1)`;

/** The positions at which ready watches stand below the last change, the furthest behind first. */
export function readDueGroups(accounts: Database, { at, head }: { at: string; head: number }): Promise<DueGroup[]> {
  return accounts.read<DueGroup>({
    sql: `SELECT w.position, count(*) AS watches ${FROM} WHERE w.state <> 'paused' AND w.position < ?2 AND ${IS_READY}
          GROUP BY w.position ORDER BY w.position LIMIT 1000`,
    args: [at, head],
  });
}

/** A page of the ready watches at a position, by id. */
export function readDueWatches(
  accounts: Database,
  { at, position, after, limit }: { at: string; position: number; after: string; limit: number },
): Promise<WatchRow[]> {
  return accounts.read<WatchRow>({
    sql: `SELECT w.* ${FROM} WHERE w.position = ?2 AND w.state <> 'paused' AND ${IS_READY} AND w.id > ?3 ORDER BY w.id LIMIT ?4`,
    args: [at, position, after, limit],
  });
}

/** What a watch is to deliver. */
export interface NewDelivery {
  /** `wd_…` */
  id: string;
  chargeId: string;
  watch: Pick<WatchRow, 'id' | 'position' | 'changed_at'>;
  /** Ids of the items, in the order of their changes. */
  items: readonly string[];
  /** JSON of the items as they are sent. */
  body: string;
  /** The watch's position once this is in the outbox. */
  position: number;
  now: Date;
  /** ISO 8601 instant, UTC, of `now`. */
  at: string;
}

const CHARGE = `
  INSERT INTO transfer (key, kind, from_account, to_account, credits, action, request_id, key_id, note, created_at)
  SELECT ?2, 'charge', a.id, '${REVENUE}', ?3, '${DELIVERY_ACTION}', ?4, w.key_id, 'watch ' || w.id, ?1
  ${FROM} WHERE w.id = ?5 AND w.position = ?6 AND w.changed_at = ?7 AND w.state <> 'paused'
    AND ${shortfall('?3', '?1')} IS NULL AND NOT EXISTS (SELECT 1 FROM transfer WHERE key = ?2)`;

const DELIVERY = `
  INSERT INTO watch_delivery (id, watch_id, account_id, kind, items, credits, charge_id, body, created_at, next_attempt_at)
  SELECT ?1, t_watch.id, t_watch.account_id, 'items', ?2, ?3, ?4, ?5, ?6, ?7 FROM watch t_watch
  WHERE t_watch.id = ?8 AND t_watch.position = ?9 AND EXISTS (SELECT 1 FROM transfer WHERE key = ?10 AND request_id = ?1)`;

const ITEMS = `
  INSERT INTO watch_item (watch_id, item_id, at) SELECT ?1, value, ?2 FROM json_each(?3)
  WHERE EXISTS (SELECT 1 FROM watch_delivery WHERE id = ?4) ON CONFLICT DO UPDATE SET at = excluded.at`;

const ADVANCE = `
  UPDATE watch SET position = ?1, state = 'active', reason = NULL, reason_mailed_at = NULL
  WHERE id = ?2 AND position = ?3 AND EXISTS (SELECT 1 FROM watch_delivery WHERE id = ?4)`;

/**
 * Statements that put a delivery into the outbox, take its credits and move its watch on: one batch, all of it or nothing.
 * Nothing happens where the watch cannot pay, was changed, paused or moved on meanwhile, so that repeating them is harmless.
 * The outcome of the first says whether it was charged.
 */
export function deliveryStatements({ id, chargeId, watch, items, body, position, now, at }: NewDelivery): Statement[] {
  const credits = deliveryCredits(items.length);
  const key = chargeKey(chargeId);
  return [
    { sql: CHARGE, args: [at, key, credits, id, watch.id, watch.position, watch.changed_at] },
    {
      sql: DELIVERY,
      args: [id, items.length, credits, chargeId, body, at, now.getTime(), watch.id, watch.position, key],
    },
    { sql: ITEMS, args: [watch.id, at, JSON.stringify(items), id] },
    { sql: ADVANCE, args: [position, watch.id, watch.position, id] },
  ];
}

/** Moves watches on that have nothing to deliver of what they were matched with. */
export function skipStatement(ids: readonly string[], { from, to }: { from: number; to: number }): Statement {
  return {
    sql: `UPDATE watch SET position = ?1, state = 'active', reason = NULL, reason_mailed_at = NULL
          WHERE position = ?2 AND state <> 'paused' AND id IN (SELECT value FROM json_each(?3))`,
    args: [to, from, JSON.stringify(ids)],
  };
}

/** Sets the instant of the next digest of watches that have been matched up to the last change. */
export function nextDigestStatement(ids: readonly string[], { dueAt, at }: { dueAt: string; at: string }): Statement {
  return {
    sql: 'UPDATE watch SET due_at = ?1 WHERE due_at <= ?2 AND id IN (SELECT value FROM json_each(?3))',
    args: [dueAt, at, JSON.stringify(ids)],
  };
}

/** Lets a watch wait, or pauses it, where it could not pay; answers why by `readShortfall`. */
export function waitStatement(id: string, credits: number, at: string): Statement {
  const why = `(SELECT ${shortfall('?2', '?3')} ${FROM} WHERE w.id = watch.id)`;
  return {
    sql: `UPDATE watch SET reason_mailed_at = CASE WHEN reason IS ${why} THEN reason_mailed_at END,
            state = CASE WHEN ${why} = 'key_revoked' THEN 'paused' ELSE 'waiting' END, reason = ${why}
          WHERE id = ?1 AND state <> 'paused' AND ${why} IS NOT NULL RETURNING reason`,
    args: [id, credits, at],
  };
}

/** Why a watch waits now; null where it does not. */
export function readShortfall(outcome: Outcome | undefined): WaitingReason | 'key_revoked' | null {
  return (outcome?.rows[0]?.reason as WaitingReason | 'key_revoked' | undefined) ?? null;
}

/** Which of some items a watch has delivered before. */
export async function readDelivered(
  accounts: Database,
  pairs: readonly { watchId: string; itemId: string }[],
): Promise<Set<string>> {
  const sql = `SELECT i.watch_id, i.item_id FROM json_each(?) p
    JOIN watch_item i ON i.watch_id = p.value ->> 0 AND i.item_id = p.value ->> 1`;
  const asked = JSON.stringify(pairs.map(({ watchId, itemId }) => [watchId, itemId]));
  const rows = await accounts.read<{ watch_id: string; item_id: string }>({ sql, args: [asked] });
  return new Set(rows.map(({ watch_id, item_id }) => `${watch_id} ${item_id}`));
}

/** Drops what a watch has not delivered and gives its credits back. */
export function dropWaitingStatements({ watchId, why, at }: { watchId: string; why: string; at: string }): Statement[] {
  return dropStatements("watch_id = ?1 AND status IN ('waiting', 'failed')", watchId, { why, at });
}

/** Drops what failed before an instant and nobody had sent again; its credits are given back, as it never arrived. */
export function dropFailedStatements(before: string, at: string): Statement[] {
  return dropStatements("status = 'failed' AND ended_at < ?1", before, { why: 'its receiver never took it', at });
}

function dropStatements(which: string, arg: string, { why, at }: { why: string; at: string }): Statement[] {
  return [
    {
      sql: `INSERT INTO transfer (key, kind, from_account, to_account, credits, action, request_id, key_id, corrects, note, created_at)
            SELECT 'refund:' || d.charge_id || ':dropped', 'refund', c.to_account, c.from_account, c.credits, c.action, c.request_id,
              c.key_id, c.id, ?2, ?3
            FROM (SELECT charge_id FROM watch_delivery WHERE ${which} AND charge_id IS NOT NULL AND delivered_at IS NULL ORDER BY number) d
              JOIN transfer c ON c.key = 'charge:' || d.charge_id
            WHERE NOT EXISTS (SELECT 1 FROM transfer r WHERE r.corrects = c.id)`,
      args: [arg, why, at],
    },
    {
      sql: `UPDATE watch_delivery SET body = NULL, error = ?2, ended_at = ?3,
              status = CASE WHEN delivered_at IS NULL THEN 'dropped' ELSE 'delivered' END WHERE ${which}`,
      args: [arg, why, at],
    },
  ];
}
