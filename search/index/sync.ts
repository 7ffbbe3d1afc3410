import type { Database } from '../../schema/db/interface.ts';
import type { FillableIndex, IndexBuild, IndexCursor, SearchEngine } from '../engine.ts';
import { type Draining, drain } from './drain.ts';
import { countLag, type RebuildReason, readCatalogueState, rebuildReason } from './health.ts';

/** Counted from two indexes, without reading the table. */
const COUNT_UP_TO = `SELECT (SELECT count(*) FROM notice WHERE seq <= ?) - (SELECT count(*) FROM notice WHERE gone = 1 AND seq <= ?)
  AS least, (SELECT count(*) FROM notice WHERE seq > ?) AS moved`;

/** What one run did to one engine's index. */
export interface SyncReport {
  engine: SearchEngine['name'];
  stored: number;
  removed: number;
  /** Why the index was rebuilt; null when it was brought up to date. */
  rebuilt: RebuildReason | null;
  /** Rows that were left when the run ended; 0 unless it was stopped. */
  lagRows: number;
  durationMs: number;
  /** The report of the fallback engine, if there is one. */
  fallback?: SyncReport;
}

export interface SyncOptions {
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
  signal?: AbortSignal;
  /** Rebuilds the index although nothing requires it. */
  rebuild?: boolean;
}

/** A build that does not hold what the catalogue holds. The live index stays. */
export class IndexIncomplete extends Error {
  override name = 'IndexIncomplete';
}

/**
 * Brings the index up to the catalogue. Each changed row is stored once, in large batches, and the cursor moves last:
 * a stop repeats work and never loses any. After a rebuild of the catalogue, only the rows that differ are stored.
 * A missing index, or one of another catalogue or version, is rebuilt next to the live one and replaces it when complete.
 * Queries use the old index meanwhile. A build that was interrupted continues from its own cursor.
 * The fallback engine is synchronised first, because it must answer when this one cannot.
 * @throws IndexIncomplete, SearchUnavailable
 */
export async function syncSearch(
  catalogue: Database,
  engine: SearchEngine,
  options: SyncOptions = {},
): Promise<SyncReport> {
  const fallback =
    engine.fallback && (await syncEngine(catalogue, engine.fallback, { ...options, onProgress: undefined }));
  return { ...(await syncEngine(catalogue, engine, options)), ...(fallback ? { fallback } : {}) };
}

async function syncEngine(catalogue: Database, engine: SearchEngine, options: SyncOptions): Promise<SyncReport> {
  const startedAt = performance.now();
  const counts = { stored: 0, removed: 0 };
  const reason = rebuildReason(await engine.readCursor(), await readCatalogueState(catalogue, engine));
  const rebuilt = reason ?? (options.rebuild ? 'asked' : null);
  const run: Draining = { catalogue, engine, index: engine, options, counts };
  if (rebuilt) run.index = await rebuildIndex(run, rebuilt);
  const reached = run.index === engine ? await drain(run) : await run.index.readCursor();
  if (!options.signal?.aborted) await engine.tidy();
  return {
    engine: engine.name,
    ...counts,
    rebuilt,
    lagRows: await countLag(catalogue, engine, reached),
    durationMs: Math.round(performance.now() - startedAt),
  };
}

/** Fills a build and makes it live. Returns the index that the next rows go into: the build itself if the run was stopped. */
async function rebuildIndex(run: Draining, reason: RebuildReason): Promise<FillableIndex> {
  const { catalogue, engine, options } = run;
  const build = await engine.openBuild();
  const state = await readCatalogueState(catalogue, engine);
  const continues = reason !== 'asked' && rebuildReason(await build.readCursor(), state) === null;
  if (!continues) await build.clear();
  const reached = await drain({ ...run, index: build });
  if (options.signal?.aborted || !reached) return build;
  await checkCount(catalogue, build, reached);
  await build.goLive();
  return engine;
}

/** Compares the number of documents in a build with the rows it was filled from. Empties a build that is incomplete. */
async function checkCount(catalogue: Database, build: IndexBuild, { seq }: IndexCursor): Promise<void> {
  const stored = await build.countDocuments();
  const [expected] = await catalogue.read<{ least: number; moved: number }>({
    sql: COUNT_UP_TO,
    args: [seq, seq, seq],
  });
  const least = expected?.least ?? 0;
  // A row that changed since the build may still be in it with its old text.
  if (stored >= least && stored <= least + (expected?.moved ?? 0)) return;
  await build.clear();
  throw new IndexIncomplete(`the rebuilt index holds ${stored} documents where the catalogue has ${least}`);
}
