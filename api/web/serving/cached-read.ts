/** Reads at most once in so many milliseconds, whoever asks meanwhile; a reading that fails is forgotten. */
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
