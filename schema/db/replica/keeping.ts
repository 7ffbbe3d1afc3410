import { type ChildProcess, fork } from 'node:child_process';
import { ensureFolder } from '../../config/ensure-folder.ts';
import { extension, loaderArguments } from '../../process/child.ts';
import { takeLock } from '../process-lock.ts';
import { lockPath } from './files.ts';
import type { KeepOrder, KeepWord } from './process.ts';

/** A keeping process that has been silent for this long is replaced. */
const SILENT_MS = 60_000;

/** Passes a message about the copy on to an operator. */
export type Say = (level: 'info' | 'warn', message: string) => void;

export interface Speakers {
  /** For what happens once. */
  say: Say;
  /** For a fault that is met again with every try while it lasts. */
  sayLasting: Say;
}

/** Starts the process that keeps the copy, and another one whenever it ends or falls silent, after the pause between two syncs. */
export async function startKeeping(order: KeepOrder, { say, sayLasting }: Speakers): Promise<{ stop(): void }> {
  let child: ChildProcess | undefined;
  let isStopped = false;
  let silence: NodeJS.Timeout | undefined;
  const again = () => void setTimeout(() => isStopped || void startAgain(), order.everyMs).unref();
  const start = () => {
    // Another process of this machine keeps the copy: until that one ends, only its lock is checked.
    const lock = takeLock(lockPath(order.files));
    if (!lock) return again();
    lock.release();
    const started = fork(new URL(`./process${extension()}`, import.meta.url), [], {
      execArgv: loaderArguments(),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const hear = () => {
      clearTimeout(silence);
      silence = setTimeout(() => started.kill('SIGKILL'), SILENT_MS).unref();
    };
    hear();
    started.on('message', (word: KeepWord) => {
      hear();
      if (word) (word.isLast ? sayLasting : say)(word.level, word.message);
    });
    const next = () => {
      clearTimeout(silence);
      again();
    };
    started.once('exit', next);
    // Where the system has no process left, none ends: there is only this error.
    started.on('error', () => started.pid === undefined && next());
    if (started.pid === undefined) return;
    // A message to one that has just ended is lost with it.
    started.send(order, () => undefined);
    started.unref();
    started.channel?.unref();
    child = started;
  };
  /** Where there is no memory, or no room or file left for the lock, it throws; the present copy or the server answers meanwhile. */
  const startAgain = async () => {
    try {
      await ensureFolder(order.files.folder);
      if (!isStopped) start();
    } catch (error) {
      const why = (error as Error).message;
      sayLasting('warn', `the process that keeps the copy of the catalogue cannot be started: ${why}`);
      again();
    }
  };
  await startAgain();
  return {
    stop() {
      isStopped = true;
      clearTimeout(silence);
      child?.kill('SIGKILL');
    },
  };
}
