import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJobsServices } from '../../../jobs/startup/open-services.ts';
import { createAccount } from '../../../schema/accounts/customer/account.ts';
import { readSettings } from '../../../schema/config/settings.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { awaitMigrated } from '../../../schema/db/migrate.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { findDatabaseFault } from '../../../schema/db/readiness.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { findFreePort } from '../../support/free-port.ts';
import { runHere } from '../../support/run-command.ts';

const AT = '2026-11-21T12:00:00Z';

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => folder.remove());

const cli = (...args: string[]) => runHere({ DATA_DIR: folder.path }, ...args);
const start = async (settings: Record<string, string> = {}) => {
  const log = pino({ level: 'silent' });
  const services = await openJobsServices(readSettings({ DATA_DIR: folder.path, ...settings }), log);
  await services.close();
};
const listFiles = async () => (await readdir(folder.path)).sort();

/** An installation that has been in use: a customer, and a run that was begun. */
async function use(): Promise<void> {
  const accounts = await makeDatabase(folder.path, 'accounts');
  await createAccount(accounts, { name: 'a', signupCredits: 5, at: AT });
  await accounts.close();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  const sql = "INSERT INTO run (id, job, source, started_at, state) VALUES ('r', 'ingest', NULL, ?, 'succeeded')";
  await catalogue.write([{ sql, args: [AT] }]);
  await catalogue.close();
}

async function lose(name: string): Promise<void> {
  for (const end of ['', '-wal', '-shm']) await rm(join(folder.path, name + end), { force: true });
}

describe('an empty folder', () => {
  it.each([['ledger', 'verify'], ['status'], ['account', 'create', 'x'], ['search', 'sync']])(
    'is no healthy installation to `%s`, which makes nothing',
    async (...args) => {
      expect(await cli(...args)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: `there is no catalogue at ${folder.path}/catalogue.db and no accounts database at ${folder.path}/accounts.db: set DATA_DIR to where the databases lie, or make new ones with \`migrate\`\n`,
      });
      expect(await listFiles()).toEqual([]);
    },
  );

  it('is where `migrate` makes both and says so, and where the first start does', async () => {
    expect(await cli('migrate')).toMatchObject({
      code: 0,
      stdout: `${folder.path}/catalogue.db made\n${folder.path}/accounts.db made\nboth databases are at this version\n`,
    });
    expect(await cli('migrate')).toMatchObject({ stdout: 'both databases are at this version\n' });
    expect(await cli('ledger', 'verify')).toMatchObject({ code: 0 });
    const empty = join(folder.path, 'new');
    await mkdir(empty);
    await start({ DATA_DIR: empty });
    expect(await readdir(empty)).toEqual(expect.arrayContaining(['accounts.db', 'catalogue.db']));
  });

  it('that somebody named and that is not there is no first start: only `migrate` makes it', async () => {
    const wrong = join(folder.path, 'hosue');
    const said = `there is no folder ${wrong}, which DATA_DIR names: correct it, or make the folder where a new installation is to be (\`migrate\` does)`;
    await expect(start({ DATA_DIR: wrong })).rejects.toThrow(said);
    expect(await listFiles()).toEqual([]);
    expect(await runHere({ DATA_DIR: wrong }, 'migrate')).toMatchObject({ code: 0 });
    await start({ DATA_DIR: wrong });
  });

  it('is said aloud to have been empty, as a disk that is not mounted is an empty folder, too', async () => {
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    await (await openJobsServices(readSettings({ DATA_DIR: folder.path }), log)).close();
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: 40, msg: expect.stringMatching(/^no databases were here, new ones were made/) }),
    );
  });

  it.each(['catalogue.db', 'accounts.db'])('where a full disk left %s without a table is begun again', async (name) => {
    const hollow = await openDatabase({ url: `file:${join(folder.path, name)}`, durability: 'full' });
    for (const sql of ['PRAGMA journal_mode=WAL', 'PRAGMA user_version=1']) await hollow.read({ sql });
    await hollow.close();
    expect(await cli('ledger', 'verify')).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no') });
    await start();
  });

  it('may hold what a first start left that was killed, and files that are none of ours', async () => {
    await (await makeDatabase(folder.path, 'catalogue')).close();
    await writeFile(join(folder.path, 'accounts.db'), '');
    for (const name of ['secret', 'notes.txt']) await writeFile(join(folder.path, name), 'x');
    await mkdir(join(folder.path, 'lost+found'));
    await start();
  });
});

describe('an accounts database that is missing', () => {
  const missing = (why: string) =>
    `there is no accounts database at ${folder.path}/accounts.db, although ${why}. It holds customers, keys and credits: set ACCOUNTS_URL or DATA_DIR to where it lies, or restore a backup; \`migrate --create\` makes an empty one`;

  it('beside a catalogue in use stops every process, and every command that uses it', async () => {
    await use();
    await lose('accounts.db');
    const before = await listFiles();
    const said = missing(`the catalogue at ${folder.path}/catalogue.db has been filled`);
    for (const args of [['ledger', 'verify'], ['status'], ['migrate'], ['account', 'create', 'x']])
      expect(await cli(...args)).toMatchObject({ code: 1, stdout: '', stderr: `${said}\n` });
    await expect(start()).rejects.toThrow(said);
    await writeFile(join(folder.path, 'accounts.db'), '');
    await expect(start()).rejects.toThrow(said);
    await lose('accounts.db');
    expect(await listFiles()).toEqual(before);
    expect(await cli('migrate', '--create')).toMatchObject({
      stdout: expect.stringContaining('accounts.db made\n'),
      code: 0,
    });
    await start();
  });

  it.each(['accounts.db-wal', 'accounts.db.2026-11-21', 'search.0123456789ab.db', 'exports/ex_1.csv'])(
    'where %s shows that there was one is not made again',
    async (left) => {
      await mkdir(join(folder.path, 'exports'));
      await writeFile(join(folder.path, left), 'something');
      await expect(start()).rejects.toThrow(`although ${join(folder.path, left)} is there`);
      expect((await cli('migrate')).stderr).toContain(`although ${join(folder.path, left)} is there`);
    },
  );

  it('is made by no API process, which says what it waited for', async () => {
    const url = `file:${folder.path}/accounts.db`;
    const open = () => openDatabase({ url, durability: 'full', mustExist: true });
    const [said, opened] = await new Promise<[string, Promise<Database>]>((resolve) => {
      const waiting = awaitMigrated(open, 'accounts', (each) => resolve([each, waiting]), 250);
    });
    expect(said).toBe(
      `waiting for the accounts database, which the jobs process makes ready: there is no database at ${folder.path}/accounts.db`,
    );
    expect(await listFiles()).toEqual([]);
    await (await makeDatabase(folder.path, 'accounts')).close();
    await (await opened).close();
  });
});

