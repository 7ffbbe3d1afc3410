import { updateCoverage } from '../../ingest/completeness/coverage.ts';
import { jobOf, type RunOptions, type RunReport } from '../../ingest/context.ts';
import { settlePages } from '../../ingest/quarantine/settle-pages.ts';
import { runSource } from '../../ingest/run.ts';
import { findSource } from '../../ingest/sources/index.ts';
import { countUnsealed, sealLedger } from '../../schema/accounts/ledger/seal.ts';
import { isoInstant } from '../../schema/config/clocks.ts';
import type { Database, Statement } from '../../schema/db/interface.ts';
import { openMail } from '../../schema/process/mail.ts';
import { type SyncOptions, type SyncReport, syncSearch } from '../../search/index/sync.ts';
import { writeWaitingExports } from '../exports/writer.ts';
import { type HeldElsewhere, withLease } from '../process/lease.ts';
import { requireContact } from '../process/require-contact.ts';
import type { JobsHouse } from '../process/services.ts';
import { mailLowBalances } from './low-balance-mail.ts';
import { cleanAccounts, cleanCatalogue, markAbandonedRuns, type UpkeepReport } from './upkeep.ts';

/** What a job did, or which process is doing it. */
export type Done<T> = { held: true; result: T } | HeldElsewhere;

/**
 * The lease of one job of one source, and the job's name in the timetable. Each job has its own, so that a backfill of
 * two days never keeps a source from its turn; what both bring is stored once.
 */
export function jobLease(job: string, sourceId: string): string {
  return `${job}:${sourceId}`;
}

/** The lease under which a source has its turn. */
export function ingestLease(sourceId: string): string {
  return jobLease('ingest', sourceId);
}

/**
 * Runs one job of one source (its turn, unless the options say otherwise) under its lease.
 * @throws ExpectedFault where a live service would be asked without a contact address.
 */
export async function ingestSource(
  house: JobsHouse,
  sourceId: string,
  options: RunOptions = {},
): Promise<Done<RunReport>> {
  requireContact(house.settings);
  const { catalogue, clocks, settings, log, byHand = false } = house;
  const job = jobOf(options);
  const lease = jobLease(job, sourceId);
  return withLease(catalogue, lease, leaseOptions(house, options.signal), async ({ fence, signal }) => {
    // Ours is the only process at it now, so a run still called running was killed.
    await catalogue.write([fence, markAbandonedRuns(clocks.wallNow(), { job, source: sourceId })]);
    const tools = { catalogue, clocks, settings, log, fence, byHand };
    const report = await runSource(tools, sourceId, { ...options, signal });
    const source = findSource(sourceId);
    if (source?.kind === 'windows' && report.state !== 'abandoned') {
      await updateCoverage(tools, source);
      await settlePages(tools, source);
    }
    return report;
  });
}

/** Drains changed rows into the search index, under the index's lease. */
export async function syncIndex(house: JobsHouse, options: SyncOptions = {}): Promise<Done<SyncReport>> {
  return withLease(house.catalogue, 'search', leaseOptions(house, options.signal), ({ signal }) =>
    syncSearch(house.catalogue, house.search, { ...options, signal }),
  );
}

/** Builds the index anew from the catalogue's rows, beside the one that answers, and puts it in its place. */
export async function rebuildIndex(house: JobsHouse, options: SyncOptions = {}): Promise<Done<SyncReport>> {
  return syncIndex(house, { ...options, rebuild: true });
}

/** Writes every export that is paid for and waiting; answers how many. Takes the lease only where there is one. */
export async function writeExports(house: JobsHouse, signal?: AbortSignal): Promise<Done<number>> {
  const [waiting] = await house.accounts.read({ sql: "SELECT 1 FROM export WHERE status = 'processing' LIMIT 1" });
  if (!waiting) return { held: true, result: 0 };
  return withLease(house.accounts, 'exports', leaseOptions(house, signal), (holding) =>
    writeWaitingExports(house, holding),
  );
}

/** Tells whose balance fell low by mail, where there is a mail server; answers how many mails left. */
export async function tellLowBalances(house: JobsHouse, signal?: AbortSignal): Promise<Done<number>> {
  const mail = house.settings.LOW_BALANCE_CREDITS > 0 ? await openMail(house.settings) : null;
  if (!mail) return { held: true, result: 0 };
  return withLease(house.accounts, 'low_balance', leaseOptions(house, signal), (holding) =>
    mailLowBalances(house, mail, holding),
  );
}

/** Seals the ledger lines that came since the last seal; answers how many. Takes the lease only where there are any. */
export async function sealLines(house: JobsHouse, signal?: AbortSignal): Promise<Done<number>> {
  if ((await countUnsealed(house.accounts)) === 0) return { held: true, result: 0 };
  return withLease(house.accounts, 'seal', leaseOptions(house, signal), ({ fence }) =>
    sealLedger(house.accounts, isoInstant(house.clocks.wallNow()), [fence]),
  );
}

/** Lets go of what has expired, in both databases and on disk, and names runs whose process was killed. */
export async function runUpkeep(house: JobsHouse, signal?: AbortSignal): Promise<Done<UpkeepReport>> {
  const options = leaseOptions(house, signal);
  const clean = <T>(database: Database, work: (house: JobsHouse, fence: Statement) => Promise<T>) =>
    withLease(database, 'upkeep', options, ({ fence }) => work(house, fence));
  const accounts = await clean(house.accounts, cleanAccounts);
  if (!accounts.held) return accounts;
  const catalogue = await clean(house.catalogue, cleanCatalogue);
  return catalogue.held ? { held: true, result: { ...accounts.result, ...catalogue.result } } : catalogue;
}

function leaseOptions(house: JobsHouse, signal: AbortSignal | undefined) {
  return { holder: house.holder, ...(signal ? { signal } : {}) };
}
