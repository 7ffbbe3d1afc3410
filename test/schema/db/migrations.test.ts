import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import type { Database, Statement } from '../../../schema/db/interface.ts';
import { type DatabaseName, migrate, pendingMigrations } from '../../../schema/db/migrate.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { makeFolder } from '../../support/databases.ts';
import { ROOT } from '../../support/source-files.ts';
import { fillAccounts, fillEveryTable, readShape, readSizes } from './rows-of-every-version.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder?.remove());

const FOLDER = join(ROOT, 'schema/migrations');
const open = (file: string) => openDatabase({ url: `file:${join(folder.path, file)}`, durability: 'normal' });

function readTags(name: DatabaseName): string[] {
  const journal = JSON.parse(readFileSync(join(FOLDER, name, 'meta/_journal.json'), 'utf8'));
  return (journal.entries as { tag: string }[]).map(({ tag }) => tag);
}

/** What this program's forerunner of a version had done: the migrations up to it, each with its record. */
async function applyOne(database: Database, name: DatabaseName, tag: string): Promise<void> {
  const text = readFileSync(join(FOLDER, name, `${tag}.sql`), 'utf8');
  await database.write([
    { sql: 'CREATE TABLE IF NOT EXISTS migration (tag TEXT PRIMARY KEY, applied_at TEXT NOT NULL)' },
    { sql: "INSERT INTO migration VALUES (?, '2026-01-01T00:00:00Z')", args: [tag] },
    ...text.split('--> statement-breakpoint').flatMap((sql) => (sql.trim() ? [{ sql: sql.trim() }] : [])),
  ]);
}

/** Tables that have fewer rows than they had. */
async function readLost(database: Database, before: Record<string, number>): Promise<string[]> {
  const after = await readSizes(database);
  return Object.keys(before).filter((table) => (after[table] ?? 0) < (before[table] ?? 0));
}

/** Money from every version; the catalogue, with its many, from the first ones and the last, as it also goes one by one. */
const isWalked = (name: DatabaseName, version: number) =>
  name === 'accounts' || version <= 2 || version === readTags(name).length;

const fill = { accounts: fillAccounts, catalogue: fillEveryTable };

describe.each(['accounts', 'catalogue'] as const)('the %s database', (name) => {
  const tags = readTags(name);

  async function openAt(version: number, file: string): Promise<Database> {
    const database = await open(file);
    for (const tag of tags.slice(0, version)) await applyOne(database, name, tag);
    await fill[name](database, version);
    return database;
  }

  async function expectNewest(database: Database, before: Record<string, number>): Promise<void> {
    expect(await pendingMigrations(database, name)).toEqual([]);
    const fresh = await open(`${name}-fresh.db`);
    await migrate(fresh, name);
    expect(await readShape(database)).toEqual(await readShape(fresh));
    await fresh.close();
    expect(await database.read({ sql: 'PRAGMA integrity_check' })).toEqual([{ integrity_check: 'ok' }]);
    expect(await database.read({ sql: 'PRAGMA foreign_key_check' })).toEqual([]);
    // No row of a customer or of a source is lost on the way.
    expect(await readLost(database, before)).toEqual([]);
    if (name === 'accounts') expect((await verifyLedger(database)).faults).toEqual([]);
  }

  it.each(tags.map((tag, at) => [tag, at + 1] as const).filter(([, version]) => isWalked(name, version)))(
    'goes forward from %s with its rows',
    async (_tag, version) => {
      const database = await openAt(version, `${name}-${version}.db`);
      const before = await readSizes(database);
      expect(await migrate(database, name)).toEqual(tags.slice(version));
      await expectNewest(database, before);
      await database.close();
    },
  );

  it('goes forward one by one, each cut short once and then healed, with rows of every version in it', async () => {
    const database = await openAt(2, `${name}-cut.db`);
    for (const lacking of tags.slice(2)) {
      const before = await readSizes(database);
      await expect(migrate(cutShort(database, lacking), name)).rejects.toThrow('no such table');
      expect((await pendingMigrations(database, name))[0]).toBe(lacking);
      expect(await readLost(database, before)).toEqual([]);
      if (name === 'catalogue') await fillEveryTable(database, tags.indexOf(lacking));
    }
    const before = await readSizes(database);
    await migrate(database, name);
    await expectNewest(database, before);
    await database.close();
  });

  it('is migrated once by two that begin together', async () => {
    const file = `${name}-two.db`;
    const [one, two] = [await openAt(2, file), await open(file)];
    const before = await readSizes(one);
    const done = await Promise.all([migrate(one, name), migrate(two, name)]);
    expect(done.flat().sort()).toEqual(tags.slice(2));
    await expectNewest(one, before);
    await one.close();
    await two.close();
  });
});

/** A database whose process ends in the middle of one migration: its batch is written but for the last word, then undone. */
function cutShort(database: Database, tag: string): Database {
  const isOf = ({ args }: Statement) => args?.[0] === tag;
  return {
    ...database,
    write: (statements) =>
      database.write(statements.some(isOf) ? [...statements, { sql: 'SELECT * FROM no_such_table' }] : statements),
  };
}
