import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Database } from '../../schema/db/interface.ts';
import { slipsOf } from '../../schema/names/spelling.ts';
import { compareText } from '../../schema/text/ids.ts';
import { mayBeMisspelt, scoreLikeness, withLetters } from './likeness.ts';

/** A table with an index of its cleaned names. */
export type NameTable = 'company' | 'registered_company' | 'previous_name' | 'buyer';

interface NearNames {
  /** The stored names most similar to the requested one, the best first. */
  keys: string[];
  /** How many stored names were compared. */
  compared: number;
  /** Whether more names continue the requested one than were compared: then no single one is meant. */
  crowded: boolean;
}

/** Names on either side of the requested one, in alphabetical order, that are compared by letters. */
const NEIGHBOURS_MAX = 300;
/** How many of those, the most similar, are also compared by words. */
const CLOSEST = 40;
/** A slip further in is found where fewer names begin alike, or not at all. */
const SLIP_PLACES_MAX = 24;
/** A name that continues the requested one and has this score is the intended one: there is no typing mistake. */
const CONTINUES_MIN = 0.8;
/** Slips that one read looks up in every table: each may lie on a different page, which the disk has to load. */
const SLIPS_A_READ = 20;
/** The same in a process where nothing else waits: fewer reads take half the time. */
const SLIPS_ALONE = 2_000;
const NEAREST_MAX = 10;
/** How many further names that continue the requested one by a whole word are added: members of a group, when its name is given. */
const CONTINUING_MAX = 10;
/** Names looked up at once: a remote catalogue answers several in parallel; otherwise other work waits for no more than these. */
const AT_ONCE = 4;

const REWORDED_WORDS_MAX = 8;

/** Only the index is read: register rows are scattered on disk. */
function before(table: NameTable): string {
  return `SELECT json_group_array(name_key) AS keys FROM (SELECT name_key FROM ${table} WHERE name_key < ? ORDER BY name_key DESC LIMIT ${NEIGHBOURS_MAX})`;
}

function after(table: NameTable): string {
  return `SELECT json_group_array(name_key) AS keys FROM (SELECT name_key FROM ${table} WHERE name_key >= ? ORDER BY name_key LIMIT ${NEIGHBOURS_MAX})`;
}

function among(table: NameTable): string {
  return `SELECT json_group_array(value) AS keys FROM json_each(?)
    WHERE EXISTS (SELECT 1 FROM ${table} WHERE name_key = value)`;
}

/**
 * Names similar to a cleaned one: its alphabetical neighbours, which begin alike. If none of them continues it, also names
 * that are one slip or one word away near the beginning. Every read takes few entries from an index, however many names
 * there are. Other work runs before the next, as on a file every read is synchronous.
 * @param isAlone whether nothing else waits in this process
 */
export function readNearNames(
  catalogue: Database,
  tables: readonly NameTable[],
  key: string,
  isAlone = false,
): Promise<NearNames> {
  if (isAlone) return readNear(catalogue, tables, key, { slips: SLIPS_ALONE, pause: () => Promise.resolve() });
  return fewAtOnce(catalogue.url, () =>
    readNear(catalogue, tables, key, { slips: SLIPS_A_READ, pause: yieldToEventLoop }),
  );
}

/** How many slips one read looks up, and what runs between two reads. */
interface Pace {
  slips: number;
  pause(): Promise<void>;
}

const fewAtOnce = limitConcurrency(AT_ONCE);

async function readNear(
  catalogue: Database,
  tables: readonly NameTable[],
  key: string,
  pace: Pace,
): Promise<NearNames> {
  const sides = await readNeighbours(catalogue, tables, key, pace);
  const { names, compared } = sides;
  const places = Math.max(...sides.places.values());
  // The last neighbour shares all of it.
  const crowded = places > key.length;
  const [best] = names;
  if (best && best.score >= CONTINUES_MIN && best.name.startsWith(key))
    return { keys: keysOf(key, names), compared, crowded };
  const stored = await readStored(catalogue, sides.places, key, pace);
  const all = [...names, ...makeRating(key)(stored)].sort(byScore);
  return { keys: keysOf(key, all), compared: compared + stored.length, crowded };
}

interface Rated {
  name: string;
  score: number;
}

