import { LRUCache } from 'lru-cache';
import type { Database } from '../../schema/db/interface.ts';
import { storedRegions } from '../../search/filters/shapes.ts';
import { yieldToEventLoop } from '../concurrency/machine.ts';
import { shareWork } from '../concurrency/share-work.ts';
import { COUNTED_MAX, countNoticesOfCodes, countNoticesOfRegion } from '../reads/processes.ts';

/** Requesting counts is free, so they are cached for ten minutes. */
const KEPT_MS = 600_000;
/** More codes than both trees have together. */
const KEPT_MAX = 20_000;

/** The number of notices, and whether there may be more. */
export interface Counted {
  notices: number;
  notices_is: 'exact' | 'at_least';
}

const kept = new WeakMap<Database, LRUCache<string, Promise<number>>>();

/** Notices with a main code from `from` on and before `before`, as counted within the last ten minutes. */
export async function countCodes(catalogue: Database, from: string, before: string): Promise<Counted> {
  return toCounted(await keep(catalogue, `${from} ${before}`, () => countNoticesOfCodes(catalogue, from, before)));
}

/** Notices whose first region is this one or lies in it, by each code that its filter finds, as counted within ten minutes. */
export async function countRegion(catalogue: Database, region: string): Promise<Counted> {
  const count = (code: string) => keep(catalogue, code, () => countNoticesOfRegion(catalogue, code));
  const counts = await Promise.all(storedRegions(region).map(count));
  return toCounted(
    Math.min(
      COUNTED_MAX,
      counts.reduce((sum, one) => sum + one),
    ),
  );
}

function keep(catalogue: Database, name: string, count: () => Promise<number>): Promise<number> {
  const counts = kept.get(catalogue) ?? new LRUCache<string, Promise<number>>({ max: KEPT_MAX, ttl: KEPT_MS });
  kept.set(catalogue, counts);
  return shareWork(counts, name, () => yieldToEventLoop().then(count));
}

function toCounted(notices: number): Counted {
  return { notices, notices_is: notices < COUNTED_MAX ? 'exact' : 'at_least' };
}
