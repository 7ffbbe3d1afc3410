import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Cell, ExportCells, ExportColumn, ExportFormat } from '../../schema/accounts/exports/datasets.ts';
import type { Leaf, Shape } from '../../schema/accounts/exports/json-shapes.ts';
import { DAY_MS } from '../../schema/config/clocks.ts';
import { joinAttributionsWithAddress } from '../../schema/reference/licence.ts';
import { toCsvLine } from '../../schema/text/csv.ts';

interface Options {
  /** The attribution that the publishers of the rows require. */
  attributions: readonly string[];
  /** For CSV: begin with a byte order mark, by which Excel recognises UTF-8. */
  excel?: boolean;
}

type Encode = (columns: readonly ExportColumn[], pages: Pages, options: Options) => Pieces;

/** How rows become the bytes of a file, by format. The format is also the file's extension. */
export const ENCODERS: Readonly<Record<ExportFormat, Encode>> = {
  csv: encodeCsv,
  'csv.gz': (columns, pages, options) => gzipPieces(encodeCsv(columns, pages, options)),
  jsonl: (columns, pages) => encodeJsonl(columns, pages),
  'jsonl.gz': (columns, pages) => gzipPieces(encodeJsonl(columns, pages)),
  parquet: encodeParquet,
};

/** The beginning of a file for Excel. */
const BYTE_ORDER_MARK = '\ufeff';

/** RFC 4180, in UTF-8: a header, then rows and nothing else. */
async function* encodeCsv(
  columns: readonly ExportColumn[],
  pages: Pages,
  { excel = false }: Options,
): AsyncGenerator<string> {
  yield `${excel ? BYTE_ORDER_MARK : ''}${toCsvLine(columns.map(({ name }) => name))}`;
  for await (const rows of pages) yield toCsv(rows);
}

function toCsv(rows: readonly ExportCells[]): string {
  let text = '';
  for (const cells of rows) text += toCsvLine(cells);
  return text;
}

/** JSON Lines: one object for each row. */
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

/** JSON from the database is copied into the line unchanged. */
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

/** Characters in one row group: what is in memory, and the least that a reader fetches. */
const GROUP_CHARS = 4_000_000;
/** Key of the file's metadata. */
const ATTRIBUTION_KEY = 'attribution';

type Type = Pick<SchemaElement, 'type' | 'converted_type' | 'logical_type'>;

const WHOLE_MAX = 2 ** 31;

const TYPES: Record<Leaf | 'instant', Type> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  flag: { type: 'BOOLEAN' },
  whole: { type: 'INT32' },
  number: { type: 'DOUBLE' },
  day: { type: 'INT32', converted_type: 'DATE' },
  // DuckDB and Polars take an instant for UTC only where the logical type says so.
  instant: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
};

/** Typed columns in row groups, each compressed, lists as lists; the attribution is in the file's metadata. */
async function* encodeParquet(
  columns: readonly ExportColumn[],
  pages: Pages,
  { attributions }: Options,
): AsyncGenerator<Uint8Array> {
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(toElements)],
    codec: 'SNAPPY',
    kvMetadata: [{ key: ATTRIBUTION_KEY, value: joinAttributionsWithAddress(attributions) }],
  });
  for await (const rows of groupRows(pages)) {
    const columnData = columns.map((column, at) => ({
      name: column.name,
      data: rows.map((cells) => toPhysical(cells[at] ?? null, column)),
      // For long texts, the first and the last value say nothing to a reader, and each costs a comparison.
      statistics: column.kind !== 'text' && column.kind !== 'json',
    }));
    await file.write({ columnData, rowGroupSize: rows.length });
    yield takeBytes(writer);
  }
  await file.finish();
  yield takeBytes(writer);
}

async function* groupRows(pages: Pages): AsyncGenerator<ExportCells[]> {
  let group: ExportCells[] = [];
  let chars = 0;
  for await (const rows of pages) {
    for (const cells of rows) {
      group.push(cells);
      for (const cell of cells) chars += typeof cell === 'string' ? cell.length : 0;
    }
    if (chars < GROUP_CHARS) continue;
    yield group;
    group = [];
    chars = 0;
  }
  if (group.length > 0) yield group;
}

/** Returns the bytes written so far and reuses the buffer; the offset in the file keeps counting. */
function takeBytes(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice();
  writer.index = 0;
  return bytes;
}

