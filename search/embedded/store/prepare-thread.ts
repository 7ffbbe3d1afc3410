import { parentPort } from 'node:worker_threads';
import { type Coming, prepareDocuments } from './prepare.ts';

const codes = { known: new Map<string, number>(), last: 0 };

parentPort?.on('message', (coming: Coming) => {
  const prepared = prepareDocuments(coming, codes);
  parentPort?.postMessage(prepared, [prepared.packs.bytes.buffer as ArrayBuffer]);
});
