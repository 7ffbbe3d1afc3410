import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerSources } from '../../../ingest/runs/record.ts';
import { sources } from '../../../ingest/sources/index.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { assertKnownVersion, awaitMigrated, migrate, pendingMigrations } from '../../../schema/db/migrate.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { findDatabaseFault } from '../../../schema/db/readiness.ts';
import { makeFolder } from '../../support/databases.ts';
import { ROOT } from '../../support/source-files.ts';
import { fillAccounts, fillEveryTable, readShape, readSizes } from './filled-tables.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder?.remove());

const BASELINE = '0000_baseline';
const FORMER = JSON.parse(readFileSync(join(ROOT, 'schema/migrations/former.json'), 'utf8')) as Record<
  string,
  string[]
>;
/** The tags of today's migrations, in order. */
const tagsOf = (name: string): string[] => {
  const journal = readFileSync(join(ROOT, `schema/migrations/${name}/meta/_journal.json`), 'utf8');
  return (JSON.parse(journal) as { entries: { tag: string }[] }).entries.map(({ tag }) => tag);
};
/** The statements of a migration, by default of the first. */
const statementsOf = (name: string, tag = BASELINE) =>
  readFileSync(join(ROOT, `schema/migrations/${name}/${tag}.sql`), 'utf8')
    .split('--> statement-breakpoint')
    .map((sql) => ({ sql }));
const RECORD = 'CREATE TABLE migration (tag TEXT PRIMARY KEY, applied_at TEXT NOT NULL)';
const LAST = { accounts: '0014_export_requeued', catalogue: '0025_framework_places' };
const fill = { accounts: fillAccounts, catalogue: fillEveryTable };
const open = (file: string) => openDatabase({ url: `file:${join(folder.path, file)}`, durability: 'normal' });

describe.each(['accounts', 'catalogue'] as const)('the %s database', (name) => {
  it('is reported as empty where a server has returned without its data, and else by what it lacks', async () => {
    const database = await open(`${name}-lost.db`);
    const look = () => findDatabaseFault(database, name, { writable: true });
    expect(await look()).toBe(
      `${name}: the database is empty: its server has lost its data, or is another one; put a backup in its place`,
    );
    await database.write([{ sql: RECORD }]);
    expect(await look()).toBe(`${name}: not at this version, ${tagsOf(name).join(', ')} to come`);
    await database.close();
  });

  /** A database with rows, as the program before the baseline left it: the same tables, another record of migrations. */
  async function openFormer(file: string, tags = FORMER[name] ?? []): Promise<Database> {
    const database = await open(file);
    await database.read({ sql: 'PRAGMA journal_mode=WAL' });
    await database.write(statementsOf(name));
    await fill[name](database);
    await database.write([
      { sql: RECORD },
      ...tags.map((tag) => ({ sql: "INSERT INTO migration VALUES (?, '2026-01-01T00:00:00Z')", args: [tag] })),
    ]);
    return database;
  }

  it('is adopted at the last former migration: the first of today changes no row of it', async () => {
    const database = await openFormer(`${name}-former.db`);
    const sizes = await readSizes(database);
    expect(FORMER[name]?.at(-1)).toBe(LAST[name]);
    expect(await migrate(database, name)).toEqual(tagsOf(name));
    expect(await pendingMigrations(database, name)).toEqual([]);
    // A table that came later is empty.
    const kept = Object.entries(await readSizes(database)).filter(([table, rows]) => table in sizes || rows > 0);
    // The change log notes where it begins.
    const noted = name === 'catalogue' ? { counter: Number(sizes.counter) + 1 } : {};
    expect(Object.fromEntries(kept)).toEqual({ ...sizes, ...noted });
    const empty = await open(`${name}-shape.db`);
    await migrate(empty, name);
    const shapeOf = async (one: Database) =>
      (await readShape(one)).filter((row) => !('name' in row) || row.name !== 'migration');
    expect(await shapeOf(database)).toEqual(await shapeOf(empty));
    await empty.close();
    expect(await migrate(database, name)).toEqual([]);
    await assertKnownVersion(database, name);
    if (name === 'accounts') expect(await verifyLedger(database)).toMatchObject({ lines: 5, faults: [] });
    await database.close();
  });

  it('is refused before the last former migration, with what to do and nothing written', async () => {
    const database = await openFormer(`${name}-older.db`, FORMER[name]?.slice(0, -2));
    const said =
      `the ${name} database is too old for this program (it lacks ${LAST[name]}): ` +
      'start the last release that has this migration once, then this one';
    const tags = await database.read({ sql: 'SELECT tag FROM migration' });
    await expect(migrate(database, name)).rejects.toThrow(said);
    await expect(awaitMigrated(() => open(`${name}-older.db`), name, expect.fail)).rejects.toThrow(said);
    expect(await database.read({ sql: 'SELECT tag FROM migration' })).toEqual(tags);
    await database.close();
  });

  it('is made whole or not at all, and healed after a process that ended half-way', async () => {
    const database = await open(`${name}-cut.db`);
    await expect(migrate(cutShort(database), name)).rejects.toThrow('no such table');
    expect(await readSizes(database)).toEqual({});
    expect(await migrate(database, name)).toEqual(tagsOf(name));
    expect(await database.read({ sql: 'PRAGMA integrity_check' })).toEqual([{ integrity_check: 'ok' }]);
    expect(await database.read({ sql: 'PRAGMA foreign_key_check' })).toEqual([]);
    await database.close();
  });

  it.each(['empty', 'former'])('is migrated once by two that begin together: %s', async (kind) => {
    const file = `${name}-${kind}-two.db`;
    const one = kind === 'former' ? await openFormer(file) : await open(file);
    if (kind === 'empty') await one.read({ sql: 'PRAGMA journal_mode=WAL' });
    const two = await open(file);
    const done = await Promise.all([migrate(one, name), migrate(two, name)]);
    expect(done.flat().sort()).toEqual(tagsOf(name));
    expect(await pendingMigrations(two, name)).toEqual([]);
    await one.close();
    await two.close();
  });
});

