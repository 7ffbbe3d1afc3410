import type { Database } from '../../db/interface.ts';

/** Pairs of a watch and an item in one statement: a libSQL server refuses arguments above 4 MB and answers above 10 MB. */
export const PAIRS_AT_ONCE = 20_000;

/** Which of some items some watches have delivered, by watch. */
export async function readDelivered(
  accounts: Pick<Database, 'read'>,
  watchIds: readonly string[],
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const sql = `SELECT i.watch_id, i.item_id FROM json_each(?) w CROSS JOIN watch_item i
    ON i.watch_id = w.value AND i.item_id IN (SELECT value FROM json_each(?))`;
  const delivered = new Map(watchIds.map((id) => [id, new Set<string>()]));
  const items = JSON.stringify(itemIds);
  const size = Math.ceil(PAIRS_AT_ONCE / Math.max(1, itemIds.length));
  for (let at = 0; at < watchIds.length; at += size) {
    const args = [JSON.stringify(watchIds.slice(at, at + size)), items];
    const rows = await accounts.read<{ watch_id: string; item_id: string }>({ sql, args });
    for (const { watch_id: id, item_id: item } of rows) delivered.get(id)?.add(item);
  }
  return delivered;
}
