import { buffer as bytesOf } from 'node:stream/consumers';
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetRead, type SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { isoInstant } from '../schema/clocks.ts';
import type { ExportStorage } from '../schema/export-storage.ts';
import type { Cell, ColumnKind, ExportCells, ExportColumn } from '../schema/exports.ts';
import { ATTRIBUTION_WITH_ADDRESS } from '../schema/licence.ts';
import type { Pages } from './export-parts.ts';

/** Letters of one row group: what is held in memory, and the least that a reader fetches. */
const GROUP_LETTERS = 4_000_000;
const DAY_MS = 86_400_000;
/** Key of the file's metadata. */
const ATTRIBUTION_KEY = 'attribution';

/** JSON is text here too: every reader takes it so, few know it as a type. */
const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
const TYPES: Record<ColumnKind, Pick<SchemaElement, 'type' | 'converted_type'>> = {
  text: TEXT,
  json: TEXT,
  flag: { type: 'BOOLEAN' },
  whole: { type: 'INT32' },
  number: { type: 'DOUBLE' },
  day: { type: 'INT32', converted_type: 'DATE' },
  instant: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
};

/** Typed columns in row groups, each compressed; the attribution is in the file's metadata. */
export async function* encodeParquet(columns: readonly ExportColumn[], pages: Pages): AsyncGenerator<Uint8Array> {
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    schema: [{ name: 'root', num_children: columns.length }, ...columns.map(toElement)],
    codec: 'SNAPPY',
    kvMetadata: [{ key: ATTRIBUTION_KEY, value: ATTRIBUTION_WITH_ADDRESS }],
  });
  for await (const rows of groupRows(pages)) {
    const columnData = columns.map(({ name, kind }, at) => ({
      name,
      data: rows.map((cells) => toPhysical(cells[at] ?? null, kind)),
      // The first and the last of long texts tell a reader nothing, and cost a comparison each.
      statistics: kind !== 'text' && kind !== 'json',
    }));
    await file.write({ columnData, rowGroupSize: rows.length });
    yield takeBytes(writer);
  }
  await file.finish();
  yield takeBytes(writer);
}

function toElement({ name, kind }: ExportColumn): SchemaElement {
  return { name, repetition_type: 'OPTIONAL', ...TYPES[kind] };
}

async function* groupRows(pages: Pages): AsyncGenerator<ExportCells[]> {
  let group: ExportCells[] = [];
  let letters = 0;
  for await (const rows of pages) {
    for (const cells of rows) {
      group.push(cells);
      for (const cell of cells) letters += typeof cell === 'string' ? cell.length : 0;
    }
    if (letters < GROUP_LETTERS) continue;
    yield group;
    group = [];
    letters = 0;
  }
  if (group.length > 0) yield group;
}

function toPhysical(cell: Cell, kind: ColumnKind): Cell | bigint {
  if (kind === 'day' && typeof cell === 'string') return toMs(cell) / DAY_MS;
  return kind === 'instant' && typeof cell === 'string' ? BigInt(toMs(cell)) : cell;
}

function toMs(text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new Error(`not a date: ${text}`);
  return ms;
}

/** The offset goes on counting; the buffer is used again. */
function takeBytes(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice();
  writer.index = 0;
  return bytes;
}

/** The columns of such a file, and its rows a group at a time. */
export async function openParquet(
  storage: ExportStorage,
  { file, bytes }: { file: string; bytes: number },
): Promise<{ columns: ExportColumn[]; groups: AsyncGenerator<ExportCells[]> }> {
  const source: AsyncBuffer = {
    byteLength: bytes,
    async slice(start, end = bytes) {
      const from = start < 0 ? bytes + start : start;
      const held = await storage.read(file, { from, to: end - 1 });
      if (!held) throw new Error(`the file ${file} is gone`);
      return new Uint8Array(await bytesOf(held)).buffer;
    },
  };
  const metadata = await parquetMetadataAsync(source);
  const columns = metadata.schema.slice(1).map((element) => ({ name: element.name, kind: kindOf(element) }));
  return { columns, groups: readGroups(source, metadata, columns) };
}

function kindOf({ type, converted_type }: SchemaElement): ColumnKind {
  const kinds = Object.keys(TYPES) as ColumnKind[];
  const kind = kinds.find((one) => TYPES[one].type === type && TYPES[one].converted_type === converted_type);
  if (!kind) throw new Error(`a column of an unknown type: ${type} ${converted_type}`);
  return kind;
}

async function* readGroups(
  file: AsyncBuffer,
  metadata: FileMetaData,
  columns: readonly ExportColumn[],
): AsyncGenerator<ExportCells[]> {
  let rowStart = 0;
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows);
    let rows: unknown[][] = [];
    await parquetRead({
      file,
      metadata,
      rowStart,
      rowEnd,
      onComplete: (read) => {
        rows = read;
      },
    });
    yield rows.map((row) => columns.map(({ kind }, at) => toCell(row[at], kind)));
    rowStart = rowEnd;
  }
}

function toCell(value: unknown, kind: ColumnKind): Cell {
  if (value instanceof Date) return kind === 'day' ? isoInstant(value).slice(0, 10) : isoInstant(value);
  return (value ?? null) as Cell;
}
