import {
  type Database,
  DatabaseAway,
  type Outcome,
  OutcomeUnknown,
  type Statement,
} from '../../schema/db/interface.ts';
import { extension, startThread } from '../../schema/process/child.ts';
import { makePeer } from './peer.ts';

/** Questions to the thread. */
export interface OfWriter {
  /** `state`: one number that process and thread share, see `ENDING`. */
  open: [{ url: string; state: Int32Array }, null];
  write: [readonly Statement[], Outcome[]];
  close: [null, null];
}

/** The bit of the state that is set once the process is ending: the thread begins no other write. Below it is the number of writes. */
export const ENDING = 1 << 30;
/** How long the end of the process waits for a write, in milliseconds. */
const ENDING_MS = 5_000;

/**
 * Writes the accounts' file from a thread, so that calls are answered while a commit waits for the disk. A thread that ends is
 * replaced. @param start - starts the thread @throws what opening the file throws
 */
export async function startWriter(url: string, start = startOwnThread): Promise<Pick<Database, 'write' | 'close'>> {
  const open = async () => {
    const thread = startOrSay(start);
    const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const awaitWrites = () => endAfterWrites(state);
    let fault: unknown;
    const port = {
      send: (message: object) => thread.postMessage(message),
      listen: (hear: (message: unknown) => void) => void thread.on('message', hear),
    };
    // What was on its way may have been written.
    const lost = () => new OutcomeUnknown('the thread that writes the accounts has ended', { cause: fault });
    const peer = makePeer<OfWriter, object>(port, {}, lost);
    thread.once('error', (error) => {
      fault = error;
    });
    thread.once('exit', () => {
      process.off('exit', awaitWrites);
      opened = undefined;
      peer.lose();
    });
    process.on('exit', awaitWrites);
    try {
      await peer.ask('open', { url, state });
    } catch (error) {
      await thread.terminate();
      throw error;
    }
    // A front door that forgot to close it still ends.
    thread.unref();
    return { thread, peer };
  };
  let opened: ReturnType<typeof open> | undefined = open();
  await opened;
  const reopen = () =>
    open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
  return {
    async write(statements) {
      opened ??= reopen();
      return (await opened).peer.ask('write', statements);
    },
    async close() {
      const closing = opened;
      opened = undefined;
      if (!closing) return;
      const { thread, peer } = await closing;
      thread.ref();
      await peer.ask('close', null);
    },
  };
}

/** The driver aborts a process that ends while a thread runs a statement (measured on 0.5.29). */
function endAfterWrites(state: Int32Array<SharedArrayBuffer>): void {
  Atomics.or(state, 0, ENDING);
  for (let now = Atomics.load(state, 0); now !== ENDING; now = Atomics.load(state, 0))
    if (Atomics.wait(state, 0, now, ENDING_MS) === 'timed-out') return;
}

/** @throws DatabaseAway where there is no memory, or no thread left, for it: nothing was written, and the next write tries again */
function startOrSay(start: typeof startOwnThread) {
  try {
    return start();
  } catch (cause) {
    throw new DatabaseAway('the thread that writes the accounts cannot be started', { cause });
  }
}

function startOwnThread() {
  return startThread(new URL(`./writer-thread${extension()}`, import.meta.url));
}
