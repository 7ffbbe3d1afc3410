import { isoInstant } from '../../config/clocks.ts';
import type { Database } from '../../db/interface.ts';
import type { ChangeKind } from './kinds.ts';
import {
  type ChangePosition,
  comparePositions,
  type FilterView,
  type ReadOptions,
  type RowColumns,
  startOf,
  viewSql,
} from './read.ts';

/** A row as it is now, at the position of its own `seq`. */
export interface StoredRow extends ChangePosition {
  kind: ChangeKind;
  gone: number;
  /** The values that filters read. */
  view: FilterView;
  /** When it became visible, ISO 8601 UTC; null before the log began. */
  at: string | null;
  /** Its values under the names of `ReadOptions.of`, and others. */
  row?: unknown;
}

/** Consecutive rows by `seq`. */
interface StoredStretch {
  /** Rows that may be wanted. With a condition for their kind, removed ones are left out. */
  rows: StoredRow[];
  /** The last row of the stretch, wanted or not; absent where there is none. */
  last: ChangePosition | undefined;
  /** How many rows it has. */
  length: number;
}

const AFTER = 'WHERE (n.seq, n.id) > (?, ?)';
const rowsSql = (kind: ChangeKind, view: string, wanted: string, of: RowColumns | undefined) =>
  `SELECT n.seq, n.id, n.gone, ${view} AS view,
    (SELECT at FROM change_instant WHERE seq >= n.seq AND EXISTS (SELECT 1 FROM change_instant WHERE seq <= n.seq)
      ORDER BY seq LIMIT 1) AS at ${of ? `, ${of.columns}` : ''}
  FROM ${kind} n ${of?.join ?? ''} ${AFTER} AND (n.seq, n.id) <= (?, ?) ${wanted} ORDER BY n.seq, n.id`;

/**
 * The next rows after a position, by their own `seq` and in the order of the log. Used where no log says how they changed.
 * @throws DatabaseAway where a server does not answer
 */
export async function readStoredStretch(
  catalogue: Database,
  options: Required<Omit<ReadOptions, 'ids'>>,
): Promise<StoredStretch> {
  const { after, upTo, kinds, limit, wanted, views, of } = options;
  const ends = kinds.map((kind) =>
    catalogue.read<ChangePosition & { kind: ChangeKind }>({
      sql: `SELECT '${kind}' AS kind, n.seq, n.id FROM ${kind} n ${AFTER} AND n.seq <= ? ORDER BY n.seq, n.id LIMIT ?`,
      args: [...startOf(after, kind), upTo, limit],
    }),
  );
  const found = (await Promise.all(ends)).flat().sort(comparePositions).slice(0, limit);
  const lasts = new Map(found.map((row) => [row.kind, row]));
  const read = [...lasts].map(async ([kind, last]) => {
    const condition = wanted[kind];
    const rows = await catalogue.read<Omit<StoredRow, 'kind' | 'view' | 'at'> & { view: string; at: number | null }>({
      sql: rowsSql(kind, viewSql(kind, views), condition ? `AND n.gone = 0 AND (${condition.ofRow})` : '', of[kind]),
      args: [...startOf(after, kind), last.seq, last.id, ...(condition?.args ?? [])],
    });
    return rows.map((row): StoredRow => {
      const { seq, id, gone, view, at } = row;
      const instant = at === null ? null : isoInstant(new Date(at * 1_000));
      const entry = { kind, seq, id, gone, view: JSON.parse(view) as FilterView, at: instant };
      return of[kind] ? { ...entry, row } : entry;
    });
  });
  const rows = (await Promise.all(read)).flat().sort(comparePositions);
  return { rows, last: found.at(-1), length: found.length };
}
