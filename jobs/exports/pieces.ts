import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ExportCells } from '../../schema/accounts/exports/datasets.ts';

/** Rows as they are read, a page at a time. */
export type Pages = AsyncIterable<readonly ExportCells[]>;

/** Pieces of a file, one after another. */
export type Pieces = AsyncIterable<string | Uint8Array>;

/** Somewhat larger than at the usual level, in a third of the time. */
const GZIP_LEVEL = 1;
const compress = promisify(gzip);

/**
 * Each piece as a member of its own, which together are one gzip file (RFC 1952, 2.2). It is compressed on another thread
 * while this one makes the next.
 */
export async function* gzipPieces(pieces: Pieces): AsyncGenerator<Uint8Array> {
  let before: Promise<Uint8Array> | undefined;
  for await (const piece of pieces) {
    const made = compress(piece, { level: GZIP_LEVEL });
    if (before) yield await before;
    before = made;
  }
  if (before) yield await before;
}
