import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STAMP } from '../../ingest/rebuild/rule-editions.ts';
import type { Database } from '../../schema/db/interface.ts';
import { type DatabaseName, migrate } from '../../schema/db/migrate.ts';
import { openDatabase } from '../../schema/db/open.ts';

/** The parent of all folders of a test run, set for its workers; by default the system's temporary folder. */
export const FOLDERS = 'TEST_FOLDERS';

/** A new folder, removed with `remove`; under `under`, or the folder of the test run. */
export async function makeFolder(
  under: string = process.env[FOLDERS] ?? tmpdir(),
): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(under, 'service-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/**
 * A migrated libSQL file, open for writing with its role's durability; a catalogue is as jobs leave an empty one. An existing
 * file is migrated.
 */
export async function makeDatabase(folder: string, name: DatabaseName): Promise<Database> {
  const path = join(folder, `${name}.db`);
  if (!existsSync(path)) await writeFile(path, await readMigrated(name), { mode: 0o600 });
  return openMigrated(path, name);
}

const migrated = new Map<DatabaseName, Promise<Buffer>>();

/** A new database's bytes: migrating takes several times as long as copying, and tests create hundreds. */
function readMigrated(name: DatabaseName): Promise<Buffer> {
  const bytes = migrated.get(name) ?? migrateNew(name);
  migrated.set(name, bytes);
  return bytes;
}

async function migrateNew(name: DatabaseName): Promise<Buffer> {
  const folder = await makeFolder();
  const path = join(folder.path, `${name}.db`);
  // Closing it leaves no log next to it.
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
