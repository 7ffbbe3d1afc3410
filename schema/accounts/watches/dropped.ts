import type { Statement } from '../../db/interface.ts';
import { takeOwed } from '../payments.ts';

/** Drops what a watch has not delivered, and refunds what no receiver may have. */
export function dropWaitingStatements({ watchId, why, at }: { watchId: string; why: string; at: string }): Statement[] {
  // What was dropped before has no body, and keeps why and since when.
  return dropStatements("watch_id = ?1 AND status IN ('waiting', 'failed') AND body IS NOT NULL", watchId, { why, at });
}

/** Drops deliveries that failed before an instant and were not sent again, and refunds those that no receiver may have. */
export function dropFailedStatements(before: string, at: string): Statement[] {
  return dropStatements("status = 'failed' AND body IS NOT NULL AND ended_at < ?1", before, {
    why: 'its receiver never took it',
    at,
  });
}

/**
 * An item that such a delivery was the first to bring counts as gone: its receiver never had it, and must not be told that it
 * left. Any other item the receiver has already, or gets with a later delivery.
 */
const restoreUnsent = (which: string) => `UPDATE watch_item SET gone = f.change = 'new' FROM (
    SELECT d.watch_id, t.value ->> 'id' AS id, t.value ->> 'change' AS change, min(d.number)
    FROM watch_delivery d CROSS JOIN json_each(d.body, '$.data.items') t
    WHERE d.watch_id IN (SELECT watch_id FROM watch_delivery WHERE ${which}) AND d.sending_at IS NULL AND d.delivered_at IS NULL
    GROUP BY 1, 2 HAVING total(NOT (${which})) = 0) f WHERE watch_item.watch_id = f.watch_id AND watch_item.item_id = f.id`;

function dropStatements(which: string, arg: string, { why, at }: { why: string; at: string }): Statement[] {
  return [
    {
      sql: `INSERT INTO transfer (key, kind, from_account, to_account, credits, action, request_id, key_id, corrects, note, created_at)
            SELECT 'refund:' || d.charge_id || ':dropped', 'refund', c.to_account, c.from_account, c.credits, c.action, c.request_id,
              c.key_id, c.id, ?2, ?3
            FROM (SELECT charge_id FROM watch_delivery WHERE ${which} AND charge_id IS NOT NULL
              AND sending_at IS NULL AND delivered_at IS NULL ORDER BY number) d
              JOIN transfer c ON c.key = 'charge:' || d.charge_id
            WHERE NOT EXISTS (SELECT 1 FROM transfer r WHERE r.corrects = c.id)`,
      args: [arg, why, at],
    },
    {
      sql: takeOwed(`p.account_id IN (SELECT account_id FROM watch_delivery WHERE ${which})`),
      args: [arg, at],
    },
    { sql: restoreUnsent(which), args: [arg] },
    {
      sql: `UPDATE watch_delivery SET body = NULL, answer = NULL, error = ?2, ended_at = ?3,
              status = CASE WHEN delivered_at IS NOT NULL THEN 'delivered' WHEN sending_at IS NOT NULL THEN 'failed' ELSE 'dropped' END WHERE ${which}`,
      args: [arg, why, at],
    },
  ];
}
