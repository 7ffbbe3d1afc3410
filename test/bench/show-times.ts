import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';

/** Milliseconds as a line: p50, p99 and the longest. */
export function showTimes(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  return `p50 ${at(0.5).padStart(5)} ms  p99 ${at(0.99).padStart(6)} ms  most ${at(1).padStart(6)} ms`;
}

/** Memory of processes that no other has and no file backs. */
export function ownMegabytes(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) => {
    const found = /^Pss_Anon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
    return Number(found?.[1] ?? 0);
  });
  return Math.round(kilobytes.reduce((sum, each) => sum + each, 0) / 1_000);
}

/** A process and those that it started. */
export function withChildren(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  const started = threads.flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' '));
  return [pid, ...started.filter(Boolean).map(Number)];
}

/** Milliseconds of processor that the threads of some processes have taken. */
export function processorMs(pids: readonly number[]): number {
  const threads = pids.flatMap((pid) =>
    readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`),
  );
  return threads.reduce(
    (sum, thread) => sum + Number(readFileSync(`${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
    0,
  );
}

/** About a millisecond of work. */
const PIECE = 600_000;
const PIECES = 201;
const SLOW = 1.5;

/**
 * Tells whether this process gets as much of the processor as usual. Something else may take much of it away for some 60 ms. A
 * p99 then says more of that than of the service.
 */
export function makeSpeedGauge(): () => boolean {
  const time = () => {
    const startMs = performance.now();
    for (let left = PIECE, sum = 0; left > 0; left--) sum = (sum * 31 + left) | 0;
    return performance.now() - startMs;
  };
  const usual = Array.from({ length: PIECES }, time).sort((a, b) => a - b)[PIECES >> 1] ?? 0;
  return () => time() < usual * SLOW;
}

/** What the machine has to do besides, to be read with any figure. */
export function showLoad(): string {
  return `load of the machine ${loadavg()
    .map((one) => one.toFixed(1))
    .join(' ')}`;
}

/** Milliseconds of one question: by the clock, and of processor in the processes that answer. */
export interface Times {
  clock: number;
  processor: number;
  /** Whether the machine was at its usual speed before and after. */
  isSteady?: boolean;
}

/** Both as a line; of the processor the median and p99, which say something on a loaded machine too. */
export function showBoth(times: readonly Times[]): string {
  const processor = times.map((one) => one.processor).sort((a, b) => a - b);
  const at = (share: number) => (processor[Math.floor(processor.length * share)] ?? 0).toFixed(1).padStart(6);
  return `${showTimes(times.map(({ clock }) => clock))}   ${at(0.5)} p99 ${at(0.99)} ms of processor`;
}

/** @param pids - of the processes that answer */
export async function timeEach(count: number, pids: () => number[], ask: () => Promise<unknown>): Promise<Times[]> {
  // A process that starts with the first question is not measured.
  await ask();
  const times: Times[] = [];
  for (let asked = 0; asked < count; asked++) {
    const [startMs, before] = [performance.now(), processorMs(pids())];
    await ask();
    times.push({ clock: performance.now() - startMs, processor: processorMs(pids()) - before });
  }
  return times;
}
