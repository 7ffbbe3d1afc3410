import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ensureFolder } from '../../config/ensure-folder.ts';
import type { Settings } from '../../config/settings.ts';
import { describeSurroundings } from '../../process/system-faults.ts';

export interface WrittenFile {
  /** Its name in the storage. Different content has a different name. */
  file: string;
  bytes: number;
  /** Digest of exactly those bytes, in hexadecimal. */
  sha256: string;
}

/** Bytes from the first to the last, both included. */
export interface ByteRange {
  from: number;
  to: number;
}

/** A store that does not answer, or refuses. The message says where and why, without any secret. A later attempt may work. */
export class StoreAway extends Error {
  override name = 'StoreAway';
}

/** Where exports are stored. A file is complete or does not exist, and never changes: different content has a different name. */
export interface ExportStorage {
  /** The place, described for an operator. */
  readonly place: string;
  /** Whether other installations may write to the same place, each under its own name. */
  readonly isShared: boolean;
  /** The mark last written to the place, by which another process checks that it looks at the same one. */
  readMark(): Promise<string | undefined>;
  writeMark(mark: string): Promise<void>;
  /**
   * Takes the pieces of a file and makes it visible once the last one is durable. @throws what the pieces or the place throw;
   * nothing is left behind.
   */
  write(name: { stem: string; extension: string }, pieces: AsyncIterable<string | Uint8Array>): Promise<WrittenFile>;
  /** A file's bytes, or a range of them; undefined where there is no such file. It stays readable even if it is removed during the read. */
  read(file: string, range?: ByteRange): Promise<Readable | undefined>;
  /** A file's size in bytes; undefined where there is no such file. */
  size(file: string): Promise<number | undefined>;
  remove(file: string): Promise<void>;
  /** Every file there except the mark, including what a killed writer left, under the names that `remove` takes. */
  list(): Promise<{ file: string; bytes: number; changedAt: Date }[]>;
}

/** The name of the mark. */
export const MARK = 'store-mark';

/** Where finished exports are kept if no bucket is set; an export's `file` is a name in it. */
export function exportFolder(settings: Pick<Settings, 'DATA_DIR'>): string {
  return join(settings.DATA_DIR, 'exports');
}

/** Exports in a folder, which is created by the first write. Opens nothing before that. */
export function makeFolderStorage(folder: string): ExportStorage {
  const markPath = join(folder, MARK);
  return {
    place: folder,
    isShared: false,
    async readMark() {
      const mark = await ifThere(readFile(markPath, 'utf8')).catch((error: Error) => {
        throw new StoreAway(describeSurroundings(error) ?? error.message, { cause: error });
      });
      return mark?.trim() || undefined;
    },
    async writeMark(mark) {
      await ensureFolder(folder);
      const part = `${markPath}.${process.pid}.part`;
      await writeFile(part, `${mark}\n`);
      await rename(part, markPath);
    },
    write: (name, pieces) => writeWhole(folder, name, pieces).catch(throwRefusal),
    async read(file, range) {
      const handle = await ifThere(open(join(folder, file), 'r'));
      return handle?.createReadStream(range ? { start: range.from, end: range.to } : {});
    },
    size: async (file) => (await look(join(folder, file)))?.size,
    remove: (file) => rm(join(folder, file), { force: true }).catch(throwRefusal),
    async list() {
      await ensureFolder(folder);
      const listed = await Promise.all(
        (await readdir(folder))
          .filter((file) => file !== MARK)
          .map(async (file) => ({ file, found: await look(join(folder, file)) })),
      );
      return listed.flatMap(({ file, found }) => (found ? [{ file, bytes: found.size, changedAt: found.mtime }] : []));
    },
  };
}

/** A folder that may not be written counts as a bucket that refuses: exports wait until it is mended. */
function throwRefusal(error: NodeJS.ErrnoException): never {
  const isRefusal = error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'EROFS';
  throw isRefusal ? new StoreAway(describeSurroundings(error) ?? error.message, { cause: error }) : error;
}

/** Facts about a file, or undefined where there is none, as it may be moved or removed at any time. */
function look(path: string): Promise<Stats | undefined> {
  return ifThere(stat(path));
}

async function ifThere<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Writes to a temporary file, makes it durable and renames it, so that a reader never sees half a file. Its name ends in its
 * digest, so a writer wrongly believed dead can only leave the same file.
 */
async function writeWhole(
  folder: string,
  name: { stem: string; extension: string },
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<WrittenFile> {
  await ensureFolder(folder);
  const part = join(folder, `${name.stem}.${process.pid}.part`);
  try {
    const { bytes, sha256 } = await writePieces(part, pieces);
    const file = `${name.stem}-${sha256.slice(0, 12)}.${name.extension}`;
    await rename(part, join(folder, file));
    await syncFolder(folder);
    return { file, bytes, sha256 };
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/**
 * How much of a file may wait to reach the disk. A commit of credits waits for everything that was sent to the disk before it:
 * up to 150 ms if half a gigabyte is made durable at once.
 */
const UNSYNCED_BYTES = 8e6;

async function writePieces(
  path: string,
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let [bytes, synced] = [0, 0];
  const handle = await open(path, 'w');
  try {
    for await (const piece of pieces) {
      const chunk = typeof piece === 'string' ? Buffer.from(piece) : piece;
      hash.update(chunk);
      await writeChunk(handle, chunk);
      bytes += chunk.length;
      if (bytes - synced < UNSYNCED_BYTES) continue;
      await handle.datasync();
      synced = bytes;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** A single write may take less than it was given. */
async function writeChunk(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length; ) at += (await handle.write(chunk, at)).bytesWritten;
}

/** The rename itself must survive a power cut too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
