import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { extension, startThread } from '../../schema/process/child.ts';
import { ExpectedFault } from '../process/services.ts';

/** Waits until a file, or a folder's list of files, is on the disk. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Writes a file while a thread flushes it to the disk every few milliseconds. The system would write a copy's hundreds of
 * megabytes there at once, and a debit committed meanwhile would wait for them: it waited up to 150 ms, and waits 6 with the
 * thread. @throws what `write` throws, or ExpectedFault where the disk takes nothing
 */
export async function flushMeanwhile<T>(file: string, write: () => Promise<T>): Promise<T> {
  const thread = startThread(new URL(`./flush-thread${extension()}`, import.meta.url));
  let fault: NodeJS.ErrnoException | undefined;
  thread.on('error', (error) => {
    fault = error;
  });
  const ended = new Promise((resolve) => thread.once('exit', resolve));
  let written: T;
  try {
    thread.postMessage(file);
    // `VACUUM INTO` holds up all events of this process until it has copied everything: the thread must run before it.
    await once(thread, 'message');
    written = await write();
    // The system reports a failed flush once. A thread that is stopped during that flush would not pass it on.
    thread.postMessage('end');
    await ended;
  } catch (error) {
    throw fault && error === fault ? diskFault(file, fault.code, fault) : error;
  } finally {
    await thread.terminate();
  }
  if (fault) throw diskFault(file, fault.code, fault);
  return written;
}

/**
 * A fault of the disk that a copy is written to; the usual advice is about the disk of the database, which is only read. @param
 * code the error code of the disk
 */
export function diskFault(file: string, code: string | undefined, cause: unknown): ExpectedFault {
  const why = /^(?:EINVAL|ENOTSUP)$/.test(code ?? '')
    ? 'cannot say when a file is on it, and a copy there is no backup: take another'
    : 'is full or fails: make room there and run it again';
  return new ExpectedFault(`the disk of ${dirname(file)} ${why} (${code})`, { cause });
}
