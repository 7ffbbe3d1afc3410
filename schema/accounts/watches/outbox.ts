import type { Database, Statement } from '../../db/interface.ts';
import { isStopped } from '../customer/api-key.ts';
import { chargeKey, REVENUE } from '../ledger/transfers.ts';
import { type PassedRow, passedStatements } from './delivered.ts';
import type { WatchRhythm, WatchRow } from './row.ts';

/** Credits of a delivery of up to 25 items. */
export const DELIVERY_CREDITS = 2;
export const ITEMS_PER_CHARGE = 25;

/** The ledger's action of a delivery. */
export const DELIVERY_ACTION = 'watch_delivery';

/** The price of a delivery with this many items; an empty one is never made. */
export const deliveryCredits = (items: number): number => Math.ceil(items / ITEMS_PER_CHARGE) * DELIVERY_CREDITS;

/** A change of the catalogue: a `seq`, and the id of a row that it changed. Rows of one `seq` come in the order of their ids. */
export interface WatchPosition {
  seq: number;
  id: string;
}

/** Sorts after every id: all changes of a `seq`. */
export const AFTER_ALL = '~';

/** Watches of one collection at the same position. */
export interface DueGroup {
  collection: WatchRow['collection'];
  position: number;
  position_id: string;
}

/** Whether a column is on the day (10) or in the hour (13 characters) of `at`, UTC. What a clock that was ahead wrote is in neither. */
export const isWithin = (column: string, at: string, characters: 10 | 13) =>
  `${column} BETWEEN substr(${at}, 1, ${characters}) AND substr(${at}, 1, ${characters}) || '~'`;

/** Spent by a watch on the day (UTC) of `?1`, read through the account's index: the watch's own index holds everything that it ever delivered. */
const SPENT_TODAY = `coalesce((SELECT sum(d.credits) FROM watch_delivery d
  WHERE d.account_id = w.account_id AND +d.watch_id = w.id AND d.kind = 'items' AND d.status <> 'dropped'
    AND ${isWithin('d.created_at', '?1', 10)}), 0)`;

/** Spent with a watch's key (`k`) in the month (UTC) of `?1`. */
const SPENT_THIS_MONTH =
  'coalesce((SELECT m.credits FROM key_month m WHERE m.key_id = k.id AND m.month = substr(?1, 1, 7)), 0)';

/** Deliveries of an account (`a`) in the hour (UTC) of `?1`, tests included. */
const IN_THIS_HOUR = `(SELECT count(*) FROM watch_delivery h WHERE h.account_id = a.id AND ${isWithin('h.created_at', '?1', 13)})`;

/** Why a watch (`w`, its account `a` and its key `k`) cannot pay for a delivery at `?1`; null where it can. */
const shortfall = (credits: string, perHour: string) => `CASE
  WHEN a.state <> 'active' THEN 'account_stopped'
  WHEN ${isStopped('?1')} THEN 'key_revoked'
  WHEN a.balance < ${credits} THEN 'no_credits'
  WHEN k.monthly_cap IS NOT NULL AND ${credits} + ${SPENT_THIS_MONTH} > k.monthly_cap THEN 'key_cap'
  WHEN w.credits_per_day_max IS NOT NULL AND ${credits} + ${SPENT_TODAY} > w.credits_per_day_max THEN 'daily_maximum'
  WHEN ${IN_THIS_HOUR} >= ${perHour} THEN 'hourly_limit'
END`;

/** The most that the next delivery of a watch may cost at `?1`. By webhook it is one charge, as it takes long to add up what such watches spent today. */
const PAYABLE = `CASE WHEN w.webhook IS NOT NULL THEN ${DELIVERY_CREDITS} ELSE min(a.balance,
  CASE WHEN k.monthly_cap IS NULL THEN a.balance ELSE k.monthly_cap - ${SPENT_THIS_MONTH} END,
  CASE WHEN w.credits_per_day_max IS NULL THEN a.balance ELSE w.credits_per_day_max - ${SPENT_TODAY} END) END`;

const FROM = 'FROM watch w JOIN account a ON a.id = w.account_id LEFT JOIN api_key k ON k.id = w.key_id';

/** Active, or waiting for something that is available again; at `?1`, with at most `?2` deliveries an hour. */
const IS_READY = `(w.state = 'active' OR (w.state = 'waiting' AND ${shortfall(String(DELIVERY_CREDITS), '?2')} IS NULL))
  AND (w.due_at IS NULL OR w.due_at <= ?1)`;

