import {
  askWorker,
  DeadlinePassed,
  type Numbered,
  type StartOptions,
  startWorker,
  stopWorker,
  WorkerEnded,
  type WorkerProcess,
} from './child.ts';

export interface PoolOptions extends StartOptions {
  /** What a process runs, and with which arguments. */
  script: URL;
  args?: readonly string[];
  /** Most processes at once; each starts when first needed. */
  workers?: number;
  /** Starts the first process at once, so that the first question does not wait for it. */
  warm?: boolean;
  /** How long one question may run before its process is killed. */
  deadlineMs?: number;
  /** How long a question may wait for a free process. */
  waitMs?: number;
  /** Makes the error that refuses a question. The reason follows a subject ("has too much to do"); a `WorkerEnded` or `DeadlinePassed` is its cause. */
  refuse(reason: string, cause?: Error): Error;
}

/** Processes that answer one question at a time each. */
export interface WorkerPool<Q, A> {
  /** @throws what `refuse` makes, when the deadline passed, two processes in a row died over the question, or none was free in time. */
  ask(question: Q): Promise<A>;
  /** Ids of the running processes. */
  pids(): number[];
  close(): Promise<void>;
}

interface Lane<A extends Numbered> {
  worker: WorkerProcess<A> | undefined;
  busy: boolean;
}

interface Queue<A extends Numbered> extends Required<Pick<PoolOptions, 'waitMs' | 'refuse'>> {
  lanes: Lane<A>[];
  waiting: { resolve(lane: Lane<A>): void; reject(error: Error): void; timer: NodeJS.Timeout }[];
  closed: boolean;
}

/** Makes a pool. Unless warm, no process starts before the first question. */
export function makeWorkerPool<Q extends object, A extends Numbered>(options: PoolOptions): WorkerPool<Q, A> {
  const { script, args = [], workers = 2, warm = false, deadlineMs = 2_000, waitMs = 5_000, refuse } = options;
  const start = () => startWorker<A>(script, args, options);
  const lanes = Array.from(
    { length: workers },
    (_, index): Lane<A> => ({ worker: warm && index === 0 ? start() : undefined, busy: false }),
  );
  const queue: Queue<A> = { lanes, waiting: [], closed: false, waitMs, refuse };
  return {
    async ask(question) {
      const lane = await takeLane(queue);
      try {
        return await askTwice(queue, lane, start, { question, deadlineMs });
      } catch (error) {
        if (error instanceof DeadlinePassed || error instanceof WorkerEnded) throw refuse(error.message, error);
        throw error;
      } finally {
        freeLane(queue, lane);
      }
    },
    pids: () => running(lanes).flatMap(({ child }) => child.pid ?? []),
    async close() {
      queue.closed = true;
      for (const { reject, timer } of queue.waiting.splice(0)) {
        clearTimeout(timer);
        reject(refuse('is closed'));
      }
      await Promise.all(running(lanes).map(stopWorker));
    },
  };
}

/**
 * A worker that dies over a question is replaced once.
 * @throws WorkerEnded for a question over which two workers ended; of the two, the one that had started
 */
async function askTwice<A extends Numbered>(
  queue: Queue<A>,
  lane: Lane<A>,
  start: () => WorkerProcess<A>,
  { question, deadlineMs }: { question: object; deadlineMs: number },
): Promise<A> {
  let before: WorkerEnded | undefined;
  for (;;) {
    // Closing the pool ends its workers: no more are started.
    if (queue.closed) throw queue.refuse('is closed');
    if (!lane.worker || lane.worker.ended) lane.worker = start();
    try {
      return await askWorker(lane.worker, question, deadlineMs);
    } catch (error) {
      if (!(error instanceof WorkerEnded)) throw error;
      if (before) throw before.started ? before : error;
      before = error;
    }
  }
}

/** A free lane, one with a running process before one without. */
function takeLane<A extends Numbered>(queue: Queue<A>): Promise<Lane<A>> {
  const { waitMs, refuse } = queue;
  if (queue.closed) return Promise.reject(refuse('is closed'));
  const free = queue.lanes.filter(({ busy }) => !busy);
  const lane = free.find(({ worker }) => worker && !worker.ended) ?? free[0];
  if (lane) {
    lane.busy = true;
    return Promise.resolve(lane);
  }
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      queue.waiting = queue.waiting.filter((one) => one.timer !== timer);
      reject(refuse('has too much to do'));
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

function running<A extends Numbered>(lanes: Lane<A>[]): WorkerProcess<A>[] {
  return lanes.flatMap(({ worker }) => (worker && !worker.ended ? [worker] : []));
}
