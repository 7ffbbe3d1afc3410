import { readFileSync } from 'node:fs';

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
