import { Readable } from 'node:stream';
import { HOUR_MS } from '../../schema/config/clocks.ts';
import type { Database, Statement } from '../../schema/db/interface.ts';
import { parseCompanyNumber } from '../../schema/text/ids.ts';
import { wasReadSince } from '../completeness/daily-listing.ts';
import { contactsOpenAt } from '../contacts/personal-details.ts';
import type { IngestContext } from '../context.ts';
import { type ReadPage, readOcdsPage } from '../parse/page.ts';
import { type Quarantined, UnreadablePage } from '../parse/repair.ts';
import { type CsvRow, readCsvRows } from '../register/csv.ts';
import { parseProfile, storeProfileStatements } from '../register/profiles.ts';
import { makeRowReader, type RegisterRow, readHeader } from '../register/row.ts';
import { listedStatements } from '../register/store.ts';
import { COUNT_QUARANTINED, fenceOf } from '../runs/record.ts';
import { readEditionCursor, uncoveredSpans } from '../runs/spans.ts';
import type { CellsSource, NoticesSource, Span, WindowsSource } from '../source.ts';
import { findService } from '../sources/index.ts';
import { storePage } from '../store/page.ts';

/** An entry in quarantine whose bytes still exist. */
export interface QuarantinedRow {
  id: number;
  source: string;
  kind: Quarantined['kind'];
  reason: string;
  url: string;
  record_id: string | null;
  bytes: Uint8Array;
  /** When it was first and last fetched, ISO 8601 UTC. */
  first_seen_at: string;
  last_seen_at: string;
  sightings: number;
}

/** The current reader's result for quarantined bytes: a page, or why it still cannot read them. */
type ReadAgain = { page: ReadPage } | { stillFails: string };

interface Outcome {
  outcome: 'resolved' | 'held';
  /** What was stored, or why it still cannot be read. */
  said: string;
}

/** The outcome for one quarantined row. */
interface Retried extends Outcome {
  id: number;
  source: string;
}

const READ = `SELECT id, source, kind, reason, url, record_id, bytes, first_seen_at, last_seen_at, sightings FROM quarantine
  WHERE state = 'held' AND bytes IS NOT NULL AND source = ?1 AND id > ?2 AND (?3 IS NULL OR id = ?3) ORDER BY id LIMIT 1`;
/** The newest row when reading began: rows that a retry itself adds are not retried at once. */
const NEWEST = 'SELECT max(id) AS id FROM quarantine';

/** Quarantined rows of a source one after another, oldest first: their bytes may be large, so only one is in memory. */
export async function* readQuarantinedRows(
  catalogue: Database,
  { source, id }: { source: string; id?: number | undefined },
): AsyncGenerator<QuarantinedRow, void> {
  const [newest] = await catalogue.read<{ id: number | null }>({ sql: NEWEST });
  for (let after = 0; ; ) {
    const [row] = await catalogue.read<QuarantinedRow>({ sql: READ, args: [source, after, id ?? null] });
    if (!row || row.id > (newest?.id ?? 0)) return;
    yield row;
    after = row.id;
  }
}

/**
 * Reads quarantined bytes with the current reader and stores what can now be read as if it had just arrived. A page or a release
 * goes in the batch that marks the row as resolved, so that a repeated or killed retry stores nothing twice. @throws what
 * `storePage` throws.
 */
export async function retryQuarantined(
  context: IngestContext,
  row: QuarantinedRow,
  signal?: AbortSignal,
): Promise<Retried> {
  const { id, source } = row;
  if (row.kind === 'row') return { id, source, ...(await retryRegisterRow(context, row)) };
  const read = readQuarantined(row);
  if ('stillFails' in read) return { id, source, outcome: 'held', said: read.stillFails };
  const { releases, quarantined, pageSha256 } = read.page;
  const { stored, unchanged, refused } = await storePage(context.catalogue, {
    source,
    fetchedAt: row.last_seen_at,
    // One without a date is as old as its first fetch.
    releases: releases.map((one) => (one.date === '' ? { ...one, date: row.first_seen_at } : one)),
    quarantined,
    pageSha256,
    contactsOpenAt: contactsOpenAt(context),
    before: fenceOf(context),
    after: resolveStatements(row),
    signal,
  });
  if (row.kind === 'release' && refused > 0) return { id, source, outcome: 'held', said: 'it cannot be compiled' };
  const apart = quarantined.length + refused;
  const rest = apart > 0 ? `, ${apart} of its releases quarantined on their own` : '';
  return { id, source, outcome: 'resolved', said: `${stored} stored, ${unchanged} stored already${rest}` };
}

