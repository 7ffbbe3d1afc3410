import { DAY_MS } from '../../config/clocks.ts';
import type { Database, SqlValue, Statement } from '../../db/interface.ts';
import { sha256 } from '../../text/json-values.ts';
import { CHANGE_KINDS } from './kinds.ts';
import { OWNER_KINDS } from './owners.ts';

/** How long entries are kept. */
export const CHANGE_DAYS = 90;
/** Few enough that ingest, waiting for its turn, does not notice. */
const ENTRIES_A_BATCH = 5_000;

const LAST_OLD = `SELECT max(seq) AS seq FROM change_instant WHERE seq < coalesce(
  (SELECT min(seq) FROM change_instant WHERE at >= ?), (SELECT value FROM counter WHERE name = 'seq') + 1)`;
const MOVE_FROM = "UPDATE counter SET value = ? WHERE name = 'changes_from' AND value < ?";
const REMOVE_LOST = 'DELETE FROM lost_contract WHERE seq <= ?';
const REMOVE = `DELETE FROM change WHERE rowid IN
  (SELECT rowid FROM change WHERE kind = ? AND seq <= ? ORDER BY seq, id LIMIT ${ENTRIES_A_BATCH})`;

/**
 * Removes entries that are older than `CHANGE_DAYS`. The recorded beginning of the log is moved first, so that no reader takes
 * a part for the whole. Returns how many it removed.
 * @param before first in every batch: the lease's fence
 */
export async function removeOldChanges(
  catalogue: Database,
  now: Date,
  before: readonly Statement[] = [],
): Promise<number> {
  const oldest = Math.floor((now.getTime() - CHANGE_DAYS * DAY_MS) / 1_000);
  const [row] = await catalogue.read<{ seq: number | null }>({ sql: LAST_OLD, args: [oldest] });
  const last = row?.seq ?? null;
  if (last === null) return 0;
  const args: SqlValue[] = [last, last];
  await catalogue.write([...before, { sql: MOVE_FROM, args }, { sql: REMOVE_LOST, args: [last] }]);
  let removed = 0;
  for (const kind of CHANGE_KINDS) {
    for (let count = ENTRIES_A_BATCH; count === ENTRIES_A_BATCH; ) {
      const [outcome] = (await catalogue.write([...before, { sql: REMOVE, args: [kind, last] }])).slice(-1);
      count = outcome?.changes ?? 0;
      removed += count;
    }
  }
  return removed;
}

const PROCESS_OF = { notice: 'process_id', contract: 'process_id', framework: 'id', process: 'id' };
/**
 * SQL: whether a row is of some ocids. It is found by its process: notices and frameworks have no index by ocid, so all of them
 * would be read.
 */
export const isOfOcids = (table: keyof typeof PROCESS_OF) =>
  `${PROCESS_OF[table]} IN (SELECT id FROM process WHERE ocid IN (SELECT value FROM json_each(?)))`;

/** Rows that are gone are emptied: they no longer contain what filters read. */
const FORGET = (['notice', 'contract', 'framework'] as const).flatMap((kind) => [
  `UPDATE change SET former = 'null' WHERE former IS NOT NULL AND kind = '${kind}'
  AND id IN (SELECT id FROM ${kind} WHERE ${isOfOcids(kind)})`,
  `UPDATE change SET former = 'null' WHERE kind = '${kind}'
  AND (seq, id) IN (SELECT seq, id FROM ${kind} WHERE gone = 1 AND ${isOfOcids(kind)})`,
]);

/**
 * Removes from the change log what filters read of the rows of these ocids, as ids of buyers and suppliers may spell a name.
 * The log then has it as unknown.
 */
export function forgetFormerStatements(ocids: readonly string[]): Statement[] {
  return FORGET.map((sql) => ({ sql, args: [JSON.stringify(ocids)] }));
}

/** Ids that spell a name, of rows that no longer exist. */
const REMOVED = `SELECT DISTINCT kind, id FROM change WHERE kind = ? AND id GLOB 'name-*'
  AND NOT EXISTS (SELECT 1 FROM buyer WHERE change.kind = 'buyer' AND buyer.id = change.id)
  AND NOT EXISTS (SELECT 1 FROM company WHERE change.kind = 'company' AND company.id = change.id)`;
const HIDE = `UPDATE OR REPLACE change SET id = removed.value ->> 2, former = iif(change.former IS NULL, NULL, 'null')
  FROM json_each(?) AS removed WHERE change.kind = removed.value ->> 0 AND change.id = removed.value ->> 1`;

/** The id in the log of a removed row whose own id was taken down. Those who have the row know it by this digest. */
export function hiddenId(id: string): string {
  return `sha256:${sha256(id)}`;
}

/** Whether an id spelled a name and was removed with its row by a takedown, as the log of `CHANGE_DAYS` tells. */
export async function readRemovedIds(catalogue: Database): Promise<(id: string) => boolean> {
  const sql = `SELECT DISTINCT id FROM change WHERE kind IN ('buyer', 'company') AND id GLOB 'sha256:*'`;
  const removed = new Set((await catalogue.read<{ id: string }>({ sql })).map(({ id }) => id));
  return (id) => removed.has(hiddenId(id));
}

/** Nothing is left to match them by, so every reader learns that they went. */
const forgetLostSql = (kind: string) => `DELETE FROM lost_contract WHERE kind = '${kind}' AND owner_id GLOB 'name-*'
  AND NOT EXISTS (SELECT 1 FROM ${kind} WHERE id = owner_id)`;

/** Removes from the change log ids that went with their rows, as they spell a name. */
export async function hideRemovedIds(catalogue: Database, before: readonly Statement[]): Promise<void> {
  for (const kind of OWNER_KINDS) {
    const removed = await catalogue.read<{ id: string }>({ sql: REMOVED, args: [kind] });
    const hidden = removed.map(({ id }) => [kind, id, hiddenId(id)]);
    const hide = hidden.length > 0 ? [{ sql: HIDE, args: [JSON.stringify(hidden)] }] : [];
    await catalogue.write([...before, ...hide, { sql: forgetLostSql(kind) }]);
  }
}
