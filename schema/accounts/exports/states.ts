import type { Database, Statement } from '../../db/interface.ts';
import { chargeKey } from '../ledger/transfers.ts';
import type { exportJob } from '../tables/exports.ts';
import type { ExportDataset, ExportFormat } from './datasets.ts';

export type ExportRow = typeof exportJob.$inferSelect;

/** An export that is being assembled. It is not visible, written or paid for until its charge is made. */
export interface StagedExport {
  id: string;
  accountId: string;
  dataset: ExportDataset;
  format: ExportFormat;
  /** Whether a CSV file begins with a byte order mark. */
  excel?: boolean;
  /** The effective filters. */
  filters: Record<string, unknown>;
  rows: number;
  matched: number;
  /** ISO 8601 instant, UTC. */
  at: string;
}

/**
 * Begins an export before it is paid for, with the status `staged`. The charge changes that to `processing`. An unpaid export is
 * dropped at once, or by upkeep where the process died.
 */
export function stageStatement({
  id,
  accountId,
  dataset,
  format,
  excel = false,
  filters,
  rows,
  matched,
  at,
}: StagedExport): Statement {
  return {
    sql: `INSERT INTO export (id, account_id, dataset, format, excel, filters, status, rows, matched, credits_charged, charge_id, created_at)
          VALUES (?, ?, ?, ?, ?, ?, 'staged', ?, ?, 0, '', ?)`,
    args: [id, accountId, dataset, format, excel ? 1 : 0, JSON.stringify(filters), rows, matched, at],
  };
}

/** Keys that one statement drops: few enough that other writers can write in between. */
const KEYS_A_STATEMENT = 1_000;

/** Freezes row keys of a staged export from a position on, in steps, so that other writers can write in between. */
export function stageKeysStatement(exportId: string, position: number, keys: readonly string[]): Statement {
  const sql = 'INSERT INTO export_row (export_id, position, row_key) SELECT ?, ? + key, value FROM json_each(?)';
  return { sql, args: [exportId, position, JSON.stringify(keys)] };
}

/** Batches that drop a staged export with its `rows` keys, to be written one after another. They leave a paid export. */
export function abandonBatches(exportId: string, rows: number): Statement[][] {
  const staged = "SELECT id FROM export WHERE id = ? AND status = 'staged'";
  const keys = `DELETE FROM export_row WHERE export_id IN (${staged}) AND position >= ? AND position < ?`;
  const batches: Statement[][] = [];
  for (let from = 0; from < rows; from += KEYS_A_STATEMENT)
    batches.push([{ sql: keys, args: [exportId, from, from + KEYS_A_STATEMENT] }]);
  return [...batches, [{ sql: `DELETE FROM export WHERE id IN (${staged})`, args: [exportId] }]];
}

/** The first key of the export in a statement. The keys of a staged one are dropped from the first on. */
const FIRST_KEY = 'SELECT 1 FROM export_row WHERE export_id = export.id AND position = 0';

/**
 * Starts the writing of a staged export, in the batch of its charge and only if the charge is in the ledger. The second
 * statement refuses the whole batch if the charge exists but the export does not, so that nobody pays for nothing.
 */
export function startStatements(exportId: string, charge: { chargeId: string; creditsCharged: number }): Statement[] {
  const key = chargeKey(charge.chargeId);
  return [
    {
      sql: `UPDATE export SET status = 'processing', charge_id = ?, credits_charged = ?
            WHERE id = ? AND status = 'staged' AND EXISTS (SELECT 1 FROM transfer WHERE key = ?) AND EXISTS (${FIRST_KEY})`,
      args: [charge.chargeId, charge.creditsCharged, exportId, key],
    },
    {
      sql: `INSERT INTO fence (ok) SELECT EXISTS (SELECT 1 FROM export WHERE id = ? AND charge_id = ?)
            WHERE EXISTS (SELECT 1 FROM transfer WHERE key = ?)`,
      args: [exportId, charge.chargeId, key],
    },
  ];
}

