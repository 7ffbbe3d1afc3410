import { SearchUnavailable } from '../engine.ts';
import { askReader, type Numbered, ReaderEnded, type ReaderProcess, startReader, stopReader } from './child.ts';

export interface PoolOptions {
  /** What a process runs, and with which arguments. */
  script: URL;
  args?: readonly string[];
  /** How many processes read at once, at most; each starts when first needed. */
  readers?: number;
  /** Starts the first process at once, so that the first question does not wait for it. */
  warm?: boolean;
  /** How long one question may run before its process is killed. */
  deadlineMs?: number;
  /** How long a question may wait for a free process. */
  waitMs?: number;
}

/** Processes that answer one question at a time each. */
export interface ReaderPool<Q, A> {
  /** @throws SearchUnavailable when the deadline passed, or two processes in a row died over the question. */
  ask(question: Q): Promise<A>;
  /** Ids of the processes that run now. */
  pids(): number[];
  close(): Promise<void>;
}

interface Lane<A extends Numbered> {
  reader: ReaderProcess<A> | undefined;
  busy: boolean;
}

interface Queue<A extends Numbered> {
  lanes: Lane<A>[];
  waiting: { resolve(lane: Lane<A>): void; reject(error: Error): void; timer: NodeJS.Timeout }[];
  closed: boolean;
}

/** Makes a pool. Unless warm, no process starts before the first question. */
export function makeReaderPool<Q extends object, A extends Numbered>(options: PoolOptions): ReaderPool<Q, A> {
  const { script, args = [], readers = 2, warm = false, deadlineMs = 2_000, waitMs = 5_000 } = options;
  const start = () => startReader<A>(script, args);
  const lanes = Array.from(
    { length: readers },
    (_, index): Lane<A> => ({ reader: warm && index === 0 ? start() : undefined, busy: false }),
  );
  const queue: Queue<A> = { lanes, waiting: [], closed: false };
  return {
    async ask(question) {
      const lane = await takeLane(queue, waitMs);
      try {
        return await askTwice(lane, start, question, deadlineMs);
      } finally {
        freeLane(queue, lane);
      }
    },
    pids: () => running(lanes).flatMap(({ child }) => child.pid ?? []),
    async close() {
      queue.closed = true;
      for (const { reject, timer } of queue.waiting.splice(0)) {
        clearTimeout(timer);
        reject(new SearchUnavailable('search is closed'));
      }
      await Promise.all(running(lanes).map(stopReader));
    },
  };
}

/** A reader that dies over a question is replaced once; a question that kills two readers is refused. */
async function askTwice<A extends Numbered>(
  lane: Lane<A>,
  start: () => ReaderProcess<A>,
  question: object,
  deadlineMs: number,
): Promise<A> {
  for (const last of [false, true]) {
    if (!lane.reader || lane.reader.ended) lane.reader = start();
    try {
      return await askReader(lane.reader, question, deadlineMs);
    } catch (error) {
      if (!(error instanceof ReaderEnded)) throw error;
      if (last) throw new SearchUnavailable(error.message, { cause: error });
    }
  }
  throw new SearchUnavailable('the search reader ended');
}

/** A free lane, one with a running process before one without. */
function takeLane<A extends Numbered>(queue: Queue<A>, waitMs: number): Promise<Lane<A>> {
  if (queue.closed) return Promise.reject(new SearchUnavailable('search is closed'));
  const free = queue.lanes.filter(({ busy }) => !busy);
  const lane = free.find(({ reader }) => reader && !reader.ended) ?? free[0];
  if (lane) {
    lane.busy = true;
    return Promise.resolve(lane);
  }
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      queue.waiting = queue.waiting.filter((one) => one.timer !== timer);
      reject(new SearchUnavailable('search has too much to do'));
    }, waitMs);
    queue.waiting.push({ resolve, reject, timer });
  });
}

function freeLane<A extends Numbered>(queue: Queue<A>, lane: Lane<A>): void {
  const next = queue.waiting.shift();
  if (!next) {
    lane.busy = false;
    return;
  }
  clearTimeout(next.timer);
  next.resolve(lane);
}

function running<A extends Numbered>(lanes: Lane<A>[]): ReaderProcess<A>[] {
  return lanes.flatMap(({ reader }) => (reader && !reader.ended ? [reader] : []));
}
