import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { openPromise, type ZipFile } from 'yauzl';

/** Longest row that can be one: 55 cells; beyond it a quote was left open. */
const MOST_ROW_CHARACTERS = 100_000;

/**
 * The rows of every CSV in a zip on disk, the header first for each, streamed without unpacking to disk.
 * Rows come as their cells, however many; quotes inside bare cells are text.
 * @throws Error where the zip ends early or a row never ends.
 */
export async function* readZipRows(file: string): AsyncGenerator<{ cells: string[]; header: boolean }> {
  const zip = await openWhole(file);
  try {
    for await (const entry of zip.eachEntry()) {
      // macOS adds a shadow of every member, which is no CSV whatever its name says.
      if (entry.fileName.startsWith('__MACOSX/') || !/\.csv$/i.test(entry.fileName)) continue;
      yield* readRows(await zip.openReadStreamPromise(entry));
    }
  } finally {
    zip.close();
  }
}

async function openWhole(file: string): Promise<ZipFile> {
  try {
    return await openPromise(file, { autoClose: false, lazyEntries: true });
  } catch (error) {
    throw new Error(`${basename(file)} is not a whole zip archive`, { cause: error });
  }
}

async function* readRows(stream: Readable): AsyncGenerator<{ cells: string[]; header: boolean }> {
  const parser = parse({
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MOST_ROW_CHARACTERS,
  });
  stream.on('error', (error) => parser.destroy(error));
  let header = true;
  for await (const cells of stream.pipe(parser) as AsyncIterable<string[]>) {
    yield { cells, header };
    header = false;
  }
}