/** Reads a quarantined page, or a release as a page of one. A readable page may contain releases that are not. */
function readQuarantined({ kind, source, url, bytes }: QuarantinedRow): ReadAgain {
  try {
    const page = readOcdsPage(kind === 'release' ? wrapRelease(bytes) : bytes, {
      source,
      url,
      adapt: findService(source)?.adapt,
    });
    const [refused] = page.quarantined;
    return kind === 'release' && refused ? { stillFails: refused.reason } : { page };
  } catch (error) {
    if (error instanceof UnreadablePage) return { stillFails: error.message };
    throw error;
  }
}

function wrapRelease(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from('{"releases":['), bytes, Buffer.from(']}')]);
}

/** Reads a row of a bulk file, or a profile, again; what can be read is stored in the batch that marks it as resolved. */
async function retryRegisterRow(context: IngestContext, row: QuarantinedRow): Promise<Outcome> {
  return /\/company\/[^/]+$/.test(row.url) ? retryProfile(context, row) : retryListed(context, row);
}

const LATER_PROFILE = 'SELECT 1 FROM registered_company WHERE company_number = ? AND profile_fetched_at > ?';

async function retryProfile(context: IngestContext, row: QuarantinedRow): Promise<Outcome> {
  const number = parseCompanyNumber(row.record_id ?? '');
  const profile = number && parseProfile(row.bytes, number);
  if (!profile) return { outcome: 'held', said: row.reason };
  const [later] = await context.catalogue.read({ sql: LATER_PROFILE, args: [number, row.last_seen_at] });
  if (later) {
    await write(context, row, []);
    return { outcome: 'resolved', said: `a later profile of ${number} has been stored since, and decides` };
  }
  const statements = await storeProfileStatements(context.catalogue, number, profile, row.last_seen_at);
  await write(context, row, statements);
  return { outcome: 'resolved', said: `the profile of ${number} stored` };
}

async function retryListed(context: IngestContext, row: QuarantinedRow): Promise<Outcome> {
  const read = await readListed(row.bytes);
  if ('reason' in read) return { outcome: 'held', said: read.reason };
  const edition = /\d{4}-\d{2}-\d{2}/.exec(row.url)?.[0];
  if (!edition) return { outcome: 'held', said: `its address names no edition: ${row.url}` };
  const cursor = await readEditionCursor(context.catalogue, row.source);
  if (cursor && cursor.date > edition) {
    await write(context, row, []);
    return { outcome: 'resolved', said: `a later edition than ${edition} has been applied since, and decides` };
  }
  const { statements, applied } = await listedStatements(context.catalogue, [read], edition);
  await write(context, row, statements);
  return { outcome: 'resolved', said: `${applied.changed} stored, ${applied.same} stored already` };
}

/** The quarantined bytes are the file's header and the row below it. */
async function readListed(bytes: Uint8Array): Promise<RegisterRow | { reason: string }> {
  const rows: CsvRow[] = [];
  for await (const some of readCsvRows(Readable.from([bytes]))) rows.push(...some);
  const [header, row] = rows;
  if (!header?.cells || !row || rows.length !== 2)
    return { reason: `${rows.length} lines where a header and a row were due` };
  return makeRowReader(readHeader(header.cells))(row.cells);
}

async function write(context: IngestContext, row: QuarantinedRow, statements: readonly Statement[]): Promise<void> {
  const fence = fenceOf(context);
  await context.catalogue.write([...fence, ...statements, ...resolveStatements(row)]);
}

/**
 * Statements for an entry that has been read and stored: its row stays as resolved, without its bytes. An entry that came again
 * since it was read, even in the same batch, stays in quarantine.
 */
