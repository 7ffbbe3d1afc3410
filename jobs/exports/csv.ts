import type { ExportCells, ExportColumn } from '../../schema/accounts/exports/datasets.ts';
import { toCsvLine } from '../../schema/text/csv.ts';
import type { Pages } from './pieces.ts';

export interface CsvOptions {
  /** Begin with a byte order mark, by which Excel knows UTF-8. */
  excel?: boolean;
}

/** What a file for Excel begins with. */
const BYTE_ORDER_MARK = '\ufeff';

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
