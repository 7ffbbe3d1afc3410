import { nameKey } from '../../schema/names/spelling.ts';

/** What a list holds of an organisation, in memory: how it is found, and by what it is ordered. */
export interface Entry {
  id: string;
  name: string;
  /** Its cleaned name, and the cleaned other names it is known by. */
  key: string;
  otherKeys: readonly string[];
  /** Contracts, and less for what is smaller: those with more come first. */
  size: number;
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
export interface ListPage<E extends Entry> {
  entries: E[];
  total: number;
  /** The position of the last entry, where more follow. */
  next: Position | null;
}

/** The order of a list without a query, and within one level. */
export function bySize(a: Entry, b: Entry): number {
  return b.size - a.size || (a.id < b.id ? -1 : 1);
}

/** Levels: the very name, its beginning, words of it, words of another name of it. */
const LEVELS = 4;

/**
 * A page of the entries that are wanted. Takes time in proportion to the entries: a few milliseconds for a hundred thousand.
 * @param sorted - in the order of `bySize`
 * @param alsoKey - another cleaned name that the query stands for: `ministry of defence` for `MOD`
 */
export function listPage<E extends Entry>(
  sorted: readonly E[],
  { query, limit, after }: ListAsk,
  isWanted: (entry: E) => boolean,
  alsoKey?: string,
): ListPage<E> {
  const levels: E[][] = Array.from({ length: LEVELS }, () => []);
  const levelOf = query === undefined ? () => 0 : makeLevels(query, alsoKey);
  for (const entry of sorted) {
    const level = levelOf(entry);
    if (level >= 0 && isWanted(entry)) levels[level]?.push(entry);
  }
  const total = levels.reduce((sum, { length }) => sum + length, 0);
  const page = levels.flatMap((entries, level) =>
    after ? entries.filter((one) => isAfter(one, level, after)) : entries,
  );
  const entries = page.slice(0, limit);
  const last = entries.at(-1);
  const isMore = last !== undefined && page.length > entries.length;
  return { entries, total, next: isMore ? positionOf(last, levels) : null };
}

function positionOf<E extends Entry>(entry: E, levels: readonly E[][]): Position {
  return { level: levels.findIndex((entries) => entries.includes(entry)), size: entry.size, id: entry.id };
}

function isAfter(entry: Entry, level: number, after: Position): boolean {
  if (level !== after.level) return level > after.level;
  return entry.size === after.size ? entry.id > after.id : entry.size < after.size;
}

/** How near an entry is to a query; -1 where it is not meant at all. Every word is a beginning of one of the entry's. */
function makeLevels(query: string, alsoKey: string | undefined): (entry: Entry) => number {
  const key = nameKey(query);
  const id = query.trim().toUpperCase();
  const words = key.split(' ').filter(Boolean);
  const begins = (text: string) => words.every((word) => ` ${text}`.includes(` ${word}`));
  return (entry) => {
    if (entry.id.toUpperCase() === id) return 0;
    if (words.length === 0) return -1;
    if (entry.key === key || entry.key === alsoKey || entry.otherKeys.includes(key)) return 0;
    if (entry.key.startsWith(key)) return 1;
    if (begins(entry.key)) return 2;
    return entry.otherKeys.some(begins) ? 3 : -1;
  };
}
