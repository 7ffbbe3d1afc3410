import { readFile } from 'node:fs/promises';
import { DatabaseFault } from './faults.ts';
import type { Database, Statement } from './interface.ts';

export type DatabaseName = 'catalogue' | 'accounts';

interface Journal {
  entries: { idx: number; tag: string }[];
}

const FOLDER = new URL('../migrations/', import.meta.url);
const CREATE = 'CREATE TABLE IF NOT EXISTS migration (tag TEXT PRIMARY KEY, applied_at TEXT NOT NULL)';

/**
 * Applies the generated migrations that a database lacks, in order, each one atomic with its own record.
 * Two processes may call it at once: the record's primary key lets one win and the other re-reads.
 * @throws DatabaseFault where a newer program was at the database.
 */
export async function migrate(database: Database, name: DatabaseName): Promise<string[]> {
  // WAL is a property of the file; only the migrator sets it, as two processes setting it on a new file may crash (measured).
  if (database.url.startsWith('file:')) await database.read({ sql: 'PRAGMA journal_mode=WAL' });
  await assertNotNewer(database, name);
  const pending = await pendingMigrations(database, name);
  // Nothing to write is not written: a command that only looks answers while another process holds the database.
  if (pending.length === 0) return [];
  await database.write([{ sql: CREATE }]);
  const applied: string[] = [];
  for (const tag of pending) {
    if (await applyMigration(database, name, tag)) applied.push(tag);
  }
  return applied;
}

/** Tags of the migrations that the database still lacks; empty when it is at this program's version. */
export async function pendingMigrations(database: Database, name: DatabaseName): Promise<string[]> {
  const { entries } = await readJournal(name);
  const held = new Set(await readApplied(database));
  return entries.map((entry) => entry.tag).filter((tag) => !held.has(tag));
}

/** Tags of migrations that this program does not know: the database was at a newer program's version. */
export async function unknownMigrations(database: Database, name: DatabaseName): Promise<string[]> {
  const known = new Set((await readJournal(name)).entries.map(({ tag }) => tag));
  return (await readApplied(database)).filter((tag) => !known.has(tag));
}

/** @throws DatabaseFault where a newer program was at the database: this one does not know what it may write there. */
export async function assertNotNewer(database: Database, name: DatabaseName): Promise<void> {
  const newer = await unknownMigrations(database, name);
  if (newer.length === 0) return;
  throw new DatabaseFault(
    `the ${name} database is of a newer program (${newer.join(', ')}): start that program, or put a backup of before the upgrade in its place`,
  );
}

/** Waits until another process has migrated the database. @throws DatabaseFault when it has not within `waitMs`, or it is of a newer program. */
export async function awaitMigrated(
  open: () => Promise<Database>,
  name: DatabaseName,
  waitMs = 60_000,
): Promise<Database> {
  const deadline = Date.now() + waitMs;
  let last: unknown;
  while (Date.now() < deadline) {
    const database = await open().catch((error: unknown) => {
      last = error;
      return undefined;
    });
    if (database) {
      await assertNotNewer(database, name);
      if ((await pendingMigrations(database, name)).length === 0) return database;
      await database.close();
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const why = last instanceof Error ? `: ${last.message}` : '';
  throw new DatabaseFault(
    `the ${name} database was not made ready within ${waitMs / 1_000} s, as the jobs process does${why}`,
    { cause: last },
  );
}

async function readJournal(name: DatabaseName): Promise<Journal> {
  return JSON.parse(await readFile(new URL(`${name}/meta/_journal.json`, FOLDER), 'utf8')) as Journal;
}

async function readApplied(database: Database): Promise<string[]> {
  const [table] = await database.read({
    sql: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migration'",
  });
  if (!table) return [];
  return (await database.read<{ tag: string }>({ sql: 'SELECT tag FROM migration' })).map((row) => row.tag);
}

async function applyMigration(database: Database, name: DatabaseName, tag: string): Promise<boolean> {
  const text = await readFile(new URL(`${name}/${tag}.sql`, FOLDER), 'utf8');
  const statements: Statement[] = text.split('--> statement-breakpoint').map((sql) => ({ sql: sql.trim() }));
  const record = {
    sql: 'INSERT INTO migration (tag, applied_at) VALUES (?, ?)',
    args: [tag, new Date().toISOString()],
  };
  try {
    await database.write([record, ...statements.filter(({ sql }) => sql !== '')]);
    return true;
  } catch (error) {
    if ((await readApplied(database)).includes(tag)) return false;
    throw error;
  }
}
