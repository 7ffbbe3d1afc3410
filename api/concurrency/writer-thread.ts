import { parentPort } from 'node:worker_threads';
import type { Database } from '../../schema/db/interface.ts';
import { openDatabase } from '../../schema/db/open.ts';
import { makePeer, type Port } from './peer.ts';
import { ENDING, type OfWriter } from './writer.ts';

const PARENT: Port = {
  send: (message) => parentPort?.postMessage(message),
  listen: (hear) => void parentPort?.on('message', hear),
};

let opened: { database: Database; state: Int32Array } | undefined;

makePeer<object, OfWriter>(PARENT, {
  async open({ url, state }) {
    // The process that starts this thread has already found it migrated.
    opened = { database: await openDatabase({ url, durability: 'full', mustExist: true }), state };
    return null;
  },
  async write(statements) {
    if (!opened) throw new Error('nothing is open');
    const { database, state } = opened;
    const end = () => {
      Atomics.sub(state, 0, 1);
      Atomics.notify(state, 0);
    };
    if (Atomics.add(state, 0, 1) & ENDING) {
      end();
      // The process waits for no answer any more.
      return new Promise(() => undefined);
    }
    return database.write(statements).finally(end);
  },
  async close() {
    await opened?.database.close();
    // Nothing else keeps the thread, which ends once the answer is sent.
    parentPort?.unref();
    return null;
  },
});
