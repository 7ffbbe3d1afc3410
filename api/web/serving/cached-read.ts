import type { Services } from '../../contract/operation.ts';

const SAMPLE_FRESH_MS = 30_000;

/** Makes a read that repeats its last value for `freshMs`; callers at the same time share one read. A read that fails is not kept. */
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

/** Reads the sentence that a generated catalogue carries (`meta` row `sample`), at most every half minute. */
export function makeSampleNote({ catalogue, clocks }: Services): () => Promise<string | null> {
  return keepFor(SAMPLE_FRESH_MS, clocks.wallNow, async () => {
    const rows = await catalogue.read<{ value: string }>({ sql: "SELECT value FROM meta WHERE name = 'sample'" });
    return rows[0]?.value ?? null;
  });
}
