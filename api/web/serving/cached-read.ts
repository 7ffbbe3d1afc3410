import type { Services } from '../../contract/operation.ts';

const SAMPLE_FRESH_MS = 30_000;

/** Wraps a read so that its value is reused for `freshMs`. Concurrent callers share one read; a failed read is not cached. */
export function keepFor<T>(freshMs: number, wallNow: () => Date, read: () => Promise<T>): () => Promise<T> {
  let kept: { value: Promise<T>; readAtMs: number } | null = null;
  return async () => {
    const nowMs = wallNow().getTime();
    if (kept && nowMs - kept.readAtMs < freshMs) return kept.value;
    const mine = { value: read(), readAtMs: nowMs };
    kept = mine;
    try {
      return await mine.value;
    } catch (error) {
      if (kept === mine) kept = null;
      throw error;
    }
  };
}

/** Reads the notice of a sample catalogue (`meta` row `sample`), at most every 30 seconds; null for real data. */
export function makeSampleNote({ catalogue, clocks }: Services): () => Promise<string | null> {
  return keepFor(SAMPLE_FRESH_MS, clocks.wallNow, async () => {
    const rows = await catalogue.read<{ value: string }>({ sql: "SELECT value FROM meta WHERE name = 'sample'" });
    return rows[0]?.value ?? null;
  });
}
