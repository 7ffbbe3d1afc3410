import { updateCoverage } from '../../ingest/completeness/coverage.ts';
import {
  checkDailyListing,
  type DailyListingOptions,
  type ListedSource,
} from '../../ingest/completeness/daily-listing.ts';
import { type ProbeOptions, runProbes } from '../../ingest/completeness/probes.ts';
import type { IngestContext, RunReport } from '../../ingest/context.ts';
import { UNSTAMP } from '../../ingest/rebuild/rule-editions.ts';
import type { NoticesSource, WindowsSource } from '../../ingest/source.ts';
import type { CoverageSummary } from '../../schema/catalogue/coverage.ts';
import { type Done, withLease } from '../process/lease.ts';
import { requireContact } from '../process/require-contact.ts';
import type { JobsServices } from '../process/services.ts';
import { jobLease } from './run.ts';
import { markAbandonedRuns } from './upkeep.ts';

/** Requests notices that a source should have published but that no window contained. */
export function probeSource(
  services: JobsServices,
  source: WindowsSource,
  options: Partial<ProbeOptions>,
): Promise<Done<RunReport>> {
  const limit = options.limit ?? services.settings.PROBES_PER_RUN;
  return runLeased(services, { job: 'probe', source: source.id }, options.signal, (tools, signal) =>
    runProbes(tools, source, { ...options, limit, signal }),
  );
}

/** Compares what is stored for some days with the source's own daily file. By default those that are due. */
export function checkListedDays(
  services: JobsServices,
  source: ListedSource,
  options: DailyListingOptions,
): Promise<Done<RunReport>> {
  return runLeased(services, { job: 'witness', source: source.id }, options.signal, (tools, signal) =>
    checkDailyListing(tools, source, { ...options, signal }),
  );
}

/** Calculates the completeness of a source now. Needs no lease, because repeating it changes nothing. */
export function updateCoverageNow(services: JobsServices, source: NoticesSource): Promise<CoverageSummary> {
  return updateCoverage({ ...services, fence: null }, source);
}

/**
 * Runs a job that sends requests to a source, under a lease of its own.
 * @throws ExpectedFault if requests would go to a live service without a contact address
 */
async function runLeased(
  services: JobsServices,
  run: { job: string; source: string },
  signal: AbortSignal | undefined,
  work: (tools: IngestContext, signal: AbortSignal) => Promise<RunReport>,
): Promise<Done<RunReport>> {
  requireContact(services.settings);
  const { catalogue, clocks, settings, log, holder, byHand = false } = services;
  return withLease(catalogue, jobLease(run.job, run.source), { holder, signal }, async (holding) => {
    // The lease makes this the only process on the job, so a run still marked as running was killed.
    await catalogue.write([holding.fence, UNSTAMP, markAbandonedRuns(clocks.wallNow(), run)]);
    return work({ catalogue, clocks, settings, log, fence: holding.fence, byHand }, holding.signal);
  });
}
