import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import type { Cell, ExportCells, ExportColumn } from '../schema/exports.ts';
import { ATTRIBUTION, type Pages } from './export-parts.ts';

const QUOTED = /[",\r\n]/;
/** What a spreadsheet takes for a formula, in the wide letters of East Asian keyboards too; blanks before it do not stop it. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^\s*[\t\r]/;

/**
 * RFC 4180, in UTF-8. The attribution is the last row, in its first cell, so that the header stays first and every row has as
 * many cells.
 */
export async function* encodeCsv(columns: readonly ExportColumn[], pages: Pages): AsyncGenerator<string> {
  yield toCsvLine(columns.map(({ name }) => name));
  for await (const rows of pages) yield toCsv(rows);
  yield toCsvLine(columns.map((_column, at) => (at === 0 ? ATTRIBUTION : null)));
}

function toCsv(rows: readonly ExportCells[]): string {
  let text = '';
  for (const cells of rows) text += toCsvLine(cells);
  return text;
}

/** Cells that a spreadsheet would run get a leading apostrophe, unless they were written so before; numbers are left alone. */
export function toCsvLine(cells: ExportCells, as: 'defused' | 'written before' = 'defused'): string {
  let line = '';
  for (const cell of cells) line += `,${toCsvCell(cell, as)}`;
  return `${line.slice(1)}\r\n`;
}

function toCsvCell(cell: Cell, as: 'defused' | 'written before'): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = as === 'defused' && FORMULA.test(cell) ? `'${cell}` : cell;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The rows of such a file, its header and its attribution among them. */
export async function* readCsv(file: Readable): AsyncGenerator<string[]> {
  const parser = parse({ relax_column_count: true });
  // A pipe does not hand on errors.
  const rows: AsyncIterable<string[]> = file.on('error', (error) => parser.destroy(error)).pipe(parser);
  yield* rows;
}