/** The instant of the check, and how much the watches may deliver. */
export interface DueAt {
  /** ISO 8601 instant, UTC. */
  at: string;
  /** Deliveries that the watches of one account may make in an hour. */
  perHour: number;
}

/** The positions of ready watches below the last `seq`, the furthest behind last, so that the others do not wait while it catches up. */
export function readDueGroups(
  accounts: Database,
  { at, perHour, head }: DueAt & { head: number },
): Promise<DueGroup[]> {
  return accounts.read<DueGroup>({
    sql: `SELECT w.collection, w.position, w.position_id ${FROM}
          WHERE w.state <> 'paused' AND (w.position, w.position_id) < (?3, '${AFTER_ALL}') AND ${IS_READY}
          GROUP BY w.collection, w.position, w.position_id ORDER BY w.position DESC, w.position_id DESC LIMIT 1000`,
    args: [at, perHour, head],
  });
}

/** A watch that is ready. */
export interface DueWatch extends WatchRow {
  /** The most credits that its next delivery may cost; by webhook, those of one charge. */
  payable: number;
}

/** A page of the ready watches of a group, by id. */
export function readDueWatches(
  accounts: Database,
  { collection, position, position_id }: DueGroup,
  { at, perHour, after, limit }: DueAt & { after: string; limit: number },
): Promise<DueWatch[]> {
  return accounts.read<DueWatch>({
    sql: `SELECT w.*, ${PAYABLE} AS payable ${FROM} WHERE w.position = ?3 AND w.position_id = ?4 AND w.collection = ?5 AND w.state <> 'paused'
            AND ${IS_READY} AND w.id > ?6 ORDER BY w.id LIMIT ?7`,
    args: [at, perHour, position, position_id, collection, after, limit],
  });
}

/** What a watch is to deliver. */
export interface NewDelivery {
  /** `wd_…` */
  id: string;
  chargeId: string;
  watch: Pick<WatchRow, 'id' | 'changed_at'>;
  /** Where the watch is now, and where it will be once this is in the outbox. */
  from: WatchPosition;
  to: WatchPosition;
  /** The items in the order of their changes, each with the `seq` of its state, and 1 where it is gone or no longer matches. */
  items: readonly { id: string; seq: number; gone: number }[];
  passed: readonly PassedRow[];
  /** JSON of the items as they are sent. */
  body: string;
  now: Date;
  /** ISO 8601 instant, UTC, of `now`. */
  at: string;
}

const CHARGE = `
  INSERT INTO transfer (key, kind, from_account, to_account, credits, action, request_id, key_id, note, created_at)
  SELECT ?2, 'charge', a.id, '${REVENUE}', ?3, '${DELIVERY_ACTION}', ?4, w.key_id, 'watch ' || w.id, ?1
  ${FROM} WHERE w.id = ?5 AND w.position = ?6 AND w.position_id = ?7 AND w.changed_at = ?8 AND w.state <> 'paused'
    AND ${shortfall('?3', '?9')} IS NULL AND NOT EXISTS (SELECT 1 FROM transfer WHERE key = ?2)`;

const DELIVERY = `
  INSERT INTO watch_delivery (id, watch_id, account_id, kind, items, credits, charge_id, body, created_at, next_attempt_at)
  SELECT ?1, w.id, w.account_id, 'items', ?2, ?3, ?4, ?5, ?6, ?7 FROM watch w
  WHERE w.id = ?8 AND EXISTS (SELECT 1 FROM transfer WHERE key = ?9 AND request_id = ?1)
    AND NOT EXISTS (SELECT 1 FROM watch_delivery WHERE id = ?1)`;

const ITEMS = `
  INSERT INTO watch_item (watch_id, item_id, at, seq, gone)
  SELECT ?1, value ->> 'id', ?2, value ->> 'seq', value ->> 'gone' FROM json_each(?3)
  WHERE EXISTS (SELECT 1 FROM watch_delivery WHERE id = ?4)
  ON CONFLICT DO UPDATE SET at = excluded.at, seq = excluded.seq, gone = excluded.gone`;

const ADVANCE = `
  UPDATE watch SET position = ?1, position_id = ?2, state = 'active', reason = NULL, reason_mailed_at = NULL
  WHERE id = ?3 AND position = ?4 AND position_id = ?5 AND EXISTS (SELECT 1 FROM watch_delivery WHERE id = ?6)`;

