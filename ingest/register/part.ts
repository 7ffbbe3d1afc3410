import { isoInstant } from '../../schema/config/clocks.ts';
import type { Statement } from '../../schema/db/interface.ts';
import { parseCompanyNumber } from '../../schema/text/ids.ts';
import type { Unknown } from '../fields/notice.ts';
import type { Quarantined } from '../parse/repair.ts';
import { addCounts, countAsking, countRunStatement, fenceOf, quarantineStatements } from '../runs/record.ts';
import { unknownStatements } from '../store/releases.ts';
import type { CsvRow } from './csv.ts';
import { type CsvBlock, checkZip, readZipRows } from './edition.ts';
import { findUnknownKinds, type RowKinds } from './known-codes.ts';
import { isFirstSight, type RegisterRun } from './repeats.ts';
import { type Listed, makeRowReader, readHeader } from './row.ts';
import { listedStatements, listedUnreadStatements } from './store.ts';

/** Rows in one write: enough to pay for a commit, few enough that no other writer waits long. */
const BATCH_ROWS = 1_000;
/** A file with more unreadable rows than this is not the expected file. */
const UNREADABLE_MAX = { share: 0.1, rows: 100 };

type RowReader = ReturnType<typeof makeRowReader>;

/** One file of an edition, on disk. */
interface Part {
  path: string;
  url: string;
  edition: string;
  /** Whether this run reads the edition from its first file, and so sees every row that a company has in it. */
  isFromStart: boolean;
}

/** The contents of the next write, and their effect on the run's tally. */
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
 * Applies one zip of an edition in batches; `last` goes with the last of them. @throws Error for a zip that is damaged, has no
 * such CSV, or whose rows cannot be read; a damaged one changes nothing.
 */
export async function applyPart(run: RegisterRun, part: Part, last: readonly Statement[]): Promise<void> {
  await checkZip(part.path);
  let batch = makeBatch();
  let header: CsvRow | null = null;
  let read: RowReader | null = null;
  const counts = { rows: 0, unreadable: 0 };
  const flush = async () => {
    judgeRows(part, batch, counts);
    await storeBatch(run, batch, []);
    batch = makeBatch();
  };
  for await (const block of readZipRows(part.path)) {
    run.options.signal?.throwIfAborted();
    if (block.header !== header || !read) {
      header = block.header;
      read = makeRowReader(readHeader(header.cells ?? []));
    }
    const rows = readRows(run, part, block, read);
    // The stored row decides between two rows of one company, so rows of this batch must be stored by then.
    if (rows.repeated.size > 0) await flush();
    await addRows(run, batch, part, rows);
    if (batch.rows >= BATCH_ROWS) await flush();
  }
  if (!read) throw new Error(`${part.url} holds no CSV`);
  judgeRows(part, batch, counts);
  await storeBatch(run, batch, last);
}

function makeBatch(): Batch {
  return { statements: [], rows: 0, listed: 0, stored: 0, unchanged: 0, badDates: 0, quarantined: [], unknown: [] };
}

/** Rows of a block as they were read. */
interface BlockRows {
  count: number;
  listed: Listed[];
  /** Numbers of companies whose row cannot be read. */
  unread: string[];
  /** Numbers that this run has listed before. */
  repeated: Set<string>;
  quarantined: Quarantined[];
  unknown: Unknown[];
}

function readRows(run: RegisterRun, { url }: Part, { header, rows }: CsvBlock, read: RowReader): BlockRows {
  const none = { listed: [], unread: [], quarantined: [], unknown: [] };
  const block: BlockRows = { ...none, count: rows.length, repeated: new Set() };
  for (const { bytes, cells } of rows) {
    const row = read(cells);
    if ('reason' in row) {
      const recordId = cells?.[1]?.trim() ?? findNumber(bytes);
      const number = parseCompanyNumber(recordId ?? '');
      if (number) block.unread.push(number);
      block.quarantined.push({ kind: 'row', reason: row.reason, url, recordId, bytes: underHeader(header, bytes) });
    } else {
      if (!run.isFirstListed(row.number)) block.repeated.add(row.number);
      block.listed.push(row);
      noteKinds(run, block.unknown, row);
    }
  }
  return block;
}

