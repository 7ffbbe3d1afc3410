import { DAY_MS } from '../../config/clocks.ts';
import type { Database, Statement } from '../../db/interface.ts';
import { dropWaitingStatements } from './dropped.ts';
import type { WatchRow } from './row.ts';

/** A note that a watch was deleted, among the keys of free calls, which expire. It has a space, so no client can send such a key. */
export const noteOf = (watchId: string): string => `deleted ${watchId}`;

/** Deletes a watch. Its waiting deliveries are refunded; its past deliveries stay in the ledger. */
export async function deleteWatch(accounts: Database, { id, account_id }: WatchRow, at: string): Promise<void> {
  await accounts.write([
    ...dropWaitingStatements({ watchId: id, why: 'its watch was deleted', at }),
    noteDeletedStatement({ id, account_id }, at),
    { sql: 'DELETE FROM watch_item WHERE watch_id = ?', args: [id] },
    { sql: 'UPDATE watch_delivery SET body = NULL, answer = NULL WHERE watch_id = ?', args: [id] },
    { sql: 'DELETE FROM watch WHERE id = ? AND account_id = ?', args: [id, account_id] },
  ]);
}

/** Notes for a day that a watch was deleted, so that a repeat of the request that made it makes no second one. */
function noteDeletedStatement({ id, account_id }: Pick<WatchRow, 'id' | 'account_id'>, at: string): Statement {
  const nowMs = Date.parse(at);
  return {
    sql: `INSERT INTO idempotency (account_id, key, fingerprint, state, claim_token, claim_expires_at, created_at, expires_at)
          SELECT account_id, ?3, '', 'free', '', ?4, ?5, ?6 FROM watch WHERE id = ?1 AND account_id = ?2 ON CONFLICT DO NOTHING`,
    args: [id, account_id, noteOf(id), nowMs, at, nowMs + DAY_MS],
  };
}

/** Whether an account deleted a watch with this id in the last day. */
export async function isDeletedWatch(accounts: Database, accountId: string, id: string): Promise<boolean> {
  const sql = 'SELECT 1 FROM idempotency WHERE account_id = ? AND key = ?';
  return (await accounts.read({ sql, args: [accountId, noteOf(id)] })).length > 0;
}
