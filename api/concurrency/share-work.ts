import type { LRUCache } from 'lru-cache';

/** What is kept under a name, otherwise what `make` makes. Concurrent callers share one attempt; a failed one is dropped. */
export function shareWork<T>(kept: LRUCache<string, Promise<T>>, name: string, make: () => Promise<T>): Promise<T> {
  const known = kept.get(name);
  if (known) return known;
  const making = make().catch((error: unknown) => {
    kept.delete(name);
    throw error;
  });
  kept.set(name, making);
  return making;
}
