import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDatabase, makeFolder } from '../support/databases.ts';

/** What a bench has filled: where, what it needs to know of it, and how it is let go. */
export interface Filled<T> {
  path: string;
  known: T;
  remove(): Promise<void>;
}

const KNOWN = 'known.json';

/**
 * A folder that a bench fills: its own, removed afterwards, or one of this name in `BENCH_FOLDER`, which the next run finds as it is.
 * @param fill - fills an empty folder; what it answers is kept as JSON next to it
 */
export async function fillFolder<T>(name: string, fill: (path: string) => Promise<T>): Promise<Filled<T>> {
  const { BENCH_FOLDER: kept } = process.env;
  if (kept === undefined) {
    const { path, remove } = await makeFolder();
    return { path, known: await fill(path), remove };
  }
  const path = join(kept, name);
  const file = join(path, KNOWN);
  const remove = async () => undefined;
  if (existsSync(file)) {
    // It may be of an earlier version.
    if (existsSync(join(path, 'catalogue.db'))) await (await makeDatabase(path, 'catalogue')).close();
    return { path, known: JSON.parse(await readFile(file, 'utf8')) as T, remove };
  }
  await mkdir(path, { recursive: true });
  const known = await fill(path);
  // The last thing written: a fill that was interrupted is not mistaken for a whole one.
  await writeFile(file, JSON.stringify(known ?? null));
  return { path, known, remove };
}
