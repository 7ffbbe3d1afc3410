import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Lets each account have one piece of heavy work under way, the next ones in their order.
 * @throws what `refuse` makes where too many wait already; what the work throws.
 */
export type OneAtATime = <T>(accountId: string, work: () => Promise<T>) => Promise<T>;

/** One line for each account that has work, of `waitingMost` that wait at most; an account without any takes no room. */
export function makeOneAtATime(waitingMost: number, refuse: () => Error): OneAtATime {
  const lines = new Map<string, { last: Promise<unknown>; length: number }>();
  return async (accountId, work) => {
    const line = lines.get(accountId) ?? { last: Promise.resolve(), length: 0 };
    if (line.length > waitingMost) throw refuse();
    lines.set(accountId, line);
    line.length += 1;
    const next = () => work();
    // The outcome of the work before goes to its own caller.
    const mine = line.last.then(next, next);
    line.last = mine;
    try {
      return await mine;
    } finally {
      line.length -= 1;
      if (line.length === 0) lines.delete(accountId);
    }
  };
}

let line: Promise<void> = Promise.resolve();

/**
 * Waits for a turn of the event loop, for one step of long work. All such work shares one queue, so at most one step
 * delays other answers, however many tasks run.
 */
export function yieldToEventLoop(): Promise<void> {
  line = line.then(() => nextTurn());
  return line;
}
