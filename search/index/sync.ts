import type { Logger } from 'pino';
import type { Database } from '../../schema/db/interface.ts';
import { LAST_CHARACTER } from '../../schema/text/ids.ts';
import { COLLECTIONS } from '../collections/index.ts';
import type { Collection } from '../collections/shape.ts';
import type {
  CollectionName,
  FillableIndex,
  IndexBatch,
  IndexBuild,
  IndexCursor,
  SearchEngine,
  Searches,
} from '../engine.ts';
import { readChanged, readConcerned, sortRows } from './changed-rows.ts';
import {
  type AnyEngine,
  type CatalogueState,
  countChanged,
  countLag,
  type RebuildReason,
  readCatalogueState,
  rebuildReason,
} from './health.ts';

/** Counted from indexes, without reading the table. */
const countUpTo = ({ table, absent }: Collection['drained']) => `SELECT (SELECT count(*) FROM ${table} WHERE seq <= ?1)
  ${absent.map((condition) => `- (SELECT count(*) FROM ${table} WHERE ${condition} AND seq <= ?1)`).join(' ')}
  AS least, (SELECT count(*) FROM ${table} WHERE seq > ?1) AS moved`;

/** What one run did to one engine's index. */
export interface SyncReport {
  engine: SearchEngine['name'];
  collection: CollectionName;
  stored: number;
  removed: number;
  /** Why the index was rebuilt; null when it was brought up to date. */
  rebuilt: RebuildReason | null;
  /** Rows left when the run ended; 0 unless it was stopped. */
  lagRows: number;
  durationMs: number;
  /** The report of the fallback engine, if there is one. */
  fallback?: SyncReport;
  /** The report of the engine of contracts, where that of notices is synchronised with it. */
  contracts?: SyncReport;
}

export interface SyncOptions {
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
  signal?: AbortSignal;
  /** Rebuilds the index even if nothing requires it. */
  rebuild?: boolean;
  /** Receives a warning about an index that cannot be kept up to date while another is rebuilt, which may take hours. The run continues. */
  log?: Pick<Logger, 'warn'>;
}

/** A build whose contents differ from the catalogue's. The live index stays. */
export class IndexIncomplete extends Error {
  override name = 'IndexIncomplete';
}

/**
 * Brings the index up to the catalogue. Each changed row is stored once, in large batches, and the cursor moves last:
 * a stop repeats work and never loses any. After a rebuild of the catalogue, only the rows that differ are stored.
 * A missing index, or one of another catalogue or version, is rebuilt next to the live one and replaces it when complete.
 * Queries use the old index meanwhile, and each batch of a build brings every index of this version up to date. A build that was
 * interrupted continues from its own cursor.
 * The fallback engine is synchronised first, because it must answer when this one cannot. Contracts are synchronised even if
 * notices cannot be, for the same reason.
 * @throws IndexIncomplete, SearchUnavailable
 */
export async function syncSearch(
  catalogue: Database,
  engine: AnyEngine | Searches,
  options: SyncOptions = {},
): Promise<SyncReport> {
  const both = 'contracts' in engine ? [engine, engine.contracts] : [engine];
  const live = new Set(both.flatMap((one) => (one.fallback ? [one, one.fallback] : [one])));
  if (!('contracts' in engine)) return syncCollection(catalogue, engine, { ...options, live });
  const [notices] = await Promise.allSettled([syncCollection(catalogue, engine, { ...options, live })]);
  const contracts = await syncCollection(catalogue, engine.contracts, { ...options, live });
  if (notices.status === 'rejected') throw notices.reason;
  return { ...notices.value, contracts };
}

interface RunOptions extends SyncOptions {
  /** Engines of the run that still answer: a build of one, which may take hours, keeps the indexes of all up to date. */
  live: Set<AnyEngine>;
}

async function syncCollection(catalogue: Database, engine: AnyEngine, options: RunOptions): Promise<SyncReport> {
  const fallback =
    engine.fallback && (await syncEngine(catalogue, engine.fallback, { ...options, onProgress: undefined }));
  return { ...(await syncEngine(catalogue, engine, options)), ...(fallback ? { fallback } : {}) };
}

async function syncEngine(catalogue: Database, engine: AnyEngine, options: RunOptions): Promise<SyncReport> {
  const startedAt = performance.now();
  const reason = await findReason(catalogue, engine);
  const rebuilt = reason ?? (options.rebuild ? 'asked' : null);
  const run = drainingOf(catalogue, engine, options);
  if (rebuilt) run.index = await rebuildIndex(run, rebuilt);
  const reached = run.index === engine ? await drain(run) : await run.index.readCursor();
  if (!options.signal?.aborted) await engine.tidy();
  return {
    engine: engine.name,
    collection: engine.collection,
    ...run.counts,
    rebuilt,
    lagRows: await countLag(catalogue, engine, reached),
    durationMs: Math.round(performance.now() - startedAt),
  };
}

/** Why the index is to be rebuilt, where no build of an interrupted run goes live meanwhile. */
async function findReason(catalogue: Database, engine: AnyEngine): Promise<ReturnType<typeof rebuildReason>> {
  const reason = await judge(catalogue, engine);
  if (!engine.settle) return reason;
  // Beyond the position of a build that is still to go live, the next rows would be stored without those in between.
  const left = await (await engine.openBuild()).readCursor();
  if (reason === null && left === null) return null;
  await engine.settle();
  return judge(catalogue, engine);
}

