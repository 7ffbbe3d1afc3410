import { type Duplex, pipeline, type Readable } from 'node:stream';
import { buffer as bytesOf } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { type AsyncBuffer, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import type { ExportFormat } from '../../schema/accounts/exports/datasets.ts';
import type { ExportStorage } from '../../schema/accounts/exports/storage.ts';

/** A finished export's file. */
interface FinishedFile {
  format: ExportFormat;
  file: string;
  bytes: number;
}

type Row = Record<string, unknown>;

/** The rows of a finished file by column, in any format. @throws Error where the file is gone. */
export async function* readRows(storage: ExportStorage, finished: FinishedFile): AsyncGenerator<Row> {
  const { format, file } = finished;
  if (format === 'parquet') return yield* readParquet(storage, finished);
  const text = await readText(storage, file, format.endsWith('.gz'));
  yield* format.startsWith('csv') ? readCsv(text) : readLines(text);
}

async function readText(storage: ExportStorage, file: string, isZipped: boolean): Promise<Readable> {
  const stored = (await storage.read(file)) ?? missing(file);
  return isZipped ? through(stored, createGunzip()) : stored;
}

/** Pipes a stream through another. A fault of the source becomes a fault of the result, and a reader that stops closes both. */
function through<T extends Duplex>(source: Readable, stream: T): T {
  pipeline(source, stream, () => undefined);
  return stream;
}

function missing(file: string): never {
  throw new Error(`the file ${file} is gone`);
}

function readCsv(text: Readable): AsyncIterable<Row> {
  return through(text, parse({ bom: true, columns: true, relax_column_count: true }));
}

async function* readLines(text: Readable): AsyncGenerator<Row> {
  let rest = '';
  for await (const chunk of text.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as Row;
  }
  if (rest !== '') yield JSON.parse(rest) as Row;
}

async function* readParquet(storage: ExportStorage, { file, bytes }: FinishedFile): AsyncGenerator<Row> {
  const source: AsyncBuffer = {
    byteLength: bytes,
    async slice(start, end = bytes) {
      const from = start < 0 ? bytes + start : start;
      const stored = (await storage.read(file, { from, to: end - 1 })) ?? missing(file);
      return new Uint8Array(await bytesOf(stored)).buffer;
    },
  };
  const metadata = await parquetMetadataAsync(source);
  let rowStart = 0;
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows);
    yield* await parquetReadObjects({ file: source, metadata, rowStart, rowEnd });
    rowStart = rowEnd;
  }
}
