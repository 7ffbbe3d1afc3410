import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STAMP } from '../../ingest/rebuild/rule-editions.ts';
import type { Database } from '../../schema/db/interface.ts';
import { type DatabaseName, migrate } from '../../schema/db/migrate.ts';
import { openDatabase } from '../../schema/db/open.ts';

/** Where the folders of a test run lie, told to its workers; without it, under the system's temporary one. */
export const FOLDERS = 'TEST_FOLDERS';

/** A folder of its own, removed with `remove`; under `under`, or where the folders of the test run lie. */
export async function makeFolder(
  under: string = process.env[FOLDERS] ?? tmpdir(),
): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(under, 'service-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/**
 * A migrated libSQL file, open for writing with its role's durability, a catalogue as the start of jobs leaves an empty one.
 * One that is there already is brought up to date.
 */
export async function makeDatabase(folder: string, name: DatabaseName): Promise<Database> {
  const path = join(folder, `${name}.db`);
  if (!existsSync(path)) await writeFile(path, await readMigrated(name), { mode: 0o600 });
  return openMigrated(path, name);
}

const migrated = new Map<DatabaseName, Promise<Buffer>>();

/** A new database's bytes: migrating one takes several times what copying it does, and tests make hundreds. */
function readMigrated(name: DatabaseName): Promise<Buffer> {
  const bytes = migrated.get(name) ?? migrateNew(name);
  migrated.set(name, bytes);
  return bytes;
}

async function migrateNew(name: DatabaseName): Promise<Buffer> {
  const folder = await makeFolder();
  const path = join(folder.path, `${name}.db`);
  // Closing it leaves no log beside it.
  await (await openMigrated(path, name)).close();
  const bytes = await readFile(path);
  await folder.remove();
  return bytes;
}

async function openMigrated(path: string, name: DatabaseName): Promise<Database> {
  const database = await openDatabase({ url: `file:${path}`, durability: name === 'accounts' ? 'full' : 'normal' });
  await migrate(database, name);
  if (name === 'catalogue') await database.write([STAMP]);
  return database;
}
