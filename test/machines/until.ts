import { setTimeout as pause } from 'node:timers/promises';
import { LIMITS_MS } from '../support/time-limits.ts';

/** Waits for something. @throws Error with what it was where it does not come. */
export async function until(what: string | (() => string), holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LIMITS_MS.wait;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited for ${typeof what === 'string' ? what : what()}`);
    await pause(50);
  }
}
