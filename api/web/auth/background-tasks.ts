import type { Logger } from 'pino';

/** Work that continues after the response, so that the response reveals neither its outcome nor its time. */
export interface BackgroundTasks {
  start(work: () => Promise<void>): void;
  /** Waits for tasks that have started. */
  drain(): Promise<void>;
}

/** Starts background tasks and logs their errors. */
export function makeBackgroundTasks(log: Logger): BackgroundTasks {
  const running = new Set<Promise<void>>();
  return {
    start(work) {
      const run = work()
        .catch((error: unknown) => log.error({ err: error }, 'what was to follow a form failed'))
        .finally(() => running.delete(run));
      running.add(run);
    },
    async drain() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