/** A column in a Parquet schema. JSON without a shape is text. */
function toElements({ name, kind, shape }: ExportColumn): SchemaElement[] {
  return shape ? shapeElements(name, shape) : [leafElement(name, kind === 'json' ? 'text' : kind)];
}

function leafElement(name: string, kind: keyof typeof TYPES): SchemaElement {
  return { name, repetition_type: 'OPTIONAL', ...TYPES[kind] };
}

function shapeElements(name: string, shape: Shape): SchemaElement[] {
  if (typeof shape === 'string') return [leafElement(name, shape)];
  const group = { name, repetition_type: 'OPTIONAL' } as const;
  if ('list' in shape) {
    const repeated = { name: 'list', repetition_type: 'REPEATED', num_children: 1 } as const;
    return [{ ...group, converted_type: 'LIST', num_children: 1 }, repeated, ...shapeElements('element', shape.list)];
  }
  if ('byKey' in shape) {
    const repeated = { name: 'key_value', repetition_type: 'REPEATED', num_children: 2 } as const;
    const key = { name: 'key', repetition_type: 'REQUIRED', ...TYPES.text } as const;
    const outer = { ...group, converted_type: 'MAP', num_children: 1 } as const;
    return [outer, repeated, key, ...shapeElements('value', shape.byKey)];
  }
  const fields = Object.entries(shape.fields);
  return [{ ...group, num_children: fields.length }, ...fields.flatMap(([field, of]) => shapeElements(field, of))];
}

/** A cell in the form that the writer takes. @throws Error where a date is invalid. */
function toPhysical(cell: Cell, { kind, shape }: ExportColumn): unknown {
  if (typeof cell !== 'string') return kind === 'whole' ? toLeaf(cell, kind) : cell;
  if (shape) return toShape(JSON.parse(cell), shape);
  if (kind === 'day') return toMs(cell) / DAY_MS;
  return kind === 'instant' ? BigInt(toMs(cell)) : cell;
}

/** A value that its type cannot hold becomes null. */
function toShape(value: unknown, shape: Shape): unknown {
  if (value === null || value === undefined) return null;
  if (typeof shape === 'string') return toLeaf(value, shape);
  if ('list' in shape) return Array.isArray(value) ? value.map((member) => toShape(member, shape.list)) : null;
  if (typeof value !== 'object' || Array.isArray(value)) return null;
  const record = value as Record<string, unknown>;
  const shapes =
    'fields' in shape ? Object.entries(shape.fields) : Object.keys(record).map((key) => [key, shape.byKey] as const);
  return Object.fromEntries(shapes.map(([name, of]) => [name, toShape(record[name], of)]));
}

function toLeaf(value: unknown, leaf: Leaf): unknown {
  switch (leaf) {
    case 'text':
      return typeof value === 'string' ? value : JSON.stringify(value);
    case 'flag':
      return typeof value === 'boolean' ? value : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'whole':
      return Number.isInteger(value) && Math.abs(value as number) < WHOLE_MAX ? value : null;
    case 'day': {
      const ms = Date.parse(String(value));
      return Number.isNaN(ms) ? null : Math.floor(ms / DAY_MS);
    }
  }
}

function toMs(text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new Error(`not a date: ${text}`);
  return ms;
}

/** Rows as they are read, a page at a time. */
type Pages = AsyncIterable<readonly ExportCells[]>;

/** Pieces of a file, one after another. */
type Pieces = AsyncIterable<string | Uint8Array>;

/** Slightly larger than at the default level, in a third of the time. */
const GZIP_LEVEL = 1;
const compress = promisify(gzip);

/**
 * Compresses each piece as a separate gzip member; together they are one file (RFC 1952, 2.2). Compression runs on another
 * thread while this one makes the next piece.
 */
async function* gzipPieces(pieces: Pieces): AsyncGenerator<Uint8Array> {
  let before: Promise<Uint8Array> | undefined;
  for await (const piece of pieces) {
    const made = compress(piece, { level: GZIP_LEVEL });
    // A fault is reported when its turn comes. If the writing ends before that, nobody sees it.
    void Promise.allSettled([made]);
    if (before) yield await before;
    before = made;
  }
  if (before) yield await before;
}
