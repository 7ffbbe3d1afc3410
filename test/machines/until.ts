import { setTimeout as pause } from 'node:timers/promises';
import { LIMITS_MS } from '../support/time-limits.ts';

/** Waits for a condition. @throws Error with its description where it is not met in time. */
export async function until(what: string | (() => string), holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LIMITS_MS.wait;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited for ${typeof what === 'string' ? what : what()}`);
    await pause(50);
  }
}
