import { availableParallelism } from 'node:os';
import { updateCoverage } from '../../ingest/completeness/coverage.ts';
import type { IngestContext, RunOptions, RunReport } from '../../ingest/context.ts';
import { runCells } from '../../ingest/crawl/cells/run.ts';
import { resolvePages } from '../../ingest/quarantine/retry.ts';
import { UNSTAMP } from '../../ingest/rebuild/rule-editions.ts';
import { runRegister } from '../../ingest/register/run.ts';
import { runSource } from '../../ingest/run.ts';
import { jobOf } from '../../ingest/runs/once.ts';
import { findSource } from '../../ingest/sources/index.ts';
import { compileCompanyTexts } from '../../ingest/store/company-texts.ts';
import { type FollowedBuyers, followSuccessions } from '../../ingest/succession/follow.ts';
import { type Compiler, openCompiler } from '../../ingest/workers/compiler.ts';
import { claimStore } from '../../schema/accounts/exports/mark.ts';
import { countUnsealed, sealLedger } from '../../schema/accounts/ledger/seal.ts';
import { isoInstant } from '../../schema/config/clocks.ts';
import type { Database, Statement } from '../../schema/db/interface.ts';
import { makePatient } from '../../schema/db/patient.ts';
import { type SyncOptions, type SyncReport, syncSearch } from '../../search/index/sync.ts';
import { writeWaitingExports } from '../exports/writer.ts';
import { takeIndexLock } from '../process/index-lock.ts';
import { type Done, describeHolder, withLease } from '../process/lease.ts';
import { requireContact } from '../process/require-contact.ts';
import type { JobsServices } from '../process/services.ts';
import { dropDeadBuild, dropFormerGeneration } from './rebuild/file.ts';
import { cleanAccounts, cleanCatalogue, markAbandonedRuns, type UpkeepReport } from './upkeep.ts';

/** How long a run waits for an unavailable catalogue server, in milliseconds. Then it ends, and the next run continues. */
const AWAY_MS_MAX = 600_000;

/**
 * With at least this many cores, a run compiles in separate processes. On two cores these slow down the process that stores:
 * 547 releases a second with them, 571 without (20,000 generated releases).
 */
const COMPILER_CORES = 3;

/**
 * The name of the lease of one job for one source, which is also the job's name in the timetable. Each job has its own lease, so
 * that a backfill of two days never delays the regular ingest. What both fetch is stored once.
 */
export function jobLease(job: string, sourceId: string): string {
  return `${job}:${sourceId}`;
}

/** The lease under which a source is ingested. */
export function ingestLease(sourceId: string): string {
  return jobLease('ingest', sourceId);
}

/**
 * Runs one job of one source under its lease: the regular ingest, unless the options name another.
 * @throws ExpectedFault if requests would go to a live service without a contact address
 */
export async function ingestSource(
  services: JobsServices,
  sourceId: string,
  options: RunOptions = {},
): Promise<Done<RunReport>> {
  requireContact(services.settings);
  const { clocks, settings, log, byHand = false } = services;
  const job = jobOf(options);
  const lease = jobLease(job, sourceId);
  return withLease(
    services.catalogue,
    lease,
    { holder: services.holder, signal: options.signal },
    async ({ fence, signal }) => {
      const onAway = (err: unknown) =>
        log.warn({ err, source: sourceId }, 'the catalogue does not answer; the run waits for it');
      const catalogue = makePatient(services.catalogue, { forMs: AWAY_MS_MAX, signal, onAway });
      // The lease makes this the only process on the job, so a run still marked as running was killed.
      await catalogue.write([fence, UNSTAMP, markAbandonedRuns(clocks.wallNow(), { job, source: sourceId })]);
      const tools = { catalogue, clocks, settings, log, fence, byHand };
      const source = findSource(sourceId);
      const compiler = availableParallelism() < COMPILER_CORES ? undefined : openCompiler();
      const report = await runOne(tools, sourceId, { ...options, signal }, compiler).finally(() => compiler?.close());
      if (source?.kind === 'notices' && report.state !== 'abandoned') {
        await updateCoverage(tools, source);
        await resolvePages(tools, source);
      }
      if (report.state !== 'abandoned') await compileCompanyTexts(tools, signal);
      return report;
    },
  );
}

function runOne(
  context: IngestContext,
  sourceId: string,
  options: RunOptions,
  compiler?: Compiler,
): Promise<RunReport> {
  const source = findSource(sourceId);
  if (source?.kind === 'register') return runRegister(context, sourceId, options);
  if (source?.asked === 'by_cell') return runCells(context, source, options, compiler);
  return runSource(context, sourceId, options, compiler);
}

