import type { Database } from '../../../schema/db/interface.ts';
import { extension, startThread } from '../../../schema/process/child.ts';
import type { Collection } from '../../collections/shape.ts';
import { dayNumber } from '../../documents/days.ts';
import type { FillableIndex } from '../../engine.ts';
import { PACK_SIZE } from '../layout/packing.ts';
import { DAY_SPAN } from '../layout/tables.ts';
import { type Coming, type Prepared, prepareDocuments } from './prepare.ts';
import { fillStatements, latestOf } from './statements.ts';

/** With fewer documents, the gain is less than the time to start the thread. */
const THREAD_DOCUMENTS = 500;
/** One is stored while the next is prepared. */
const BATCHES_AT_ONCE = 2;

/** Fills an empty index. Each document comes once; ids of removed rows are ignored. */
export interface Filling extends Pick<FillableIndex, 'store' | 'batchesAtOnce'> {
  close(): Promise<void>;
}

/** Prepares documents in a separate thread while this one stores earlier ones, in the given order. */
export interface Preparer {
  prepare(coming: Coming): Promise<Prepared>;
  close(): Promise<void>;
}

/** Batches are prepared while others are stored, and stored one after another; after a failed batch none is stored. */
export function startFilling(index: Database, collection: Collection): Filling {
  const { day } = collection;
  const nextKeys = new Map<number, number>();
  const codes = { known: new Map<string, number>(), last: 0 };
  let nextPack = 1;
  let stored: Promise<unknown> = Promise.resolve();
  let preparer: Preparer | undefined;
  const prepare = async (coming: Coming): Promise<Prepared> => {
    if (!preparer && (codes.last > 0 || coming.documents.length < THREAD_DOCUMENTS)) {
      return prepareDocuments(coming, codes);
    }
    preparer ??= startPreparer();
    return preparer.prepare(coming);
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

/** Starts the thread. It knows only the facet values that it prepared itself. */
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
    prepare: (coming) =>
      new Promise((resolve, reject) => {
        if (fault) return reject(fault);
        waiting.push({ resolve, reject });
        worker.postMessage(coming);
      }),
    async close() {
      await worker.terminate();
    },
  };
}
