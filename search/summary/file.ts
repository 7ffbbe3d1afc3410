import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureFolder } from '../../schema/config/ensure-folder.ts';
import { removeDatabase } from '../../schema/db/generations.ts';
import { type Database, DatabaseFault, isUnreadable, type Statement } from '../../schema/db/interface.ts';
import { openDatabase } from '../../schema/db/open.ts';
import { LAST_CHARACTER } from '../../schema/text/ids.ts';
import type { IndexCursor } from '../engine.ts';
import { COLUMN_NAMES, type ColumnName, LAYOUT, type Names } from './columns.ts';
import { type Pieces, type Room, unpackPiece } from './pieces.ts';

const TABLES = [
  // One piece of one column; a page holds several, as reading then takes half as long.
  'CREATE TABLE IF NOT EXISTS piece (key INTEGER PRIMARY KEY, data BLOB NOT NULL)',
  'CREATE TABLE IF NOT EXISTS place (id TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID',
  `CREATE TABLE IF NOT EXISTS name (kind TEXT NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (kind, text)) WITHOUT ROWID`,
  'CREATE UNIQUE INDEX IF NOT EXISTS name_by_number ON name (kind, number)',
  'CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
];
const EMPTY = ['piece', 'place', 'name', 'state'].map((table) => ({ sql: `DELETE FROM ${table}` }));
const PAGE_BYTES = 65_536;
const MAPPED_BYTES = 2 ** 31 - 1;
/** Pages of the log before they go to the file, which alone is mapped: 16 MB. */
const LOG_PAGES = 256;

/** More than there are columns: the key of a piece is its number times this, plus its column. */
const KEYS_EACH = 64;

const OF_THESE = /^columns\.[0-9a-f]{12}\.(db(-wal|-shm)?|lock)$/;

/** The position of the columns. */
export interface ColumnState extends IndexCursor {
  /** Rows that have a place, including removed ones. */
  rows: number;
  /** Whether they were ever complete. */
  whole: boolean;
  /** How many names of a kind there are. */
  names: Partial<Record<Names, number>>;
}

/** The columns of all contracts, in a file that can be rebuilt from the catalogue at any time. */
export interface ColumnFile {
  readonly database: Database;
  readState(): Promise<ColumnState | null>;
  /** Some columns of a run of rows. @param room memory to unpack into; by default each in its own */
  readPieces(piece: number, columns: readonly ColumnName[], room?: Room): Promise<Pieces>;
  close(): Promise<void>;
}

/** The name of the file in a folder, without its extension. */
export function columnPath(folder: string): string {
  return join(folder, `columns.${LAYOUT}`);
}

/** Opens the columns in a folder, empty if there are none, and removes those with other layouts. */
export async function openColumns(folder: string): Promise<ColumnFile> {
  await ensureFolder(folder);
  await removeOthers(folder);
  const database = await openDatabase({ url: `file:${filePath(folder)}`, durability: 'normal' });
  for (const pragma of [
    `page_size=${PAGE_BYTES}`,
    'journal_mode=WAL',
    `mmap_size=${MAPPED_BYTES}`,
    `wal_autocheckpoint=${LOG_PAGES}`,
  ])
    await database.read({ sql: `PRAGMA ${pragma}` });
  await database.write(TABLES.map((sql) => ({ sql })));
  return {
    database,
    readState: () => readColumnState(database),
    readPieces: (piece, columns, room) => readPieces(database, piece, columns, room),
    close: () => database.close(),
  };
}

/** Whether an error says that the file of these columns is damaged. */
export function isOfDamage(folder: string, error: unknown): boolean {
  return error instanceof DatabaseFault && error.file === filePath(folder) && isUnreadable(error);
}

/** Removes the columns of a folder, which nobody else may write. */
export async function removeColumns(folder: string): Promise<void> {
  await removeDatabase(filePath(folder));
}

const filePath = (folder: string) => `${columnPath(folder)}.db`;

async function removeOthers(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => OF_THESE.test(name) && !name.includes(LAYOUT));
  for (const name of names) await rm(join(folder, name), { force: true });
}

async function readColumnState(database: Database): Promise<ColumnState | null> {
  const [row] = await database.read<{ value: string }>({ sql: "SELECT value FROM state WHERE name = 'standing'" });
  return row ? (JSON.parse(row.value) as ColumnState) : null;
}

