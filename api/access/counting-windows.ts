import { LRUCache } from 'lru-cache';

/** Ids that are counted at once, about 20 MB of them; beyond these the one that asked longest ago is forgotten. */
const IDS_MOST = 100_000;

/** What an id has taken in its window. */
export interface Taken {
  count: number;
  /** Whole seconds until its window ends, at least one. */
  waitSeconds: number;
}

/** Counts what each id takes in windows of so many seconds, which begin with its first. */
export interface Windows {
  take(id: string): Taken;
}

/** Windows in this process, bounded in memory however many ids come. */
export function makeWindows(windowSeconds: number, idsMost = IDS_MOST): Windows {
  const windows = new LRUCache<string, { count: number; endsMs: number }>({ max: idsMost });
  return {
    take(id) {
      const nowMs = Date.now();
      const held = windows.get(id);
      const window = held && held.endsMs > nowMs ? held : { count: 0, endsMs: nowMs + windowSeconds * 1_000 };
      window.count += 1;
      windows.set(id, window);
      return { count: window.count, waitSeconds: Math.max(1, Math.ceil((window.endsMs - nowMs) / 1_000)) };
    },
  };
}