/**
 * Recalculates which procurements succeed which contracts, for buyers with changes since the last time. Runs once after all
 * sources, so that a buyer with changes from several is compared once.
 */
export async function findChangedSuccessions(
  services: JobsServices,
  signal?: AbortSignal,
): Promise<Done<FollowedBuyers>> {
  const { catalogue } = services;
  return withLease(catalogue, 'succession', { holder: services.holder, signal }, (holding) =>
    followSuccessions({ catalogue, fence: holding.fence }, holding.signal),
  );
}

/**
 * Updates the search index with changed rows, one process at a time: under the index's lease, or under a lock of this machine
 * where the index is its own, so that machines do not wait for each other.
 */
export async function syncIndex(services: JobsServices, options: SyncOptions = {}): Promise<Done<SyncReport>> {
  const { catalogue, search, settings, holder, log } = services;
  if (settings.MEILI_URL || catalogue.url.startsWith('file:'))
    return withLease(catalogue, 'search', { holder, signal: options.signal }, ({ signal }) =>
      syncSearch(catalogue, search, { log, ...options, signal }),
    );
  const lock = takeIndexLock(settings);
  if (!lock) return { acquired: false, holder: 'another process of this machine', until: null };
  try {
    return { acquired: true, result: await syncSearch(catalogue, search, { log, ...options }) };
  } finally {
    lock.release();
  }
}

/** How the search index stands after `syncIndex`, for an operator. */
export function describeSync(done: Done<unknown>): string {
  return done.acquired ? 'search: up to date' : `search: being brought up to date by ${describeHolder(done)}`;
}

/** Writes every paid and waiting export; returns how many. Takes the lease only if there is one. */
export async function writeExports(services: JobsServices, signal?: AbortSignal): Promise<Done<number>> {
  const [waiting] = await services.accounts.read({ sql: "SELECT 1 FROM export WHERE status = 'processing' LIMIT 1" });
  if (!waiting) return { acquired: true, result: 0 };
  return withLease(services.accounts, 'exports', { holder: services.holder, signal }, (holding) =>
    writeWaitingExports(services, holding),
  );
}

/**
 * Records in the accounts database that this process writes exports to the store in its settings. Does nothing if another
 * process is writing.
 * @throws StoreAway if that store does not answer, or belongs to another installation
 */
export async function claimExports(
  services: JobsServices,
  { isAgain, signal }: { isAgain: boolean; signal: AbortSignal },
): Promise<Done<void>> {
  const { accounts, clocks, exports, log } = services;
  const at = isoInstant(clocks.wallNow());
  return withLease(accounts, 'exports', { holder: services.holder, signal }, async ({ fence }) => {
    const former = await claimStore(accounts, exports, { at, before: [fence], isAgain });
    // A second jobs process with other settings takes the exports away from the first.
    if (former)
      log.warn(
        { place: exports.place, former },
        'exports are written here from now on, and files that are not here are written again: the APIs and any other jobs process need the same EXPORTS_URL',
      );
  });
}

/** Seals the ledger lines since the last seal; returns how many. Takes the lease only if there are any. */
export async function sealLines(services: JobsServices, signal?: AbortSignal): Promise<Done<number>> {
  if ((await countUnsealed(services.accounts)) === 0) return { acquired: true, result: 0 };
  return withLease(services.accounts, 'seal', { holder: services.holder, signal }, ({ fence }) =>
    sealLedger(services.accounts, isoInstant(services.clocks.wallNow()), [fence]),
  );
}

/** Removes what has expired, in both databases and on disk, and what killed processes left: runs are marked as abandoned. */
export async function runUpkeep(services: JobsServices, signal?: AbortSignal): Promise<Done<UpkeepReport>> {
  const options = { holder: services.holder, signal };
  const clean = <T>(database: Database, work: (services: JobsServices, fence: Statement) => Promise<T>) =>
    withLease(database, 'upkeep', options, ({ fence }) => work(services, fence));
  const accounts = await clean(services.accounts, cleanAccounts);
  if (!accounts.acquired) return accounts;
  const catalogue = await clean(services.catalogue, cleanCatalogue);
  if (!catalogue.acquired) return catalogue;
  const { contactsExpired, quarantineExpired } = catalogue.result;
  // The generation before the live one still contains what has just expired.
  await (contactsExpired + quarantineExpired > 0 ? dropFormerGeneration(services) : dropDeadBuild(services));
  return { acquired: true, result: { ...accounts.result, ...catalogue.result } };
}
