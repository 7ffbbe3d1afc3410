import { hash } from 'node:crypto';

/** The most results of one query that Meilisearch serves; then the embedded engine continues, so that cursors stay short. */
export const SERVED_MAX = 100;

const PRINT_BYTES = 4;

/** Documents already served, each as a print of its id. */
export interface ServedHits {
  readonly size: number;
  has(id: string): boolean;
  /** The same, looked up by the print under which the embedded index stores a document. */
  hasPrinted(print: string): boolean;
  /** The same set with more; anything beyond SERVED_MAX is dropped. */
  with(ids: readonly string[]): ServedHits;
  /** As it stands in a cursor. */
  bytes(): Buffer;
}

export const NONE_SERVED: ServedHits = makeServedHits([]);

/** Parses the output of `bytes`; null for anything else, and for an empty text. */
export function parseServedHits(bytes: Buffer): ServedHits | null {
  const count = bytes.length / PRINT_BYTES;
  if (!Number.isInteger(count) || count === 0 || count > SERVED_MAX) return null;
  return makeServedHits(Array.from({ length: count }, (_, index) => bytes.readUInt32BE(index * PRINT_BYTES)));
}

/** A short stand-in for a document's id. Ids are long, and every index of them would be as long again. */
export function printOf(id: string): string {
  return hash('sha1', id, 'base64').slice(0, 16);
}

function makeServedHits(prints: readonly number[]): ServedHits {
  const known = new Set(prints);
  return {
    size: known.size,
    has: (id) => known.has(beginningOf(printOf(id))),
    hasPrinted: (print) => known.has(beginningOf(print)),
    with: (ids) => makeServedHits([...known, ...ids.map((id) => beginningOf(printOf(id)))].slice(0, SERVED_MAX)),
    bytes() {
      const bytes = Buffer.alloc(known.size * PRINT_BYTES);
      for (const [index, print] of [...known].entries()) bytes.writeUInt32BE(print, index * PRINT_BYTES);
      return bytes;
    },
  };
}

function beginningOf(print: string): number {
  return Buffer.from(print, 'base64url').readUInt32BE(0);
}
