import type { Cell, ExportCells, ExportColumn, ExportFormat } from '../../schema/accounts/exports/datasets.ts';
import { toCsvLine } from '../../schema/text/csv.ts';
import { encodeParquet } from './parquet.ts';
import { gzipPieces, type Pages, type Pieces } from './pieces.ts';

interface CsvOptions {
  /** Begin with a byte order mark, by which Excel knows UTF-8. */
  excel?: boolean;
}

type Encode = (columns: readonly ExportColumn[], pages: Pages, options?: CsvOptions) => Pieces;

/** How rows become the bytes of a file, by format. The format is also how the file's name ends. */
export const ENCODERS: Readonly<Record<ExportFormat, Encode>> = {
  csv: encodeCsv,
  'csv.gz': (columns, pages, options) => gzipPieces(encodeCsv(columns, pages, options)),
  jsonl: (columns, pages) => encodeJsonl(columns, pages),
  'jsonl.gz': (columns, pages) => gzipPieces(encodeJsonl(columns, pages)),
  parquet: (columns, pages) => encodeParquet(columns, pages),
};

/** What a file for Excel begins with. */
const BYTE_ORDER_MARK = '\ufeff';

/** RFC 4180, in UTF-8: a header, then rows and nothing else. */
async function* encodeCsv(
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

/** One JSON object a line: a row. */
async function* encodeJsonl(columns: readonly ExportColumn[], pages: Pages): AsyncGenerator<string> {
  const named = columns.map(({ name, kind }) => ({ start: `,${JSON.stringify(name)}:`, isJson: kind === 'json' }));
  for await (const rows of pages) {
    let text = '';
    for (const cells of rows) text += toLine(named, cells);
    yield text;
  }
}

interface Named {
  start: string;
  isJson: boolean;
}

/** JSON of the database stands in the line as it is. */
function toLine(named: readonly Named[], cells: ExportCells): string {
  let line = '';
  named.forEach(({ start, isJson }, at) => {
    line += start + toJson(cells[at] ?? null, isJson);
  });
  return `{${line.slice(1)}}\n`;
}

function toJson(cell: Cell, isJson: boolean): string {
  if (typeof cell !== 'string') return String(cell);
  return isJson ? cell : JSON.stringify(cell);
}
