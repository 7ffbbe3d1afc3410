import { LRUCache } from 'lru-cache';
import type { Database } from '../../schema/database.ts';
import { READ_CURSOR } from './tables.ts';

/** How many documents there are, counted no further than `COUNT_MAX` and one, and between which keys they lie. */
export interface Counted {
  count: number;
  newest: number;
  oldest: number;
  /** All keys, the newest first, where they were asked for and are no more than `WEIGHED_MAX`. */
  keys: number[] | null;
}

/** What a reader remembers of an index until it next changes: words, filters and the newest documents come again and again. */
export interface Remembered {
  counts: LRUCache<string, Counted>;
  /** Unpacked packs by number. */
  packs: LRUCache<number, Buffer>;
}

/** A count takes a few hundred bytes, and its keys eight each. */
const COUNTS_BYTES = 16_000_000;
const COUNT_BYTES = 400;
const KEY_BYTES = 8;
const PACKS_BYTES = 32_000_000;

const REMEMBERED = new WeakMap<Database, Remembered & { cursor: string }>();

/** What is remembered of an index as it is now. Asked once per query: every batch moves the cursor. */
export async function refreshRemembered(index: Database): Promise<void> {
  const [row] = await index.read<{ value: string }>({ sql: READ_CURSOR });
  const cursor = row?.value ?? '';
  if (REMEMBERED.get(index)?.cursor !== cursor) REMEMBERED.set(index, { cursor, ...remembersNothing() });
}

/** What was remembered since the index last changed. */
export function rememberedOf(index: Database): Remembered {
  return REMEMBERED.get(index) ?? remembersNothing();
}

function remembersNothing(): Remembered {
  return {
    counts: new LRUCache<string, Counted>({
      maxSize: COUNTS_BYTES,
      sizeCalculation: ({ keys }) => COUNT_BYTES + KEY_BYTES * (keys?.length ?? 0),
    }),
    packs: new LRUCache<number, Buffer>({ maxSize: PACKS_BYTES, sizeCalculation: ({ length }) => length + 1 }),
  };
}
