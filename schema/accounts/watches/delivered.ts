import type { Database, Statement } from '../../db/interface.ts';

/** Pairs of a watch and an item in one statement: a libSQL server refuses arguments above 4 MB and answers above 10 MB. */
export const PAIRS_AT_ONCE = 20_000;

/** An item as a watch last delivered it: up to which `seq` of the log, and 1 where its receiver does not have it. */
export interface Delivered {
  seq: number;
  gone: number;
}

/** Which of some items some watches have delivered, by watch and id. */
export async function readDelivered(
  accounts: Pick<Database, 'read'>,
  watchIds: readonly string[],
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, Delivered>>> {
  const sql = `SELECT i.watch_id, i.item_id, i.seq, i.gone FROM json_each(?) w CROSS JOIN watch_item i
    ON i.watch_id = w.value AND i.item_id IN (SELECT value FROM json_each(?))`;
  const delivered = new Map(watchIds.map((id) => [id, new Map<string, Delivered>()]));
  const items = JSON.stringify(itemIds);
  const size = Math.ceil(PAIRS_AT_ONCE / Math.max(1, itemIds.length));
  for (let at = 0; at < watchIds.length; at += size) {
    const args = [JSON.stringify(watchIds.slice(at, at + size)), items];
    const rows = await accounts.read<Delivered & { watch_id: string; item_id: string }>({ sql, args });
    for (const { watch_id: id, item_id: item, ...one } of rows) delivered.get(id)?.set(item, one);
  }
  return delivered;
}

/** A row that a watch advances over without an item, and the `seq` of the state in which it did not match. */
export interface PassedRow {
  id: string;
  seq: number;
}

const PASSED = `
  INSERT INTO watch_item (watch_id, item_id, at, seq, gone) SELECT ?1, value ->> 'id', ?2, value ->> 'seq', 1 FROM json_each(?3)
  WHERE EXISTS (SELECT 1 FROM watch WHERE id = ?1 AND position = ?4 AND position_id = ?5)
  ON CONFLICT DO UPDATE SET at = excluded.at, seq = excluded.seq`;

/** After a watch has advanced to a position: the later changes of rows that it passed are not judged again. */
export function passedStatements(
  watchId: string,
  passed: readonly PassedRow[],
  { to, at }: { to: { seq: number; id: string }; at: string },
): Statement[] {
  return passed.length === 0 ? [] : [{ sql: PASSED, args: [watchId, at, JSON.stringify(passed), to.seq, to.id] }];
}
