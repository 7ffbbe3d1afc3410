import type { Database } from '../../schema/db/interface.ts';
import { makeDocument, type NoticeRow } from '../documents/from-row.ts';
import type { FillableIndex, IndexBatch, IndexCursor, SearchEngine } from '../engine.ts';
import { checkCount } from './rebuild-check.ts';
import { storeInTurn } from './store-in-order.ts';

/** Rows that are stored at once. */
export const BATCH_ROWS = 2_000;
/** After every id of its `seq`. */
const LAST_ID = '\u{10ffff}';

const COLUMNS = `n.id, n.notice_id, n.ocid, n.process_id, n.source, n.stage, n.notice_type, n.title, n.description, n.buyer_id,
  n.buyer, n.published, n.published_at, n.deadline, n.deadline_at, n.value, n.currency, n.cpvs, n.regions, n.status, n.url,
  n.is_tender, n.detail, n.seq, n.gone, f.id AS framework_id, f.ceiling, f.currency AS ceiling_currency,
  json_extract(f.detail, '$.references') AS framework_references`;
/** A framework is found through its own notice alone, so that a search of frameworks names each once. */
const JOIN = 'LEFT JOIN framework f ON f.id = n.process_id AND f.notice_id = n.notice_id AND f.gone = 0';
/** `ancestors`: generations whose rows this one goes on numbering, as JSON. A cursor of theirs goes on here. */
const READ_STATE = `SELECT (SELECT value FROM meta WHERE name = 'generation') AS generation,
  (SELECT value FROM meta WHERE name = 'ancestors') AS ancestors,
  (SELECT value FROM counter WHERE name = 'seq') AS seq`;
const READ_CHANGED = `SELECT ${COLUMNS} FROM notice n ${JOIN}
  WHERE (n.seq, n.id) > (?, ?) AND n.seq <= ? ORDER BY n.seq, n.id LIMIT ${BATCH_ROWS}`;
const READ_OF_FRAMEWORKS = `SELECT ${COLUMNS} FROM framework changed JOIN notice n ON n.process_id = changed.process_id ${JOIN}
  WHERE changed.seq > ? AND changed.seq <= ? AND n.id > ? ORDER BY n.id LIMIT ${BATCH_ROWS}`;
const COUNT_CHANGED = `SELECT count(*) AS count FROM
  (SELECT 1 FROM notice WHERE (seq, id) > (?, ?) AND seq <= ? LIMIT ?)`;

type ChangedRow = NoticeRow & { seq: number; gone: number };

/** Why an index is built anew. */
export type RebuildReason = 'new' | 'generation' | 'version' | 'asked';

export interface SyncReport {
  engine: SearchEngine['name'];
  stored: number;
  removed: number;
  /** Whether the index was built anew, and why. */
  rebuilt: RebuildReason | null;
  /** Rows that were still to come when the run ended; 0 unless it was stopped. */
  lagRows: number;
  durationMs: number;
  /** The same of the engine behind this one, where there is one. */
  fallback?: SyncReport;
}

export interface SyncOptions {
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
  signal?: AbortSignal;
  /** Builds the index anew although nothing asks for it. */
  rebuild?: boolean;
}

/**
 * Brings the index up to the catalogue: every changed row once, in large batches, the cursor last, so a stop anywhere
 * repeats work and never loses any. After a rebuild of the catalogue it goes on with the rows that differ. Where there is
 * no index, or one of an unrelated catalogue or another version, a new one is built beside it and takes its place when it
 * is whole; queries are answered from the old one meanwhile. A build that was broken off goes on where it was.
 * The engine behind this one is brought up first, as it must answer when this one cannot.
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
  const reason = rebuildReason(await engine.readCursor(), await readStanding(catalogue, engine));
  const rebuilt = reason ?? (options.rebuild ? 'asked' : null);
  const run: Run = { catalogue, engine, index: engine, options, counts };
  if (rebuilt) run.index = await buildAnew(run, rebuilt);
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

/** Fills an index beside the live one and puts it in its place; answers which one is to be drained into from now on. */
async function buildAnew(run: Run, reason: RebuildReason): Promise<FillableIndex> {
  const { catalogue, engine, options } = run;
  const build = await engine.openBuild();
  const standing = await readStanding(catalogue, engine);
  const goesOn = reason !== 'asked' && rebuildReason(await build.readCursor(), standing) === null;
  if (!goesOn) await build.clear();
  const reached = await drain({ ...run, index: build });
  if (options.signal?.aborted || !reached) return build;
  await checkCount(catalogue, build, reached);
  await build.goLive();
  return engine;
}

