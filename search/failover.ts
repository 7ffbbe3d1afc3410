import { type SearchAnswer, type SearchEngine, SearchUnavailable } from './engine.ts';

/** After a failure the first engine is left alone for this long, so that its deadline is not paid by every query. */
const PAUSE_MS = 5_000;

/**
 * An engine with another behind it: while the first cannot answer, the second does, and the answer's `meta.engine` says so.
 * Only the first is stored to here; sync keeps the second by its own cursor.
 */
export function withFallback(
  first: SearchEngine,
  second: SearchEngine,
  wallNow: () => number = Date.now,
): SearchEngine {
  let restingUntil = 0;
  return {
    ...first,
    fallback: second,
    async find(query): Promise<SearchAnswer> {
      if (wallNow() < restingUntil) return second.find(query);
      try {
        return await first.find(query);
      } catch (error) {
        if (!(error instanceof SearchUnavailable)) throw error;
        restingUntil = wallNow() + PAUSE_MS;
        return second.find(query);
      }
    },
    async close() {
      await Promise.all([first.close(), second.close()]);
    },
  };
}
