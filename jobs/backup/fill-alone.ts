import { readdirSync, rmSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { COMPANIONS } from '../../schema/db/generations.ts';
import { takeLock } from '../../schema/db/process-lock.ts';
import { END_SIGNALS } from '../../schema/process/end-signals.ts';
import { ExpectedFault } from '../process/services.ts';

const LOCK = '.lock';
/** The lock file of a process that begins exists for a moment before it is locked. */
const BEGUN_MS = 10_000;

/**
 * Does `work` on a temporary file (`.part`) and removes that afterwards, even where a signal ends the process, as it holds
 * personal data. What killed processes left in its folder is removed first. One process works on a file at a time: two would
 * remove each other's copy. @throws ExpectedFault with `refusal` where another process works on it
 */
export async function fillAlone<T>(part: string, refusal: string, work: () => Promise<T>): Promise<T> {
  removeLeft(dirname(part));
  const lock = takeLock(part + LOCK);
  if (!lock) throw new ExpectedFault(refusal);
  const stop = (signal: NodeJS.Signals) => {
    removeNow(part);
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of END_SIGNALS) process.on(signal, stop);
  try {
    return await work();
  } finally {
    for (const signal of END_SIGNALS) process.off(signal, stop);
    removeNow(part);
    lock.release();
  }
}

/**
 * Removes every temporary file whose lock no process holds, whatever its name: copies are often named by their day, and nobody
 * writes to an earlier one again.
 */
function removeLeft(folder: string): void {
  for (const name of readdirSync(folder).filter((name) => name.endsWith(`.part${LOCK}`))) {
    const path = join(folder, name);
    try {
      const { size, mtimeMs } = statSync(path);
      const lock = size === 0 && Date.now() - mtimeMs > BEGUN_MS ? takeLock(path) : null;
      if (!lock) continue;
      removeNow(path.slice(0, -LOCK.length));
      lock.release();
    } catch {
      // It belongs to another user, who removes it.
    }
  }
}

function removeNow(part: string): void {
  for (const file of [part, `${part}.trial`, part + LOCK])
    for (const companion of ['', ...COMPANIONS]) rmSync(file + companion, { force: true });
}
