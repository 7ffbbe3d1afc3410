import type { Readable } from 'node:stream';

export interface WrittenFile {
  /** Its name in the storage; it ends in its digest. */
  file: string;
  bytes: number;
  /** Of exactly those bytes, in hexadecimal. */
  sha256: string;
}

/** Bytes from the first to the last, both included. */
export interface ByteRange {
  from: number;
  to: number;
}

/** Where exports lie. A file is there whole or not at all, and never changes: another content has another name. */
export interface ExportStorage {
  /**
   * Takes the pieces of a file and puts it in its place when the last one is durable.
   * @throws what the pieces or the place throw; nothing is left behind.
   */
  write(name: { stem: string; extension: string }, pieces: AsyncIterable<string | Uint8Array>): Promise<WrittenFile>;
  /** A file's bytes, or those of a range; undefined where there is no such file. It stays readable when it is removed meanwhile. */
  read(file: string, range?: ByteRange): Promise<Readable | undefined>;
  has(file: string): Promise<boolean>;
  remove(file: string): Promise<void>;
  /** Everything that lies there, what a killed writer left included. */
  list(): Promise<{ file: string; bytes: number; changedAt: Date }[]>;
}
