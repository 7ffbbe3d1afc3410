import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type GenerationFiles, pointerPath } from '../../../schema/db/generations.ts';

/** API processes of before an upgrade read the index of their layout until they are started anew. */
const KEPT_MS = 3_600_000;
/** Of any layout, and of programs whose file names tell none. */
const OF_AN_INDEX = /^search(\.[0-9a-f]{12})?(-\d+)?\.(db|generation)(-wal|-shm)?$/;

/** Removes what indexes of other layouts left in the folder, once this one answers and the others have been at rest for an hour. */
export async function removeFormer(files: GenerationFiles, now = Date.now()): Promise<void> {
  const others = (await readdir(files.folder)).filter((name) => OF_AN_INDEX.test(name) && !isOwn(files, name));
  if (others.length === 0) return;
  const looked = [pointerPath(files), ...others.map((name) => join(files.folder, name))];
  const changedMs = await Promise.all(looked.map(readChangedMs));
  if (changedMs.some((ms) => now - ms < KEPT_MS)) return;
  for (const name of others) await rm(join(files.folder, name), { force: true });
}

function isOwn({ stem }: GenerationFiles, name: string): boolean {
  const next = name.slice(stem.length, stem.length + 2);
  return name.startsWith(stem) && (next.startsWith('-') || next === '.d' || next === '.g');
}

/** When a file was last written; what is not there keeps the others where they are. */
async function readChangedMs(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return Number.POSITIVE_INFINITY;
    throw error;
  }
}
