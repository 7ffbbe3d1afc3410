import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import {
  buildGeneration,
  RebuildOvertaken,
  type RebuildProgress,
  type Rebuilt,
} from '../../ingest/rebuild/generation.ts';
import { ReleaseUncompilable } from '../../ingest/rebuild/releases.ts';
import { sources } from '../../ingest/sources/index.ts';
import { readPending } from '../../ingest/takedown/record.ts';
import { isoInstant } from '../../schema/config/clocks.ts';
import {
  type GenerationFiles,
  generationFiles,
  generationPath,
  pointerPath,
  readPointer,
  removeGenerations,
  writePointer,
} from '../../schema/db/generations.ts';
import { readCurrentGeneration } from '../../schema/db/open-catalogue.ts';
import { type Holding, withLease } from '../process/lease.ts';
import { ExpectedFault, type JobsServices } from '../process/services.ts';
import { type Done, ingestLease } from './run.ts';

export interface RebuildOptions {
  /** Only compiles into a temporary catalogue and compares; the live one stays and nothing is left. */
  check?: boolean;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: RebuildProgress) => void) | undefined;
  /** Hears who holds what a rebuild waits for. */
  onWait?: ((what: string, holder: string) => void) | undefined;
  /** How long until it is tried again, in milliseconds. */
  waitMs?: number;
}

export interface RebuildReport extends Rebuilt {
  /** Older generations whose files were removed. */
  removed: number[];
  durationMs: number;
}

const WAIT_MS = 2_000;

/**
 * Recompiles the catalogue from its releases into the next generation and moves on to it, under a lease of its own and
 * the register's. Every process that has the catalogue open follows by itself.
 * @throws ExpectedFault where the catalogue is a server, the disk is too full, a takedown came meanwhile, or a process
 * cannot be compiled any more.
 */
export async function rebuildCatalogue(
  services: JobsServices,
  options: RebuildOptions = {},
): Promise<Done<RebuildReport>> {
  const { catalogue, settings } = services;
  if (!settings.CATALOGUE_URL.startsWith('file:')) throw new ExpectedFault(SERVER);
  const lease = { holder: services.holder, ...(options.signal ? { signal: options.signal } : {}) };
  return withLease(catalogue, 'rebuild', lease, (holding) => {
    // Suppliers are matched with the register: an edition that is applied meanwhile would be matched by halves.
    const registers = sources.filter(({ kind }) => kind === 'register').map(({ id }) => ingestLease(id));
    return withLeases(services, registers, { ...options, signal: holding.signal }, () =>
      rebuild(services, options, holding),
    );
  });
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
    const { holder, catalogue } = services;
    const done = await withLease(catalogue, name, { holder, signal: options.signal }, () =>
      withLeases(services, others, options, work),
    );
    if (done.held) return done.result;
    options.onWait?.(name, done.holder);
    await pause(options.waitMs ?? WAIT_MS, undefined, { signal: options.signal });
  }
}

async function rebuild(
  services: JobsServices,
  options: RebuildOptions,
  { fence, signal }: Holding,
): Promise<RebuildReport> {
  const startedAt = performance.now();
  const files = generationFiles(services.settings.CATALOGUE_URL);
  const current = await readCurrentGeneration(services.settings.CATALOGUE_URL);
  await settlePointer(files, current);
  // The generation before goes now, and so does what a killed rebuild left half made.
  const removed = await removeGenerations(files, options.check ? [current - 1, current] : [current]);
  await requireRoom(generationPath(files, current));
  if ((await readPending(services.catalogue)).size > 0) throw new ExpectedFault(TAKEDOWN);
  const [name, token] = fence.args as [string, string];
  const run = await startRun(services);
  try {
    const built = await buildGeneration({
      livePath: generationPath(files, current),
      path: generationPath(files, current + 1),
      generation: current + 1,
      lease: [name, token],
      check: options.check ?? false,
      signal,
      onProgress: options.onProgress,
    });
    if (built.moved) await writePointer(files, built.generation);
    else await sweep(services, files);
    // The old generation refuses this batch: from here on this process follows, too.
    await run.end('succeeded', built.releases, null);
    return { ...built, removed, durationMs: Math.round(performance.now() - startedAt) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await sweep(services, files);
    await run.end(signal.aborted ? 'abandoned' : 'failed', 0, message);
    const isExpected = error instanceof RebuildOvertaken || error instanceof ReleaseUncompilable;
    throw isExpected ? new ExpectedFault(message, { cause: error }) : error;
  }
}

/**
 * Removes the generation that the last rebuild left behind, which still holds what was taken down since; answers which.
 * One that is being built stays.
 */
export async function dropFormerGeneration({ settings }: JobsServices): Promise<number[]> {
  if (!settings.CATALOGUE_URL.startsWith('file:')) return [];
  const files = generationFiles(settings.CATALOGUE_URL);
  const current = await readCurrentGeneration(settings.CATALOGUE_URL);
  await settlePointer(files, current);
  return removeGenerations(files, [current, current + 1]);
}

/** Removes what was built and not moved on to. */
async function sweep({ settings }: JobsServices, files: GenerationFiles): Promise<void> {
  const current = await readCurrentGeneration(settings.CATALOGUE_URL);
  await removeGenerations(files, [current - 1, current]);
}

/** The row by which `cli runs` tells of it. */
async function startRun({ catalogue, clocks }: JobsServices) {
  const runId = randomUUID();
  const at = () => isoInstant(clocks.wallNow());
  const start = "INSERT INTO run (id, job, source, started_at, state) VALUES (?, 'rebuild', NULL, ?, 'running')";
  const end = 'UPDATE run SET ended_at = ?, state = ?, releases = ?, stored = ?, error = ? WHERE id = ?';
  await catalogue.write([{ sql: start, args: [runId, at()] }]);
  return {
    end: (state: string, releases: number, error: string | null) =>
      catalogue.write([{ sql: end, args: [at(), state, releases, releases, error, runId] }]),
  };
}

/** A rebuild that was killed right after its move left the pointer behind; the generations themselves say who follows. */
async function settlePointer(files: GenerationFiles, current: number): Promise<void> {
  if (current === 1 && !existsSync(pointerPath(files))) return;
  if ((await readPointer(files)) !== current) await writePointer(files, current);
}

/** @throws ExpectedFault where a second catalogue of the same size has no room. */
async function requireRoom(path: string): Promise<void> {
  const { size } = await stat(path);
  const { bavail, bsize } = await statfs(path);
  const free = bavail * bsize;
  if (free >= size) return;
  throw new ExpectedFault(
    `a rebuild needs as much room again as the catalogue takes: ${size} bytes, and ${free} are free`,
  );
}

const TAKEDOWN = 'a takedown is being carried out; rebuild when it is done (takedown list says)';

const SERVER = [
  'CATALOGUE_URL is a libSQL server: the processes that use it could not be told to move to another database.',
  'Make a copy of that database in a file, rebuild it there with CATALOGUE_URL=file:…, load the file into a new database',
  'on the server (Turso: turso db create <name> --from-file <file>), stop the jobs process meanwhile, and start both',
  'processes with the address of the new one. The search index stays where it is.',
].join('\n');