/** How many rows of the catalogue an engine's index has not heard of, counted up to `most`; all for an index of another build. */
export async function readLag(catalogue: Database, engine: SearchEngine, most?: number): Promise<number> {
  return countLag(catalogue, engine, await engine.readCursor(), most);
}

async function countLag(
  catalogue: Database,
  engine: SearchEngine,
  cursor: IndexCursor | null,
  most?: number,
): Promise<number> {
  const standing = await readStanding(catalogue, engine);
  const from = cursor && rebuildReason(cursor, standing) === null ? cursor : { seq: 0, id: '' };
  return countChanged(catalogue, from, standing.target.seq, most);
}

/** Brings one index up to where the catalogue stands now; answers where it stands then. */
async function drain(run: Omit<Run, 'target' | 'from'>): Promise<IndexCursor | null> {
  const { target } = await readStanding(run.catalogue, run.engine);
  const held = await run.index.readCursor();
  const from = held ?? { ...target, seq: 0, id: '' };
  // A framework that moved to another notice changes documents whose own rows did not change.
  if (held) await drainFrameworks({ ...run, target, from });
  await drainNotices({ ...run, target, from });
  return run.index.readCursor();
}

interface Run {
  catalogue: Database;
  engine: SearchEngine;
  /** What is filled: the engine's live index, or a build beside it. */
  index: FillableIndex;
  options: SyncOptions;
  counts: { stored: number; removed: number };
}

type Drain = Run & { target: Standing['target']; from: IndexCursor };

async function drainNotices({ catalogue, index, target, from, options, counts }: Drain): Promise<void> {
  const total = await countChanged(catalogue, from, target.seq);
  const done = { ...target, id: LAST_ID };
  if (total === 0) {
    if (from.seq !== done.seq || from.id !== done.id) await index.store({ documents: [], gone: [], cursor: done });
    return;
  }
  const progress = { done: 0, total };
  const storing = storeInTurn(index, (batch) => {
    countBatch(counts, batch);
    progress.done += batch.documents.length + batch.gone.length;
    options.onProgress?.({ done: progress.done, total: Math.max(total, progress.done) });
  });
  for (let cursor = from; !options.signal?.aborted; ) {
    // What is under way is stored meanwhile.
    const rows = await catalogue.read<ChangedRow>({ sql: READ_CHANGED, args: [cursor.seq, cursor.id, target.seq] });
    const last = rows.length < BATCH_ROWS ? undefined : rows.at(-1);
    cursor = last ? { ...target, seq: last.seq, id: last.id } : done;
    await storing.store(makeBatch(rows, cursor));
    if (!last) break;
  }
  await storing.settle();
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

/** A batch of rows, and its share in what is reported. */
function makeBatch(rows: ChangedRow[], cursor: IndexCursor): IndexBatch {
  return {
    gone: rows.filter((row) => row.gone === 1).map(({ id }) => id),
    documents: rows.filter((row) => row.gone !== 1).map(({ seq: _seq, gone: _gone, ...row }) => makeDocument(row)),
    cursor,
  };
}

function countBatch(counts: Run['counts'], { documents, gone }: IndexBatch): void {
  counts.stored += documents.length;
  counts.removed += gone.length;
}

/** Where the catalogue stands, and the generations whose cursors go on in it. */
interface Standing {
  target: Omit<IndexCursor, 'id'>;
  ancestors: readonly string[];
}

async function readStanding(catalogue: Database, { version }: SearchEngine): Promise<Standing> {
  const [row] = await catalogue.read<{ generation: string; ancestors: string | null; seq: number }>({
    sql: READ_STATE,
  });
  const target = { generation: row?.generation ?? '', version, seq: row?.seq ?? 0 };
  return { target, ancestors: JSON.parse(row?.ancestors ?? '[]') as string[] };
}

async function countChanged(
  catalogue: Database,
  from: { seq: number; id: string },
  seq: number,
  most = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  const [row] = await catalogue.read<{ count: number }>({ sql: COUNT_CHANGED, args: [from.seq, from.id, seq, most] });
  return row?.count ?? 0;
}

function rebuildReason(held: IndexCursor | null, { target, ancestors }: Standing): RebuildReason | null {
  if (!held) return 'new';
  if (held.generation !== target.generation && !ancestors.includes(held.generation)) return 'generation';
  if (held.version !== target.version) return 'version';
  // A catalogue that lost its newest rows (an older copy put back) is behind its index.
  return held.seq > target.seq ? 'generation' : null;
}