describe('a catalogue of the baseline', () => {
  it('gets what each source brings, and keeps every row', async () => {
    const catalogue = await open('baseline.db');
    await catalogue.write(statementsOf('catalogue'));
    await fillEveryTable(catalogue);
    await catalogue.write([{ sql: RECORD }, { sql: 'INSERT INTO migration VALUES (?, ?)', args: [BASELINE, '2026'] }]);
    const [sizes, before] = [await readSizes(catalogue), await catalogue.read({ sql: 'SELECT * FROM source' })];
    expect(await migrate(catalogue, 'catalogue')).toEqual(tagsOf('catalogue').slice(1));
    const later = {
      succession: 0,
      buyer_supplier: 0,
      company_answer: 0,
      change: 0,
      change_instant: 0,
      cell: 0,
      lost_contract: 0,
      notice_name: 0,
    };
    expect(await readSizes(catalogue)).toEqual({ ...sizes, ...later, counter: Number(sizes.counter) + 1 });
    const after = await catalogue.read({ sql: 'SELECT * FROM source' });
    expect(after).toEqual(
      before.map((row) => ({ ...Object(row), kind: 'notices', aliases: '[]', notice_pages: '[]' })),
    );
    await catalogue.close();
  });

  it('learns at the start of jobs which source is a register', async () => {
    const catalogue = await open('registered.db');
    await migrate(catalogue, 'catalogue');
    const title = (
      id: string,
    ) => `INSERT INTO source (id, title, homepage, licence, licence_url, attribution, timetable)
      VALUES ('${id}', '', '', '', '', '', '')`;
    await catalogue.write(sources.map(({ id }) => ({ sql: title(id) })));
    await registerSources(catalogue, sources);
    const rows = await catalogue.read({ sql: 'SELECT id, kind, aliases FROM source ORDER BY id' });
    const expected = sources.map(({ id, kind, aliases = [] }) => ({ id, kind, aliases: JSON.stringify(aliases) }));
    expect(rows).toEqual(expected.sort((one, other) => (one.id < other.id ? -1 : 1)));
    await catalogue.close();
  });
});

it('a mail that the program before noted as refused for now keeps the instant of its first refusal', async () => {
  const accounts = await open('refused.db');
  const tags = tagsOf('accounts');
  const before = tags.slice(0, tags.indexOf('0013_refused_since'));
  await accounts.write(before.flatMap((tag) => statementsOf('accounts', tag)));
  await accounts.write([{ sql: RECORD }]);
  await accounts.write(before.map((tag) => ({ sql: 'INSERT INTO migration VALUES (?, ?)', args: [tag, '2026'] })));
  const errors = [
    'the mail server refuses the address for now, since 2026-06-05T09:00:00Z',
    'the mail server did not take it',
    null,
  ];
  await accounts.write(
    errors.map((error) => ({
      sql: `INSERT INTO watch_delivery (id, watch_id, account_id, kind, items, credits, created_at, next_attempt_at, error)
        VALUES (?, 'a watch', 'an account', 'items', 1, 2, '2026-06-05T08:00:00Z', 0, ?)`,
      args: [String(error), error],
    })),
  );
  expect(await migrate(accounts, 'accounts')).toEqual(tags.slice(before.length));
  expect(await accounts.read({ sql: 'SELECT error, refused_since FROM watch_delivery ORDER BY number' })).toEqual(
    errors.map((error, place) => ({ error, refused_since: place === 0 ? '2026-06-05T09:00:00Z' : null })),
  );
  await accounts.close();
});

/** A database whose process ends in the middle of a migration: its batch is written but for the last word, then undone. */
function cutShort(database: Database): Database {
  return {
    ...database,
    write: (statements) =>
      database.write(
        statements.some(({ args }) => args?.[0] === BASELINE)
          ? [...statements, { sql: 'SELECT * FROM no_such_table' }]
          : statements,
      ),
  };
}
