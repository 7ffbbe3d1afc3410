import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { toCsvLine } from '../schema/csv.ts';
import type { ExportCells, ExportColumn } from '../schema/exports.ts';
import type { Pages } from './export-parts.ts';

export interface CsvOptions {
  /** Begin with a byte order mark, by which Excel knows UTF-8. */
  excel?: boolean;
}

/** What a file for Excel begins with. */
export const BYTE_ORDER_MARK = '\ufeff';

/** RFC 4180, in UTF-8: a header, then rows and nothing else. */
export async function* encodeCsv(
  columns: readonly ExportColumn[],
  pages: Pages,
  { excel = false }: CsvOptions = {},
): AsyncGenerator<string> {
  yield `${excel ? BYTE_ORDER_MARK : ''}${toCsvLine(columns.map(({ name }) => name))}`;
  for await (const rows of pages) yield toCsv(rows);
}

function toCsv(rows: readonly ExportCells[]): string {
  let text = '';
  for (const cells of rows) text += toCsvLine(cells);
  return text;
}

/** The rows of such a file, its header first, with the byte order mark where it has one. */
export async function* readCsv(file: Readable): AsyncGenerator<string[]> {
  const parser = parse({ relax_column_count: true });
  // A pipe does not hand on errors.
  const rows: AsyncIterable<string[]> = file.on('error', (error) => parser.destroy(error)).pipe(parser);
  yield* rows;
}
