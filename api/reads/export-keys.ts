import type { Database, SqlValue } from '../../schema/database.ts';
import type { ExportDataset } from '../../schema/exports.ts';

/** One condition with its arguments; the text is a constant of this house. */
export interface Condition {
  sql: string;
  args: SqlValue[];
}

/** Which rows of a dataset are wanted. */
export interface KeyWalk {
  dataset: ExportDataset;
  /** What a row must fulfil, beyond being held. */
  conditions: Condition[];
  /** Bounds that an index can use, so that rows outside need not be looked at. */
  bounds: Condition[];
}

/** A row that was looked at. */
export interface WalkedRow {
  id: string;
  at: string | number;
  /** 1 where it fulfils every condition. */
  hit: number;
}

/** Where a walk stands. */
export interface WalkPosition {
  at: string | number;
  id: string;
}

/** Text sorts after every number, and `~` after every date. */
export const WALK_START: WalkPosition = { at: '~', id: '~' };

/** What newest means; companies and buyers have no date of their own, so there it is what changed last. */
const ORDERED_BY: Record<ExportDataset, { table: string; at: string }> = {
  notices: { table: 'notice', at: 'published_at' },
  tenders: { table: 'notice', at: 'published_at' },
  contracts: { table: 'contract', at: 'sort_date' },
  companies: { table: 'company', at: 'seq' },
  buyers: { table: 'buyer', at: 'seq' },
  frameworks: { table: 'framework', at: 'published' },
};

/**
 * The next rows of a dataset, newest first, each with whether it is wanted. A step looks at `rows` rows however few of
 * them are, so that no step is long and the event loop gets its turn in between.
 */
export function readWalkStep(
  catalogue: Database,
  { dataset, conditions, bounds }: KeyWalk,
  after: WalkPosition,
  rows: number,
): Promise<WalkedRow[]> {
  const { table, at } = ORDERED_BY[dataset];
  const hit = ['gone = 0', ...conditions.map(({ sql }) => `(${sql})`)].join(' AND ');
  const within = [`(${at}, id) < (?, ?)`, ...bounds.map(({ sql }) => sql)].join(' AND ');
  return catalogue.read<WalkedRow>({
    sql: `SELECT id, ${at} AS at, coalesce(${hit}, 0) AS hit FROM ${table} WHERE ${within} ORDER BY ${at} DESC, id DESC LIMIT ?`,
    args: [...conditions.flatMap(({ args }) => args), after.at, after.id, ...bounds.flatMap(({ args }) => args), rows],
  });
}
