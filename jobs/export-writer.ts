import { setImmediate as nextTurn } from 'node:timers/promises';
import { isoInstant } from '../schema/clocks.ts';
import type { Statement } from '../schema/database.ts';
import { readFrozenKeys } from '../schema/export-states.ts';
import type { WrittenFile } from '../schema/export-storage.ts';
import {
  EXPORT_COLUMNS,
  type ExportCells,
  type ExportDataset,
  type ExportFormat,
  readExportRows,
} from '../schema/exports.ts';
import { refundStatement } from '../schema/ledger.ts';
import { ENCODERS } from './export-format.ts';
import type { JobsHouse } from './house.ts';
import type { Holding } from './lease.ts';

interface WaitingExport {
  id: string;
  dataset: ExportDataset;
  format: ExportFormat;
  rows: number;
  credits_charged: number;
  charge_id: string;
}

/** Rows held in memory at once. */
const PAGE_ROWS = 500;
const DAY_MS = 86_400_000;

const NEXT = `SELECT id, dataset, format, rows, credits_charged, charge_id FROM export
  WHERE status = 'processing' ORDER BY created_at, id LIMIT 1`;

/**
 * Writes the exports that are paid for, oldest first, each whole or not at all; answers how many were ended.
 * One that was being written when its process was killed is written anew: its charge was made when its keys were frozen.
 */
export async function writeWaitingExports(house: JobsHouse, { fence, signal }: Holding): Promise<number> {
  for (let ended = 0; ; ended++) {
    signal.throwIfAborted();
    const [job] = await house.accounts.read<WaitingExport>({ sql: NEXT });
    if (!job) return ended;
    await house.accounts.write([fence, ...(await endExport(house, job, signal))]);
  }
}

/** Writes one export and answers the statements that record how it ended. @throws when told to stop. */
async function endExport(house: JobsHouse, job: WaitingExport, signal: AbortSignal): Promise<Statement[]> {
  const log = house.log.child({ export: job.id });
  try {
    const count = { written: 0 };
    const pieces = ENCODERS[job.format](EXPORT_COLUMNS[job.dataset], readPages(house, job, count, signal));
    const written = await house.exports.write({ stem: job.id, extension: job.format }, pieces);
    log.info({ rows: count.written, bytes: written.bytes }, 'export written');
    return completedStatements(house, job, written, count.written);
  } catch (error) {
    if (signal.aborted) throw error;
    log.error({ err: error }, 'export failed; refunded');
    return failedStatements(house, job);
  }
}

async function* readPages(
  { catalogue, accounts }: JobsHouse,
  { id: exportId, dataset }: WaitingExport,
  count: { written: number },
  signal: AbortSignal,
): AsyncGenerator<ExportCells[]> {
  for (let after = -1; ; ) {
    signal.throwIfAborted();
    const page = await readFrozenKeys(accounts, { exportId, after, rows: PAGE_ROWS });
    if (!page) return;
    after = page.last;
    const rows = await readExportRows(catalogue, dataset, page.keys);
    count.written += rows.length;
    yield rows;
    // Local reads are synchronous: the heartbeat and the other jobs get their turn between pages.
    await nextTurn();
  }
}

function completedStatements(
  { clocks, settings }: JobsHouse,
  job: WaitingExport,
  { file, bytes, sha256 }: WrittenFile,
  written: number,
): Statement[] {
  const now = clocks.wallNow();
  const at = isoInstant(now);
  const expiresAt = isoInstant(new Date(now.getTime() + settings.EXPORT_DAYS * DAY_MS));
  const vanished = job.rows - written;
  const credits = proRataRefund(job, vanished);
  const note = vanished > 0 ? `${vanished} of ${job.rows} rows were withdrawn before they were written` : null;
  const update = {
    sql: `UPDATE export SET status = 'completed', completed_at = ?, expires_at = ?, file = ?, bytes = ?, sha256 = ?,
          rows = ?, refunded = ?, error = ? WHERE id = ? AND status = 'processing'`,
    args: [at, expiresAt, file, bytes, sha256, written, credits, note, job.id],
  };
  return [update, ...refund(job, credits, note ?? '', at)];
}

function failedStatements({ clocks }: JobsHouse, job: WaitingExport): Statement[] {
  const at = isoInstant(clocks.wallNow());
  const note = 'the file could not be written; the charge was refunded in full';
  const update = {
    sql: `UPDATE export SET status = 'failed', completed_at = ?, refunded = credits_charged, error = ?
          WHERE id = ? AND status = 'processing'`,
    args: [at, note, job.id],
  };
  return [update, ...refund(job, job.credits_charged, note, at)];
}

function refund(job: WaitingExport, credits: number, note: string, at: string): Statement[] {
  if (credits === 0) return [];
  return [refundStatement({ key: `${job.charge_id}:export`, chargeId: job.charge_id, credits, note, at })];
}

/** The share of the charge that falls on vanished rows, rounded up to a whole credit in the customer's favour. */
export function proRataRefund(job: Pick<WaitingExport, 'rows' | 'credits_charged'>, vanished: number): number {
  if (vanished <= 0 || job.rows === 0) return 0;
  return Math.ceil((job.credits_charged * vanished) / job.rows);
}
