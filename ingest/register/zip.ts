import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { type CsvRow, readCsvRows } from './csv.ts';

/** Rows of one CSV, some at a time, under its first row. */
export interface CsvBlock {
  header: CsvRow;
  rows: readonly CsvRow[];
}

const DEFLATED = 8;
/** The library inflates 16 kB at a time, which is a turn of the event loop for thirty rows. */
const INFLATE_BYTES = 262_144;

/**
 * The rows of every CSV in a zip on disk, streamed without unpacking to disk. The header of one CSV is one and the same
 * row in all of its blocks.
 * @throws Error where the file is no whole zip.
 */
export async function* readZipRows(file: string): AsyncGenerator<CsvBlock> {
  const zip = await openWhole(file);
  try {
    for await (const entry of csvEntries(zip)) {
      let header: CsvRow | undefined;
      for await (const rows of readCsvRows(await openEntry(zip, entry))) {
        header ??= rows.shift();
        if (header) yield { header, rows };
      }
    }
  } finally {
    zip.close();
  }
}

/**
 * Reads every CSV of a zip once and compares it with the checksum that the zip states, so that nothing of a damaged file
 * is applied.
 * @throws Error where it ends early, does not inflate, or is not what its checksum says.
 */
export async function checkZip(file: string): Promise<void> {
  const zip = await openWhole(file);
  try {
    for await (const entry of csvEntries(zip)) await checkEntry(zip, entry, basename(file));
  } finally {
    zip.close();
  }
}

async function checkEntry(zip: ZipFile, entry: Entry, file: string): Promise<void> {
  let sum = 0;
  let bytes = 0;
  try {
    for await (const chunk of await openEntry(zip, entry)) {
      sum = crc32(chunk as Buffer, sum);
      bytes += (chunk as Buffer).length;
    }
  } catch (error) {
    throw new Error(`${file} is damaged: ${entry.fileName} cannot be inflated`, { cause: error });
  }
  if (sum !== entry.crc32 || bytes !== entry.uncompressedSize) {
    throw new Error(`${file} is damaged: ${entry.fileName} does not have the checksum that the zip states`);
  }
}

async function* csvEntries(zip: ZipFile): AsyncGenerator<Entry> {
  for await (const entry of zip.eachEntry()) {
    // macOS adds a shadow of every member, which is no CSV whatever its name says.
    if (!entry.fileName.startsWith('__MACOSX/') && /\.csv$/i.test(entry.fileName)) yield entry;
  }
}

async function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  if (entry.compressionMethod !== DEFLATED) return zip.openReadStreamPromise(entry);
  const raw = await zip.openReadStreamPromise(entry, { decodeFileData: false });
  const inflate = createInflateRaw({ chunkSize: INFLATE_BYTES });
  raw.on('error', (error) => inflate.destroy(error));
  return raw.pipe(inflate);
}

async function openWhole(file: string): Promise<ZipFile> {
  try {
    return await openPromise(file, { autoClose: false, lazyEntries: true });
  } catch (error) {
    throw new Error(`${basename(file)} is not a whole zip archive`, { cause: error });
  }
}
