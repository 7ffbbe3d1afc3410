import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../../schema/db/open.ts';
import { LATE_OPTIMISING } from '../../../schema/process/child.ts';
import { findCompiled } from '../../support/compiled.ts';
import { makeFolder } from '../../support/databases.ts';
import { makeEnvironment } from '../../support/environment.ts';
import { ROOT } from '../../support/source-files.ts';

/** The program as it is, and the same with a later migration of each database, both as built. */
const programs = { older: '', newer: '' };
let built: Awaited<ReturnType<typeof makeFolder>>;
let folder: Awaited<ReturnType<typeof makeFolder>>;

beforeAll(async () => {
  built = await makeFolder();
  programs.older = dirname(dirname(findCompiled('jobs/main.ts') ?? ''));
  programs.newer = join(built.path, 'newer');
  for (const room of ['schema', 'ingest', 'search', 'api', 'jobs', 'package.json'])
    await cp(join(programs.older, room), join(programs.newer, room), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(programs.newer, 'node_modules'));
  await addMigration('accounts', 'ALTER TABLE account ADD COLUMN later TEXT');
  await addMigration('catalogue', 'CREATE TABLE later (id TEXT PRIMARY KEY)');
});
afterAll(() => built?.remove());
beforeEach(async () => {
  folder = await makeFolder();
  return folder.remove;
});

async function addMigration(name: string, sql: string): Promise<void> {
  const migrations = join(programs.newer, 'schema/migrations', name);
  const file = join(migrations, 'meta/_journal.json');
  const journal = JSON.parse(await readFile(file, 'utf8')) as { entries: { idx: number; tag: string }[] };
  journal.entries.push({ idx: journal.entries.length, tag: '9999_later' });
  await writeFile(file, JSON.stringify(journal));
  await writeFile(join(migrations, '9999_later.sql'), sql);
}

async function run(program: keyof typeof programs, script: string, ...args: string[]) {
  const ports = { PORT: '0', PRIVATE_PORT: '0', JOBS_PRIVATE_PORT: '0', JOBS_ENABLED: 'false' };
  const env = makeEnvironment({ DATA_DIR: folder.path, ...ports });
  const child = spawn(process.execPath, [...LATE_OPTIMISING, join(programs[program], script), ...args], { env });
  const said = { out: '', err: '' };
  child.stdout.on('data', (bytes: Buffer) => {
    said.out += bytes;
  });
  child.stderr.on('data', (bytes: Buffer) => {
    said.err += bytes;
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, ...said };
}

let copies = 0;
/** Of a database that no process has open, which is whole in its one file. */
async function makeCopy(name: string): Promise<string> {
  copies += 1;
  const copy = join(built.path, `${copies}.db`);
  await cp(join(folder.path, `${name}.db`), copy);
  return copy;
}

async function readBoth(): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const name of ['accounts', 'catalogue']) {
    // A copy: the driver lets go of a file only later, and `restore` refuses one that is open.
    const database = await openDatabase({ url: `file:${await makeCopy(name)}`, durability: 'normal' });
    all.push(await database.read({ sql: 'SELECT tag FROM migration' }));
    all.push(await database.read({ sql: "SELECT name, sql FROM sqlite_master WHERE type = 'table'" }));
    if (name === 'accounts') all.push(await database.read({ sql: 'SELECT id, balance FROM account ORDER BY id' }));
    await database.close();
  }
  return all;
}

/** The start command runs two processes: the second may say it too before the first has ended both. */
const NEWER =
  /^(?:the (?:catalogue|accounts) database is of a newer program \(9999_later\): start that program, or put a backup of before the upgrade in its place\n){1,2}$/;

it('an older program refuses what a newer one migrated, and writes nothing to it', async () => {
  const backup = join(built.path, 'before.db');
  expect(await run('older', 'jobs/cli/main.js', 'migrate')).toMatchObject({ code: 0 });
  expect(await run('older', 'jobs/cli/main.js', 'account', 'create', 'a')).toMatchObject({ code: 0 });
  expect(await run('older', 'jobs/cli/main.js', 'backup', backup)).toMatchObject({ code: 0 });
  const before = await readBoth();
  expect(await run('newer', 'jobs/cli/main.js', 'migrate')).toMatchObject({ code: 0 });
  expect(await run('newer', 'jobs/cli/main.js', 'account', 'create', 'b')).toMatchObject({ code: 0 });
  const upgraded = await readBoth();
  for (const [script, ...args] of [
    ['jobs/start.js'],
    ['api/main.js'],
    ['jobs/cli/main.js', 'migrate'],
    ['jobs/cli/main.js', 'ledger', 'verify'],
  ] as const) {
    const refused = await run('older', script, ...args);
    expect([script, refused.code, refused.err]).toEqual([script, 1, expect.stringMatching(NEWER)]);
  }
  const copy = await run('older', 'jobs/cli/main.js', 'backup', '--catalogue', join(built.path, 'x'));
  expect(copy).toMatchObject({ code: 1, err: expect.stringMatching(NEWER) });
  expect(await readBoth()).toEqual(upgraded);

  const restored = await run('older', 'jobs/cli/main.js', 'restore', backup, '--force');
  expect(restored).toMatchObject({
    err: '',
    code: 0,
    out: expect.stringContaining('restored and proved: 1 account holds 250'),
  });
  const [tags, tables, balances] = await readBoth();
  expect([tags, tables, balances]).toEqual(before.slice(0, 3));
});
