import { nameKey } from '../../schema/names/spelling.ts';
import { memoiseByObject } from '../../schema/text/memoise.ts';
import { firstFrom } from './register/columns.ts';

/** What a list holds of an organisation, in memory: how it is found, and by what it is ordered. */
export interface Entry {
  id: string;
  /** Its cleaned name and the cleaned other names it is known by, as `namesOf` joins them. */
  names: string;
  /** The first letters of its words, where people know it by them. */
  initials?: readonly string[];
  /** Contracts first, and less for what is smaller: those with more come first. */
  size: number;
}

/** Cleaned names as one text, each once: the first is the name, the others what it is also known by. */
export function namesOf(...keys: readonly string[]): string {
  return [...new Set(keys)].filter((key, at) => at === 0 || key !== '').join('\n');
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
 * @param wanted - of each entry 1 or 0; absent where all are
 * @param alsoKey - another cleaned name that the query stands for: `ministry of defence` for `MOD`
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
    // Without a query a page that is full leaves nothing to look at but how many more there are.
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

/** A page of entries that are in their order. @param placed one more than the page has, where there are more */
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

/** Which rows of a list a query means, in whatever order they are asked for. */
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

/** One text is looked through at the speed of the memory, thousands of texts at a fiftieth of it. */
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

/** Of each entry 1 where a query may mean it: by its id, its initials, another name that the query stands for, or all words. */
function markNamed({ text, ends }: Text, query: string, alsoKey: string | undefined): Uint8Array {
  const marks = new Uint8Array(ends.length);
  // What is looked for begins with a letter: a space, which every word has before it, is met at every word.
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

/** What every id has, and few words. */
const IN_IDS = /[-\d]/;

/**
 * How near an entry is to a query; -1 where it is not meant at all. Every word is a beginning of one of the entry's. Thousands of
 * entries are looked at, so their names are not taken apart.
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

/** Whether a word of some names begins so. */
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

/** Whether one of some names is this. */
function hasLine(names: string, key: string): boolean {
  for (let at = names.indexOf(key); at >= 0; at = names.indexOf(key, at + 1)) {
    const end = at + key.length;
    const isStart = at === 0 || names.charCodeAt(at - 1) === LINE;
    if (isStart && (end === names.length || names.charCodeAt(end) === LINE)) return true;
  }
  return false;
}