/** The position of the columns after a batch. */
export function columnStateStatement(columnState: ColumnState): Statement {
  const sql = "INSERT OR REPLACE INTO state (name, value) VALUES ('standing', ?)";
  return { sql, args: [JSON.stringify(columnState)] };
}

/** Removes everything, where the columns belong to another catalogue. */
export function emptyStatements(): Statement[] {
  return EMPTY;
}

async function readPieces(database: Database, piece: number, columns: readonly ColumnName[], room?: Room) {
  const keys = columns.map((column) => keyOf(piece, column));
  const rows = await database.read<{ key: number; data: Uint8Array }>({
    sql: `SELECT key, data FROM piece WHERE key IN (${keys.map(() => '?').join(', ')})`,
    args: keys,
  });
  const found: Pieces = {};
  for (const { key, data } of rows) {
    const name = COLUMN_NAMES[key % KEYS_EACH];
    if (name) found[name] = unpackPiece(name, data, room);
  }
  return found;
}

/** Stores a piece of a column. */
export function pieceStatement(piece: number, column: ColumnName, data: Uint8Array): Statement {
  return { sql: 'INSERT OR REPLACE INTO piece (key, data) VALUES (?, ?)', args: [keyOf(piece, column), data] };
}

function keyOf(piece: number, column: ColumnName): number {
  return piece * KEYS_EACH + COLUMN_NAMES.indexOf(column);
}

/** The statement that gives contracts their places in the columns. */
export function placeStatement(places: readonly [id: string, at: number][]): Statement {
  const sql = 'INSERT INTO place (id, at) SELECT value ->> 0, value ->> 1 FROM json_each(?)';
  return { sql, args: [JSON.stringify(places)] };
}

/** The statement that gives names of a kind their numbers. */
export function nameStatement(kind: Names, names: readonly [text: string, number: number][]): Statement {
  const sql = 'INSERT INTO name (kind, text, number) SELECT ?, value ->> 0, value ->> 1 FROM json_each(?)';
  return { sql, args: [kind, JSON.stringify(names)] };
}

/** The statement that removes all names of a kind but some. Their numbers stay free. */
export function keepNamesStatement(kind: Names, numbers: readonly number[]): Statement {
  const sql = 'DELETE FROM name WHERE kind = ? AND number NOT IN (SELECT value FROM json_each(?))';
  return { sql, args: [kind, JSON.stringify(numbers)] };
}

/** The places of some contracts; one without a place is absent. */
export async function readPlaces(
  { database }: Pick<ColumnFile, 'database'>,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await database.read<{ id: string; at: number }>({
    sql: 'SELECT id, at FROM place WHERE id IN (SELECT value FROM json_each(?))',
    args: [JSON.stringify(ids)],
  });
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** The numbers of some names of a kind; those that are not known are absent. */
export async function readNumbers(
  { database }: Pick<ColumnFile, 'database'>,
  kind: Names,
  texts: readonly string[],
): Promise<Map<string, number>> {
  const rows = await database.read<{ text: string; number: number }>({
    sql: 'SELECT text, number FROM name WHERE kind = ? AND text IN (SELECT value FROM json_each(?))',
    args: [kind, JSON.stringify(texts)],
  });
  return new Map(rows.map(({ text, number }) => [text, number]));
}

/** The numbers of the codes of a kind with one of these beginnings. */
export async function readNumbersUnder(
  { database }: Pick<ColumnFile, 'database'>,
  kind: Names,
  beginnings: readonly string[],
): Promise<number[]> {
  if (beginnings.length === 0) return [];
  const under = beginnings.map(() => '(text >= ? AND text < ?)').join(' OR ');
  const rows = await database.read<{ number: number }>({
    sql: `SELECT number FROM name WHERE kind = ? AND (${under})`,
    args: [kind, ...beginnings.flatMap((beginning) => [beginning, beginning + LAST_CHARACTER])],
  });
  return rows.map(({ number }) => number);
}

/** Names of a kind by number: some, or all by default. */
export async function readNames(
  { database }: Pick<ColumnFile, 'database'>,
  kind: Names,
  numbers?: readonly number[],
): Promise<Map<number, string>> {
  const some = numbers ? ' AND number IN (SELECT value FROM json_each(?))' : '';
  const rows = await database.read<{ text: string; number: number }>({
    sql: `SELECT text, number FROM name WHERE kind = ?${some}`,
    args: numbers ? [kind, JSON.stringify(numbers)] : [kind],
  });
  return new Map(rows.map(({ text, number }) => [number, text]));
}
