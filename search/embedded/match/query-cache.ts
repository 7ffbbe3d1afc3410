import { LRUCache } from 'lru-cache';
import type { Database } from '../../../schema/db/interface.ts';
import { READ_CURSOR } from '../layout/tables.ts';

/** How many documents there are, counted no further than `COUNT_MAX` and one, and between which keys they lie. */
export interface Counted {
  count: number;
  newest: number;
  oldest: number;
  /** All keys, the newest first, where they were asked for and are no more than `WEIGHED_MAX`. */
  keys: number[] | null;
}

/** What a reader remembers of an index: words, filters and the newest documents come again and again. */
export interface Remembered {
  /** Of what is very common, for a while. */
  common: LRUCache<string, Counted>;
  /** The frequent words of titles and names, and how often each was stored, once a reader has had time to read them. */
  frequent: Map<string, number>;
  /** Until the index next changes, as all that follows. */
  counts: LRUCache<string, Counted>;
  /** Unpacked packs by number. */
  packs: LRUCache<number, Buffer>;
}

/** A count takes a few hundred bytes, and its keys eight each. */
const COUNTS_BYTES = 16_000_000;
const COUNT_BYTES = 400;
const KEY_BYTES = 8;
const PACKS_BYTES = 32_000_000;
const COMMON = { max: 5_000, ttl: 3_600_000 };

const REMEMBERED = new WeakMap<Database, Remembered & { cursor: string }>();

/** What is remembered of an index as it is now. Asked once per query: every batch moves the cursor. */
export async function refreshRemembered(index: Database): Promise<void> {
  const [row] = await index.read<{ value: string }>({ sql: READ_CURSOR });
  const cursor = row?.value ?? '';
  const before = REMEMBERED.get(index);
  if (before?.cursor === cursor) return;
  const kept = before && { common: before.common, frequent: before.frequent };
  REMEMBERED.set(index, { ...remembersNothing(), ...kept, cursor });
}

/** What was remembered since the index last changed. */
export function rememberedOf(index: Database): Remembered {
  return REMEMBERED.get(index) ?? remembersNothing();
}

function remembersNothing(): Remembered {
  return {
    common: new LRUCache<string, Counted>(COMMON),
    frequent: new Map(),
    counts: new LRUCache<string, Counted>({
      maxSize: COUNTS_BYTES,
      sizeCalculation: ({ keys }) => COUNT_BYTES + KEY_BYTES * (keys?.length ?? 0),
    }),
    packs: new LRUCache<number, Buffer>({ maxSize: PACKS_BYTES, sizeCalculation: ({ buffer }) => buffer.byteLength }),
  };
}
