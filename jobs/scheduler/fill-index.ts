import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ensureFolder } from '../../schema/config/ensure-folder.ts';
import type { Settings } from '../../schema/config/settings.ts';
import type { Database } from '../../schema/db/interface.ts';
import { openReader } from '../../schema/db/open-reader.ts';
import { findDatabaseFault, findRemarks } from '../../schema/db/readiness.ts';
import type { Readiness } from '../../schema/process/operator-answers.ts';
import type { SearchEngine, Searches } from '../../search/engine.ts';
import { checkSearch } from '../../search/index/health.ts';
import { syncSearch } from '../../search/index/sync.ts';
import { openSearch } from '../../search/open.ts';
import { startPrivateServer } from '../metrics/private-server.ts';
import { type JobMetrics, makeIndexMetrics } from '../metrics/registry.ts';
import { takeIndexLock } from '../process/index-lock.ts';
import { ExpectedFault } from '../process/services.ts';

/** Pause between two checks for changed rows. */
const EVERY_MS = 5_000;

/** What filling the index of a machine needs. */
interface IndexServices {
  /** Read-only: a server, or this machine's copy of one. */
  catalogue: Database;
  /** The embedded engine in its writer's role. */
  search: Searches;
  log: Logger;
}

/** A machine's index that is being filled. */
interface Filling {
  /** Where its private server listens. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Fills the embedded index of this machine from the catalogue server, or from a copy of it, until stopped. Takes no lease and
 * writes only to the index, so that it does not affect jobs elsewhere. @throws ExpectedFault where another process fills this
 * folder's index.
 */
export async function startFilling(settings: Settings, log: Logger): Promise<Filling> {
  await ensureFolder(settings.DATA_DIR);
  const lock = takeIndexLock(settings);
  if (!lock) throw new ExpectedFault(`another process fills the search index in ${settings.DATA_DIR}: stop it first`);
  const catalogue = await openReader(settings, log);
  // Meilisearch, where configured, is filled by the process that runs all jobs.
  const search = await openSearch({ ...settings, MEILI_URL: undefined }, catalogue, 'writer');
  const services = { settings, catalogue, search, log };
  const metrics = makeIndexMetrics(services);
  const server = await startPrivateServer(services, { metrics, checkReadiness: () => checkFilling(services) });
  const stopping = new AbortController();
  const filling = fillRepeatedly(services, metrics, stopping.signal);
  return {
    url: server.url,
    async stop() {
      stopping.abort();
      await filling;
      await server.close();
      await search.close();
      await catalogue.close();
      lock.release();
    },
  };
}

async function fillRepeatedly(services: IndexServices, metrics: JobMetrics, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const finish = metrics.begin('search');
    try {
      const changed = await fillOnce(services, signal);
      finish(signal.aborted ? 'stopped' : 'succeeded');
      if (changed) services.log.info({ job: 'search', ...changed }, 'done');
    } catch (error) {
      finish('failed');
      services.log.error({ job: 'search', err: error }, 'failed; tried again in a moment');
    }
    // Ends early when the process stops, which is not a failure.
    await Promise.allSettled([pause(EVERY_MS, undefined, { signal })]);
  }
}

/**
 * Brings the index up to date; returns what it did, or null where there was nothing to do. With a copy, the index waits for it:
 * an index filled from the server would be ahead of the copy, and look like that of another catalogue.
 */
export async function fillOnce(
  { catalogue, search, log }: Pick<IndexServices, 'catalogue' | 'log'> & { search: SearchEngine | Searches },
  signal: AbortSignal,
): Promise<object | null> {
  if (catalogue.copyAge && !catalogue.copyAge().answers) return null;
  const report = await syncSearch(catalogue, search, { signal, log });
  return report.rebuilt || report.stored + report.removed > 0 ? report : null;
}

async function checkFilling({ catalogue, search }: IndexServices): Promise<Readiness> {
  const [{ said }, fault] = await Promise.all([
    checkSearch(search),
    findDatabaseFault(catalogue, 'catalogue', { writable: false }),
  ]);
  const remarks = [said, ...findRemarks(catalogue)];
  return { faults: fault ? [fault] : [], remarks: remarks.flatMap((remark) => remark || []) };
}
