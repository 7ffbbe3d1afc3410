import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';

const PROCESSES = '/proc';

/**
 * Numbers of the other processes that have a file open, also one that was removed since; those of other users are found by
 * their locks alone, and where the system lists no open files (it is not Linux) none are found.
 */
export async function findHolders(path: string): Promise<number[]> {
  const names = await readdir(PROCESSES).catch(() => []);
  const others = names.map(Number).filter((id) => Number.isInteger(id) && id !== process.pid);
  const holding = await Promise.all(others.map((id) => hasOpen(id, path)));
  return others.filter((_, index) => holding[index]);
}

async function hasOpen(id: number, path: string): Promise<boolean> {
  const folder = join(PROCESSES, String(id), 'fd');
  const files = await readdir(folder).catch(() => []);
  const opened = await Promise.all(files.map((file) => readlink(join(folder, file)).catch(() => '')));
  return opened.some((name) => name === path || name === `${path} (deleted)`);
}
