import type { Database, Statement } from '../../db/interface.ts';
import type { WatchRow } from './row.ts';

/** A watch that waits or is paused, whose owner has not been mailed of it. */
export interface Unmailed {
  id: string;
  name: string;
  state: WatchRow['state'];
  reason: string;
  email: string;
}

/** At most `most` watches that stopped for one of some reasons and whose owners have not been mailed of it. */
export function readUnmailedReasons(
  accounts: Database,
  reasons: readonly string[],
  most: number,
): Promise<Unmailed[]> {
  return accounts.read<Unmailed>({
    sql: `SELECT w.id, w.name, w.state, w.reason, u.email FROM watch w JOIN account a ON a.id = w.account_id
            JOIN auth_user u ON u.id = a.user_id
          WHERE w.state <> 'active' AND w.reason_mailed_at IS NULL AND a.state = 'active'
            AND w.reason IN (SELECT value FROM json_each(?)) ORDER BY w.id LIMIT ?`,
    args: [JSON.stringify(reasons), most],
  });
}

/** Notes that its owner is being mailed why a watch stopped; with null as the instant, that the mail was not sent. */
export function noteReasonStatement(id: string, reason: string, at: string | null): Statement {
  return {
    sql: `UPDATE watch SET reason_mailed_at = ?1 WHERE id = ?2 AND reason = ?3 AND (reason_mailed_at IS NULL) <> (?1 IS NULL) RETURNING id`,
    args: [at, id, reason],
  };
}