/** The most similar neighbours, best first; and for each table the position in the name before which a slip leads outside them. */
async function readNeighbours(catalogue: Database, tables: readonly NameTable[], key: string, { pause }: Pace) {
  const nearest: Rated[] = [];
  const places = new Map<NameTable, number>();
  const rate = makeRating(key);
  let compared = 0;
  for (const table of tables) {
    for (const sql of [before(table), after(table)]) {
      const side = await readKeys(catalogue, sql, key);
      nearest.push(...bestOf(key, rate(nearestOf(key, side))));
      compared += side.length;
      places.set(table, Math.max(places.get(table) ?? 0, unsharedPlaces(key, side)));
      await pause();
    }
  }
  return { names: nearest.sort(byScore), compared, places };
}

/** A name with one of its words left out, two neighbouring words swapped, or its last word first or first word last. */
function rewordings(key: string): string[] {
  const words = key.split(' ');
  if (words.length < 2 || words.length > REWORDED_WORDS_MAX) return [];
  const [first = '', ...rest] = words;
  const last = words.at(-1) ?? '';
  const reworded = [
    [...rest, first],
    [last, ...words.slice(0, -1)],
    ...words.map((_, at) => words.toSpliced(at, 1)),
    ...rest.map((_, at) => words.toSpliced(at, 2, words[at + 1] ?? '', words[at] ?? '')),
  ];
  return [...new Set(reworded.map((one) => one.join(' ')))].filter((one) => one !== key);
}

/** Names that are one slip or one word away. In a small table, a slip at a later position was already among the neighbours. */
async function readStored(
  catalogue: Database,
  places: ReadonlyMap<NameTable, number>,
  key: string,
  { slips, pause }: Pace,
): Promise<string[]> {
  const stored = new Set<string>();
  const reworded = rewordings(key);
  for (const [table, most] of places) {
    const given = [...new Set([...slipsOf(key, Math.min(most, SLIP_PLACES_MAX)), ...reworded])];
    for (let from = 0; from < given.length; from += slips) {
      const found = await readKeys(catalogue, among(table), JSON.stringify(given.slice(from, from + slips)));
      for (const name of found) stored.add(name);
      await pause();
    }
  }
  return [...stored];
}

async function readKeys(catalogue: Database, sql: string, given: string): Promise<string[]> {
  const [row] = await catalogue.read<{ keys: string }>({ sql, args: [given] });
  return JSON.parse(row?.keys ?? '[]') as string[];
}

/** A slip after this position would have been among the neighbours on this side: it shares more than the last of them. */
function unsharedPlaces(key: string, side: readonly string[]): number {
  const last = side.at(-1);
  if (last === undefined || side.length < NEIGHBOURS_MAX) return 0;
  let shared = 0;
  while (shared < key.length && key[shared] === last[shared]) shared += 1;
  return shared + 1;
}

function nearestOf(key: string, side: readonly string[]): string[] {
  const given = withLetters(key);
  return side.filter((stored, index) => index < CLOSEST || mayBeMisspelt(given, stored));
}

/** The best of them, each once. */
function keysOf(key: string, rated: readonly Rated[]): string[] {
  const each = [...new Map(rated.map((one) => [one.name, one])).values()];
  return bestOf(key, each).map(({ name }) => name);
}

/** The names with the best scores, and those that continue by a whole word. */
function bestOf(key: string, rated: readonly Rated[]): Rated[] {
  const further = rated.slice(NEAREST_MAX).filter(({ name }) => name.startsWith(`${key} `));
  return [...rated.slice(0, NEAREST_MAX), ...further.slice(0, CONTINUING_MAX)];
}

/** Rates names, each once: a supplier's is also in the register. */
function makeRating(key: string): (names: readonly string[]) => Rated[] {
  const known = new Map<string, Rated>();
  return (names) => {
    const rated = [...new Set(names)].map((name) => {
      const one = known.get(name) ?? { name, score: scoreLikeness(key, name) };
      known.set(name, one);
      return one;
    });
    return rated.sort(byScore);
  };
}

function byScore(a: Rated, b: Rated): number {
  return b.score - a.score || compareText(a.name, b.name);
}

/**
 * Limits how many pieces of work use one resource (known by name) at once; the rest run in order. Each yields between its steps,
 * so other work waits only for one step of each of these.
 */
export function limitConcurrency(most: number): <T>(at: string, work: () => Promise<T>) => Promise<T> {
  const limits = new Map<string, pLimit.Limit>();
  return async (at, work) => {
    const limit = limits.get(at) ?? pLimit(most);
    limits.set(at, limit);
    try {
      return await limit(work);
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) limits.delete(at);
    }
  };
}
