import { basename } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { isOnCalendar } from '../../schema/config/clocks.ts';
import { type CsvRow, readCsvRows } from './csv.ts';

/** One edition of the bulk file: its month and its zips in order. */
export interface Edition {
  /** `YYYY-MM-DD`. */
  date: string;
  files: string[];
}

const PART = /BasicCompanyData-(\d{4}-\d{2}-\d{2})-part(\d{1,3})_(\d{1,3})\.zip/g;
const WHOLE = /BasicCompanyDataAsOneFile-(\d{4}-\d{2}-\d{2})\.zip/g;

/**
 * The newest complete edition that the download page links to: its parts if all are there, otherwise the single file. Null
 * where the page names neither. A day that is on no calendar counts as none: nothing could be compared with it. @param latest -
 * the last day that an edition may have: a mistyped later one would hold back all that follow
 */
export function readEdition(page: string, latest: string): Edition | null {
  const editions = new Map<string, { parts: Map<number, string>; of: number; whole?: string }>();
  const edition = (date: string) => {
    const known = editions.get(date) ?? { parts: new Map<number, string>(), of: 0 };
    editions.set(date, known);
    return known;
  };
  for (const [file, date = '', part = '', of = ''] of page.matchAll(PART)) {
    const known = edition(date);
    known.parts.set(Number(part), file);
    known.of = Number(of);
  }
  for (const [file, date = ''] of page.matchAll(WHOLE)) edition(date).whole = file;
  for (const date of [...editions.keys()].sort().reverse()) {
    if (date > latest || !isOnCalendar(date)) continue;
    const { parts, of, whole } = edition(date);
    const files = Array.from({ length: of }, (_, index) => parts.get(index + 1) ?? '');
    if (of > 0 && files.every(Boolean)) return { date, files };
    if (whole) return { date, files: [whole] };
  }
  return null;
}

/** Rows of one CSV, some at a time, with its first row. */
export interface CsvBlock {
  header: CsvRow;
  rows: readonly CsvRow[];
}

const DEFLATED = 8;
/** The library inflates 16 kB at a time, which is a turn of the event loop for thirty rows. */
const INFLATE_BYTES = 262_144;

/**
 * The rows of every CSV in a zip on disk, streamed without unpacking to disk. The header is the same object in all blocks of one
 * CSV. @throws Error where the file is not a complete zip.
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
 * Reads every CSV of a zip once and compares it with the zip's checksum, so that nothing of a damaged file is applied. @throws
 * Error where it ends early, does not inflate, or does not match its checksum.
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
    // macOS adds a shadow file for every member, which is not a CSV despite its name.
    if (!entry.fileName.startsWith('__MACOSX/') && /\.csv$/i.test(entry.fileName)) yield entry;
  }
}

async function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  if (entry.compressionMethod !== DEFLATED) return zip.openReadStreamPromise(entry);
  const raw = await zip.openReadStreamPromise(entry, { decodeFileData: false });
  // A reader that stops closes both: the zip's file stays open, and keeps its space when removed, as long as one of them is.
  return pipeline(raw, createInflateRaw({ chunkSize: INFLATE_BYTES }), () => undefined);
}

async function openWhole(file: string): Promise<ZipFile> {
  try {
    return await openPromise(file, { autoClose: false, lazyEntries: true });
  } catch (error) {
    throw new Error(`${basename(file)} is not a whole zip archive`, { cause: error });
  }
}
