import type { ExportDataset } from '../../../schema/accounts/exports/datasets.ts';
import type { Database, SqlValue } from '../../../schema/db/interface.ts';

/** One condition with its arguments; its text is always a constant of this code. */
export interface Condition {
  sql: string;
  args: SqlValue[];
}

/** The datasets whose rows are walked; the lists of organisations supply the others. */
export type WalkedDataset = Exclude<ExportDataset, 'companies' | 'buyers'>;

/** Which rows of a dataset are wanted. */
export interface KeyWalk {
  dataset: WalkedDataset;
  /** Conditions on a row, in addition to its being there. */
  conditions: Condition[];
  /** Bounds that an index can use, so that rows outside are not read. */
  bounds: Condition[];
}

/** The position in a crawl of the rows. */
export interface WalkPosition {
  at: string | number;
  id: string;
}

/** The key of a wanted row, and its position. */
export type WalkedKey = WalkPosition;

/** Text sorts after every number, and `~` after every date. */
export const WALK_START: WalkPosition = { at: '~', id: '~' };

/** What newest means. */
export const ORDERED_BY: Record<WalkedDataset, { table: string; at: string }> = {
  notices: { table: 'notice', at: 'published_at' },
  tenders: { table: 'notice', at: 'published_at' },
  contracts: { table: 'contract', at: 'sort_date' },
  frameworks: { table: 'framework', at: 'published' },
};

/** How many rows are wanted. Reads all of them at once: not for a process that answers others. */
export async function countRows(catalogue: Database, walk: KeyWalk): Promise<number> {
  const { table, where, args } = asked(walk);
  const [row] = await catalogue.read<{ count: number }>({
    sql: `SELECT count(*) AS count FROM ${table} WHERE ${where}`,
    args,
  });
  return row?.count ?? 0;
}

/** The keys of at most `rows` wanted rows after a position, newest first. Reads only as many rows as that takes. */
export function readKeys(catalogue: Database, walk: KeyWalk, after: WalkPosition, rows: number): Promise<WalkedKey[]> {
  const { table, at, where, args } = asked(walk);
  return catalogue.read<WalkedKey>({
    sql: `SELECT id, ${at} AS at FROM ${table} WHERE (${at}, id) < (?, ?) AND ${where} ORDER BY ${at} DESC, id DESC LIMIT ?`,
    args: [after.at, after.id, ...args, rows],
  });
}

function asked({ dataset, conditions, bounds }: KeyWalk) {
  const all = [...bounds, ...conditions];
  const where = ['gone = 0', ...all.map(({ sql }) => `(${sql})`)].join(' AND ');
  return { ...ORDERED_BY[dataset], where, args: all.flatMap(({ args }) => args) };
}