/**
 * Statements that put a delivery into the outbox, charge for it and advance the watch, in one batch. They do nothing where the
 * watch cannot pay, or was changed, paused or advanced in the meantime, so repeating them is harmless. The outcome of the first
 * shows whether it was charged.
 */
export function deliveryStatements(made: NewDelivery, perHour: number): Statement[] {
  const { id, chargeId, watch, from, to, items, passed, body, now, at } = made;
  const credits = deliveryCredits(items.length);
  const key = chargeKey(chargeId);
  return [
    { sql: CHARGE, args: [at, key, credits, id, watch.id, from.seq, from.id, watch.changed_at, perHour] },
    { sql: DELIVERY, args: [id, items.length, credits, chargeId, body, at, now.getTime(), watch.id, key] },
    { sql: ITEMS, args: [watch.id, at, JSON.stringify(items), id] },
    { sql: ADVANCE, args: [to.seq, to.id, watch.id, from.seq, from.id, id] },
    ...passedStatements(watch.id, passed, { to, at }),
  ];
}

/** Advances the watches of a group that have nothing to deliver. */
export function skipStatement(ids: readonly string[], from: DueGroup, to: WatchPosition): Statement {
  return {
    sql: `UPDATE watch SET position = ?1, position_id = ?2, state = 'active', reason = NULL, reason_mailed_at = NULL
          WHERE position = ?3 AND position_id = ?4 AND state <> 'paused' AND id IN (SELECT value FROM json_each(?5))`,
    args: [to.seq, to.id, from.position, from.position_id, JSON.stringify(ids)],
  };
}

/**
 * Sets the next digest of watches whose digest is due and that have been matched up to the last change, whether or not there was
 * any. One that is due later than the next was set by a clock that was ahead.
 */
export function nextDigestStatement(
  every: WatchRhythm,
  { head, at, dueAt }: { head: number; at: string; dueAt: string },
): Statement {
  return {
    sql: `UPDATE watch SET due_at = ?1 WHERE every = ?2 AND state <> 'paused'
            AND (due_at > ?1 OR (due_at <= ?3 AND position = ?4 AND position_id = '${AFTER_ALL}'))`,
    args: [dueAt, every, at, head],
  };
}

/** Why a watch cannot pay for the smallest delivery at `?1`, with `?2` deliveries an hour; null where it can. */
const WHY = `(SELECT ${shortfall(String(DELIVERY_CREDITS), '?2')} ${FROM} WHERE w.id = watch.id)`;

/** Makes watches that cannot pay for the smallest delivery wait, or pauses them. */
const makeWait = (
  which: string,
) => `UPDATE watch SET reason_mailed_at = CASE WHEN reason IS ${WHY} THEN reason_mailed_at END,
    state = CASE WHEN ${WHY} = 'key_revoked' THEN 'paused' ELSE 'waiting' END, reason = ${WHY}
  WHERE ${which} AND state <> 'paused' AND ${WHY} IS NOT NULL RETURNING reason`;

/** Makes a watch wait that cannot pay for the smallest delivery. One that can delivers fewer items in the next run. */
export function waitStatement(id: string, { at, perHour }: DueAt): Statement {
  return { sql: makeWait('id = ?3'), args: [at, perHour, id] };
}

/**
 * Makes watches that wait for one thing wait for the one that they lack now, or pauses them: a key may expire while there are no
 * credits. Those that the hourly limit stops are left to the next hour.
 */
export function waitAgainStatement({ at, perHour }: DueAt): Statement {
  const which = `state = 'waiting' AND reason IS NOT ${WHY} AND ${WHY} <> 'hourly_limit'`;
  return { sql: makeWait(which), args: [at, perHour] };
}

/** Makes watches of a group wait there, as they have a filter that this program does not know. Returns those that did not wait yet. */
export function waitForProgramStatement(ids: readonly string[], { position, position_id }: DueGroup): Statement {
  return {
    sql: `UPDATE watch SET state = 'waiting', reason = 'older_service', reason_mailed_at = NULL
          WHERE state <> 'paused' AND reason IS NOT 'older_service' AND position = ?2 AND position_id = ?3
            AND id IN (SELECT value FROM json_each(?1)) RETURNING id`,
    args: [JSON.stringify(ids), position, position_id],
  };
}
