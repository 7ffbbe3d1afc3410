import { setTimeout as pause } from 'node:timers/promises';
import type { GenerationFiles } from '../generations.ts';
import { takeLock } from '../process-lock.ts';
import { lockPath } from './files.ts';
import { makeKeeper } from './keep.ts';
import type { LogServer } from './server-log.ts';

/** The first message to a process that keeps a copy. A token does not go on its command line, where others could read it. */
export interface KeepOrder {
  files: GenerationFiles;
  server: LogServer;
  everyMs: number;
}

/**
 * Its messages: a line for the log of the parent process; `null` as a sign of life. `isLast`: the process ends with it, as the
 * next one may.
 */
export type KeepWord = { level: 'info' | 'warn'; message: string; isLast?: boolean } | null;

const ALIVE_MS = 5_000;

/** The process that keeps the copy of a machine: a sync can take long, fail or hang, and no call waits for it. */
function serve(): void {
  const send = (word: KeepWord) => void (process.connected && process.send?.(word));
  // The package may be in the middle of a sync, which leaves the copy as it was; it would not let the process end otherwise.
  const die = () => process.kill(process.pid, 'SIGKILL');
  process.on('disconnect', die);
  // Ctrl-C reaches the whole process group. The parent disconnects when it ends.
  process.on('SIGINT', () => undefined);
  const endWith = (message: string) => {
    send({ level: 'warn', message, isLast: true });
    // After the message is sent: one not yet written at the end would be lost.
    setImmediate(die);
  };
  process.once('message', (order: KeepOrder) => {
    setInterval(() => send(null), ALIVE_MS);
    // On a full disk even the lock cannot be taken.
    keep(order, { send, endWith, die }).catch((error: Error) =>
      endWith(`the copy of the catalogue cannot be kept: ${error.message}`),
    );
  });
}

interface Ends {
  send(word: KeepWord): void;
  endWith(message: string): void;
  die(): void;
}

/** @throws Error where the files next to the copy cannot be made */
async function keep({ files, server, everyMs }: KeepOrder, { send, endWith, die }: Ends): Promise<void> {
  const say = (level: 'info' | 'warn', message: string) => send({ level, message });
  const onStuck = () => endWith('the sync of the catalogue is stuck; it is begun again where it had come to');
  // Another process was quicker.
  const lock = takeLock(lockPath(files));
  if (!lock) return die();
  const keeper = await makeKeeper({ files, server, say, onStuck });
  for (;;) {
    // Two that write to one copy would damage it.
    if (lock.isLost()) return endWith('the files of the copy of the catalogue were removed; it is looked for again');
    // Why it failed is in the state of the copy, and was said when it began.
    await Promise.allSettled([keeper.step()]);
    await pause(everyMs);
  }
}

if (process.connected) serve();
