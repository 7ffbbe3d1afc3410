import type { ExportColumn, ExportFormat } from '../../schema/accounts/exports/datasets.ts';
import { type CsvOptions, encodeCsv } from './csv.ts';
import { encodeJsonl } from './jsonl.ts';
import { encodeParquet } from './parquet.ts';
import { gzipPieces, type Pages, type Pieces } from './pieces.ts';

type Encode = (columns: readonly ExportColumn[], pages: Pages, options?: CsvOptions) => Pieces;

/** How rows become the bytes of a file, by format. The format is also how the file's name ends. */
export const ENCODERS: Readonly<Record<ExportFormat, Encode>> = {
  csv: encodeCsv,
  'csv.gz': (columns, pages, options) => gzipPieces(encodeCsv(columns, pages, options)),
  jsonl: (columns, pages) => encodeJsonl(columns, pages),
  'jsonl.gz': (columns, pages) => gzipPieces(encodeJsonl(columns, pages)),
  parquet: (columns, pages) => encodeParquet(columns, pages),
};
