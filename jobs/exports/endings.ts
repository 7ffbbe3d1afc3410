import type { ExportDataset, ExportFormat } from '../../schema/accounts/exports/datasets.ts';
import type { WrittenFile } from '../../schema/accounts/exports/storage.ts';
import { refundStatement } from '../../schema/accounts/ledger/transfers.ts';
import { takeOwedStatement } from '../../schema/accounts/payments.ts';
import { DAY_MS, isoInstant } from '../../schema/config/clocks.ts';
import type { Statement } from '../../schema/db/interface.ts';

/** An export that is paid for and not finished. */
export interface WaitingExport {
  id: string;
  account_id: string;
  dataset: ExportDataset;
  format: ExportFormat;
  /** 1 where a CSV file begins with a byte order mark. */
  excel: number;
  rows: number;
  credits_charged: number;
  refunded: number;
  charge_id: string;
  created_at: string;
  /** Set where it was finished before, and a takedown affects it or its file was lost. */
  requeued_at: string | null;
  /** If it was finished before: the file to remove (none where it was lost), and its earlier message. */
  file: string | null;
  error: string | null;
}

/** The columns of a waiting export. */
export const WAITING_COLUMNS =
  'id, account_id, dataset, format, excel, rows, credits_charged, refunded, charge_id, created_at, requeued_at, file, error';

/**
 * Completes an export. Vanished rows are refunded by their share, and the message says so. One that is written again after a
 * takedown keeps its expiry and its earlier message.
 */
export function completedStatements(
  job: WaitingExport,
  { file, bytes, sha256, rows, ordered }: WrittenFile & { rows: number; ordered: number },
  { now, days }: { now: Date; days: number },
): Statement[] {
  const at = isoInstant(now);
  const expiresAt = isoInstant(new Date(now.getTime() + days * DAY_MS));
  const vanished = job.rows - rows;
  const credits = proRataRefund(job, { rows, ordered });
  const note = describeEnd(job, vanished);
  const update = {
    sql: `UPDATE export SET status = 'completed', completed_at = ?, expires_at = coalesce(expires_at, ?), requeued_at = NULL,
          file = ?, bytes = ?, sha256 = ?, rows = ?, refunded = refunded + ?,
          error = ? WHERE id = ? AND status = 'processing'`,
    args: [
      at,
      expiresAt,
      file,
      bytes,
      sha256,
      rows,
      credits,
      [job.error, note].filter(Boolean).join('; ') || null,
      job.id,
    ],
  };
  return [onlyWaiting(job), update, ...refund(job, { credits, note: note ?? '', at })];
}

function describeEnd({ rows, requeued_at, file }: WaitingExport, vanished: number): string | null {
  if (requeued_at === null)
    return vanished > 0 ? `${vanished} of ${rows} rows were withdrawn before they were written` : null;
  const without = vanished > 0 ? `, without ${vanished} ${vanished === 1 ? 'row' : 'rows'} of ${rows}` : '';
  return `written again after ${file === null ? 'its file was lost' : 'a takedown'}${without}`;
}

/** Ends an export without a file: records `reason` (the customer reads it) and refunds what is left of the charge. */
export function failedStatements(job: WaitingExport, reason: string, now: Date): Statement[] {
  const at = isoInstant(now);
  const note = `${reason}; the charge was refunded in full`;
  const update = {
    sql: `UPDATE export SET status = 'failed', completed_at = ?, requeued_at = NULL, file = NULL,
          refunded = credits_charged, error = ? WHERE id = ? AND status = 'processing'`,
    args: [at, note, job.id],
  };
  return [onlyWaiting(job), update, ...refund(job, { credits: chargeLeft(job), note, at })];
}

/** Refuses its batch (`BatchRefused`) where the export has ended since, so that it ends once, with one refund. */
function onlyWaiting({ id }: WaitingExport): Statement {
  return {
    sql: "INSERT INTO fence (ok) SELECT EXISTS (SELECT 1 FROM export WHERE id = ? AND status = 'processing')",
    args: [id],
    guard: true,
  };
}

interface Refund {
  credits: number;
  note: string;
  at: string;
}

function refund(job: WaitingExport, { credits, note, at }: Refund): Statement[] {
  const { account_id: accountId, charge_id: chargeId, refunded } = job;
  if (credits === 0) return [];
  // What was refunded rises with each refund. The rows of its file may rise too.
  const key = `${chargeId}:export-${refunded + credits}`;
  return [refundStatement({ key, chargeId, credits, note, at }), takeOwedStatement(accountId, at)];
}

/** The part of the charge that was not refunded yet, in credits. */
export function chargeLeft({ credits_charged, refunded }: Pick<WaitingExport, 'credits_charged' | 'refunded'>): number {
  return credits_charged - refunded;
}

/**
 * What is still to be refunded of the share of the charge for the rows that a file lacks, rounded up to a whole credit in the
 * customer's favour. A row that came back and went again was refunded before.
 */
export function proRataRefund(
  { credits_charged, refunded }: Pick<WaitingExport, 'credits_charged' | 'refunded'>,
  { rows, ordered }: { rows: number; ordered: number },
): number {
  if (ordered === 0) return 0;
  return Math.max(0, Math.ceil((credits_charged * (ordered - rows)) / ordered) - refunded);
}
