import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

export interface WrittenFile {
  /** Name in its folder. */
  file: string;
  bytes: number;
  sha256: string;
}

/**
 * Writes pieces of text to a file beside its place, makes it durable and moves it there, so that a reader never sees half
 * of one. Its name ends in its digest: a writer that was thought dead can only ever leave the very same file.
 */
export async function writeFileWhole(
  folder: string,
  name: { stem: string; extension: string },
  pieces: AsyncIterable<string>,
): Promise<WrittenFile> {
  const beside = join(folder, `${name.stem}.${process.pid}.part`);
  try {
    const { bytes, sha256 } = await writePieces(beside, pieces);
    const file = `${name.stem}-${sha256.slice(0, 12)}.${name.extension}`;
    await rename(beside, join(folder, file));
    await syncFolder(folder);
    return { file, bytes, sha256 };
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

async function writePieces(path: string, pieces: AsyncIterable<string>): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const handle = await open(path, 'w');
  try {
    for await (const piece of pieces) {
      const chunk = Buffer.from(piece);
      hash.update(chunk);
      await writeChunk(handle, chunk);
      bytes += chunk.length;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** A single write may take less than it was given. */
async function writeChunk(handle: FileHandle, chunk: Buffer): Promise<void> {
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
