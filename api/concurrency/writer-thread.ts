import { parentPort } from 'node:worker_threads';
import type { Database } from '../../schema/db/interface.ts';
import { openDatabase } from '../../schema/db/open.ts';
import { makeSequence } from '../../schema/process/serve.ts';
import { makePeer, type Port } from './peer.ts';
import { type OfWriter, STATE } from './writer.ts';

const PARENT: Port = {
  send: (message) => parentPort?.postMessage(message),
  listen: (hear) => void parentPort?.on('message', hear),
};

const inSequence = makeSequence();
let opened: { database: Database; state: Int32Array } | undefined;

makePeer<object, OfWriter>(PARENT, {
  async open({ url, state }) {
    // The process that starts this thread has already found it migrated.
    opened = { database: await openDatabase({ url, durability: 'full', mustExist: true }), state };
    return null;
  },
  write: (statements) =>
    inSequence(async () => {
      if (!opened) throw new Error('nothing is open');
      const { database, state } = opened;
      const release = () => {
        Atomics.and(state, 0, ~STATE.writing);
        Atomics.notify(state, 0);
      };
      if (Atomics.or(state, 0, STATE.writing) & STATE.ending) {
        release();
        // Nobody waits for it any more.
        return new Promise(() => undefined);
      }
      return database.write(statements).finally(release);
    }),
  close: () =>
    inSequence(async () => {
      await opened?.database.close();
      // Nothing else keeps the thread, which ends once the answer is sent.
      parentPort?.unref();
      return null;
    }),
});
