import type { Database, SqlValue } from '../../../schema/db/interface.ts';
import { WEIGHED_MAX } from '../layout/tables.ts';
import { type Counted, rememberedOf } from './query-cache.ts';

/** `total` is exact up to here; nothing is counted further. */
export const COUNT_MAX = 10_000;

/** Whose words and filters: `FROM …` and `WHERE …` with their arguments. */
export interface Asked {
  from: string;
  where: string;
  args: SqlValue[];
}

/** Counts the newest documents that hold an expression of the index. */
export async function countHolding(index: Database, expression: string): Promise<number> {
  return (await countNewest(index, { from: 'FROM entry', where: 'WHERE entry MATCH ?', args: [expression] })).count;
}

/** Counts the newest documents of what is asked, with their keys where they are few: finding them again would cost as much. */
export async function countNewest(index: Database, asked: Asked): Promise<Counted> {
  return count(index, asked, 'DESC');
}

/**
 * The same from the oldest on, which the index reads in four fifths of the time. Where there are more than are counted,
 * `newest` is of these.
 */
export async function countWhole(index: Database, asked: Asked): Promise<Counted> {
  return count(index, asked, 'ASC');
}

async function count(index: Database, { from, where, args }: Asked, order: 'ASC' | 'DESC'): Promise<Counted> {
  const { counts, common } = rememberedOf(index);
  const name = JSON.stringify([order, from, where, args]);
  const known = counts.get(name) ?? common.get(name);
  if (known) return known;
  const sql = `SELECT count(*) AS count, coalesce(max(key), 0) AS newest, coalesce(min(key), 0) AS oldest,
      CASE WHEN count(*) <= ${WEIGHED_MAX} THEN json_group_array(key) END AS keys
    FROM (SELECT entry.rowid AS key ${from} ${where} ORDER BY entry.rowid ${order} LIMIT ${COUNT_MAX + 1})`;
  const [row] = await index.read<Omit<Counted, 'keys'> & { keys: string | null }>({ sql, args });
  const counted = row ? { ...row, keys: newestFirst(row.keys) } : { count: 0, newest: 0, oldest: 0, keys: [] };
  // What very many documents hold, very many hold after the next change too.
  const isCommon = args.length === 1 && counted.count > COUNT_MAX;
  (isCommon ? common : counts).set(name, counted);
  return counted;
}

function newestFirst(keys: string | null): number[] | null {
  return keys === null ? null : (JSON.parse(keys) as number[]).sort((a, b) => b - a);
}
