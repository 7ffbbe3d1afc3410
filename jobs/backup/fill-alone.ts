import { rmSync } from 'node:fs';
import { constants } from 'node:os';
import { COMPANIONS } from '../../schema/db/generations.ts';
import { takeLock } from '../../schema/db/process-lock.ts';
import { END_SIGNALS } from '../../schema/process/end-signals.ts';
import { ExpectedFault } from '../process/services.ts';

/**
 * Works on a temporary file, which is removed after it, also where a signal ends the process: it holds personal data. Two at the
 * same file would remove each other's copy, and neither would be made. @throws ExpectedFault with `refusal` where another process
 * works on it
 */
export async function fillAlone<T>(part: string, refusal: string, work: () => Promise<T>): Promise<T> {
  const lock = takeLock(`${part}.lock`);
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

function removeNow(part: string): void {
  for (const file of [part, `${part}.lock`])
    for (const companion of ['', ...COMPANIONS]) rmSync(file + companion, { force: true });
}