/** Adds the changes of some rows. Their cells are released here: those of a whole batch would outlive the young generation. */
async function addRows(
  run: RegisterRun,
  batch: Batch,
  { url, edition, isFromStart }: Part,
  rows: BlockRows,
): Promise<void> {
  const { listed, unread, repeated } = rows;
  noteRepeats(run, repeated, url);
  // A number that the whole reading lists once is no repeat: its stored row may be of a file that was corrected since.
  const isRepeat = isFromStart ? (number: string) => repeated.has(number) : undefined;
  const { statements, applied } = await listedStatements(run.context.catalogue, listed, edition, isRepeat);
  for (const statement of statements) batch.statements.push(statement);
  if (unread.length > 0) batch.statements.push(...listedUnreadStatements(unread, edition));
  for (const one of rows.quarantined) batch.quarantined.push(one);
  for (const one of rows.unknown) batch.unknown.push(one);
  batch.rows += rows.count;
  batch.listed += listed.length;
  batch.stored += applied.changed;
  batch.unchanged += applied.same;
  batch.badDates += applied.badDates;
}

/** The second cell of a row with an open quote further on. */
function findNumber(row: Buffer): string | undefined {
  return /^"[^"]*","([^"]{1,20})",/.exec(row.toString('latin1'))?.[1]?.trim();
}

const SAID_MAX = 20;

function noteRepeats({ tally, context, source }: RegisterRun, numbers: ReadonlySet<string>, url: string): void {
  if (numbers.size === 0) return;
  addCounts(tally.repairs, { repeated_company: numbers.size });
  const said = [...numbers].slice(0, SAID_MAX);
  context.log.warn({ source: source.id, url, numbers: said, count: numbers.size }, 'companies listed more than once');
}

/** A row's bytes below its file's header: what reading it again requires. */
function underHeader(header: CsvRow, row: Uint8Array): Buffer {
  return Buffer.concat([header.bytes, Buffer.from('\r\n'), row]);
}

function noteKinds(run: RegisterRun, into: Unknown[], row: RowKinds): void {
  if (!isFirstSight(run, `${row.status}\t${row.category}\t${row.accounts}`)) return;
  for (const unknown of findUnknownKinds(row)) {
    if (isFirstSight(run, `${unknown.field}\n${unknown.value}`)) into.push(unknown);
  }
}

/** @throws Error where so many rows of a file are unreadable that it must be a different file. */
function judgeRows({ url }: Part, batch: Batch, counts: { rows: number; unreadable: number }): void {
  counts.rows += batch.rows;
  counts.unreadable += batch.quarantined.length;
  if (counts.unreadable <= Math.max(UNREADABLE_MAX.rows, counts.rows * UNREADABLE_MAX.share)) return;
  const reason = batch.quarantined.at(-1)?.reason;
  throw new Error(`${url}: ${counts.unreadable} of ${counts.rows} rows cannot be read, the last of them: ${reason}`);
}

async function storeBatch(run: RegisterRun, batch: Batch, last: readonly Statement[]): Promise<void> {
  const { context, source, tally, runId } = run;
  tally.releases += batch.listed;
  tally.quarantined += batch.quarantined.length;
  tally.stored += batch.stored;
  tally.unchanged += batch.unchanged;
  countAsking(tally, run.client);
  if (batch.badDates > 0) addCounts(tally.repairs, { bad_date: batch.badDates });
  const at = isoInstant(context.clocks.wallNow());
  await context.catalogue.write([
    ...fenceOf(context),
    ...batch.statements,
    ...quarantineStatements(context.catalogue, source.id, batch.quarantined, at),
    ...unknownStatements([{ source: source.id, unknown: batch.unknown, fetchedAt: at }]),
    countRunStatement(runId, tally),
    ...last,
  ]);
}