/**
 * Queues a finished export to be written again from its keys, as of an instant (ISO 8601, UTC): nobody can download it until
 * then. It names its old file until the new one exists, so that a killed process leaves a record of what to remove.
 */
export function requeueStatement(exportId: string, at: string): Statement {
  return {
    sql: `UPDATE export SET status = 'processing', requeued_at = ?, bytes = NULL, sha256 = NULL
          WHERE id = ? AND status = 'completed'`,
    args: [at, exportId],
  };
}

/**
 * Queues a finished export whose file was lost to be written again from its keys, as of an instant (ISO 8601, UTC). It no longer
 * names a file, which distinguishes it from an export that a takedown affects.
 */
export function rewriteStatement({ id, file }: { id: string; file: string }, at: string): Statement {
  return {
    sql: `UPDATE export SET status = 'processing', requeued_at = ?, file = NULL, bytes = NULL, sha256 = NULL
          WHERE id = ? AND status = 'completed' AND file = ? AND EXISTS (SELECT 1 FROM export_row WHERE export_id = export.id)`,
    args: [at, id, file],
  };
}

/** Drops exports that were staged before an instant (ISO 8601, UTC) and never paid for, once all of their keys are dropped. */
export function dropStagedStatement(before: string): Statement {
  return {
    sql: `DELETE FROM export WHERE status = 'staged' AND created_at < ?
          AND NOT EXISTS (SELECT 1 FROM export_row WHERE export_id = export.id)`,
    args: [before],
  };
}

/** An export by its id; undefined where there is none, or it was never paid for. */
export async function readExport(accounts: Database, id: string): Promise<ExportRow | undefined> {
  const [row] = await accounts.read<ExportRow>({
    sql: "SELECT * FROM export WHERE id = ? AND status <> 'staged'",
    args: [id],
  });
  return row;
}

/** Frozen row keys after a position, in order, as a JSON list, and the position of the last one; null where there are none. */
const KEYS = `SELECT max(position) AS last, json_group_array(row_key) AS keys FROM (
  SELECT position, row_key FROM export_row WHERE export_id = ? AND position > ? ORDER BY position LIMIT ?)`;

/** An account's export by its id, or by the id of the charge that paid for it; undefined where it has none. */
export async function readOwnExport(accounts: Database, accountId: string, id: string): Promise<ExportRow | undefined> {
  if (!id.startsWith('ch_')) {
    const row = await readExport(accounts, id);
    return row?.account_id === accountId ? row : undefined;
  }
  const [row] = await accounts.read<ExportRow>({
    sql: 'SELECT * FROM export WHERE account_id = ? AND charge_id = ?',
    args: [accountId, id],
  });
  return row;
}

/** An account's newest exports. */
export function readNewestExports(accounts: Database, accountId: string, most: number): Promise<ExportRow[]> {
  return accounts.read<ExportRow>({
    sql: "SELECT * FROM export WHERE account_id = ? AND status <> 'staged' ORDER BY created_at DESC LIMIT ?",
    args: [accountId, most],
  });
}

/** A page of at most `rows` frozen row keys, as a JSON list; undefined after the last one. */
export async function readFrozenKeys(
  accounts: Database,
  { exportId, after, rows }: { exportId: string; after: number; rows: number },
): Promise<{ keys: string; last: number } | undefined> {
  const [page] = await accounts.read<{ keys: string; last: number | null }>({
    sql: KEYS,
    args: [exportId, after, rows],
  });
  return page && page.last !== null ? { keys: page.keys, last: page.last } : undefined;
}

/** A page of an account's exports, newest first, without those that were never paid for. `before` is where the previous page ended. */
export function readExports(
  accounts: Database,
  accountId: string,
  { limit, before }: { limit: number; before?: { at: string; id: string } | undefined },
): Promise<ExportRow[]> {
  return accounts.read<ExportRow>({
    sql: `SELECT * FROM export WHERE account_id = ? AND (created_at, id) < (?, ?) AND status <> 'staged'
          ORDER BY created_at DESC, id DESC LIMIT ?`,
    args: [accountId, before?.at ?? '9999', before?.id ?? '', limit],
  });
}