describe('an accounts database of two instants, as a copy of a running installation may be', () => {
  /** Copies the file, then lets the service write and settle what it wrote, then copies its log. */
  async function tear(settles: boolean): Promise<void> {
    const live = await makeFolder();
    const accounts = await makeDatabase(live.path, 'accounts');
    const add = (from: number, rows: number) =>
      accounts.write([
        {
          sql: `WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 + ?2)
            INSERT INTO account (id, name, created_at) SELECT 'acc_' || i, printf('%.200c', 'x'), '${AT}' FROM n`,
          args: [from, rows],
        },
      ]);
    const settle = () => accounts.read({ sql: 'PRAGMA wal_checkpoint(TRUNCATE)' });
    await add(1, 20);
    await settle();
    await copyFile(join(live.path, 'accounts.db'), join(folder.path, 'accounts.db'));
    await add(1_000, 3_000);
    if (settles) await settle();
    await add(5_000, 50);
    await copyFile(join(live.path, 'accounts.db-wal'), join(folder.path, 'accounts.db-wal'));
    await accounts.close();
    await live.remove();
    await (await makeDatabase(folder.path, 'catalogue')).close();
  }

  it('is found before anybody is billed by it, and by `ledger verify`', async () => {
    await tear(true);
    const said = /accounts\.db is damaged/;
    await expect(start()).rejects.toThrow(said);
    expect(await cli('ledger', 'verify')).toMatchObject({ code: 1, stderr: expect.stringMatching(said) });
  });

  it('is whole where a process was killed, and begins', async () => {
    await tear(false);
    await start();
    expect(await cli('account', 'list')).toMatchObject({ code: 0, stdout: expect.stringContaining('acc_5050') });
  });
});

it('a catalogue that is missing beside accounts in use is said, too', async () => {
  await use();
  await lose('catalogue.db');
  const said = `there is no catalogue at ${folder.path}/catalogue.db, although the accounts database at ${folder.path}/accounts.db has customers.`;
  expect((await cli('runs')).stderr).toContain(said);
  await expect(start()).rejects.toThrow(said);
  expect(await cli('migrate', '--create')).toMatchObject({ code: 0 });
  await start();
});

it.each([
  ['CATALOGUE_URL', ['ledger', 'verify']],
  ['CATALOGUE_URL', ['account', 'create', 'b']],
  ['CATALOGUE_URL', ['watches', 'list']],
  ['ACCOUNTS_URL', ['runs']],
  ['ACCOUNTS_URL', ['quarantine', 'list']],
])('where the server of %s is away, %j does without it; `status` uses both', async (name, args) => {
  await use();
  const settings = { DATA_DIR: folder.path, [name]: `http://127.0.0.1:${await findFreePort()}` };
  expect(await runHere(settings, ...args)).toMatchObject({ code: 0, stderr: '' });
  expect(await runHere(settings, 'status')).toMatchObject({ code: 1, stderr: expect.stringMatching(/127\.0\.0\.1/) });
});

it('a setting that names another database is said, and nothing is written there', async () => {
  await use();
  const other = await openDatabase({ url: `file:${folder.path}/other.db`, durability: 'normal' });
  await other.write([{ sql: 'CREATE TABLE theirs (x)' }]);
  await other.close();
  for (const [name, file, what] of [
    ['ACCOUNTS_URL', 'catalogue.db', 'accounts database'],
    ['CATALOGUE_URL', 'accounts.db', 'catalogue'],
    ['ACCOUNTS_URL', 'other.db', 'accounts database'],
  ] as const) {
    const settings = { DATA_DIR: join(folder.path, name), [name]: `file:${folder.path}/${file}` };
    expect(await runHere(settings, 'migrate', '--create')).toMatchObject({
      code: 1,
      stderr: `${folder.path}/${file} is another database, and no ${what}\n`,
    });
  }
});

it('a database whose file was moved, removed or replaced under a process is not ready', async () => {
  const file = join(folder.path, 'accounts.db');
  const accounts = await makeDatabase(folder.path, 'accounts');
  const look = () => findDatabaseFault(accounts, 'accounts', { writable: true });
  expect(await look()).toBe(null);
  await rename(file, `${file}.away`);
  expect(await look()).toMatch(/^accounts: its file was moved, removed or replaced/);
  await writeFile(file, 'another');
  expect(await look()).toMatch(/^accounts: its file was moved, removed or replaced/);
  await rm(file);
  await rename(`${file}.away`, file);
  expect(await look()).toBe(null);
  await accounts.close();
});
