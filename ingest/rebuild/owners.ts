import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import {
  CONTRACTS,
  isOwnersNews,
  LOST_COLUMNS,
  lostOwnersSql,
  OWNER_KINDS,
  ownersSql,
} from '../../schema/catalogue/changes/owners.ts';
import type { Database, SqlValue, Statement } from '../../schema/db/interface.ts';

const CHUNK_ROWS = 5_000;

/** The `seq` before the first batch of a new generation, and the `seq` for touched rows, as SQL. */
interface Numbers {
  first: number;
  seq: string;
}

/**
 * Does for a new generation what a trigger does later. A buyer or supplier whose row is unchanged gets a new `seq`, and so
 * a log entry, if its contracts changed. Reads the contracts that differ from the live generation's, in chunks.
 */
export async function touchOwners(target: Database, numbers: Numbers, signal?: AbortSignal): Promise<void> {
  const sql = `SELECT max(seq) AS last FROM (SELECT seq FROM main.contract WHERE seq > ? ORDER BY seq LIMIT ${CHUNK_ROWS})`;
  for (let after = numbers.first; ; ) {
    signal?.throwIfAborted();
    const [row] = await target.read<{ last: number | null }>({ sql, args: [after] });
    if (!row?.last) return;
    await target.write(ownerStatements('n.seq > ? AND n.seq <= ?', [after, row.last], numbers));
    after = row.last;
    await yieldToEventLoop();
  }
}

/** The same for some contracts `n`. @param chosen - a condition on them, whose arguments are `args` */
export function ownerStatements(chosen: string, args: readonly SqlValue[], { first, seq }: Numbers): Statement[] {
  const rows = { old: 'o', now: 'n' };
  const from = 'main.contract n CROSS JOIN live.contract o ON o.id = n.id CROSS JOIN';
  const differ = `${chosen} AND +n.seq > ? AND ${isOwnersNews(rows)}`;
  return OWNER_KINDS.flatMap((kind) => [
    {
      sql: `INSERT OR IGNORE INTO main.lost_contract (${LOST_COLUMNS}) ${lostOwnersSql(kind, rows, from)} AND ${differ}`,
      args: [...args, first],
    },
    {
      sql: `UPDATE main.${kind} SET seq = ${seq} WHERE gone = 0 AND seq <= ? AND id IN (${ownersSql(kind, rows, from)} WHERE ${differ})`,
      args: [first, ...args, first],
    },
  ]);
}

/** For rows that had an entry in the new generation and then became as before: their contracts still differ. */
export function touchAgainStatements({ first, seq }: Numbers): Statement[] {
  return OWNER_KINDS.map((kind) => ({
    sql: `UPDATE main.${kind} SET seq = ${seq} WHERE gone = 0 AND seq <= ?
      AND id IN (SELECT id FROM main.change WHERE kind = '${kind}' AND seq > ? AND change = 'updated')`,
    args: [first, first],
  }));
}

/** Names contracts as the changed field in entries that name no other. */
export function nameContractsStatement(first: number): Statement {
  const kinds = OWNER_KINDS.map((kind) => `'${kind}'`).join(', ');
  return {
    sql: `UPDATE main.change SET changed = '${CONTRACTS}'
      WHERE kind IN (${kinds}) AND seq > ? AND change = 'updated' AND changed = ''`,
    args: [first],
  };
}
