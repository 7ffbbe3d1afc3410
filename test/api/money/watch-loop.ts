import { existsSync, readFileSync } from 'node:fs';

const TICK_MS = 5;
const SPEAK_MS = 1_000;
/** Of the main thread on Linux: nanoseconds of processor time first. */
const SCHEDULER = '/proc/thread-self/schedstat';

/** The longest that the event loop of a process stood still within the last second, in milliseconds. */
export interface Freeze {
  longestMs: number;
  /** The most processor time between two turns of it, which others on the machine have no part in. */
  busyMs: number;
}

/** Says once a second how long the event loop stood still at most. */
export function watchLoop(say: (freeze: Freeze) => void): void {
  let last = { ms: performance.now(), cpuMs: readCpuMs() };
  let freeze: Freeze = { longestMs: 0, busyMs: 0 };
  setInterval(() => {
    const now = { ms: performance.now(), cpuMs: readCpuMs() };
    const longestMs = now.ms - last.ms - TICK_MS;
    const busyMs = now.cpuMs - last.cpuMs;
    freeze = { longestMs: Math.max(freeze.longestMs, longestMs), busyMs: Math.max(freeze.busyMs, busyMs) };
    last = now;
  }, TICK_MS);
  setInterval(() => {
    say(freeze);
    freeze = { longestMs: 0, busyMs: 0 };
  }, SPEAK_MS);
}

function readCpuMs(): number {
  if (!existsSync(SCHEDULER)) return 0;
  return Number(readFileSync(SCHEDULER, 'utf8').split(' ')[0]) / 1e6;
}