async function judge(catalogue: Database, engine: AnyEngine): Promise<ReturnType<typeof rebuildReason>> {
  const cursor = await engine.readCursor();
  return rebuildReason(cursor, await readCatalogueState(catalogue, engine, cursor));
}

/** Brings every index that needs no rebuild up to date. An engine that cannot is not asked again in this run. */
async function keepUp({ catalogue, options }: Draining): Promise<void> {
  const { live, log } = options;
  for (const engine of live) {
    try {
      if ((await judge(catalogue, engine)) !== null) continue;
      await drain(drainingOf(catalogue, engine, { ...options, onProgress: undefined }));
    } catch (err) {
      live.delete(engine);
      const left = { job: 'search', engine: engine.name, collection: engine.collection, err };
      log?.warn(left, 'an index stays as it is while another is rebuilt, and is tried again after that');
    }
  }
}

/** Fills a build and makes it live. Returns the index for the next rows: the build itself if the run was stopped. */
async function rebuildIndex(run: Draining, reason: RebuildReason): Promise<FillableIndex> {
  const { catalogue, engine, options } = run;
  const build = await engine.openBuild();
  const begun = await build.readCursor();
  const state = await readCatalogueState(catalogue, engine, begun);
  const continues = reason !== 'asked' && rebuildReason(begun, state) === null;
  if (!continues) await build.clear();
  const reached = await drain({ ...run, index: build, afterBatch: () => keepUp(run) });
  if (options.signal?.aborted || !reached) return build;
  await checkCount(run, build, reached);
  await build.goLive();
  return engine;
}

/** Compares the number of documents in a build with the rows it was filled from. Empties a build that is incomplete. */
async function checkCount({ catalogue, collection }: Draining, build: IndexBuild, { seq }: IndexCursor): Promise<void> {
  const stored = await build.countDocuments();
  const [expected] = await catalogue.read<{ least: number; moved: number }>({
    sql: countUpTo(collection.drained),
    args: [seq],
  });
  const least = expected?.least ?? 0;
  // A row that changed since the build may still be in it with its old text.
  if (stored >= least && stored <= least + (expected?.moved ?? 0)) return;
  await build.clear();
  throw new IndexIncomplete(`the rebuilt index holds ${stored} documents where the catalogue has ${least}`);
}

/** Rows that are stored at once if the engine has no preference. */
const BATCH_ROWS = 2_000;

/** One index that is filled from the catalogue. */
interface Draining {
  catalogue: Database;
  engine: AnyEngine;
  collection: Collection;
  /** What is filled: the engine's live index, or a build next to it. */
  index: FillableIndex;
  options: RunOptions;
  counts: Pick<SyncReport, 'stored' | 'removed'>;
  /** Called after each stored batch. */
  afterBatch?: () => Promise<unknown>;
}

/** An engine's live index, to be filled. */
function drainingOf(catalogue: Database, engine: AnyEngine, options: RunOptions): Draining {
  const collection = COLLECTIONS[engine.collection];
  return { catalogue, engine, collection, index: engine, options, counts: { stored: 0, removed: 0 } };
}

type Drain = Draining & { target: CatalogueState['target']; from: IndexCursor };

/** Stores every row that changed since the index's cursor. Returns the cursor that the index then has. */
async function drain(run: Draining): Promise<IndexCursor | null> {
  const { target } = await readCatalogueState(run.catalogue, run.engine);
  const reached = await run.index.readCursor();
  const from = reached ?? { ...target, seq: 0, id: '' };
  if (reached) await drainConcerned({ ...run, target, from });
  // Where that was stopped, the cursor stays: what is left is read again.
  if (!run.options.signal?.aborted) await drainRows({ ...run, target, from });
  return run.index.readCursor();
}

async function drainRows(run: Drain): Promise<void> {
  const { catalogue, collection, index, target, from, options, counts } = run;
  const total = await countChanged(catalogue, collection, { from, seq: target.seq });
  const done = { ...target, id: LAST_CHARACTER };
  if (total === 0) {
    if (from.seq !== done.seq || from.id !== done.id) await index.store({ documents: [], gone: [], cursor: done });
    return;
  }
  const progress = { done: 0, total };
  const { batchRows: most = BATCH_ROWS } = run.engine;
  for (let cursor = from; !options.signal?.aborted; ) {
    const { next, ...changed } = await readChanged(run, cursor, { upTo: target.seq, most });
    cursor = next ? { ...target, ...next } : done;
    const batch = { ...changed, cursor };
    await index.store(batch);
    await run.afterBatch?.();
    countBatch(counts, batch);
    progress.done += batch.documents.length + batch.gone.length;
    options.onProgress?.({ done: progress.done, total: Math.max(total, progress.done) });
    if (!next) break;
  }
}

/** Documents that changed because of other rows than their own. */
async function drainConcerned(run: Drain): Promise<void> {
  const { collection, index, target, from, options, counts } = run;
  for await (const rows of readConcerned(run, { after: from.seq, upTo: target.seq })) {
    const batch = { ...sortRows(collection, rows), cursor: from };
    await index.store(batch);
    countBatch(counts, batch);
    if (options.signal?.aborted) return;
  }
}

function countBatch(counts: Pick<SyncReport, 'stored' | 'removed'>, { documents, gone }: IndexBatch): void {
  counts.stored += documents.length;
  counts.removed += gone.length;
}
