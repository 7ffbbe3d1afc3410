import { isoInstant } from '../schema/clocks.ts';
import type { Statement } from '../schema/database.ts';
import type { WrittenFile } from '../schema/export-storage.ts';
import type { ExportDataset, ExportFormat } from '../schema/exports.ts';
import { refundStatement } from '../schema/ledger.ts';

/** An export that is paid for and not ended yet. */
export interface WaitingExport {
  id: string;
  account_id: string;
  dataset: ExportDataset;
  format: ExportFormat;
  /** 1 where a CSV file is to begin with a byte order mark. */
  excel: number;
  rows: number;
  credits_charged: number;
  charge_id: string;
  created_at: string;
}

const DAY_MS = 86_400_000;

/** The file is there; rows that vanished before they were written are refunded by their share, and it is said. */
export function completedStatements(
  job: WaitingExport,
  { file, bytes, sha256, rows }: WrittenFile & { rows: number },
  { now, days }: { now: Date; days: number },
): Statement[] {
  const at = isoInstant(now);
  const expiresAt = isoInstant(new Date(now.getTime() + days * DAY_MS));
  const vanished = job.rows - rows;
  const credits = proRataRefund(job, vanished);
  const note = vanished > 0 ? `${vanished} of ${job.rows} rows were withdrawn before they were written` : null;
  const update = {
    sql: `UPDATE export SET status = 'completed', completed_at = ?, expires_at = ?, file = ?, bytes = ?, sha256 = ?,
          rows = ?, refunded = ?, error = ? WHERE id = ? AND status = 'processing'`,
    args: [at, expiresAt, file, bytes, sha256, rows, credits, note, job.id],
  };
  return [onlyWaiting(job), update, ...refund(job, credits, note ?? '', at)];
}

/** There is no file and will be none: `reason` (what the customer reads) and the whole charge back. */
export function failedStatements(job: WaitingExport, reason: string, now: Date): Statement[] {
  const at = isoInstant(now);
  const note = `${reason}; the charge was refunded in full`;
  const update = {
    sql: `UPDATE export SET status = 'failed', completed_at = ?, refunded = credits_charged, error = ?
          WHERE id = ? AND status = 'processing'`,
    args: [at, note, job.id],
  };
  return [onlyWaiting(job), update, ...refund(job, job.credits_charged, note, at)];
}

/** Refuses the whole batch where the export has ended since: it ends once, with one refund. */
function onlyWaiting({ id }: WaitingExport): Statement {
  return {
    sql: "INSERT INTO fence (ok) SELECT EXISTS (SELECT 1 FROM export WHERE id = ? AND status = 'processing')",
    args: [id],
  };
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
