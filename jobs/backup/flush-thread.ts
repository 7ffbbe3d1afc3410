import { fdatasyncSync, openSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

/** So often that each flush writes little: 5 to 10 MB of a copy. */
const EVERY_MS = 20;

parentPort?.once('message', (file: string) => {
  const descriptor = openSync(file, 'r');
  fdatasyncSync(descriptor);
  const flushing = setInterval(() => fdatasyncSync(descriptor), EVERY_MS);
  parentPort?.once('message', () => {
    clearInterval(flushing);
    fdatasyncSync(descriptor);
  });
  parentPort?.postMessage('begun');
});
