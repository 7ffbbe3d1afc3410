/** What waits for one thing to be free, and how many are at it. */
interface Queue {
  running: number;
  waiting: (() => void)[];
}

/**
 * Lets few pieces of work at one thing go on at once, the rest in their order: each gives way between its steps, and what all
 * of them do before the others have their turn again is what those others wait.
 */
export function makeFewAtOnce(most: number): <T>(at: object, work: () => Promise<T>) => Promise<T> {
  const queues = new WeakMap<object, Queue>();
  return async (at, work) => {
    const queue = queues.get(at) ?? { running: 0, waiting: [] };
    queues.set(at, queue);
    if (queue.running < most) queue.running += 1;
    else await new Promise<void>((resolve) => queue.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = queue.waiting.shift();
      if (next) next();
      else queue.running -= 1;
    }
  };
}
