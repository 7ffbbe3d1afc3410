import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sources } from '../../ingest/sources/index.ts';
import { readTakedowns } from '../../ingest/takedown/treatment.ts';
import { EXPORT_COLUMNS, type ExportCells } from '../../schema/accounts/exports/datasets.ts';
import { assertStore } from '../../schema/accounts/exports/mark.ts';
import { readExportRows } from '../../schema/accounts/exports/rows.ts';
import { readFrozenKeys } from '../../schema/accounts/exports/states.ts';
import { StoreAway } from '../../schema/accounts/exports/storage.ts';
import { HOUR_MS } from '../../schema/config/clocks.ts';
import { BatchRefused, type Database, isPassing, type Statement } from '../../schema/db/interface.ts';
import type { Holding } from '../process/lease.ts';
import type { JobsServices } from '../process/services.ts';
import { completedStatements, failedStatements, WAITING_COLUMNS, type WaitingExport } from './endings.ts';
import { ENCODERS } from './formats.ts';
import { makeRedaction } from './redaction.ts';

/** Rows in memory at once, about 3 kB each: a database server answers with 10 MB at most. */
const PAGE_ROWS = 200;

const NEXT = `SELECT ${WAITING_COLUMNS} FROM export
  WHERE status = 'processing' ORDER BY created_at, id LIMIT 1`;
const EXPORT_STATE = `SELECT e.status, a.state FROM export e JOIN account a ON a.id = e.account_id WHERE e.id = ?`;

/** How long an export waits for an unavailable store before it fails. On a full disk it fails at once. */
export const AWAY_MS_MAX = HOUR_MS;

/** The file is no longer wanted: the export was cancelled, which refunded it, or the account was closed. */
class ExportUnwanted extends Error {
  override name = 'ExportUnwanted';
  readonly isCancelled: boolean;
  constructor(message: string, isCancelled: boolean) {
    super(message);
    this.isCancelled = isCancelled;
  }
}

/**
 * Writes the paid exports, oldest first, each completely or not at all. Returns how many it ended. An export interrupted by a
 * kill is written again, as it was charged when its keys were frozen.
 */
export async function writeWaitingExports(services: JobsServices, { fence, signal }: Holding): Promise<number> {
  for (let ended = 0; ; ended++) {
    signal.throwIfAborted();
    const [job] = await services.accounts.read<WaitingExport>({ sql: NEXT });
    if (!job) return ended;
    const statements = await endExport(services, job, signal);
    if (statements.length > 0) await writeEnd(services.accounts, [fence, ...statements]);
  }
}

/** Where it was cancelled after its last row was read, it has ended already; upkeep removes the file. */
async function writeEnd(accounts: Database, statements: Statement[]): Promise<void> {
  await accounts.write(statements).catch((error: unknown) => {
    if (!(error instanceof BatchRefused)) throw error;
  });
}

/**
 * Writes one export and returns the statements that record its end; none where it ended meanwhile. @throws when stopped,
 * and StoreAway or a passing database fault where it waits for the store or a server
 */
async function endExport(services: JobsServices, job: WaitingExport, signal: AbortSignal): Promise<Statement[]> {
  const { clocks, settings } = services;
  const log = services.log.child({ export: job.id });
  const count = { rows: 0, ordered: 0 };
  try {
    await assertStore(services.accounts, services.exports);
    if (job.file !== null) await services.exports.remove(job.file);
    const pieces = ENCODERS[job.format](EXPORT_COLUMNS[job.dataset], readPages(services, job, count, signal), {
      excel: job.excel === 1,
      attributions: sources.map(({ attribution }) => attribution),
    });
    const written = await services.exports.write({ stem: job.id, extension: job.format }, pieces);
    log.info({ rows: count.rows, bytes: written.bytes }, 'export written');
    return completedStatements(job, { ...written, ...count }, { now: clocks.wallNow(), days: settings.EXPORT_DAYS });
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof ExportUnwanted) {
      log.info({ rows: count.rows, why: error.message }, 'export not written');
      return error.isCancelled ? [] : failedStatements(job, error.message, clocks.wallNow());
    }
    const isAway = error instanceof StoreAway || isPassing(error);
    if (isAway && clocks.wallNow().getTime() < waitsUntilMs(job)) throw error;
    log.error({ err: error }, 'export failed; refunded');
    return failedStatements(job, 'the file could not be written', clocks.wallNow());
  }
}

function waitsUntilMs({ created_at, requeued_at }: WaitingExport): number {
  return Date.parse(requeued_at ?? created_at) + AWAY_MS_MAX;
}

async function* readPages(
  { catalogue, accounts, clocks }: JobsServices,
  { id: exportId, dataset }: WaitingExport,
  count: { rows: number; ordered: number },
  signal: AbortSignal,
): AsyncGenerator<readonly ExportCells[]> {
  const redact = makeRedaction(await readTakedowns(catalogue), dataset);
  for (let after = -1; ; ) {
    signal.throwIfAborted();
    await assertWanted(accounts, exportId);
    const page = await readFrozenKeys(accounts, { exportId, after, rows: PAGE_ROWS });
    if (!page) return;
    after = page.last;
    const rows = redact(await readExportRows(catalogue, dataset, page.keys, clocks.catalogueNow()));
    count.rows += rows.length;
    count.ordered = after + 1;
    yield rows;
    // Local reads are synchronous: the heartbeat and other jobs run between pages.
    await yieldToEventLoop();
  }
}

/** @throws ExportUnwanted where it was cancelled, or no account is left to fetch it. */
async function assertWanted(accounts: Database, exportId: string): Promise<void> {
  const [current] = await accounts.read<{ status: string; state: string }>({ sql: EXPORT_STATE, args: [exportId] });
  if (current?.status !== 'processing') throw new ExportUnwanted('it was cancelled', true);
  if (current.state === 'closed') throw new ExportUnwanted('the account was closed', false);
}
