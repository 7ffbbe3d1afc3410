import { compareText } from '../merge/uk.ts';
import type { GatheredRelease } from './state.ts';

/** Releases that one batch holds at most; a process of more is a batch of its own. More are hardly faster, and what a batch compiles is most of the memory that a run takes. */
export const BATCH_RELEASES = 400;

/**
 * Cuts releases into batches: those of one process in the order in which they came, the processes of one buyer beside each
 * other, as a batch reads again every contract of the buyers that it touches.
 */
export function cutBatches(releases: readonly GatheredRelease[]): GatheredRelease[][] {
  const processes = new Map<string, GatheredRelease[]>();
  for (const release of releases) {
    const process = processes.get(release.ocid);
    if (process) process.push(release);
    else processes.set(release.ocid, [release]);
  }
  const batches: GatheredRelease[][] = [];
  for (const process of [...processes.values()].toSorted(byBuyer)) {
    const batch = batches.at(-1);
    if (batch && batch.length + process.length <= BATCH_RELEASES) batch.push(...process);
    else batches.push(process);
  }
  return batches;
}

function byBuyer([a]: readonly GatheredRelease[], [b]: readonly GatheredRelease[]): number {
  return compareText(a?.buyer ?? '', b?.buyer ?? '');
}
