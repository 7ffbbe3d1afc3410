import type { Takedown } from '../ingest/takedown.ts';
import { isoInstant } from '../schema/clocks.ts';
import type { ExportRow } from '../schema/export-states.ts';
import type { WrittenFile } from '../schema/export-storage.ts';
import type { ExportDataset, ExportFormat } from '../schema/exports.ts';
import { refundStatement } from '../schema/ledger.ts';
import { proRataRefund } from './export-ends.ts';
import type { JobsHouse } from './house.ts';
import type { Holding } from './lease.ts';
import { type Fates, treatFile } from './takedown-files.ts';
import { makeRowTreatment } from './takedown-rows.ts';

const FINISHED = "SELECT * FROM export WHERE status = 'completed' AND file IS NOT NULL ORDER BY created_at, id";

/**
 * Rewrites finished files that hold what was taken down, each beside its place and put there whole: rows about it go,
 * texts that mention it are struck out. Rows that went are refunded by their share, and the export says so. Answers how
 * many files were rewritten. Nobody writes an export meanwhile: the caller holds the writers' lease.
 */
export async function rewriteExports(house: JobsHouse, takedown: Takedown, holding: Holding): Promise<number> {
  let rewritten = 0;
  for (const row of await house.accounts.read<ExportRow>({ sql: FINISHED })) {
    holding.signal.throwIfAborted();
    if (await rewriteExport(house, takedown, row, holding)) rewritten++;
  }
  return rewritten;
}

async function rewriteExport(
  house: JobsHouse,
  takedown: Takedown,
  row: ExportRow,
  { fence, signal }: Holding,
): Promise<boolean> {
  const held = row.file ?? '';
  const rewritten = await rewriteFile(house, takedown, row, signal);
  if (!rewritten) return false;
  const { file, bytes, sha256, fates } = rewritten;
  const credits = proRataRefund({ rows: row.rows, credits_charged: row.credits_charged - row.refunded }, fates.removed);
  const note = describe(fates);
  const refund = refundStatement({
    key: `${row.charge_id}:${takedown.id}`,
    chargeId: row.charge_id,
    credits,
    note,
    at: isoInstant(house.clocks.wallNow()),
  });
  await house.accounts.write([
    fence,
    {
      sql: 'UPDATE export SET file = ?, bytes = ?, sha256 = ?, rows = rows - ?, refunded = refunded + ?, error = ? WHERE id = ?',
      args: [file, bytes, sha256, fates.removed, credits, [row.error, note].filter(Boolean).join('; '), row.id],
    },
    ...(credits > 0 ? [refund] : []),
  ]);
  // Only now: until the row names the new file, a download must find the old one.
  if (file !== held) await house.exports.remove(held);
  house.log.info({ export: row.id, ...fates }, 'finished export rewritten after a takedown');
  return true;
}

/** The file anew, or undefined where nothing in it is touched: most are only read. */
async function rewriteFile(
  { exports }: JobsHouse,
  takedown: Takedown,
  { id, dataset, format, file, bytes }: ExportRow,
  signal: AbortSignal,
): Promise<(WrittenFile & { fates: Fates }) | undefined> {
  const finished = { format: format as ExportFormat, file: file ?? '', bytes: bytes ?? 0 };
  if (!(await exports.has(finished.file))) return undefined;
  const treat = makeRowTreatment(takedown, dataset as ExportDataset);
  const { pieces, fates } = treatFile(exports, finished, treat);
  for await (const _piece of pieces) signal.throwIfAborted();
  if (fates.removed + fates.struck === 0) return undefined;
  const anew = treatFile(exports, finished, treat).pieces;
  return { ...(await exports.write({ stem: id, extension: finished.format }, anew)), fates };
}

function describe({ removed, struck }: Fates): string {
  const said = [
    ...(removed > 0
      ? [`${removed} ${removed === 1 ? 'row was' : 'rows were'} taken down after the file was written`]
      : []),
    ...(struck > 0 ? [`text was struck out of ${struck} ${struck === 1 ? 'row' : 'rows'}`] : []),
  ];
  return said.join('; ');
}
