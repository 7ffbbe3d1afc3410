import { randomUUID } from 'node:crypto';
import { RebuildOvertaken } from '../../ingest/rebuild/move.ts';
import { ReleaseUncompilable } from '../../ingest/rebuild/releases.ts';
import { TargetInUse } from '../../ingest/rebuild/server/target.ts';
import { sources } from '../../ingest/sources/index.ts';
import { readPending } from '../../ingest/takedown/record.ts';
import { isoInstant, sleepReally } from '../../schema/config/clocks.ts';
import { type Done, type Holding, withLease } from '../process/lease.ts';
import { ExpectedFault, type JobsServices } from '../process/services.ts';
import { rebuildFile } from './rebuild/file.ts';
import type { RebuildOptions, RebuildReport } from './rebuild/options.ts';
import { awaitServer, rebuildServer } from './rebuild/server.ts';
import { ingestLease } from './run.ts';

const WAIT_MS = 2_000;
/**
 * For how long its leases live without a heartbeat, for which no statement leaves time: an index of millions of companies may take
 * a slow disk a minute. With the lease of others, upkeep would then remove what it is building.
 */
const LEASE_MS = 300_000;

/**
 * Recompiles the catalogue from its releases into the next generation and switches to it. Holds a lease of its own and
 * those of the registers. Every process with the catalogue open follows by itself. A catalogue on a server moves to the
 * database of CATALOGUE_NEXT_URL.
 * @throws ExpectedFault if that database is missing or in use, the disk is too full, a takedown happened meanwhile, or a
 * process can no longer be compiled
 */
export async function rebuildCatalogue(services: JobsServices, options: RebuildOptions): Promise<Done<RebuildReport>> {
  const { catalogue } = services;
  return withLease(catalogue, 'rebuild', leaseOptions(services, options), (holding) => {
    // Suppliers are matched with the register. An edition applied meanwhile would be matched for some of them only.
    const registers = sources.filter(({ kind }) => kind === 'register').map(({ id }) => ingestLease(id));
    return withLeases(services, registers, { ...options, signal: holding.signal }, () =>
      rebuildRecorded(services, options, holding),
    );
  });
}

function leaseOptions({ holder }: JobsServices, { signal }: RebuildOptions) {
  return { holder, signal, ttlMs: LEASE_MS };
}

async function withLeases<T>(
  services: JobsServices,
  names: readonly string[],
  options: RebuildOptions & { signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const [name, ...others] = names;
  if (name === undefined) return work();
  for (;;) {
    const done = await withLease(services.catalogue, name, leaseOptions(services, options), () =>
      withLeases(services, others, options, work),
    );
    if (done.acquired) return done.result;
    options.onWait?.(name, done.holder);
    await sleepReally(options.waitMs ?? WAIT_MS, options.signal);
  }
}

/** Rebuilds under the leases, and records it as a run, which `cli runs` lists. */
async function rebuildRecorded(
  services: JobsServices,
  options: RebuildOptions,
  { fence, signal }: Holding,
): Promise<RebuildReport> {
  const startedAt = performance.now();
  if ((await readPending(services.catalogue)).size > 0) throw new ExpectedFault(TAKEDOWN);
  const rebuild = services.settings.CATALOGUE_URL.startsWith('file:') ? rebuildFile : rebuildServer;
  const run = await startRun(services);
  try {
    const built = await rebuild(services, { ...options, lease: fence.args as [string, string], signal });
    // The old generation refuses this batch, so this process now follows to the new one as well. It has moved, even if its
    // server does not answer just now.
    await run.end('succeeded', built.releases, null, awaitServer(services.catalogue, services, signal));
    return { ...built, durationMs: Math.round(performance.now() - startedAt) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await run.end(signal.aborted ? 'abandoned' : 'failed', 0, message);
    const isExpected = [RebuildOvertaken, ReleaseUncompilable, TargetInUse].some((kind) => error instanceof kind);
    throw isExpected ? new ExpectedFault(message, { cause: error }) : error;
  }
}

/** Stores the row that `cli runs` lists, and returns the function that ends it. */
async function startRun({ catalogue, clocks }: JobsServices) {
  const runId = randomUUID();
  const at = () => isoInstant(clocks.wallNow());
  const start = "INSERT INTO run (id, job, source, started_at, state) VALUES (?, 'rebuild', NULL, ?, 'running')";
  const end = 'UPDATE run SET ended_at = ?, state = ?, releases = ?, stored = ?, error = ? WHERE id = ?';
  await catalogue.write([{ sql: start, args: [runId, at()] }]);
  return {
    end: (state: string, releases: number, error: string | null, database = catalogue) =>
      database.write([{ sql: end, args: [at(), state, releases, releases, error, runId] }]),
  };
}

const TAKEDOWN = 'a takedown is being carried out; rebuild when it is done (takedown list says)';
