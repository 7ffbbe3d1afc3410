import { existsSync, readFileSync } from 'node:fs';

const TICK_MS = 5;
const SPEAK_MS = 1_000;
/** Of the main thread on Linux: nanoseconds at work, nanoseconds that it was ready and other processes had the processor, turns. */
const SCHEDULER = '/proc/thread-self/schedstat';

/** The longest that the event loop of a process stood still within the last second, in milliseconds. */
export interface Freeze {
  longestMs: number;
  /** The same without the time in which the machine gave the processor to others. */
  ownMs: number;
}

/** Says once a second how long the event loop stood still at most. */
export function watchLoop(say: (freeze: Freeze) => void): void {
  let last = { ms: performance.now(), waitedMs: readWaitedMs() };
  let freeze: Freeze = { longestMs: 0, ownMs: 0 };
  setInterval(() => {
    const now = { ms: performance.now(), waitedMs: readWaitedMs() };
    const longestMs = now.ms - last.ms - TICK_MS;
    const ownMs = longestMs - (now.waitedMs - last.waitedMs);
    freeze = { longestMs: Math.max(freeze.longestMs, longestMs), ownMs: Math.max(freeze.ownMs, ownMs) };
    last = now;
  }, TICK_MS);
  setInterval(() => {
    say(freeze);
    freeze = { longestMs: 0, ownMs: 0 };
  }, SPEAK_MS);
}

function readWaitedMs(): number {
  if (!existsSync(SCHEDULER)) return 0;
  return Number(readFileSync(SCHEDULER, 'utf8').split(' ')[1]) / 1e6;
}
