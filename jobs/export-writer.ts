import { mkdir } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isoInstant } from '../schema/clocks.ts';
import type { Statement } from '../schema/database.ts';
import { exportFolder } from '../schema/export-states.ts';
import { EXPORT_COLUMNS, type ExportDataset, readExportRows } from '../schema/exports.ts';
import { refundStatement } from '../schema/ledger.ts';
import { type WrittenFile, writeFileWhole } from './export-file.ts';
import { EXPORT_FORMATS, type ExportFormat } from './export-format.ts';
import type { JobsHouse } from './house.ts';
import type { Holding } from './lease.ts';

interface WaitingExport {
  id: string;
  dataset: ExportDataset;
  format: string;
  rows: number;
  credits_charged: number;
  charge_id: string;
}

/** Rows held in memory at once. */
const PAGE_ROWS = 500;
const DAY_MS = 86_400_000;

const NEXT = `SELECT id, dataset, format, rows, credits_charged, charge_id FROM export
  WHERE status = 'processing' ORDER BY created_at, id LIMIT 1`;
const KEYS = 'SELECT position, row_key FROM export_row WHERE export_id = ? AND position > ? ORDER BY position LIMIT ?';

/**
 * Writes the exports that are paid for, oldest first, each whole or not at all; answers how many were ended.
 * One that was being written when its process was killed is written anew: its charge was made when its keys were frozen.
 */
export async function writeWaitingExports(house: JobsHouse, { fence, signal }: Holding): Promise<number> {
  await mkdir(exportFolder(house.settings), { recursive: true });
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
    const written = await writeFileWhole(
      exportFolder(house.settings),
      { stem: job.id, extension: formatOf(job).extension },
      formatPieces(house, job, count, signal),
    );
    log.info({ rows: count.written, bytes: written.bytes }, 'export written');
    return completedStatements(house, job, written, count.written);
  } catch (error) {
    if (signal.aborted) throw error;
    log.error({ err: error }, 'export failed; refunded');
    return failedStatements(house, job);
  }
}

async function* formatPieces(
  { catalogue, accounts }: JobsHouse,
  job: WaitingExport,
  count: { written: number },
  signal: AbortSignal,
): AsyncGenerator<string> {
  const columns = EXPORT_COLUMNS[job.dataset];
  const format = formatOf(job);
  yield format.head(columns);
  for (let position = -1; ; ) {
    signal.throwIfAborted();
    const keys = await accounts.read<{ position: number; row_key: string }>({
      sql: KEYS,
      args: [job.id, position, PAGE_ROWS],
    });
    const last = keys.at(-1);
    if (!last) break;
    position = last.position;
    const records = await readExportRows(
      catalogue,
      job.dataset,
      keys.map(({ row_key }) => row_key),
    );
    count.written += records.length;
    yield format.rows(records, columns);
    // Local reads are synchronous: the heartbeat and the other jobs get their turn between pages.
    await nextTurn();
  }
  yield format.tail(columns);
}

function formatOf({ format }: WaitingExport): ExportFormat {
  const known = EXPORT_FORMATS[format];
  if (!known) throw new Error(`an export in an unknown format: ${format}`);
  return known;
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
