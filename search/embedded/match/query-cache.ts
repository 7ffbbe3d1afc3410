import { LRUCache } from 'lru-cache';
import type { Database, SqlValue } from '../../../schema/db/interface.ts';
import { READ_CURSOR, WEIGHED_MAX } from '../layout/tables.ts';

/** The number of documents, counted up to `COUNT_MAX` + 1, and the range of their keys. */
export interface Counted {
  count: number;
  newest: number;
  oldest: number;
  /** All keys, newest first, if there are at most `WEIGHED_MAX`; otherwise null. */
  keys: number[] | null;
}

/** A reader's cache of an index, as words, filters and the newest documents recur often. */
interface QueryCache {
  /** Counts of very common expressions, kept for a while. */
  common: LRUCache<string, Counted>;
  /** Kept until the index changes. */
  counts: LRUCache<string, Counted>;
}

/** The size of a count and of each of its keys in memory. */
const COUNTS_BYTES = 8_000_000;
const COUNT_BYTES = 400;
const KEY_BYTES = 8;
const COMMON = { max: 5_000, ttl: 3_600_000 };

const CACHES = new WeakMap<Database, QueryCache & { cursor: string }>();

/** Empties the cache if the index has changed. Called once per query, as every batch moves the cursor. */
export async function refreshQueryCache(index: Database): Promise<void> {
  const [row] = await index.read<{ value: string }>({ sql: READ_CURSOR });
  const cursor = row?.value ?? '';
  const before = CACHES.get(index);
  if (before?.cursor === cursor) return;
  CACHES.set(index, { ...makeQueryCache(), ...(before && { common: before.common }), cursor });
}

/** The cache since the index last changed. */
export function queryCacheOf(index: Database): QueryCache {
  return CACHES.get(index) ?? makeQueryCache();
}

function makeQueryCache(): QueryCache {
  return {
    common: new LRUCache<string, Counted>(COMMON),
    counts: new LRUCache<string, Counted>({
      maxSize: COUNTS_BYTES,
      sizeCalculation: ({ keys }) => COUNT_BYTES + KEY_BYTES * (keys?.length ?? 0),
    }),
  };
}

/** Nothing is counted beyond this, so `total` is exact up to here. */
export const COUNT_MAX = 10_000;

/** The words and filters to count, as SQL: `FROM …` and `WHERE …` with their arguments. */
export interface KeyQuery {
  from: string;
  where: string;
  args: SqlValue[];
}

/** Counts the newest documents that match an FTS5 expression. */
export async function countMatches(index: Database, expression: string): Promise<number> {
  return (await countNewest(index, { from: 'FROM entry', where: 'WHERE entry MATCH ?', args: [expression] })).count;
}

/** Counts the newest documents of a query. Returns their keys if they are few, as finding them again would cost as much. */
export async function countNewest(index: Database, query: KeyQuery): Promise<Counted> {
  return count(index, query, 'DESC');
}

/**
 * The same, beginning with the oldest, which takes the index four fifths of the time. If there are more than are counted,
 * `newest` is that of the counted ones.
 */
export async function countWhole(index: Database, query: KeyQuery): Promise<Counted> {
  return count(index, query, 'ASC');
}

async function count(index: Database, { from, where, args }: KeyQuery, order: 'ASC' | 'DESC'): Promise<Counted> {
  const { counts, common } = queryCacheOf(index);
  const name = JSON.stringify([order, from, where, args]);
  const known = counts.get(name) ?? common.get(name);
  if (known) return known;
  const sql = `SELECT count(*) AS count, coalesce(max(key), 0) AS newest, coalesce(min(key), 0) AS oldest,
      CASE WHEN count(*) <= ${WEIGHED_MAX} THEN json_group_array(key) END AS keys
    FROM (SELECT entry.rowid AS key ${from} ${where} ORDER BY entry.rowid ${order} LIMIT ${COUNT_MAX + 1})`;
  const [row] = await index.read<Omit<Counted, 'keys'> & { keys: string | null }>({ sql, args });
  const counted = row ? { ...row, keys: newestFirst(row.keys) } : { count: 0, newest: 0, oldest: 0, keys: [] };
  // Expressions with very many documents will still have very many after the next change.
  const isCommon = args.length === 1 && counted.count > COUNT_MAX;
  (isCommon ? common : counts).set(name, counted);
  return counted;
}

function newestFirst(keys: string | null): number[] | null {
  return keys === null ? null : (JSON.parse(keys) as number[]).sort((a, b) => b - a);
}

const PIECE_WORDS = 1_000;
/** Rarer words are not among the most frequent of a large index, and are quickly counted in a small one. */
const FREQUENT_LEAST = 20;
/** As one text, because the driver returns rows more slowly than the index finds them. */
const READ_PIECE = `SELECT json_group_array(json_array(term, documents)) AS words FROM (SELECT term, documents FROM word
  WHERE term > ? AND documents >= ${FREQUENT_LEAST} ORDER BY term LIMIT ${PIECE_WORDS})`;

/** Reads the most frequent words of titles and names, and yields after each part of the vocabulary. */
export async function* readFrequent(index: Database, most: number): AsyncGenerator<void, string[]> {
  let frequent: [term: string, documents: number][] = [];
  for (let after = ''; ; ) {
    const [row] = await index.read<{ words: string }>({ sql: READ_PIECE, args: [after] });
    const words = JSON.parse(row?.words ?? '[]') as [string, number][];
    frequent = [...frequent, ...words].sort(([, a], [, b]) => b - a).slice(0, most);
    const last = words.at(-1);
    if (!last || words.length < PIECE_WORDS) return frequent.map(([term]) => term);
    after = last[0];
    yield;
  }
}
