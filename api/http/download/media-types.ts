import type { ExportFormat } from '../../../schema/accounts/exports/datasets.ts';

/** What the metadata of a CSV file is to HTTP. */
export const CSVW_TYPE = 'application/csvm+json';

/** What the file of a format is to HTTP. */
export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  'csv.gz': 'application/gzip',
  jsonl: 'application/jsonl; charset=utf-8',
  'jsonl.gz': 'application/gzip',
  parquet: 'application/vnd.apache.parquet',
};
