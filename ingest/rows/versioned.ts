import type { SqlValue, Statement } from '../../schema/db/interface.ts';
import { sha256 } from '../../schema/text/digest.ts';

/** Tables whose rows search drains. */
export const VERSIONED_TABLES = ['process', 'notice', 'contract', 'framework', 'company', 'buyer'] as const;
export type VersionedTable = (typeof VERSIONED_TABLES)[number];

/** A row to store, without digest, seq and gone. */
export interface Row {
  table: VersionedTable;
  id: string;
  columns: Record<string, SqlValue>;
}

export interface StoredRow {
  digest: string;
  gone: number;
}

/** The number that this batch's changed rows bear; `bumpSeq` comes before them. */
const SEQ = "(SELECT value FROM counter WHERE name = 'seq')";
export const bumpSeq: Statement = { sql: "UPDATE counter SET value = value + 1 WHERE name = 'seq'" };

function digestOfRow(row: Row): string {
  return sha256(JSON.stringify(row.columns));
}

const UPSERTS = new Map<string, string>();

function upsertSql(table: VersionedTable, names: readonly string[]): string {
  const key = `${table} ${names.join(',')}`;
  const known = UPSERTS.get(key);
  if (known) return known;
  const columns = ['id', ...names, 'digest'];
  const sql = `INSERT INTO ${table} (${columns.join(', ')}, seq, gone)
VALUES (${columns.map(() => '?').join(', ')}, ${SEQ}, 0)
ON CONFLICT (id) DO UPDATE SET ${[...columns.slice(1), 'seq', 'gone'].map((name) => `${name} = excluded.${name}`).join(', ')}`;
  UPSERTS.set(key, sql);
  return sql;
}

/** The statement that stores a row, or null where the held one says the same. */
export function storeRow(row: Row, held: StoredRow | undefined): Statement | null {
  const digest = digestOfRow(row);
  if (held && held.digest === digest && held.gone === 0) return null;
  const names = Object.keys(row.columns);
  const args = [row.id, ...names.map((name) => row.columns[name] ?? null), digest];
  return { sql: upsertSql(row.table, names), args };
}

/** The statement that marks a row as gone, so that search removes it. */
export function loseRow(table: VersionedTable, id: string): Statement {
  return { sql: `UPDATE ${table} SET gone = 1, seq = ${SEQ} WHERE id = ? AND gone = 0`, args: [id] };
}
