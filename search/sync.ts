import type { Database } from '../schema/database.ts';
import { DOCUMENT_VERSION, makeDocument, type NoticeRow } from './documents.ts';
import type { IndexCursor, SearchEngine } from './engine.ts';

const BATCH_ROWS = 2_000;
/** After every id of its `seq`. */
const LAST_ID = '\u{10ffff}';

const COLUMNS = `n.id, n.notice_id, n.ocid, n.process_id, n.source, n.stage, n.notice_type, n.title, n.description, n.buyer_id,
  n.buyer, n.published, n.published_at, n.deadline, n.deadline_at, n.value, n.currency, n.cpvs, n.regions, n.status, n.url,
  n.is_tender, n.detail, n.seq, n.gone, f.id AS framework_id, f.ceiling, f.currency AS ceiling_currency`;
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
const COUNT_CHANGED = 'SELECT count(*) AS count FROM notice WHERE (seq, id) > (?, ?) AND seq <= ?';

type ChangedRow = NoticeRow & { seq: number; gone: number };

export interface SyncReport {
  engine: SearchEngine['name'];
  stored: number;
  removed: number;
  /** Whether the index was emptied first, and why: `new`, `generation` or `version`. */
  rebuilt: 'new' | 'generation' | 'version' | null;
  /** Rows that were still to come when the run ended; 0 unless it was stopped. */
  lagRows: number;
  durationMs: number;
  /** The same of the engine behind this one, where there is one. */
  fallback?: SyncReport;
}

export interface SyncOptions {
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
  signal?: AbortSignal;
}

/**
 * Brings the index up to the catalogue: every changed row once, in large batches, the cursor last, so a stop anywhere
 * repeats work and never loses any. After a rebuild of the catalogue it goes on with the rows that differ; an index of
 * an unrelated catalogue or of another document version is emptied and filled anew.
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
  const { target, ancestors } = await readStanding(catalogue);
  const held = await engine.readCursor();
  const rebuilt = rebuildReason(held, target, ancestors);
  if (rebuilt) await engine.reset();
  const run: Run = {
    catalogue,
    engine,
    target,
    from: rebuilt || !held ? { ...target, seq: 0, id: '' } : held,
    options,
  };
  const counts = { stored: 0, removed: 0 };
  // A framework that moved to another notice changes documents whose own rows did not change.
  if (!rebuilt) await drainFrameworks(run, counts);
  await drainNotices(run, counts);
  return {
    engine: engine.name,
    ...counts,
    rebuilt,
    lagRows: await readLag(catalogue, await engine.readCursor()),
    durationMs: Math.round(performance.now() - startedAt),
  };
}

/** How many rows of the catalogue an index at `cursor` has not heard of; all of them for an index of another build. */
export async function readLag(catalogue: Database, cursor: IndexCursor | null): Promise<number> {
  const { target, ancestors } = await readStanding(catalogue);
  const from = cursor && !rebuildReason(cursor, target, ancestors) ? cursor : { seq: 0, id: '' };
  return countChanged(catalogue, from, target.seq);
}

interface Run {
  catalogue: Database;
  engine: SearchEngine;
  target: Omit<IndexCursor, 'id'>;
  from: IndexCursor;
  options: SyncOptions;
}

async function drainNotices({ catalogue, engine, target, from, options }: Run, counts: Counts): Promise<void> {
  const total = await countChanged(catalogue, from, target.seq);
  const done = { ...target, id: LAST_ID };
  if (total === 0) {
    if (from.seq !== done.seq || from.id !== done.id) await engine.store({ documents: [], gone: [], cursor: done });
    return;
  }
  let cursor = from;
  for (let drained = 0; !options.signal?.aborted; ) {
    const rows = await catalogue.read<ChangedRow>({ sql: READ_CHANGED, args: [cursor.seq, cursor.id, target.seq] });
    const last = rows.length < BATCH_ROWS ? undefined : rows.at(-1);
    cursor = last ? { ...target, seq: last.seq, id: last.id } : done;
    await storeRows(engine, rows, cursor, counts);
    drained += rows.length;
    options.onProgress?.({ done: drained, total: Math.max(total, drained) });
    if (!last) return;
  }
}

async function drainFrameworks({ catalogue, engine, target, from, options }: Run, counts: Counts): Promise<void> {
  for (let after = ''; !options.signal?.aborted; ) {
    const rows = await catalogue.read<ChangedRow>({ sql: READ_OF_FRAMEWORKS, args: [from.seq, target.seq, after] });
    const last = rows.at(-1);
    if (!last) return;
    await storeRows(engine, rows, from, counts);
    after = last.id;
  }
}

interface Counts {
  stored: number;
  removed: number;
}

async function storeRows(engine: SearchEngine, rows: ChangedRow[], cursor: IndexCursor, counts: Counts): Promise<void> {
  const gone = rows.filter((row) => row.gone === 1).map(({ id }) => id);
  const documents = rows.filter((row) => row.gone !== 1).map(({ seq: _seq, gone: _gone, ...row }) => makeDocument(row));
  await engine.store({ documents, gone, cursor });
  counts.stored += documents.length;
  counts.removed += gone.length;
}

/** Where the catalogue stands, and the generations whose cursors go on in it. */
interface Standing {
  target: Omit<IndexCursor, 'id'>;
  ancestors: readonly string[];
}

async function readStanding(catalogue: Database): Promise<Standing> {
  const [row] = await catalogue.read<{ generation: string; ancestors: string | null; seq: number }>({
    sql: READ_STATE,
  });
  const target = { generation: row?.generation ?? '', version: DOCUMENT_VERSION, seq: row?.seq ?? 0 };
  return { target, ancestors: JSON.parse(row?.ancestors ?? '[]') as string[] };
}

async function countChanged(catalogue: Database, from: { seq: number; id: string }, seq: number): Promise<number> {
  const [row] = await catalogue.read<{ count: number }>({ sql: COUNT_CHANGED, args: [from.seq, from.id, seq] });
  return row?.count ?? 0;
}

function rebuildReason(
  held: IndexCursor | null,
  target: Standing['target'],
  ancestors: Standing['ancestors'],
): SyncReport['rebuilt'] {
  if (!held) return 'new';
  if (held.generation !== target.generation && !ancestors.includes(held.generation)) return 'generation';
  if (held.version !== target.version) return 'version';
  // A catalogue that lost its newest rows (an older copy put back) is behind its index.
  return held.seq > target.seq ? 'generation' : null;
}
