import { isoInstant } from '../schema/clocks.ts';
import type { Statement } from '../schema/database.ts';
import { type Quarantined, quarantineStatements } from './quarantine.ts';
import type { Unknown } from './read-unknown.ts';
import type { CsvRow } from './register-csv.ts';
import { findUnknownKinds, type RowKinds } from './register-known.ts';
import { makeRowReader, readHeader } from './register-row.ts';
import { isFirstSight, type RegisterRun } from './register-run.ts';
import { type Listed, listedStatements } from './register-store.ts';
import { type CsvBlock, checkZip, readZipRows } from './register-zip.ts';
import { addCounts, countAsking, countRunStatement } from './run-rows.ts';
import { unknownStatements } from './store-releases.ts';

/** Rows to a write: enough to pay for a commit, few enough that no other writer waits long. */
const BATCH_ROWS = 1_000;
/** A file of which more rows than this cannot be read is another file than we know. */
const MOST_UNREADABLE = { share: 0.1, rows: 100 };

type RowReader = ReturnType<typeof makeRowReader>;

/** One file of an edition, on disk. */
export interface Part {
  path: string;
  url: string;
  edition: string;
}

/** What goes into the next write, and what it does to the run's tally. */
interface Batch {
  statements: Statement[];
  rows: number;
  listed: number;
  stored: number;
  unchanged: number;
  badDates: number;
  quarantined: Quarantined[];
  unknown: Unknown[];
}

/**
 * Applies one zip of an edition in batches; `last` goes with the last of them.
 * @throws Error for a zip that is damaged, holds no such CSV, or whose rows cannot be read; a damaged one changes nothing.
 */
export async function applyPart(run: RegisterRun, part: Part, last: readonly Statement[]): Promise<void> {
  await checkZip(part.path);
  let batch = makeBatch();
  let header: CsvRow | null = null;
  let read: RowReader | null = null;
  const seen = { rows: 0, unreadable: 0 };
  for await (const block of readZipRows(part.path)) {
    run.options.signal?.throwIfAborted();
    if (block.header !== header || !read) {
      header = block.header;
      read = makeRowReader(readHeader(header.cells ?? []));
    }
    await addRows(run, batch, part, block, read);
    if (batch.rows < BATCH_ROWS) continue;
    judgeRows(part, batch, seen);
    await storeBatch(run, batch, []);
    batch = makeBatch();
  }
  if (!read) throw new Error(`${part.url} holds no CSV`);
  judgeRows(part, batch, seen);
  await storeBatch(run, batch, last);
}

function makeBatch(): Batch {
  return { statements: [], rows: 0, listed: 0, stored: 0, unchanged: 0, badDates: 0, quarantined: [], unknown: [] };
}

/** Adds what some rows change. Their cells are let go of here: a whole batch of them would outlive the young generation. */
async function addRows(
  run: RegisterRun,
  batch: Batch,
  { url, edition }: Part,
  { header, rows }: CsvBlock,
  read: RowReader,
): Promise<void> {
  const listed: Listed[] = [];
  for (const { bytes, cells } of rows) {
    const row = read(cells);
    if ('reason' in row) {
      const recordId = cells?.[1]?.trim();
      batch.quarantined.push({ kind: 'row', reason: row.reason, url, recordId, bytes: underHeader(header, bytes) });
    } else {
      listed.push(row);
      noteKinds(run, batch, row);
    }
  }
  const { statements, applied } = await listedStatements(run.tools.catalogue, listed, edition);
  for (const statement of statements) batch.statements.push(statement);
  batch.rows += rows.length;
  batch.listed += listed.length;
  batch.stored += applied.changed;
  batch.unchanged += applied.same;
  batch.badDates += applied.badDates;
}

/** A row's bytes beneath its file's header: what it takes to read it again. */
function underHeader(header: CsvRow, row: Uint8Array): Buffer {
  return Buffer.concat([header.bytes, Buffer.from('\r\n'), row]);
}

function noteKinds(run: RegisterRun, batch: Batch, row: RowKinds): void {
  if (!isFirstSight(run, `${row.status}\t${row.category}\t${row.accounts}`)) return;
  for (const unknown of findUnknownKinds(row)) {
    if (isFirstSight(run, `${unknown.field}\n${unknown.value}`)) batch.unknown.push(unknown);
  }
}

/** @throws Error where so many rows of a file cannot be read that it must be another file. */
function judgeRows({ url }: Part, batch: Batch, seen: { rows: number; unreadable: number }): void {
  seen.rows += batch.rows;
  seen.unreadable += batch.quarantined.length;
  if (seen.unreadable <= Math.max(MOST_UNREADABLE.rows, seen.rows * MOST_UNREADABLE.share)) return;
  const reason = batch.quarantined.at(-1)?.reason;
  throw new Error(`${url}: ${seen.unreadable} of ${seen.rows} rows cannot be read, the last of them: ${reason}`);
}

async function storeBatch(run: RegisterRun, batch: Batch, last: readonly Statement[]): Promise<void> {
  const { tools, source, tally, runId } = run;
  tally.releases += batch.listed;
  tally.quarantined += batch.quarantined.length;
  tally.stored += batch.stored;
  tally.unchanged += batch.unchanged;
  countAsking(tally, run.asker);
  if (batch.badDates > 0) addCounts(tally.repairs, { bad_date: batch.badDates });
  const at = isoInstant(tools.clocks.wallNow());
  await tools.catalogue.write([
    ...(tools.fence ? [tools.fence] : []),
    ...batch.statements,
    ...quarantineStatements(source.id, batch.quarantined, at),
    ...unknownStatements([{ source: source.id, unknown: batch.unknown, fetchedAt: at }]),
    countRunStatement(runId, tally),
    ...last,
  ]);
}
