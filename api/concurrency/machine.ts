import { setImmediate as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { WriteGroup } from './group-commit.ts';

/** What all API processes of one machine share, so that a rule applies to all of them together. */
export interface Machine {
  /** Counts at most `most` requests for each id in a window. `name` identifies the allowance and is the same in every process. */
  makeWindows(name: string, most: number, windowSeconds: number): Windows;
  /** Runs work when it is its turn. @throws what the line's `refuse` makes where too many already wait; what the work throws. */
  inTurn<T>(line: Line, id: string, work: () => Promise<T>): Promise<T>;
  /** Writes to the accounts' file together with the calls of the other processes; absent where there are none. */
  writeGroup?: WriteGroup;
}

/** How much of its window's allowance an id has used. */
export interface Usage {
  count: number;
  /** Whole seconds until its window ends, at least one. */
  waitSeconds: number;
}

/** Counts the requests of each id in fixed windows, which begin with its first request. */
export interface Windows {
  /** A promise only where another process has to be asked. */
  take(id: string): Usage | Promise<Usage>;
}

/** Work that each id does one piece at a time, in order. */
export interface Line {
  /** The same name in every process. */
  name: string;
  /** Most pieces of one id that may wait. */
  waitingMost: number;
  refuse(): Error;
}

/** For a process that is alone on its machine. */
export function makeOwnMachine(): Machine {
  return {
    makeWindows: (_name, _most, windowSeconds) => makeWindows(windowSeconds),
    inTurn: makeLines(),
  };
}

/** Ids counted at once, about 20 MB. Above this, the id with the oldest call is dropped. */
const IDS_MAX = 100_000;

/** What is known of the ids that were used last. */
export type IdMap<T extends object> = LRUCache<string, T>;

/**
 * A map of ids with bounded memory. A `max` would allocate all the memory at the start, and each process has a dozen of these.
 * Deleting the only id would then clear all of it, which takes 25 ms.
 */
export function makeIdMap<T extends object>(idsMost = IDS_MAX): IdMap<T> {
  return new LRUCache<string, T>({ maxSize: idsMost, sizeCalculation: () => 1 });
}

/** Windows in this process. */
export function makeWindows(windowSeconds: number, idsMost = IDS_MAX): { take(id: string): Usage } {
  const windows = makeIdMap<{ count: number; endsMs: number }>(idsMost);
  return {
    take(id) {
      const nowMs = Date.now();
      const held = windows.get(id);
      const window =
        held && isOpen(held, windowSeconds, nowMs) ? held : { count: 0, endsMs: nowMs + windowSeconds * 1_000 };
      window.count += 1;
      windows.set(id, window);
      return { count: window.count, waitSeconds: secondsUntil(window.endsMs, nowMs) };
    },
  };
}

/** Whether a window still counts. One that ends later than any can was begun before the clock was set back: it is over. */
export function isOpen({ endsMs }: { endsMs: number }, windowSeconds: number, nowMs: number): boolean {
  return endsMs > nowMs && endsMs <= nowMs + windowSeconds * 1_000;
}

/** Whole seconds until an instant, at least one. */
export function secondsUntil(endsMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((endsMs - nowMs) / 1_000));
}

/** An id without work takes up no memory. */
function makeLines(): Machine['inTurn'] {
  const lines = new Map<string, pLimit.Limit>();
  const lengthOf = ({ activeCount, pendingCount }: pLimit.Limit) => activeCount + pendingCount;
  return async ({ name, waitingMost, refuse }, id, work) => {
    const place = `${name} ${id}`;
    const line = lines.get(place) ?? pLimit(1);
    if (lengthOf(line) > waitingMost) throw refuse();
    lines.set(place, line);
    try {
      return await line(work);
    } finally {
      if (lengthOf(line) === 0) lines.delete(place);
    }
  };
}

let steps: Promise<void> = Promise.resolve();

/**
 * Waits for a turn of this process's event loop, for one step of long work. All such work shares one queue, so at most one step
 * delays other answers, however many tasks run.
 */
export function yieldToEventLoop(): Promise<void> {
  steps = steps.then(() => pause());
  return steps;
}
