import { nameKey } from '../../schema/names/spelling.ts';
import { memoiseByObject } from '../../schema/text/memoise.ts';
import { firstFrom } from './register/columns.ts';

/** What a list keeps of an organisation in memory: its search keys and its order. */
export interface Entry {
  id: string;
  /** Its cleaned name and its other cleaned names, as `namesOf` joins them. */
  names: string;
  /** The first letters of its words, if people use them as its name. */
  initials?: readonly string[];
  /** Contracts first, then less significant measures: higher numbers come first. */
  size: number;
}

/** Cleaned names as one text, each once: the name first, then its other names. */
export function namesOf(...keys: readonly string[]): string {
  return [...new Set(keys)].filter((key, at) => at === 0 || key !== '').join('\n');
}

/** The position of an entry in a list: a lower level for a better match, and larger ones earlier. */
export interface Position {
  level: number;
  size: number;
  id: string;
}

export interface ListAsk {
  /** Words of a name, its beginning, an acronym or an id; absent for all. */
  query?: string | undefined;
  limit: number;
  /** The last position of the previous page. */
  after?: Position | undefined;
}

/** A page of a list. */
export interface ListPage<E> {
  entries: E[];
  total: number;
  /** The position of the last entry, if more follow. */
  next: Position | null;
}

/** An entry with its position in a list. */
export interface Placed<E> {
  entry: E;
  at: Position;
}

/** The order of a list without a query, and within one level. */
export function bySize(a: Entry, b: Entry): number {
  return b.size - a.size || (a.id < b.id ? -1 : 1);
}

/** Levels: the exact name, its beginning or its initials, words of it, words of another name of it. */
export const LEVELS = 4;

/**
 * The first wanted entries after a position, one more than a page has, and how many there are in all. @param sorted - in the
 * order of `bySize` @param wanted - for each entry 1 or 0; absent where all are @param alsoKey - another cleaned name that the
 * query stands for: `ministry of defence` for `MOD`
 */
export function placeEntries<E extends Entry>(
  sorted: readonly E[],
  { query, limit, after }: ListAsk,
  wanted?: Uint8Array,
  alsoKey?: string,
): { placed: Placed<E>[]; total: number } {
  const levels: Placed<E>[][] = Array.from({ length: LEVELS }, () => []);
  const levelOf = query === undefined ? null : makeLevels(query, alsoKey);
  const named = query === undefined ? undefined : markNamed(textOf(sorted), query, alsoKey);
  let total = 0;
  for (let row = 0; row < sorted.length; row++) {
    if (wanted?.[row] === 0 || named?.[row] === 0) continue;
    // Without a query, once a page is full only the remaining ones have to be counted.
    if (!levelOf && levels[0]?.length === limit + 1) {
      total += 1;
      continue;
    }
    const entry = sorted[row] as E;
    const level = levelOf ? levelOf(entry) : 0;
    if (level < 0) continue;
    total += 1;
    const some = levels[level] ?? [];
    if (some.length > limit || (after && !isBehind(placeOf(entry, level).at, after))) continue;
    some.push(placeOf(entry, level));
  }
  return { placed: levels.flat().slice(0, limit + 1), total };
}

function placeOf<E extends Entry>(entry: E, level: number): Placed<E> {
  return { entry, at: { level, size: entry.size, id: entry.id } };
}

/** A page of ordered entries. @param placed one more than the page has, if there are more */
export function toPage<E>(placed: readonly Placed<E>[], limit: number, total: number): ListPage<E> {
  const page = placed.slice(0, limit);
  const isMore = placed.length > page.length;
  return { entries: page.map(({ entry }) => entry), total, next: isMore ? (page.at(-1)?.at ?? null) : null };
}

/** Whether a position comes after another. */
export function isBehind(at: Position, after: Position): boolean {
  if (at.level !== after.level) return at.level > after.level;
  return at.size === after.size ? at.id > after.id : at.size < after.size;
}

/** Which rows of a list a query means, regardless of their order. */
export function makeMeant(sorted: readonly Entry[], query: string, alsoKey?: string): (row: number) => boolean {
  const named = markNamed(textOf(sorted), query, alsoKey);
  const levelOf = makeLevels(query, alsoKey);
  return (row) => named[row] === 1 && levelOf(sorted[row] as Entry) >= 0;
}

