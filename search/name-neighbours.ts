import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../schema/database.ts';
import { mayBeMisspelt, rateLikeness, withLetters } from './name-likeness.ts';
import { rewordings } from './name-rewordings.ts';
import { slipsOf } from './similarity.ts';

/** A table with an index of its cleaned names. */
export type NameTable = 'company' | 'registered_company' | 'previous_name' | 'buyer';

/** The held names nearest to an asked one, each with how many were compared to say so. */
export interface NearNames {
  keys: string[];
  compared: number;
}

/** Names on either side of the asked one, in the order of the alphabet, that are compared by their letters. */
const NEIGHBOURS_MAX = 300;
/** Of those so many, the nearest, by their words too. */
const CLOSEST = 40;
/** A slip further in is found where fewer names begin alike, or not at all. */
const SLIP_PLACES_MAX = 16;
/** Slips that one read asks for. */
const SLIPS_A_READ = 300;
const KEPT = 10;

/** Only the index is read: rows of a register lie far apart. */
function before(table: NameTable): string {
  return `SELECT json_group_array(name_key) AS keys FROM (SELECT name_key FROM ${table} WHERE name_key < ? ORDER BY name_key DESC LIMIT ${NEIGHBOURS_MAX})`;
}

function after(table: NameTable): string {
  return `SELECT json_group_array(name_key) AS keys FROM (SELECT name_key FROM ${table} WHERE name_key >= ? ORDER BY name_key LIMIT ${NEIGHBOURS_MAX})`;
}

function among(table: NameTable): string {
  return `SELECT json_group_array(value) AS keys FROM json_each(?) WHERE EXISTS (SELECT 1 FROM ${table} WHERE name_key = value)`;
}

/**
 * Names that are near a cleaned one: those next to it in the alphabet, as they begin alike; and, for what these cannot hold,
 * those that are one slip or one word away near the beginning. Every read asks an index for few entries, however many names
 * there are, and lets others have their turn before the next: on a file every read is synchronous.
 */
export async function readNearNames(
  catalogue: Database,
  tables: readonly NameTable[],
  key: string,
): Promise<NearNames> {
  const near = new Set<string>();
  let compared = 0;
  let places = 0;
  for (const table of tables) {
    const sides = [];
    for (const sql of [before(table), after(table)]) {
      sides.push(await readKeys(catalogue, sql, key));
      await nextTurn();
    }
    compared += sides.flat().length;
    places = Math.max(places, ...sides.map((side) => unsharedPlaces(key, side)));
    for (const one of nearestOf(key, sides)) near.add(one);
    await nextTurn();
  }
  const asked = [...new Set([...slipsOf(key, Math.min(places, SLIP_PLACES_MAX)), ...rewordings(key)])];
  for (const table of tables) {
    for (let from = 0; from < asked.length; from += SLIPS_A_READ) {
      const some = JSON.stringify(asked.slice(from, from + SLIPS_A_READ));
      for (const one of await readKeys(catalogue, among(table), some)) near.add(one);
      await nextTurn();
    }
  }
  near.delete(key);
  return { keys: keepBest(key, near), compared: compared + asked.length };
}

async function readKeys(catalogue: Database, sql: string, asked: string): Promise<string[]> {
  const [row] = await catalogue.read<{ keys: string }>({ sql, args: [asked] });
  return JSON.parse(row?.keys ?? '[]') as string[];
}

/** A slip at a later place than this would have been among the neighbours of this side: it shares more than the last of them. */
function unsharedPlaces(key: string, side: readonly string[]): number {
  const last = side.at(-1);
  if (last === undefined || side.length < NEIGHBOURS_MAX) return 0;
  let shared = 0;
  while (shared < key.length && key[shared] === last[shared]) shared += 1;
  return shared + 1;
}

function nearestOf(key: string, sides: readonly string[][]): string[] {
  const asked = withLetters(key);
  const misspelt = sides.flatMap((side) => side.slice(CLOSEST).filter((held) => mayBeMisspelt(asked, held)));
  return keepBest(key, new Set([...sides.flatMap((side) => side.slice(0, CLOSEST)), ...misspelt]));
}

function keepBest(key: string, names: ReadonlySet<string>): string[] {
  return [...names]
    .map((name) => ({ name, score: rateLikeness(key, name).score }))
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, KEPT)
    .map(({ name }) => name);
}
