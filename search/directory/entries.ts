import { nameKey } from '../../schema/names/spelling.ts';

/** What a list holds of an organisation, in memory: how it is found, and by what it is ordered. */
export interface Entry {
  id: string;
  name: string;
  /** Its cleaned name, and the cleaned other names it is known by. */
  key: string;
  otherKeys: readonly string[];
  /** The first letters of its words, where people know it by them. */
  initials?: readonly string[];
  /** All its names as one text, each word behind a space: what lacks a word of a query is passed over quickly. */
  text: string;
  /** Contracts first, and less for what is smaller: those with more come first. */
  size: number;
}

/** The names of an entry as one text. */
export function textOf(...keys: readonly string[]): string {
  return keys.map((key) => ` ${key}`).join('\n');
}

/** Where an entry stands in a list: the nearer to what was asked the lower its level, and the larger the earlier. */
export interface Position {
  level: number;
  size: number;
  id: string;
}

export interface ListAsk {
  /** Words of a name, its beginning, an acronym or an id; absent for all. */
  query?: string | undefined;
  limit: number;
  /** The last position of the page before. */
  after?: Position | undefined;
}

/** A page of a list. */
export interface ListPage<E> {
  entries: E[];
  total: number;
  /** The position of the last entry, where more follow. */
  next: Position | null;
}

/** An entry with its place in a list. */
export interface Placed<E> {
  entry: E;
  at: Position;
}

/** The order of a list without a query, and within one level. */
export function bySize(a: Entry, b: Entry): number {
  return b.size - a.size || (a.id < b.id ? -1 : 1);
}

/** Levels: the very name, its beginning or its initials, words of it, words of another name of it. */
export const LEVELS = 4;

/**
 * The first entries behind a position that are wanted, one more than a page has, and how many there are in all.
 * @param sorted - in the order of `bySize`
 * @param tests - what is wanted of each: without any, and without a query, nothing is looked at but the page
 * @param alsoKey - another cleaned name that the query stands for: `ministry of defence` for `MOD`
 */
export function placeEntries<E extends Entry>(
  sorted: readonly E[],
  { query, limit, after }: ListAsk,
  tests: readonly ((entry: E) => boolean)[],
  alsoKey?: string,
): { placed: Placed<E>[]; total: number } {
  if (query === undefined && tests.length === 0) {
    const from = after ? sorted.findIndex((entry) => isAfter(entry, 0, after)) : 0;
    const page = from < 0 ? [] : sorted.slice(from, from + limit + 1);
    return { placed: page.map((entry) => placeOf(entry, 0)), total: sorted.length };
  }
  const levels: Placed<E>[][] = Array.from({ length: LEVELS }, () => []);
  const levelOf = query === undefined ? () => 0 : makeLevels(query, alsoKey);
  let total = 0;
  for (const entry of sorted) {
    const level = levelOf(entry);
    if (level < 0 || !tests.every((test) => test(entry))) continue;
    total += 1;
    const some = levels[level] ?? [];
    if (some.length > limit || (after && !isAfter(entry, level, after))) continue;
    some.push(placeOf(entry, level));
  }
  return { placed: levels.flat().slice(0, limit + 1), total };
}

function placeOf<E extends Entry>(entry: E, level: number): Placed<E> {
  return { entry, at: { level, size: entry.size, id: entry.id } };
}

/** A page of entries that are in their order. @param placed one more than the page has, where there are more */
export function toPage<E>(placed: readonly Placed<E>[], limit: number, total: number): ListPage<E> {
  const page = placed.slice(0, limit);
  const isMore = placed.length > page.length;
  return { entries: page.map(({ entry }) => entry), total, next: isMore ? (page.at(-1)?.at ?? null) : null };
}

function isAfter(entry: Entry, level: number, after: Position): boolean {
  if (level !== after.level) return level > after.level;
  return entry.size === after.size ? entry.id > after.id : entry.size < after.size;
}

/** How near an entry is to a query; -1 where it is not meant at all. Every word is a beginning of one of the entry's. */
function makeLevels(query: string, alsoKey: string | undefined): (entry: Entry) => number {
  const key = nameKey(query);
  const id = query.trim().toUpperCase();
  const words = key
    .split(' ')
    .filter(Boolean)
    .map((word) => ` ${word}`);
  const begins = (text: string) => words.every((word) => text.includes(word));
  return (entry) => {
    if (entry.id.toUpperCase() === id) return 0;
    if (words.length === 0) return -1;
    if (entry.key === alsoKey) return 0;
    const isInitials = entry.initials?.includes(key) === true;
    if (!isInitials && !begins(entry.text)) return -1;
    if (entry.key === key || entry.otherKeys.includes(key)) return 0;
    if (isInitials || entry.key.startsWith(key)) return 1;
    if (begins(` ${entry.key}`)) return 2;
    return entry.otherKeys.some((other) => begins(` ${other}`)) ? 3 : -1;
  };
}
