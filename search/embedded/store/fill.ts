import type { Database } from '../../../schema/db/interface.ts';
import { extension, startThread } from '../../../schema/process/child.ts';
import type { Collection } from '../../collections/shape.ts';
import { dayNumber } from '../../documents/days.ts';
import type { FillableIndex } from '../../engine.ts';
import { PACK_SIZE } from '../layout/packing.ts';
import { DAY_SPAN } from '../layout/tables.ts';
import { type DocumentsToPrepare, type Prepared, prepareDocuments } from './prepare.ts';
import { fillStatements, latestOf } from './statements.ts';

/** With fewer documents, a thread saves less time than its start takes. */
const THREAD_DOCUMENTS = 500;
/** One batch is stored while the next is prepared. */
const BATCHES_AT_ONCE = 2;

/** Fills an empty index. Each document must come once only, and ids of removed rows are ignored. */
export interface Filling extends Pick<FillableIndex, 'store' | 'batchesAtOnce'> {
  close(): Promise<void>;
}

/** Prepares documents in a separate thread, in the given order, while this one stores earlier ones. */
interface Preparer {
  prepare(batch: DocumentsToPrepare): Promise<Prepared>;
  close(): Promise<void>;
}

/** Starts to fill an index. Batches are stored one after another; after a failed batch none is stored. */
export function startFilling(index: Database, collection: Collection): Filling {
  const { day } = collection;
  const nextKeys = new Map<number, number>();
  const codes = { known: new Map<string, number>(), last: 0 };
  let nextPack = 1;
  let stored: Promise<unknown> = Promise.resolve();
  let preparer: Preparer | undefined;
  const prepare = async (batch: DocumentsToPrepare): Promise<Prepared> => {
    if (!preparer && (codes.last > 0 || batch.documents.length < THREAD_DOCUMENTS)) {
      return prepareDocuments(batch, codes);
    }
    preparer ??= startPreparer();
    return preparer.prepare(batch);
  };
  return {
    batchesAtOnce: BATCHES_AT_ONCE,
    store({ documents: given, cursor }) {
      // FTS5 writes out its buffer whenever a key is below the previous one, so the oldest days come first.
      const documents = latestOf(given).toSorted((one, other) => compare(day.of(one), day.of(other)));
      const firstPack = nextPack;
      nextPack += Math.ceil(documents.length / PACK_SIZE);
      const prepared = prepare({
        collection: collection.name,
        keys: documents.map((document) => takeKey(nextKeys, dayNumber(day.of(document)))),
        documents,
        firstPack,
      });
      const done = Promise.all([prepared, stored]).then(([made]) =>
        index.write(fillStatements(collection, { cursor, firstPack, prepared: made })),
      );
      stored = done;
      return done.then(() => undefined);
    },
    async close() {
      await Promise.allSettled([stored]);
      await preparer?.close();
    },
  };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function takeKey(nextKeys: Map<number, number>, day: number): number {
  const key = nextKeys.get(day) ?? day * DAY_SPAN;
  nextKeys.set(day, key + 1);
  return key;
}

/** Starts the thread. It has the codes of only those facet values that it prepared itself. */
function startPreparer(): Preparer {
  const worker = startThread(new URL(`./prepare-thread${extension()}`, import.meta.url));
  const waiting: { resolve(prepared: Prepared): void; reject(error: Error): void }[] = [];
  let fault: Error | undefined;
  const end = (error: Error) => {
    fault ??= error;
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  worker.on('message', (prepared: Prepared) => waiting.shift()?.resolve(prepared));
  worker.on('error', end);
  worker.on('exit', () => end(new Error('the thread that prepares documents ended')));
  return {
    prepare: (batch) =>
      new Promise((resolve, reject) => {
        if (fault) return reject(fault);
        waiting.push({ resolve, reject });
        worker.postMessage(batch);
      }),
    async close() {
      await worker.terminate();
    },
  };
}
