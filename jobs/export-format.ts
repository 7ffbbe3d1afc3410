import { stringify } from 'csv-stringify/sync';
import type { ExportRecord } from '../schema/exports.ts';

/** The attribution that the Open Government Licence asks for; part of every export. */
export const ATTRIBUTION =
  'Contains public sector information licensed under the Open Government Licence v3.0. ' +
  'https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/';

/** How one file format is written: a head, pages of rows, a tail. */
export interface ExportFormat {
  extension: string;
  head(columns: readonly string[]): string;
  rows(records: readonly ExportRecord[], columns: readonly string[]): string;
  tail(columns: readonly string[]): string;
}

/** RFC 4180. The attribution is the last row, in its first cell, so that the header stays first and every row has as many cells. */
const csv: ExportFormat = {
  extension: 'csv',
  head: (columns) => toCsv([columns]),
  rows: (records, columns) => toCsv(records.map((record) => columns.map((column) => record[column]))),
  tail: (columns) => toCsv([columns.map((_column, index) => (index === 0 ? ATTRIBUTION : ''))]),
};

/** One JSON object a line; the first is the attribution. */
const jsonl: ExportFormat = {
  extension: 'jsonl',
  head: () => `${JSON.stringify({ attribution: ATTRIBUTION })}\n`,
  rows: (records) => records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  tail: () => '',
};

export const EXPORT_FORMATS: Record<string, ExportFormat | undefined> = { csv, jsonl };

/**
 * Cells that a spreadsheet would run get a leading apostrophe, unless they come from such a file and are written as they
 * are; numbers are left alone. Lists and objects are JSON.
 */
export function toCsv(rows: readonly (readonly unknown[])[], cells: 'defused' | 'as they are' = 'defused'): string {
  return stringify(
    rows.map((row) => [...row]),
    {
      record_delimiter: 'windows',
      escape_formulas: cells === 'defused',
      // With this delimiter the library leaves a lone CR or LF unquoted (measured on 6.9.0).
      quoted_match: /[\r\n]/,
      cast: { boolean: (value) => String(value) },
    },
  );
}
