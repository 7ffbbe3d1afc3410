import { type QuarantinedRow, readQuarantinedRows, retryQuarantined } from '../../ingest/quarantine/retry.ts';
import { UNSTAMP } from '../../ingest/rebuild/rule-editions.ts';
import { sources } from '../../ingest/sources/index.ts';
import { describeHolder, withLease } from '../process/lease.ts';
import { ExpectedFault, type JobsServices } from '../process/services.ts';
import { describeSync, ingestLease, syncIndex } from './run.ts';

interface RetryOptions {
  /** A single row; by default everything in quarantine. */
  id?: number | undefined;
  source?: string | undefined;
  signal: AbortSignal;
  /** Called for each finished row. */
  onRetried(line: string): void;
}

export interface RetryReport {
  resolved: number;
  held: number;
  /** The outcome for the search index, if anything was stored; otherwise null. */
  synced: string | null;
}

/**
 * Reads quarantined bytes again, source by source, each under its ingest lease. Then updates the search index.
 * @throws ExpectedFault if another process is ingesting a source
 */
export async function retryQuarantine(services: JobsServices, options: RetryOptions): Promise<RetryReport> {
  const report: RetryReport = { resolved: 0, held: 0, synced: null };
  for (const { id: source } of sources) {
    if (options.source !== undefined && options.source !== source) continue;
    await retrySource(services, source, options, report);
  }
  if (report.resolved > 0) {
    report.synced = describeSync(await syncIndex(services, { signal: options.signal }));
  }
  return report;
}

async function retrySource(
  services: JobsServices,
  source: string,
  options: RetryOptions,
  report: RetryReport,
): Promise<void> {
  const { catalogue, clocks, settings, log, holder } = services;
  const rows = readQuarantinedRows(catalogue, { source, id: options.id });
  const first = await rows.next();
  if (first.done) return;
  const lease = { holder, signal: options.signal };
  const done = await withLease(catalogue, ingestLease(source), lease, async ({ fence, signal }) => {
    await catalogue.write([fence, UNSTAMP]);
    const tools = { catalogue, clocks, settings, log, fence };
    for (let next: IteratorResult<QuarantinedRow, void> = first; !next.done; next = await rows.next()) {
      signal.throwIfAborted();
      const { id, outcome, said } = await retryQuarantined(tools, next.value, signal);
      report[outcome] += 1;
      options.onRetried(`${id} (${source}): ${outcome === 'held' ? 'still cannot be read' : 'resolved'}: ${said}`);
    }
  });
  if (!done.acquired)
    throw new ExpectedFault(`${source} is being ingested by ${describeHolder(done)}; try again when that has ended`);
}
