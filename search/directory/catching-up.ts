import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { compactHeap } from '../../schema/process/heap.ts';
import { inTime } from '../../schema/process/in-time.ts';

/** How long a question waits for the first reading. */
const FIRST_WAIT_MS = 8_000;
/** How long it waits for later changes, if nobody waited for them before. */
const WAIT_MS = 500;

/** Something that is read piece by piece, and later only its changes. */
export interface CatchingUp {
  /**
   * Continues reading, for all callers, and waits for a limited time where necessary. @returns whether everything was read once
   * @throws the error that stopped the reading
   */
  catchUp(isNeeded: boolean): Promise<boolean>;
}

/** @param step reads the next piece; returns whether there may be more */
export function makeCatchingUp(step: () => Promise<boolean>): CatchingUp {
  let isWhole = false;
  let running: Promise<void> | null = null;
  const run = async () => {
    // Questions are answered between two pieces.
    while (await step()) await yieldToEventLoop();
    // The first reading leaves more garbage than it keeps, and V8 returns memory only after a full collection.
    if (!isWhole) compactHeap();
    isWhole = true;
  };
  return {
    async catchUp(isNeeded) {
      const isFirst = running === null;
      running ??= run().finally(() => {
        running = null;
      });
      // A failure after the wait reaches the next question, which continues from the same place.
      void Promise.allSettled([running]);
      const mayWait = isNeeded && (isFirst || !isWhole);
      const longestMs = isWhole ? WAIT_MS : FIRST_WAIT_MS;
      await inTime(mayWait ? longestMs : 0, running, undefined);
      return isWhole;
    },
  };
}
