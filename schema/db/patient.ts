import { setTimeout as pause } from 'node:timers/promises';
import { type Database, isPassing } from './interface.ts';

/** Pauses before a server that is away is tried again, in milliseconds: from the first to the longest. */
const PAUSE_MS = { first: 200, longest: 5_000 };

/** How to wait for a database. */
interface Patience {
  /** How long a server may be away, in milliseconds. */
  forMs: number;
  /** Ends the wait at its next attempt, with that attempt's error. */
  signal?: AbortSignal | undefined;
  /** Called when a wait begins. */
  onAway(error: unknown): void;
}

/**
 * The same database for work that can wait and whose batches may be written twice. Whatever a server could not accept, or
 * did not confirm, is repeated until it answers. A file is never away, and is returned as it is.
 * @throws as the database, once the server was away for too long
 */
export function makePatient(database: Database, { forMs, signal, onAway }: Patience): Database {
  if (database.url.startsWith('file:')) return database;
  const untilThere = async <T>(work: () => Promise<T>): Promise<T> => {
    let untilMs = 0;
    for (let waitMs = PAUSE_MS.first; ; waitMs = Math.min(2 * waitMs, PAUSE_MS.longest)) {
      try {
        return await work();
      } catch (error) {
        if (!isPassing(error) || signal?.aborted) throw error;
        if (untilMs === 0) onAway(error);
        untilMs ||= performance.now() + forMs;
        if (performance.now() > untilMs) throw error;
        await pause(waitMs);
      }
    }
  };
  return {
    ...database,
    read: (statement) => untilThere(() => database.read(statement)),
    readNewest: (statement) => untilThere(() => (database.readNewest ?? database.read)(statement)),
    write: (statements) => untilThere(() => database.write(statements)),
  };
}

/**
 * The same database for work that must not hold up others: after each batch it leaves the file to them for as long as the batch
 * took. SQLite keeps no queue. A writer that waits looks every few milliseconds whether the file is free, which between two
 * batches of a loop it hardly ever is (measured during a deletion of 400,000 rows: a debit waited up to 320 ms, with this up to
 * 60). A server has a queue.
 */
export function makeGivingWay(database: Database): Database {
  if (!database.url.startsWith('file:')) return database;
  let turn: Promise<unknown> = Promise.resolve();
  return {
    ...database,
    write(statements) {
      let startMs = 0;
      const written = turn.then(() => {
        startMs = performance.now();
        return database.write(statements);
      });
      const leave = () => pause(performance.now() - startMs);
      turn = written.then(leave, leave);
      return written;
    },
  };
}
