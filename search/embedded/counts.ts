import type { Database, SqlValue } from '../../schema/database.ts';
import { READ_CURSOR } from './tables.ts';

/** `total` is exact up to here; nothing is counted further. */
export const COUNT_MAX = 10_000;

/** Counts are a few hundred bytes each. */
const REMEMBERED_MAX = 5_000;

/** How many documents there are, counted no further than `COUNT_MAX` and one, and between which keys they lie. */
export interface Counted {
  count: number;
  newest: number;
  oldest: number;
}

const REMEMBERED = new WeakMap<Database, { cursor: string; counts: Map<string, Counted> }>();

/** Forgets what was counted before the index last changed. Asked once per query: every batch moves the cursor. */
export async function refreshCounts(index: Database): Promise<void> {
  const [row] = await index.read<{ value: string }>({ sql: READ_CURSOR });
  const cursor = row?.value ?? '';
  if (REMEMBERED.get(index)?.cursor !== cursor) REMEMBERED.set(index, { cursor, counts: new Map() });
}

/**
 * Counts the newest documents of `from` and `where`. The same words and filters come again and again, and every page of
 * a query counts them: what was counted is remembered.
 */
export async function countNewest(index: Database, from: string, where: string, args: SqlValue[]): Promise<Counted> {
  const counts = REMEMBERED.get(index)?.counts;
  const name = JSON.stringify([from, where, args]);
  const known = counts?.get(name);
  if (known) return known;
  const sql = `SELECT count(*) AS count, coalesce(max(key), 0) AS newest, coalesce(min(key), 0) AS oldest
    FROM (SELECT entry.rowid AS key ${from} ${where} ORDER BY entry.rowid DESC LIMIT ${COUNT_MAX + 1})`;
  const [counted = { count: 0, newest: 0, oldest: 0 }] = await index.read<Counted>({ sql, args });
  if (counts && counts.size >= REMEMBERED_MAX) counts.clear();
  counts?.set(name, counted);
  return counted;
}
