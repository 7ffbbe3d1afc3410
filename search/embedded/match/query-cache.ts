import { LRUCache } from 'lru-cache';
import { HOUR_MS } from '../../../schema/config/clocks.ts';
import type { BoundStatement, Database, SqlValue } from '../../../schema/db/interface.ts';
import { COUNT_MAX } from '../../results/cursor.ts';
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
  /** The common word that was probably meant by a rare one, or null: finding it looks up hundreds of spellings. */
  meant: LRUCache<string, { word: Word | null }>;
}

/** A word, and how often it occurs in the titles and names that were stored. */
export interface Word {
  term: string;
  documents: number;
}

/** The size of a count and of each of its keys in memory, without its name, which is made of the words and filters of a client. */
const COUNT_BYTES = 400;
const KEY_BYTES = 8;
const COUNTED = {
  maxSize: 8_000_000,
  sizeCalculation: ({ keys }: Counted, name: string) => COUNT_BYTES + name.length + KEY_BYTES * (keys?.length ?? 0),
};
const MEANT_MAX = 5_000;

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
    common: new LRUCache<string, Counted>({ ...COUNTED, ttl: HOUR_MS }),
    counts: new LRUCache<string, Counted>(COUNTED),
    meant: new LRUCache({ max: MEANT_MAX }),
  };
}

/** The words and filters to count, as SQL: `FROM …`, and what follows `WHERE`, with its arguments. */
export interface KeyQuery {
  from: string;
  where: string;
  args: SqlValue[];
}

/** Counts the newest documents that match an FTS5 expression. */
export async function countMatches(index: Database, expression: string): Promise<number> {
  return (await countNewest(index, { from: 'FROM entry', where: 'entry MATCH ?', args: [expression] })).count;
}

/** Counts the newest documents of a query. Returns their keys if they are few, as finding them again would cost as much. */
export async function countNewest(index: Database, query: KeyQuery): Promise<Counted> {
  return count(index, query, 'DESC');
}

/**
 * Counts the documents of a query from the oldest on, which takes the index four fifths of the time. If there are more than are counted,
 * `newest` is that of the counted ones.
 */
export async function countWhole(index: Database, query: KeyQuery): Promise<Counted> {
  return count(index, query, 'ASC');
}

async function count(index: Database, query: KeyQuery, order: 'ASC' | 'DESC'): Promise<Counted> {
  const { counts, common } = queryCacheOf(index);
  const name = JSON.stringify([order, query.from, query.where, query.args]);
  const known = counts.get(name) ?? common.get(name);
  if (known) return known;
  const first = await readKeys(index, query, { sql: `ORDER BY entry.rowid ${order} LIMIT ?`, args: [WEIGHED_MAX + 1] });
  const counted =
    first.length <= WEIGHED_MAX
      ? countKeys(first.sort((one, other) => other - one))
      : await countOn(index, query, order, { first: first[0] ?? 0, last: first.at(-1) ?? 0 });
  // Expressions with very many documents will still have very many after the next change.
  const isCommon = query.args.length === 1 && counted.count > COUNT_MAX;
  (isCommon ? common : counts).set(name, counted);
  return counted;
}

function countKeys(keys: number[]): Counted {
  return { count: keys.length, newest: keys[0] ?? 0, oldest: keys.at(-1) ?? 0, keys };
}

/** Counts on from the last of the keys in an order. Without keeping their keys, it takes half the time. */
async function countOn(
  index: Database,
  { from, where, args }: KeyQuery,
  order: 'ASC' | 'DESC',
  { first, last }: { first: number; last: number },
): Promise<Counted> {
  const [beyond, furthest] = order === 'ASC' ? ['>', 'max'] : ['<', 'min'];
  // Of several bounds on the key FTS5 uses the first; SQLite tests the others row by row.
  const sql = `SELECT count(*) AS count, coalesce(${furthest}(key), 0) AS key FROM (SELECT entry.rowid AS key ${from}
    WHERE entry.rowid ${beyond} CAST(? AS INTEGER) AND ${where} ORDER BY entry.rowid ${order} LIMIT ${COUNT_MAX - WEIGHED_MAX})`;
  const [rest] = await index.read<{ count: number; key: number }>({ sql, args: [last, ...args] });
  const end = rest?.count ? rest.key : last;
  return {
    count: WEIGHED_MAX + 1 + (rest?.count ?? 0),
    newest: Math.max(first, end),
    oldest: Math.min(first, end),
    keys: null,
  };
}

/** The keys of a query. Read as one text, because the driver returns rows more slowly than the index finds them. */
export async function readKeys(
  index: Database,
  { from, where, args }: KeyQuery,
  rest: BoundStatement,
): Promise<number[]> {
  const sql = `SELECT json_group_array(key) AS keys FROM (SELECT entry.rowid AS key ${from} WHERE ${where} ${rest.sql})`;
  const [row] = await index.read<{ keys: string }>({ sql, args: [...args, ...rest.args] });
  return JSON.parse(row?.keys ?? '[]') as number[];
}

const PIECE_WORDS = 1_000;
/** Rarer words are not among the most frequent of a large index, and are quickly counted in a small one. */
const FREQUENT_MIN = 20;
/** As one text, because the driver returns rows more slowly than the index finds them. */
const READ_PIECE = `SELECT json_group_array(json_array(term, documents)) AS words FROM (SELECT term, documents FROM word
  WHERE term > ? AND documents >= ${FREQUENT_MIN} ORDER BY term LIMIT ${PIECE_WORDS})`;

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
