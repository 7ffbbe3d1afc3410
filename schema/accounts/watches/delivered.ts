import type { Database, Statement } from '../../db/interface.ts';

/** Pairs of a watch and an item in one statement: a libSQL server refuses arguments above 4 MB and answers above 10 MB. */
const PAIRS_AT_ONCE = 20_000;

/** An item as a watch last delivered it: when, up to which `seq` of the log, and 1 where its receiver does not have it. */
export interface Delivered {
  at: string;
  seq: number;
  gone: number;
}

/** Which of some items some watches have delivered, by watch and id. */
export async function readDelivered(
  accounts: Pick<Database, 'read'>,
  watchIds: readonly string[],
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, Delivered>>> {
  const sql = `SELECT i.watch_id, i.item_id, i.at, i.seq, i.gone FROM json_each(?) w CROSS JOIN watch_item i
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

interface Windows {
  table: 'watch_delivery' | 'watch_item';
  /** Rows that one commit looks at: few enough that a debit hardly waits, and that a server is done within its 5 seconds. */
  step: number;
  /** The first statement of every batch. */
  fence: Statement;
}

/** Writes what looks at each row of a table, part by part: by rowid, above one and up to another. */
export async function writeInWindows(
  accounts: Database,
  { table, step, fence }: Windows,
  statementsFor: (after: number, upTo: number) => Statement[],
): Promise<void> {
  const ends = `SELECT min(rowid) AS first, max(rowid) AS last FROM ${table}`;
  const [{ first, last } = { first: null, last: null }] = await accounts.read<Ends>({ sql: ends });
  if (first === null || last === null) return;
  for (let after = first - 1; after < last; after += step)
    await accounts.write([fence, ...statementsFor(after, after + step)]);
}

/** The first and last row of a table; null where it is empty. */
interface Ends {
  first: number | null;
  last: number | null;
}

/** Items that are looked at in one commit. */
export const ITEMS_LOOKED_AT = 20_000;

const BRING_BACK = 'UPDATE watch_item SET seq = ?3 WHERE rowid > ?1 AND rowid <= ?2 AND seq > ?3';

/** Records items that are ahead of a `seq` as delivered up to it, as what has the later numbers by now was not delivered. */
export function bringItemsBack(accounts: Database, seq: number, fence: Statement): Promise<void> {
  const windows: Windows = { table: 'watch_item', step: ITEMS_LOOKED_AT, fence };
  return writeInWindows(accounts, windows, (after, upTo) => [{ sql: BRING_BACK, args: [after, upTo, seq] }]);
}
