import type { ExportDataset } from '../../../schema/accounts/exports/datasets.ts';
import type { Database, SqlValue } from '../../../schema/db/interface.ts';

/** An SQL condition with its arguments. Its text is always a constant of this code. */
export interface Condition {
  sql: string;
  args: SqlValue[];
}

/** The datasets that are read from rows. The lists of organisations supply the others. */
export type RowDataset = Exclude<ExportDataset, 'companies' | 'buyers'>;

/** Which rows of a dataset are wanted. */
export interface KeyQuery {
  dataset: RowDataset;
  /** Conditions on a row, besides that it is not gone. */
  conditions: Condition[];
  /** Bounds that an index can use, so that rows outside are not read. */
  bounds: Condition[];
}

/** The id of a row and its position in the order, for keyset pagination. */
export interface RowKey {
  at: string | number;
  id: string;
}

/** Before the newest row: text sorts after every number, and `~` after every date. */
export const KEYSET_START: RowKey = { at: '~', id: '~' };

/** The table of each dataset, and the column by which it is ordered. */
export const ORDERED_BY: Record<RowDataset, { table: string; at: string }> = {
  notices: { table: 'notice', at: 'published_at' },
  tenders: { table: 'notice', at: 'published_at' },
  contracts: { table: 'contract', at: 'sort_date' },
  frameworks: { table: 'framework', at: 'published' },
};

/** The number of wanted rows. Reads all of them at once, so it is not for a process that serves calls. */
export async function countRows(catalogue: Database, query: KeyQuery): Promise<number> {
  const { table, where, args } = sqlOf(query);
  const [row] = await catalogue.read<{ count: number }>({
    sql: `SELECT count(*) AS count FROM ${table} WHERE ${where}`,
    args,
  });
  return row?.count ?? 0;
}

/** The keys of at most `rows` wanted rows after a position, newest first. Reads only as many rows as that takes. */
export function readKeys(catalogue: Database, query: KeyQuery, after: RowKey, rows: number): Promise<RowKey[]> {
  const { table, at, where, args } = sqlOf(query);
  return catalogue.read<RowKey>({
    sql: `SELECT id, ${at} AS at FROM ${table} WHERE (${at}, id) < (?, ?) AND ${where} ORDER BY ${at} DESC, id DESC LIMIT ?`,
    args: [after.at, after.id, ...args, rows],
  });
}

function sqlOf({ dataset, conditions, bounds }: KeyQuery) {
  const all = [...bounds, ...conditions];
  const where = ['gone = 0', ...all.map(({ sql }) => `(${sql})`)].join(' AND ');
  return { ...ORDERED_BY[dataset], where, args: all.flatMap(({ args }) => args) };
}
