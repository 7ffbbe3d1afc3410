import { SearchUnavailable } from '../engine.ts';
import type { Answer, Ask } from './messages.ts';
import { askReader, ReaderEnded, type ReaderProcess, startReader, stopReader } from './process.ts';

export interface PoolOptions {
  /** Address of the index, `file:…`. */
  url: string;
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
export interface ReaderPool {
  /** @throws SearchUnavailable when the deadline passed, or two processes in a row died over the question. */
  ask(question: Ask): Promise<Answer>;
  /** Ids of the processes that run now. */
  pids(): number[];
  close(): Promise<void>;
}

interface Lane {
  reader: ReaderProcess | undefined;
  busy: boolean;
}

interface Queue {
  lanes: Lane[];
  waiting: { resolve(lane: Lane): void; reject(error: Error): void; timer: NodeJS.Timeout }[];
  closed: boolean;
}

/** Makes a pool. Unless warm, no process starts before the first question. */
export function makeReaderPool(options: PoolOptions): ReaderPool {
  const { url, readers = 2, warm = false, deadlineMs = 2_000, waitMs = 5_000 } = options;
  const lanes = Array.from(
    { length: readers },
    (_, index): Lane => ({ reader: warm && index === 0 ? startReader(url) : undefined, busy: false }),
  );
  const queue: Queue = { lanes, waiting: [], closed: false };
  return {
    async ask(question) {
      const lane = await takeLane(queue, waitMs);
      try {
        return await askTwice(lane, url, question, deadlineMs);
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
async function askTwice(lane: Lane, url: string, question: Ask, deadlineMs: number): Promise<Answer> {
  for (const last of [false, true]) {
    if (!lane.reader || lane.reader.ended) lane.reader = startReader(url);
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
function takeLane(queue: Queue, waitMs: number): Promise<Lane> {
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

function freeLane(queue: Queue, lane: Lane): void {
  const next = queue.waiting.shift();
  if (!next) {
    lane.busy = false;
    return;
  }
  clearTimeout(next.timer);
  next.resolve(lane);
}

function running(lanes: Lane[]): ReaderProcess[] {
  return lanes.flatMap(({ reader }) => (reader && !reader.ended ? [reader] : []));
}
