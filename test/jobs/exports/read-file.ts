import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { ExportColumn, ExportFormat } from '../../../schema/accounts/exports/datasets.ts';

/** What a reader of an export finds in it: its rows by column, and in Parquet the attribution. */
export interface ReadExport {
  attribution?: string | undefined;
  rows: Record<string, unknown>[];
}

/** Reads the bytes of an export as somebody else's program would. */
export async function readExportFile(format: ExportFormat, bytes: Buffer): Promise<ReadExport> {
  if (format.endsWith('.gz')) return readExportFile(format.replace('.gz', '') as ExportFormat, gunzipSync(bytes));
  if (format === 'parquet') return readParquet(bytes);
  return format === 'csv' ? readCsv(bytes) : readJsonl(bytes);
}

function readCsv(bytes: Buffer): ReadExport {
  return { rows: parse(bytes, { columns: true }) };
}

function readJsonl(bytes: Buffer): ReadExport {
  const lines = bytes.toString().trimEnd().split('\n');
  return { rows: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

async function readParquet(bytes: Buffer): Promise<ReadExport> {
  const file = new Uint8Array(bytes).buffer;
  const kept = parquetMetadata(file).key_value_metadata?.find(({ key }) => key === 'attribution');
  return { attribution: kept?.value, rows: await parquetReadObjects({ file }) };
}

/** A row of Parquet whose lists and objects are as JSON has them: days as text, absent fields absent. */
export function plainLists(row: Record<string, unknown>, columns: readonly ExportColumn[]): Record<string, unknown> {
  const lists = columns.filter(({ kind }) => kind === 'json');
  return { ...row, ...Object.fromEntries(lists.map(({ name }) => [name, plain(row[name] ?? null)])) };
}

function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const present = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(present.map(([name, member]) => [name, plain(member)]));
}