function resolveStatements({ id, sightings }: { id: number; sightings: number }): Statement[] {
  return [
    {
      sql: "UPDATE quarantine SET state = 'resolved', bytes = NULL WHERE id = ? AND sightings = ?",
      args: [id, sightings],
    },
    COUNT_QUARANTINED,
  ];
}

interface QuarantinedPage {
  id: number;
  url: string;
  last_seen_at: string;
  sightings: number;
}

/** Most pages examined after one run, newest first; the others follow once these are resolved. */
const PAGES_A_RUN = 500;
const QUARANTINED_PAGES = `SELECT id, url, last_seen_at, sightings FROM quarantine
  WHERE source = ? AND kind = 'page' AND state = 'held' ORDER BY last_seen_at DESC, id DESC LIMIT ${PAGES_A_RUN}`;
/** Windows that were read completely by a run that began after the page was last seen. Runs are dated by the wall clock, like pages. */
const SINCE = `SELECT w."from", w.until FROM window w JOIN run r ON r.id = w.run_id
  WHERE w.source = ?1 AND w.state <> 'split' AND w."from" BETWEEN ?5 AND ?3 AND w.until >= ?2 AND r.started_at >= ?4`;
/** Ids that were requested one by one, and the results. */
const RESOLVED_ID = `SELECT 1 FROM probe WHERE source = ?1 AND notice_id = ?2 AND state IN ('fetched', 'never_published') AND asked_at >= ?3`;

/**
 * Resolves quarantined pages whose data has arrived since: a later run read their whole span or day, or their only notice. Their data
 * is then stored, so their bytes are dropped. Returns how many pages were resolved.
 */
export async function resolvePages(context: IngestContext, source: NoticesSource): Promise<number> {
  const pages = await context.catalogue.read<QuarantinedPage>({ sql: QUARANTINED_PAGES, args: [source.id] });
  let resolved = 0;
  for (const page of pages) {
    if (!(await hasCome(context, source, page))) continue;
    await context.catalogue.write([...fenceOf(context), ...resolveStatements(page)]);
    resolved += 1;
  }
  return resolved;
}

function hasCome(context: IngestContext, source: NoticesSource, page: QuarantinedPage): Promise<boolean> {
  return source.asked === 'by_cell' ? hasCellCome(context, source, page) : hasSpanCome(context, source, page);
}

const CELL_SINCE = `SELECT 1 FROM cell WHERE source = ? AND month = ? AND type = ? AND state <> 'failed' AND settled_at > ?`;

async function hasCellCome({ catalogue }: IngestContext, source: CellsSource, page: QuarantinedPage): Promise<boolean> {
  const cell = source.readCell(page.url);
  if (!cell) return false;
  const args = [source.id, cell.month, cell.type, page.last_seen_at];
  return (await catalogue.read({ sql: CELL_SINCE, args })).length > 0;
}

async function hasSpanCome(context: IngestContext, source: WindowsSource, page: QuarantinedPage): Promise<boolean> {
  const { catalogue } = context;
  const span = source.readSpan(page.url);
  if (!span) {
    if (await wasReadSince(context, source, { url: page.url, since: page.last_seen_at })) return true;
    const id = decodeURIComponent(new URL(page.url).pathname.split('/').at(-1) ?? '');
    return (await catalogue.read({ sql: RESOLVED_ID, args: [source.id, id, page.last_seen_at] })).length > 0;
  }
  // No window that overlaps the span began earlier.
  const earliest = new Date(span.from.getTime() - source.longestWindowHours * HOUR_MS);
  const [first, from, until] = [earliest, span.from, span.until].map((instant) => instant.toISOString());
  const rows = await catalogue.read<{ from: string; until: string }>({
    sql: SINCE,
    args: [source.id, from ?? '', until ?? '', page.last_seen_at, first ?? ''],
  });
  const read = rows.map((row): Span => ({ from: new Date(row.from), until: new Date(row.until) }));
  return rows.length > 0 && uncoveredSpans(span, read).length === 0;
}
