import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type Database, DatabaseFault, isPassing, type Statement } from './interface.ts';

export type DatabaseName = 'catalogue' | 'accounts';

interface Journal {
  entries: { idx: number; tag: string }[];
}

/** Tags of the older migrations that the present first one replaced. A database that has them all is adopted as it is. */
type FormerTags = Record<DatabaseName, string[]>;

const FOLDER = new URL('../migrations/', import.meta.url);
const CREATE = 'CREATE TABLE IF NOT EXISTS migration (tag TEXT PRIMARY KEY, applied_at TEXT NOT NULL)';

/**
 * Applies the migrations that a database lacks, in order, each one atomic with its own record. Returns their tags. Two processes
 * may call it at once: the record's primary key lets one win and the other reads again. @throws DatabaseFault where the database
 * belongs to a newer program, or to one too old to be adopted.
 */
export async function migrate(database: Database, name: DatabaseName): Promise<string[]> {
  // WAL is a property of the file. Only the migrator sets it, as two processes that set it on a new file may crash (measured).
  if (database.url.startsWith('file:')) await database.read({ sql: 'PRAGMA journal_mode=WAL' });
  await assertKnownVersion(database, name);
  const pending = await pendingMigrations(database, name);
  // No write when nothing is pending: a command that only reads works while another process holds the database.
  if (pending.length === 0) return [];
  await database.write([{ sql: CREATE }]);
  // A database of the older migrations has every table of the present first one.
  const [last = ''] = (await readFormer(name)).slice(-1);
  const isFormer = (await readApplied(database)).includes(last);
  const [first] = (await readJournal(name)).entries;
  const applied: string[] = [];
  for (const tag of pending) {
    const statements = isFormer && tag === first?.tag ? [] : await readStatements(name, tag);
    if (await applyMigration(database, tag, statements)) applied.push(tag);
  }
  return applied;
}

/** Tags of the migrations that the database still lacks; empty when it is at this program's version. */
export async function pendingMigrations(database: Database, name: DatabaseName): Promise<string[]> {
  const { entries } = await readJournal(name);
  const applied = new Set(await readApplied(database));
  return entries.map((entry) => entry.tag).filter((tag) => !applied.has(tag));
}

/** Tags of migrations that this program does not know: the database was at a newer program's version. */
export async function unknownMigrations(database: Database, name: DatabaseName): Promise<string[]> {
  const tags = (await readJournal(name)).entries.map(({ tag }) => tag);
  const known = new Set([...tags, ...(await readFormer(name))]);
  return (await readApplied(database)).filter((tag) => !known.has(tag));
}

/**
 * Checks that this program can bring a database to its version. @throws DatabaseFault where it cannot: a newer program has used
 * the database, or only one that is too old.
 */
export async function assertKnownVersion(database: Database, name: DatabaseName): Promise<void> {
  const newer = await unknownMigrations(database, name);
  if (newer.length > 0)
    throw new DatabaseFault(
      `the ${name} database is of a newer program (${newer.join(', ')}): start that program, or put a backup of before the upgrade in its place`,
    );
  const former = await readFormer(name);
  const applied = new Set(await readApplied(database));
  if (!former.some((tag) => applied.has(tag)) || former.every((tag) => applied.has(tag))) return;
  throw new DatabaseFault(
    `the ${name} database is too old for this program (it lacks ${former.findLast((tag) => !applied.has(tag))}): ` +
      'start the last release that has this migration once, then this one',
  );
}

/**
 * Waits until another process has migrated the database: a large one takes minutes. `onWait` receives every 15 seconds what is
 * missing. @throws DatabaseFault where the database belongs to a newer program, or to one too old.
 */
export async function awaitMigrated(
  open: () => Promise<Database>,
  name: DatabaseName,
  onWait: (said: string) => void,
  everyMs = 15_000,
): Promise<Database> {
  let saidMs = Date.now();
  for (;;) {
    const { database, why } = await openMigrated(open, name);
    if (database) return database;
    if (Date.now() - saidMs >= everyMs) {
      saidMs = Date.now();
      onWait(`waiting for the ${name} database, which the jobs process makes ready${why}`);
    }
    await pause(100);
  }
}

/** The database, or why it cannot be used yet. */
async function openMigrated(
  open: () => Promise<Database>,
  name: DatabaseName,
): Promise<{ database?: Database; why: string }> {
  const waiting = (error: unknown) => ({ why: error instanceof Error ? `: ${error.message}` : '' });
  const [opening] = await Promise.allSettled([open()]);
  if (opening.status === 'rejected') return waiting(opening.reason);
  const database = opening.value;
  try {
    await assertKnownVersion(database, name);
    const [lacking] = await pendingMigrations(database, name);
    if (lacking === undefined) return { database, why: '' };
    await database.close();
    return { why: `: it lacks ${lacking}` };
  } catch (error) {
    await database.close();
    // A server may start after the processes that use it.
    if (!isPassing(error)) throw error;
    return waiting(error);
  }
}

async function readJournal(name: DatabaseName): Promise<Journal> {
  return JSON.parse(await readFile(new URL(`${name}/meta/_journal.json`, FOLDER), 'utf8')) as Journal;
}

async function readFormer(name: DatabaseName): Promise<string[]> {
  return (JSON.parse(await readFile(new URL('former.json', FOLDER), 'utf8')) as FormerTags)[name];
}

async function readStatements(name: DatabaseName, tag: string): Promise<Statement[]> {
  const text = await readFile(new URL(`${name}/${tag}.sql`, FOLDER), 'utf8');
  return text.split('--> statement-breakpoint').flatMap((sql) => (sql.trim() ? [{ sql: sql.trim() }] : []));
}

async function readApplied(database: Database): Promise<string[]> {
  const [table] = await database.read({
    sql: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migration'",
  });
  if (!table) return [];
  return (await database.read<{ tag: string }>({ sql: 'SELECT tag FROM migration' })).map((row) => row.tag);
}

async function applyMigration(database: Database, tag: string, statements: Statement[]): Promise<boolean> {
  const record = {
    sql: 'INSERT INTO migration (tag, applied_at) VALUES (?, ?)',
    args: [tag, new Date().toISOString()],
  };
  try {
    await database.write([record, ...statements]);
    return true;
  } catch (error) {
    if ((await readApplied(database)).includes(tag)) return false;
    throw error;
  }
}
