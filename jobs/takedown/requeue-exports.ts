import type { Takedown } from '../../ingest/takedown/treatment.ts';
import type { ExportFormat } from '../../schema/accounts/exports/datasets.ts';
import { type ExportRow, requeueStatement } from '../../schema/accounts/exports/states.ts';
import { isoInstant } from '../../schema/config/clocks.ts';
import { readRows } from '../exports/read-rows.ts';
import { makeRowJudge } from '../exports/redaction.ts';
import type { Holding } from '../process/lease.ts';
import type { JobsServices } from '../process/services.ts';

const FINISHED = "SELECT * FROM export WHERE status = 'completed' AND file IS NOT NULL ORDER BY created_at, id";
const OUTDATED = "SELECT file FROM export WHERE status = 'processing' AND file IS NOT NULL";

/**
 * Puts finished exports that hold what was taken down back to be written again, and removes their files. Answers how many.
 * The caller holds the writers' lease, so that nobody writes an export meanwhile. Killed anywhere, it can be done again.
 */
export async function requeueExports(
  services: JobsServices,
  takedown: Takedown,
  { fence, signal }: Holding,
): Promise<number> {
  const { accounts, catalogue, clocks, exports, log } = services;
  const isConcerned = await makeRowJudge(catalogue, takedown);
  let requeued = 0;
  for (const row of await accounts.read<ExportRow>({ sql: FINISHED })) {
    if (!(await holds(services, row, isConcerned, signal))) continue;
    await accounts.write([fence, requeueStatement(row.id, isoInstant(clocks.wallNow()))]);
    log.info({ export: row.id }, 'finished export is written again after a takedown');
    requeued++;
  }
  for (const { file } of await accounts.read<{ file: string }>({ sql: OUTDATED })) await exports.remove(file);
  return requeued;
}

/** Whether a finished file has such a row. The file is asked: it may hold what the catalogue no longer does. */
async function holds(
  { exports }: JobsServices,
  { format, file, bytes }: ExportRow,
  isConcerned: Awaited<ReturnType<typeof makeRowJudge>>,
  signal: AbortSignal,
): Promise<boolean> {
  if (file === null || !(await exports.has(file))) return false;
  const finished = { format: format as ExportFormat, file, bytes: bytes ?? 0 };
  for await (const row of readRows(exports, finished)) {
    signal.throwIfAborted();
    if (isConcerned(row)) return true;
  }
  return false;
}
