import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { ExportFormat } from '../../schema/exports.ts';

/** What a reader of an export finds in it: its rows by column, and the attribution. */
export interface ReadExport {
  attribution: string;
  rows: Record<string, unknown>[];
}

/** Reads the bytes of an export as somebody else's program would. */
export async function readExportFile(format: ExportFormat, bytes: Buffer): Promise<ReadExport> {
  if (format.endsWith('.gz')) return readExportFile(format.replace('.gz', '') as ExportFormat, gunzipSync(bytes));
  if (format === 'parquet') return readParquet(bytes);
  return format === 'csv' ? readCsv(bytes) : readJsonl(bytes);
}

function readCsv(bytes: Buffer): ReadExport {
  const rows = parse(bytes, { columns: true }) as Record<string, string>[];
  const last = rows.pop() ?? {};
  return { attribution: Object.values(last)[0] ?? '', rows };
}

function readJsonl(bytes: Buffer): ReadExport {
  const [first, ...rows] = bytes
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { attribution: String(first?.attribution), rows };
}

async function readParquet(bytes: Buffer): Promise<ReadExport> {
  const file = new Uint8Array(bytes).buffer;
  const kept = parquetMetadata(file).key_value_metadata?.find(({ key }) => key === 'attribution');
  return { attribution: kept?.value ?? '', rows: await parquetReadObjects({ file }) };
}
