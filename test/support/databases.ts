import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { STAMP } from '../../ingest/rebuild/rule-editions.ts';
import type { Database } from '../../schema/db/interface.ts';
import { type DatabaseName, migrate } from '../../schema/db/migrate.ts';
import { openDatabase } from '../../schema/db/open.ts';

/** The parent of all folders of a test run, set for its workers; by default the system's temporary folder. */
export const FOLDERS = 'TEST_FOLDERS';
/** Pause between two checks whether another worker has finished. */
const WAIT_MS = 50;

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

/**
 * A folder that is filled once in a test run, to be copied. It is among the folders of the run, for all its workers: the first
 * to ask fills it, and those that ask meanwhile wait.
 * @param fill returns the path of a filled folder, which is then moved
 */
export async function fillOnce(name: string, fill: () => Promise<string>): Promise<string> {
  const folders = process.env[FOLDERS];
  if (!folders) return fill();
  const folder = join(folders, name);
  while (!existsSync(folder)) {
    if (await isFirst(`${folder}-begun`)) await fillInto(folder, fill);
    else await pause(WAIT_MS);
  }
  return folder;
}

/** Whether the folder is new. */
async function isFirst(mark: string): Promise<boolean> {
  return mkdir(mark).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
}

async function fillInto(folder: string, fill: () => Promise<string>): Promise<void> {
  try {
    await rename(await fill(), folder);
  } finally {
    // If it failed, the next to ask fails too, and reports why.
    if (!existsSync(folder)) await rmdir(`${folder}-begun`);
  }
}
