import { nameKey } from '../../schema/names/spelling.ts';
import { eachPiece, type Texts, textAt } from './columns.ts';
import type { Listed } from './listed.ts';
import { firstFrom } from './register/columns.ts';

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

/** Levels: the exact name, its beginning or its initials, words of it, words of another name of it. */
export const LEVELS = 4;

/**
 * The rows of the first wanted entries after a position, one more than a page has, and how many there are in all. @param wanted -
 * for each row 1 or 0 @param alsoKey - another cleaned name that the query stands for: `ministry of
 * defence` for `MOD`
 */
export function placeEntries(
  listed: Listed,
  { query, limit, after }: ListAsk,
  wanted: Uint8Array,
  alsoKey?: string,
): { placed: Placed<number>[]; total: number } {
  const levels: Placed<number>[][] = Array.from({ length: LEVELS }, () => []);
  const levelOf = query === undefined ? null : makeLevels(listed, query, alsoKey);
  const named = query === undefined ? undefined : markNamed(listed.lines, query, alsoKey);
  let total = 0;
  for (let row = 0; row < listed.sizes.length; row++) {
    if (wanted[row] === 0 || named?.[row] === 0) continue;
    // Without a query, once a page is full only the remaining ones have to be counted.
    if (!levelOf && levels[0]?.length === limit + 1) {
      total += 1;
      continue;
    }
    const level = levelOf ? levelOf(row) : 0;
    if (level < 0) continue;
    total += 1;
    const some = levels[level] ?? [];
    if (some.length > limit) continue;
    const at = { level, size: listed.sizes[row] as number, id: textAt(listed.ids, row) };
    if (!after || isAfter(at, after)) some.push({ entry: row, at });
  }
  return { placed: levels.flat().slice(0, limit + 1), total };
}

/** A page of ordered entries. @param placed one more than the page has, if there are more */
export function toPage<E>(placed: readonly Placed<E>[], limit: number, total: number): ListPage<E> {
  const page = placed.slice(0, limit);
  const isMore = placed.length > page.length;
  return { entries: page.map(({ entry }) => entry), total, next: isMore ? (page.at(-1)?.at ?? null) : null };
}

/** Whether a position comes after another. */
export function isAfter(at: Position, after: Position): boolean {
  if (at.level !== after.level) return at.level > after.level;
  return at.size === after.size ? at.id > after.id : at.size < after.size;
}

/** Which rows of a list a query means, regardless of their order. */
export function makeMeant(listed: Listed, query: string, alsoKey?: string): (row: number) => boolean {
  const named = markNamed(listed.lines, query, alsoKey);
  const levelOf = makeLevels(listed, query, alsoKey);
  return (row) => named[row] === 1 && levelOf(row) >= 0;
}

/**
 * For each row 1 if a query may mean it: by its id, its initials, another name that the query stands for, or all words. Searching
 * few long texts is limited by memory speed; thousands of texts take fifty times as long.
 */
function markNamed(lines: Texts, query: string, alsoKey: string | undefined): Uint8Array {
  const isNamed = new Uint8Array(lines.ends.length);
  const key = nameKey(query);
  const wholes = [
    ...(IN_IDS.test(query) ? [`#${query.trim().toUpperCase()}`] : []),
    ...(key === '' ? [] : [`@${key}`]),
    ...(alsoKey === undefined ? [] : [alsoKey]),
  ];
  // The longest word is the rarest, as a rule.
  const [longest, ...others] = key
    .split(' ')
    .filter(Boolean)
    .sort((one, other) => other.length - one.length);
  eachPiece(lines, (text, ends, first) => {
    for (const whole of wholes) {
      const line = `\n${whole}\n`;
      for (let at = text.indexOf(line); at >= 0; at = text.indexOf(line, at + 1))
        isNamed[first + firstFrom(ends, at + 1)] = 1;
    }
    if (longest === undefined) return;
    for (let at = text.indexOf(longest); at >= 0; ) {
      if (!isBetween(text.charCodeAt(at - 1))) {
        at = text.indexOf(longest, at + 1);
        continue;
      }
      const row = firstFrom(ends, at + 1);
      const own = others.length > 0 ? text.slice(ends[row - 1] ?? 0, ends[row]) : '';
      if (others.every((word) => hasWord(own, word))) isNamed[first + row] = 1;
      at = text.indexOf(longest, ends[row]);
    }
  });
  return isNamed;
}

/** A sign that every id has, and few words. */
const IN_IDS = /[-\d]/;

/**
 * How well an entry matches a query; -1 where it does not. Every word must be the beginning of one of the entry's. Thousands of
 * entries are tested, so their names are not split.
 */
function makeLevels({ ids, lines }: Listed, query: string, alsoKey: string | undefined): (row: number) => number {
  const key = nameKey(query);
  const id = query.trim().toUpperCase();
  const isId = IN_IDS.test(id);
  const words = key.split(' ').filter(Boolean);
  const begins = (text: string) => words.every((word) => hasWord(text, word));
  return (row) => {
    if (isId && textAt(ids, row).toUpperCase() === id) return 0;
    if (words.length === 0) return -1;
    const own = textAt(lines, row);
    const names = own.slice(1, own.indexOf('\n#'));
    const end = names.indexOf('\n');
    const name = end < 0 ? names : names.slice(0, end);
    if (name === alsoKey) return 0;
    const isInitials = own.includes(`\n@${key}\n`);
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
