import { setTimeout as pause } from 'node:timers/promises';
import type { Settings } from '../config/settings.ts';
import { type Database, DatabaseBusy, DatabaseFault, type OpenOptions, readCode, readFirst } from './interface.ts';
import { openDatabase } from './open.ts';

/** A catalogue and the token for servers that it may have moved to. */
export interface CataloguePlace extends Pick<OpenOptions, 'url' | 'authToken'> {
  successorToken?: string | undefined;
}

/** The message of a catalogue server's triggers while it is being moved, and afterwards: it refuses every batch. */
export const MOVING = 'this catalogue is being moved to another database';
/** Rows of `meta` that hold a server still for a while: by whom, and until when (milliseconds, the server's clock). */
export const HELD_BY = 'held_by';
export const HELD_UNTIL = 'held_until';

/** Whether a database has the table that names its successor, and the successor. */
export const HAS_META = { sql: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'meta'" };
export const SUCCESSOR = { sql: "SELECT value FROM meta WHERE name = 'successor'" };

/** How long a batch waits while a catalogue is moved, in milliseconds. */
const WAIT_MS = 60_000;
const RETRY_MS = 250;

/** Where the catalogue is according to the settings. */
export function catalogueAt(
  settings: Pick<Settings, 'CATALOGUE_URL'> &
    Partial<Pick<Settings, 'CATALOGUE_AUTH_TOKEN' | 'CATALOGUE_NEXT_AUTH_TOKEN'>>,
): CataloguePlace {
  const { CATALOGUE_URL: url, CATALOGUE_AUTH_TOKEN: authToken, CATALOGUE_NEXT_AUTH_TOKEN: nextToken } = settings;
  return { url, authToken, successorToken: nextToken ?? authToken };
}

/** The address that a catalogue has moved to since. */
export function placeOf({ authToken, successorToken, url: first }: CataloguePlace, url: string): CataloguePlace {
  return { url, authToken: url === first ? authToken : successorToken, successorToken };
}

/** The message to an operator about a catalogue that has moved. */
export function describeMove(url: string): string {
  return `the catalogue has moved to ${url}: set CATALOGUE_URL to it on every machine`;
}

/** The successor of a catalogue: the number of a file's generation, or the address of a server; null where there is none. */
export async function readSuccessor(database: Database): Promise<string | null> {
  if (!(await readFirst(database, HAS_META))) return null;
  return (await readFirst<{ value: string }>(database, SUCCESSOR))?.value ?? null;
}

/**
 * The server that a catalogue is on now, open: the one at this address, or the last of those that it has moved to. @throws
 * DatabaseAway where one of them does not answer; DatabaseFault where they lead in a circle.
 */
export async function openCurrentServer(options: OpenOptions & CataloguePlace): Promise<Database> {
  const passed: string[] = [];
  for (let place: CataloguePlace = options; ; ) {
    const database = await openDatabase({ ...options, ...place });
    const successor = await readSuccessor(database).catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
    if (successor === null) return database;
    await database.close();
    passed.push(place.url);
    if (passed.includes(successor))
      throw new DatabaseFault(`the catalogues at ${passed.join(' and ')} name each other as their successors`);
    place = placeOf(options, successor);
  }
}

/** Whether a batch was refused because its catalogue is held still or has a successor. */
export function isMoving(error: unknown): boolean {
  // The errors of a server's own triggers have no code.
  const isHeld = readCode(error).startsWith('SQLITE_CONSTRAINT') && (error as Error).message.includes(MOVING);
  return isHeld || readCode(error) === 'SQLITE_CONSTRAINT_TRIGGER';
}

/**
 * Waits a moment for a catalogue that is held still. @param sinceMs when the wait began, by `performance.now()` @throws
 * DatabaseBusy after a minute; the error itself where it has another cause.
 */
export async function awaitMove(error: unknown, sinceMs: number): Promise<void> {
  if (!(error as Error).message.includes(MOVING)) throw error;
  if (performance.now() - sinceMs > WAIT_MS) throw new DatabaseBusy(MOVING, { cause: error });
  await pause(RETRY_MS);
}
