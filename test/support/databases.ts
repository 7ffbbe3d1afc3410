import { mkdtemp, rm } from 'node:fs/promises';
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
  const path = await mkdtemp(join(under, 'house-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** A migrated libSQL file, open for writing with its role's durability; a catalogue as the start of jobs leaves an empty one. */
export async function makeDatabase(folder: string, name: DatabaseName): Promise<Database> {
  const database = await openDatabase({
    url: `file:${join(folder, `${name}.db`)}`,
    durability: name === 'accounts' ? 'full' : 'normal',
  });
  await migrate(database, name);
  if (name === 'catalogue') await database.write([STAMP]);
  return database;
}