/** All entries of a list as one text. */
interface Text {
  /** Lines: ` name` for each name of an entry, `#id`, `@initials`. */
  text: string;
  /** Where the lines of each entry end. */
  ends: Uint32Array;
}

/** Searching one text is limited by memory speed; thousands of texts take fifty times as long. */
const textOf = memoiseByObject((sorted: readonly Entry[]): Text => {
  const texts = sorted.map(({ id, names, initials = [] }) => {
    const lines = [
      ...names.split('\n').map((name) => ` ${name}`),
      `#${id.toUpperCase()}`,
      ...initials.map((each) => `@${each}`),
    ];
    return `\n${lines.join('\n')}\n`;
  });
  let end = 0;
  return { text: texts.join(''), ends: Uint32Array.from(texts, ({ length }) => (end += length)) };
});

/** For each entry 1 if a query may mean it: by its id, its initials, another name that the query stands for, or all words. */
function markNamed({ text, ends }: Text, query: string, alsoKey: string | undefined): Uint8Array {
  const marks = new Uint8Array(ends.length);
  // Searches from the first letter: the space before each word would match at every word.
  const eachWith = (part: string, before: string, mark: (row: number) => void) => {
    for (let at = text.indexOf(part); at >= 0; ) {
      const isThere = text.startsWith(before, at - before.length);
      const row = isThere ? firstFrom(ends, at + 1) : -1;
      if (isThere) mark(row);
      at = text.indexOf(part, isThere ? ends[row] : at + 1);
    }
  };
  const set = (row: number) => {
    marks[row] = 1;
  };
  const key = nameKey(query);
  if (IN_IDS.test(query)) eachWith(`#${query.trim().toUpperCase()}\n`, '\n', set);
  if (key !== '') eachWith(`@${key}\n`, '\n', set);
  if (alsoKey !== undefined) eachWith(`${alsoKey}\n`, '\n ', set);
  // The longest word is the rarest, as a rule.
  const [longest, ...others] = key
    .split(' ')
    .filter(Boolean)
    .sort((one, other) => other.length - one.length);
  if (longest === undefined) return marks;
  eachWith(longest, ' ', (row) => {
    const own = others.length > 0 ? text.slice(ends[row - 1] ?? 0, ends[row]) : '';
    if (others.every((word) => own.includes(` ${word}`))) marks[row] = 1;
  });
  return marks;
}

/** A sign that every id has, and few words. */
const IN_IDS = /[-\d]/;

/**
 * How well an entry matches a query; -1 where it does not. Every word must be the beginning of one of the entry's. Thousands of
 * entries are tested, so their names are not split.
 */
function makeLevels(query: string, alsoKey: string | undefined): (entry: Entry) => number {
  const key = nameKey(query);
  const id = query.trim().toUpperCase();
  const words = key.split(' ').filter(Boolean);
  const begins = (text: string) => words.every((word) => hasWord(text, word));
  return ({ id: own, names, initials }) => {
    if (own.length === id.length && own.toUpperCase() === id) return 0;
    if (words.length === 0) return -1;
    const end = names.indexOf('\n');
    const name = end < 0 ? names : names.slice(0, end);
    if (name === alsoKey) return 0;
    const isInitials = initials?.includes(key) === true;
    if (!isInitials && !begins(names)) return -1;
    if (hasLine(names, key)) return 0;
    if (isInitials || name.startsWith(key)) return 1;
    if (begins(name)) return 2;
    return end >= 0 &&
      names
        .slice(end + 1)
        .split('\n')
        .some(begins)
      ? 3
      : -1;
  };
}

/** Whether a word in some names begins with this. */
function hasWord(names: string, word: string): boolean {
  for (let at = names.indexOf(word); at >= 0; at = names.indexOf(word, at + 1)) {
    if (at === 0 || isBetween(names.charCodeAt(at - 1))) return true;
  }
  return false;
}

function isBetween(code: number): boolean {
  return code === SPACE || code === LINE;
}

const [SPACE, LINE] = [32, 10];

/** Whether one of some names equals this. */
function hasLine(names: string, key: string): boolean {
  for (let at = names.indexOf(key); at >= 0; at = names.indexOf(key, at + 1)) {
    const end = at + key.length;
    const isStart = at === 0 || names.charCodeAt(at - 1) === LINE;
    if (isStart && (end === names.length || names.charCodeAt(end) === LINE)) return true;
  }
  return false;
}
