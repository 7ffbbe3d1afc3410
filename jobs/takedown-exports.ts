import { createReadStream, existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse';
import type { Takedown } from '../ingest/takedown.ts';
import { isoInstant } from '../schema/clocks.ts';
import { type ExportRow, exportFolder } from '../schema/export-states.ts';
import type { ExportDataset, ExportRecord } from '../schema/exports.ts';
import { refundStatement } from '../schema/ledger.ts';
import { writeFileWhole } from './export-file.ts';
import { EXPORT_FORMATS, toCsv } from './export-format.ts';
import { proRataRefund } from './export-writer.ts';
import type { JobsHouse } from './house.ts';
import type { Holding } from './lease.ts';
import { makeRowTreatment, type RowTreatment } from './takedown-rows.ts';

const FINISHED = "SELECT * FROM export WHERE status = 'completed' AND file IS NOT NULL ORDER BY created_at, id";

/** A piece of a file: a row as it shall stand, or what is no row. */
interface Piece {
  text: string;
  fate: 'kept' | 'struck' | 'removed';
}

/**
 * Rewrites finished files that hold what was taken down, each beside its place and put there whole: rows about it go,
 * texts that mention it are struck out. Rows that went are refunded by their share, and the export says so. Answers how
 * many files were rewritten. Nobody writes an export meanwhile: the caller holds the writers' lease.
 */
export async function rewriteExports(house: JobsHouse, takedown: Takedown, holding: Holding): Promise<number> {
  let rewritten = 0;
  for (const row of await house.accounts.read<ExportRow>({ sql: FINISHED })) {
    holding.signal.throwIfAborted();
    if (await rewriteExport(house, takedown, row, holding)) rewritten++;
  }
  return rewritten;
}

async function rewriteExport(
  { settings, clocks, accounts, log }: JobsHouse,
  takedown: Takedown,
  row: ExportRow,
  { fence, signal }: Holding,
): Promise<boolean> {
  const folder = exportFolder(settings);
  const held = join(folder, row.file ?? '');
  if (!existsSync(held)) return false;
  const treat = makeRowTreatment(takedown, row.dataset as ExportDataset);
  const counts = await countFates(readPieces(row.format, held, treat), signal);
  if (counts.removed + counts.struck === 0) return false;
  const extension = EXPORT_FORMATS[row.format]?.extension ?? row.format;
  const name = { stem: row.id, extension };
  const { file, bytes, sha256 } = await writeFileWhole(folder, name, keptTexts(readPieces(row.format, held, treat)));
  const credits = proRataRefund(
    { rows: row.rows, credits_charged: row.credits_charged - row.refunded },
    counts.removed,
  );
  const note = describe(counts);
  const at = isoInstant(clocks.wallNow());
  const refund = refundStatement({
    key: `${row.charge_id}:${takedown.id}`,
    chargeId: row.charge_id,
    credits,
    note,
    at,
  });
  await accounts.write([
    fence,
    {
      sql: 'UPDATE export SET file = ?, bytes = ?, sha256 = ?, rows = rows - ?, refunded = refunded + ?, error = ? WHERE id = ?',
      args: [file, bytes, sha256, counts.removed, credits, [row.error, note].filter(Boolean).join('; '), row.id],
    },
    ...(credits > 0 ? [refund] : []),
  ]);
  // Only now: until the row names the new file, a download must find the old one.
  if (file !== row.file) await rm(held, { force: true });
  log.info({ export: row.id, ...counts }, 'finished export rewritten after a takedown');
  return true;
}

function describe({ removed, struck }: Counts): string {
  const said = [
    ...(removed > 0
      ? [`${removed} ${removed === 1 ? 'row was' : 'rows were'} taken down after the file was written`]
      : []),
    ...(struck > 0 ? [`text was struck out of ${struck} ${struck === 1 ? 'row' : 'rows'}`] : []),
  ];
  return said.join('; ');
}

type Counts = Record<'removed' | 'struck', number>;

async function countFates(pieces: AsyncIterable<Piece>, signal: AbortSignal): Promise<Counts> {
  const counts = { removed: 0, struck: 0 };
  for await (const { fate } of pieces) {
    signal.throwIfAborted();
    if (fate !== 'kept') counts[fate]++;
  }
  return counts;
}

async function* keptTexts(pieces: AsyncIterable<Piece>): AsyncGenerator<string> {
  for await (const { text, fate } of pieces) if (fate !== 'removed') yield text;
}

function readPieces(format: string, path: string, treat: RowTreatment): AsyncGenerator<Piece> {
  return format === 'csv' ? readCsv(path, treat) : readJsonLines(path, treat);
}

/** The last row, which is the attribution, has every cell but its first empty; nothing is ever struck out of it. */
async function* readCsv(path: string, treat: RowTreatment): AsyncGenerator<Piece> {
  const parser = parse({ relax_column_count: true });
  // A pipe does not hand on errors.
  createReadStream(path)
    .on('error', (error) => parser.destroy(error))
    .pipe(parser);
  const rows: AsyncIterable<string[]> = parser;
  let columns: string[] | undefined;
  for await (const cells of rows) {
    if (!columns) {
      columns = cells;
      yield { text: toCsv([cells], 'as they are'), fate: 'kept' };
      continue;
    }
    const record = Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));
    const { fate, row } = treat(record);
    yield { text: toCsv([columns.map((column) => row[column])], 'as they are'), fate };
  }
}

async function* readJsonLines(path: string, treat: RowTreatment): AsyncGenerator<Piece> {
  for await (const line of readLines(path)) {
    const { fate, row } = treat(JSON.parse(line) as ExportRecord);
    yield { text: fate === 'kept' ? `${line}\n` : `${JSON.stringify(row)}\n`, fate };
  }
}

async function* readLines(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
