import { parentPort } from 'node:worker_threads';
import { type DocumentsToPrepare, prepareDocuments } from './prepare.ts';

const codes = { known: new Map<string, number>(), last: 0 };

parentPort?.on('message', (batch: DocumentsToPrepare) => {
  const prepared = prepareDocuments(batch, codes);
  parentPort?.postMessage(prepared, [prepared.packs.bytes.buffer as ArrayBuffer]);
});
