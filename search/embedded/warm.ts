import type { Database } from '../../schema/db/interface.ts';
import { readFacetValues } from './layout/facet-codes.ts';
import { countHolding } from './match/counts.ts';
import { quote } from './match/expression.ts';
import { mostFrequent, readFrequent } from './match/frequent-words.ts';
import { refreshRemembered } from './match/query-cache.ts';

/** How common the words are that most queries are made of is known beforehand. */
const COUNTED_WORDS = 1_000;
/** A reader that was asked within this time may be asked again. */
const IDLE_MS = 20;
/** Another index may have taken the place of the one that is open. */
const LOOK_AGAIN_MS = 5_000;

/** What a reader remembers before anybody asks, in pieces of a millisecond or two. */
export async function* warm(index: Database): AsyncGenerator<void> {
  await refreshRemembered(index);
  await readFacetValues(index);
  yield;
  yield* readFrequent(index);
  for (const word of mostFrequent(index, COUNTED_WORDS)) {
    yield;
    await countHolding(index, quote([word]));
  }
}

/**
 * For ever: while nobody asks, takes one piece of work after the other until there is none, and looks again a while later.
 * @param work one piece, and whether there is more; a failure reaches the next caller, and is tried again
 */
export async function workWhenIdle(work: () => Promise<boolean>, readLastAskedMs: () => number): Promise<never> {
  for (;;) {
    const waitMs = readLastAskedMs() + IDLE_MS - performance.now();
    if (waitMs > 0) {
      await pause(waitMs);
      continue;
    }
    const [done] = await Promise.allSettled([work()]);
    await pause(done.status === 'fulfilled' && done.value ? 0 : LOOK_AGAIN_MS);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => (ms > 0 ? setTimeout(resolve, ms) : setImmediate(resolve)));
}
