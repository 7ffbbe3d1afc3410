import type { Database } from '../../schema/db/interface.ts';
import { makeDocument, type NoticeRow } from '../documents/from-row.ts';
import type { FillableIndex, IndexBatch, IndexBuild, IndexCursor, SearchEngine } from '../engine.ts';
import {
  type CatalogueState,
  countChanged,
  countLag,
  type RebuildReason,
  readCatalogueState,
  rebuildReason,
} from './health.ts';

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

/** Rows that are stored in one batch. */
export const BATCH_ROWS = 2_000;
/** Rows of one read, which come to 0.5 MB: a database server answers with 10 MB at most, for all of its readers with 32 MB. */
const PAGE_ROWS = 100;
/** Sorts after every id of a `seq`. */
const LAST_ID = '\u{10ffff}';

const COLUMNS = `n.id, n.notice_id, n.ocid, n.process_id, n.source, n.stage, n.notice_type, n.title, n.description, n.buyer_id,
  n.buyer, n.published, n.published_at, n.deadline, n.deadline_at, n.value, n.currency, n.cpvs, n.regions, n.status, n.url,
  n.is_tender, n.detail, n.seq, n.gone, f.id AS framework_id, f.ceiling, f.currency AS ceiling_currency,
  json_extract(f.detail, '$.references') AS framework_references`;
/** Only a framework's own notice carries the framework, so that a framework search names each once. */
const JOIN = 'LEFT JOIN framework f ON f.id = n.process_id AND f.notice_id = n.notice_id AND f.gone = 0';
const READ_CHANGED = `SELECT ${COLUMNS} FROM notice n ${JOIN}
  WHERE (n.seq, n.id) > (?, ?) AND n.seq <= ? ORDER BY n.seq, n.id LIMIT ${PAGE_ROWS}`;
const READ_OF_FRAMEWORKS = `SELECT ${COLUMNS} FROM framework changed JOIN notice n ON n.process_id = changed.process_id ${JOIN}
  WHERE changed.seq > ? AND changed.seq <= ? AND n.id > ? ORDER BY n.id LIMIT ${PAGE_ROWS}`;

type ChangedRow = NoticeRow & { seq: number; gone: number };

/** How many documents a run stored and removed. */
interface SyncCounts {
  stored: number;
  removed: number;
}

/** One index that is filled from the catalogue. */
interface Draining {
  catalogue: Database;
  engine: SearchEngine;
  /** What is filled: the engine's live index, or a build next to it. */
  index: FillableIndex;
  options: {
    onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
    signal?: AbortSignal;
  };
  counts: SyncCounts;
}

type Drain = Draining & { target: CatalogueState['target']; from: IndexCursor };

/** Stores every row that changed since the index's cursor. Returns the cursor that the index then has. */
async function drain(run: Draining): Promise<IndexCursor | null> {
  const { target } = await readCatalogueState(run.catalogue, run.engine);
  const reached = await run.index.readCursor();
  const from = reached ?? { ...target, seq: 0, id: '' };
  // A framework that moved to another notice changes documents whose own rows did not change.
  if (reached) await drainFrameworks({ ...run, target, from });
  await drainNotices({ ...run, target, from });
  return run.index.readCursor();
}

async function drainNotices({ catalogue, index, target, from, options, counts }: Drain): Promise<void> {
  const total = await countChanged(catalogue, from, target.seq);
  const done = { ...target, id: LAST_ID };
  if (total === 0) {
    if (from.seq !== done.seq || from.id !== done.id) await index.store({ documents: [], gone: [], cursor: done });
    return;
  }
  const progress = { done: 0, total };
  const storing = storeInOrder(index, (batch) => {
    countBatch(counts, batch);
    progress.done += batch.documents.length + batch.gone.length;
    options.onProgress?.({ done: progress.done, total: Math.max(total, progress.done) });
  });
  for (let cursor = from; !options.signal?.aborted; ) {
    // The next rows are read while earlier batches are stored.
    const rows = await readBatch(catalogue, cursor, target.seq);
    const last = rows.length < BATCH_ROWS ? undefined : rows.at(-1);
    cursor = last ? { ...target, seq: last.seq, id: last.id } : done;
    await storing.store(makeBatch(rows, cursor));
    if (!last) break;
  }
  await storing.settle();
}

/** The next changed rows, read page by page; fewer than a batch where there are no more. */
async function readBatch(catalogue: Database, from: Pick<IndexCursor, 'seq' | 'id'>, upTo: number) {
  const rows: ChangedRow[] = [];
  while (rows.length < BATCH_ROWS) {
    const { seq, id } = rows.at(-1) ?? from;
    const page = await catalogue.read<ChangedRow>({ sql: READ_CHANGED, args: [seq, id, upTo] });
    rows.push(...page);
    if (page.length < PAGE_ROWS) break;
  }
  return rows;
}

async function drainFrameworks({ catalogue, index, target, from, options, counts }: Drain): Promise<void> {
  for (let after = ''; !options.signal?.aborted; ) {
    const rows = await catalogue.read<ChangedRow>({ sql: READ_OF_FRAMEWORKS, args: [from.seq, target.seq, after] });
    const last = rows.at(-1);
    if (!last) return;
    const batch = makeBatch(rows, from);
    await index.store(batch);
    countBatch(counts, batch);
    after = last.id;
  }
}

function makeBatch(rows: ChangedRow[], cursor: IndexCursor): IndexBatch {
  return {
    gone: rows.filter((row) => row.gone === 1).map(({ id }) => id),
    documents: rows.filter((row) => row.gone !== 1).map(({ seq: _seq, gone: _gone, ...row }) => makeDocument(row)),
    cursor,
  };
}

function countBatch(counts: SyncCounts, { documents, gone }: IndexBatch): void {
  counts.stored += documents.length;
  counts.removed += gone.length;
}

/** Stores batches in their order, as many at once as the index allows. */
interface OrderedStore {
  /** Ends when the next batch may come. @throws the error of this batch or of one before it */
  store(batch: IndexBatch): Promise<void>;
  /** Waits until every batch is stored. @throws the same */
  settle(): Promise<void>;
}

/** @param onStored called with each batch once the index holds it */
export function storeInOrder(
  index: Pick<FillableIndex, 'store' | 'batchesAtOnce'>,
  onStored: (batch: IndexBatch) => void,
): OrderedStore {
  const running: Promise<void>[] = [];
  return {
    async store(batch) {
      const storing = index.store(batch).then(() => onStored(batch));
      // The failure is thrown where the batch is awaited; until then it must not count as unhandled.
      void Promise.allSettled([storing]);
      running.push(storing);
      while (running.length >= (index.batchesAtOnce ?? 1)) await running.shift();
    },
    async settle() {
      await Promise.all(running.splice(0));
    },
  };
}
