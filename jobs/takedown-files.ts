import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { toCsvLine } from '../schema/csv.ts';
import type { ExportStorage } from '../schema/export-storage.ts';
import type { Cell, ExportCells, ExportColumn, ExportFormat } from '../schema/exports.ts';
import { BYTE_ORDER_MARK, readCsv } from './export-csv.ts';
import { readLines } from './export-jsonl.ts';
import { encodeParquet, openParquet } from './export-parquet.ts';
import { gzipPieces, type Pieces } from './export-parts.ts';
import type { Fate, RowRecord, RowTreatment } from './takedown-rows.ts';

/** A finished export. */
export interface FinishedFile {
  format: ExportFormat;
  file: string;
  bytes: number;
}

/** How often each fate befell a row. */
export type Fates = Record<Fate, number>;

/**
 * The pieces of a finished file after every row of it was treated, in its own format, and what befell its rows, which is
 * known when the last piece is read. What is no row stays as it is. @throws Error where the file is gone.
 */
export function treatFile(
  storage: ExportStorage,
  finished: FinishedFile,
  treat: RowTreatment,
): { pieces: Pieces; fates: Fates } {
  const fates: Fates = { kept: 0, struck: 0, removed: 0 };
  const counted: RowTreatment = (row) => {
    const treated = treat(row);
    fates[treated.fate]++;
    return treated;
  };
  return { pieces: treatPieces(storage, finished, counted), fates };
}

function treatPieces(storage: ExportStorage, finished: FinishedFile, treat: RowTreatment): Pieces {
  if (finished.format === 'parquet') return treatParquet(storage, finished, treat);
  const isZipped = finished.format.endsWith('.gz');
  const text = () => readText(storage, finished.file, isZipped);
  const treated = inPages(finished.format.startsWith('csv') ? treatCsv(text, treat) : treatLines(text, treat));
  return isZipped ? gzipPieces(treated) : treated;
}

async function readText(storage: ExportStorage, file: string, isZipped: boolean): Promise<Readable> {
  const held = await storage.read(file);
  if (!held) throw new Error(`the file ${file} is gone`);
  if (!isZipped) return held;
  const unzipped = createGunzip();
  // A pipe does not hand on errors.
  return held.on('error', (error) => unzipped.destroy(error)).pipe(unzipped);
}

/** Files of an earlier version end in a row that is their attribution: nothing is ever struck out of it. */
async function* treatCsv(text: () => Promise<Readable>, treat: RowTreatment): AsyncGenerator<string> {
  let columns: string[] | undefined;
  for await (const cells of readCsv(await text())) {
    if (!columns) {
      columns = cells.map((name) => name.replace(BYTE_ORDER_MARK, ''));
      yield toCsvLine(cells, 'written before');
      continue;
    }
    const { fate, row } = treat(toRecord(columns, cells));
    if (fate !== 'removed') yield toCsvLine(toCells(columns, row), 'written before');
  }
}

async function* treatLines(text: () => Promise<Readable>, treat: RowTreatment): AsyncGenerator<string> {
  for await (const line of readLines(await text())) {
    const { fate, row } = treat(JSON.parse(line) as RowRecord);
    if (fate !== 'removed') yield fate === 'kept' ? `${line}\n` : `${JSON.stringify(row)}\n`;
  }
}

async function* treatParquet(
  storage: ExportStorage,
  finished: FinishedFile,
  treat: RowTreatment,
): AsyncGenerator<Uint8Array> {
  const { columns, groups } = await openParquet(storage, finished);
  yield* encodeParquet(columns, treatGroups(columns, groups, treat));
}

async function* treatGroups(
  columns: readonly ExportColumn[],
  groups: AsyncIterable<ExportCells[]>,
  treat: RowTreatment,
): AsyncGenerator<ExportCells[]> {
  const names = columns.map(({ name }) => name);
  for await (const rows of groups) {
    const treated = rows.map((cells) =>
      treat(
        toRecord(
          names,
          cells.map((cell, at) => readList(cell, columns[at])),
        ),
      ),
    );
    yield treated
      .filter(({ fate }) => fate !== 'removed')
      .map(({ row }) => columns.map((column) => writeList(row[column.name], column)));
  }
}

/** Lists are struck member by member: what is struck out of their JSON as one text may reach from one into the next. */
function readList(cell: Cell, column: ExportColumn | undefined): unknown {
  return column?.shape && typeof cell === 'string' ? JSON.parse(cell) : cell;
}

function writeList(value: unknown, { shape }: ExportColumn): Cell {
  if (value === null || value === undefined) return null;
  return shape ? JSON.stringify(value) : (value as Cell);
}

function toRecord(names: readonly string[], cells: readonly unknown[]): RowRecord {
  return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? null]));
}

function toCells(names: readonly string[], row: RowRecord): Cell[] {
  return names.map((name) => (row[name] ?? null) as Cell);
}

const PAGE_LETTERS = 1_000_000;

/** Lines put together: each piece is written, and compressed, at once. */
async function* inPages(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let page = '';
  for await (const line of lines) {
    page += line;
    if (page.length < PAGE_LETTERS) continue;
    yield page;
    page = '';
  }
  if (page !== '') yield page;
}
