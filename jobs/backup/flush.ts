import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { extension, startThread } from '../../schema/process/child.ts';

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
 * Writes a file while a thread takes to the disk what it has so far. Left to the system, a copy's hundreds of megabytes go there
 * at once, and a debit committed meanwhile waits for them: up to 150 ms, 6 ms so. @throws what `write` throws, or what the disk
 * answers the thread
 */
export async function flushMeanwhile<T>(file: string, write: () => Promise<T>): Promise<T> {
  const thread = startThread(new URL(`./flush-thread${extension()}`, import.meta.url));
  let fault: Error | undefined;
  thread.on('error', (error: Error) => {
    fault = error;
  });
  let written: T;
  try {
    thread.postMessage(file);
    // `VACUUM INTO` holds up all events of this process until it has copied everything: the thread must run before it.
    await once(thread, 'message');
    written = await write();
  } finally {
    await thread.terminate();
  }
  if (fault) throw fault;
  return written;
}
