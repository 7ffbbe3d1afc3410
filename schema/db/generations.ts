import { closeSync, existsSync, fchownSync, openSync, statSync } from 'node:fs';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * The files of a catalogue. `catalogue.db` is its first generation, and `catalogue-<n>.db` the n-th. The pointer
 * `catalogue.generation` next to them names the current one; without a pointer it is the first.
 */
export interface GenerationFiles {
  folder: string;
  /** File name of the first generation without its extension. */
  stem: string;
  extension: string;
}

const FILE = 'file:';
/** What SQLite keeps next to a database file. It reads each into any file of that name (sqlite.org/howtocorrupt.html). */
export const COMPANIONS = ['-wal', '-shm', '-journal'];

/** The pointer is absent or names what is not there. */
export class GenerationMissing extends Error {
  override name = 'GenerationMissing';
}

/** The folder and names of a database's generations. @param url `file:` and the path of the first generation */
export function generationFiles(url: string): GenerationFiles {
  const path = url.slice(FILE.length);
  const name = basename(path);
  const dot = name.lastIndexOf('.');
  const cut = dot > 0 ? dot : name.length;
  return { folder: dirname(path), stem: name.slice(0, cut), extension: name.slice(cut) };
}

/** The path of a generation's file. The first has the name in the setting, later ones have a number. */
export function generationPath({ folder, stem, extension }: GenerationFiles, number: number): string {
  return join(folder, number === 1 ? stem + extension : `${stem}-${number}${extension}`);
}

/** The `file:` address of a generation. */
export function generationUrl(files: GenerationFiles, number: number): string {
  return FILE + generationPath(files, number);
}

/** The path of the file that names the generation in use. */
export function pointerPath({ folder, stem }: GenerationFiles): string {
  return join(folder, `${stem}.generation`);
}

/**
 * The generation that the pointer names. @throws GenerationMissing where it cannot name any: it is unreadable, or it is gone
 * while later generations exist.
 */
export async function readPointer(files: GenerationFiles): Promise<number> {
  const path = pointerPath(files);
  const text = existsSync(path) ? (await readFile(path, 'utf8')).trim() : null;
  if (text !== null) {
    if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
    throw new GenerationMissing(`${path} should hold the number of a generation and holds ${JSON.stringify(text)}`);
  }
  if (existsSync(generationPath(files, 1))) return 1;
  const [newest] = (await readGenerations(files)).toSorted((a, b) => b - a);
  if (newest === undefined) return 1;
  throw new GenerationMissing(
    `${path} is missing; write ${newest} into it if ${generationPath(files, newest)} is whole`,
  );
}

/** Moves the pointer atomically; it is on the disk when this ends. */
export async function writePointer(files: GenerationFiles, number: number): Promise<void> {
  const path = pointerPath(files);
  const next = `${path}.next`;
  // One that is there may be a link of the folder's owner to any file, which root would overwrite and give away.
  await rm(next, { force: true });
  await withFile(next, 'wx', async (file) => {
    const owner = findOwner(path);
    if (owner) await file.chown(owner.uid, owner.gid);
    await file.writeFile(`${number}\n`);
    await file.sync();
  });
  await rename(next, path);
  await withFile(files.folder, 'r', (folder) => folder.sync());
}

/** Removes every generation except those named, with their side files. Returns the removed numbers. */
export async function removeGenerations(files: GenerationFiles, kept: readonly number[]): Promise<number[]> {
  const others = (await readGenerations(files)).filter((number) => !kept.includes(number));
  for (const number of others) {
    await removeDatabase(generationPath(files, number));
  }
  return others;
}

/** Who is to own a new file where this user is root: the owner of its folder, whose service could not open it otherwise. */
const findOwner = (path: string) => (process.getuid?.() === 0 ? statSync(dirname(path)) : null);

/**
 * Makes an empty database file, unless there is one. Only its owner may read it. SQLite gives its side files the same mode and
 * owner.
 */
export function makePrivate(path: string): void {
  if (path === ':memory:') return;
  try {
    const file = openSync(path, 'wx', 0o600);
    try {
      const owner = findOwner(path);
      if (owner) fchownSync(file, owner.uid, owner.gid);
    } finally {
      closeSync(file);
    }
  } catch {
    // It already exists, or cannot be created here; opening it then reports why.
  }
}

/** Removes a database's file, if there is one, with its side files. */
export async function removeDatabase(path: string): Promise<void> {
  for (const companion of ['', ...COMPANIONS]) await rm(path + companion, { force: true });
}

/** Numbers of the generations that have a file. */
async function readGenerations(files: GenerationFiles): Promise<number[]> {
  const names = existsSync(files.folder) ? await readdir(files.folder) : [];
  return names.flatMap((name) => {
    const number = numberOf(files, name);
    return number === null ? [] : [number];
  });
}

function numberOf({ stem, extension }: GenerationFiles, name: string): number | null {
  if (name === stem + extension) return 1;
  if (!name.startsWith(`${stem}-`) || !name.endsWith(extension)) return null;
  const middle = name.slice(stem.length + 1, name.length - extension.length);
  return /^[1-9]\d{0,3}$/.test(middle) && Number(middle) > 1 ? Number(middle) : null;
}

async function withFile(
  path: string,
  flags: string,
  work: (file: Awaited<ReturnType<typeof open>>) => Promise<void>,
): Promise<void> {
  const file = await open(path, flags);
  try {
    await work(file);
  } finally {
    await file.close();
  }
}
