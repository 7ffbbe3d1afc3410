import { setFlagsFromString } from 'node:v8';

/**
 * For a process that runs in several copies. By default V8 lets young objects take 48 MB before it checks which are still used.
 * At 6 MB it checks more often, which takes next to no time where most are unused.
 */
export const SMALL_HEAP: readonly string[] = ['--max-semi-space-size=2'];

/**
 * Node arguments for a small heap with a limit on old objects, in megabytes. Between two collections V8 lets them grow fourfold
 * where gigabytes are allowed, but only by half where hundreds of megabytes are.
 */
export function boundedHeap(oldMegabytes = 512): string[] {
  return [...SMALL_HEAP, `--max-old-space-size=${oldMegabytes}`];
}

/**
 * For such a process with answers of some megabytes of objects. With the 2 MB above, half of a page of changes outlives two
 * collections. Collecting those among the old objects makes its p99 three times as long (19 ms, 6 with this).
 */
export const YOUNG_HEAP: readonly string[] = ['--max-semi-space-size=8'];

/**
 * For a process that answers calls. Its lasting objects take some 40 MB. By default V8 looks for old ones that are no longer used
 * only when there are 100 MB and more. The young ones have their default of 48 MB: with 12 MB a metered look-up takes an eighth
 * more processor time, and the process saves some 20 MB. There is so little to collect among them that waking other threads for
 * it costs more than it saves.
 *
 * After a burst of calls V8 also placed what each call makes among the old objects ("pretenuring"), because nearly all of it had
 * outlived a collection while hundreds of calls waited. Each of those kept young objects long after it was used. For as long as
 * the process ran, a sixth of all garbage grew old, and a look-up took up to twice the processor time. That happened to 7 of 7
 * processes after 256 calls at once, and to none of 7 with the last option.
 */
export const ANSWERING_HEAP: readonly string[] = [
  '--max-semi-space-size=16',
  '--no-parallel-scavenge',
  '--initial-old-space-size=48',
  '--heap-growing-percent=40',
  '--no-allocation-site-pretenuring',
];

/** A process that may collect its garbage when it wants to is started with this option of Node. */
export const COLLECTING = '--expose-gc';

/**
 * Collects garbage and moves what is left together, so that whole pages go back to the system. V8 by itself keeps pages that are
 * a third full: after 100,000 suppliers were read, 74 MB for what takes 44. It takes longer than a plain collection, and no
 * question is answered meanwhile. Does nothing in a process without `COLLECTING`.
 */
export function compactHeap(): void {
  setFlagsFromString('--compact-on-every-full-gc');
  globalThis.gc?.();
  setFlagsFromString('--no-compact-on-every-full-gc');
}

/** Milliseconds without work after which a process counts as idle. */
const IDLE_MS = 2_000;

/**
 * Returns a function to call after each piece of work. Once the process is idle, the garbage of that work is collected: V8 by
 * itself waits until there is more. Does nothing in a process without `COLLECTING`.
 */
export function collectWhenIdle(): () => void {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    timer ??= setTimeout(compactHeap, IDLE_MS).unref();
    timer.refresh();
  };
}
