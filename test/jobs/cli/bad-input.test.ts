import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sources } from '../../../ingest/sources/index.ts';
import { describeFault } from '../../../jobs/startup/front-door.ts';
import { ingestSource } from '../../../jobs/tasks/run.ts';
import { AS_OF, makeData, makeNotices, makeRegisterRow } from '../../ingest/small-world.ts';
import { scriptArguments } from '../../support/compiled.ts';
import { makeEnvironment } from '../../support/environment.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { runCli, runHere } from '../../support/run-command.ts';
import { ROOT } from '../../support/source-files.ts';
import type { Fault } from '../../upstream/faults.ts';
import { startUpstream, type Upstream } from '../../upstream/server.ts';
import { upstreamSettings } from '../../upstream/settings.ts';

const HOUR_MS = 3_600_000;
const NOBODY = 65_534;
/** A user who is not root, to whom the modes of files mean nothing. */
const SOMEBODY = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
const READ = ['-e', 'fs.accessSync(process.argv[1])', join(ROOT, 'node_modules')];
const isOpen = spawnSync(process.execPath, READ, { ...SOMEBODY, cwd: '/' }).status === 0;
if (!isOpen) console.warn('the folder of this project is closed to other users: what these are told is skipped');
let upstream: Upstream;
let built: Awaited<ReturnType<typeof makeJobServices>>;
let environment: Record<string, string>;
beforeAll(async () => {
  const data = makeData({
    findATender: makeNotices(300, HOUR_MS / 10),
    bulk: [makeRegisterRow('01234567', 'ONE LIMITED'), makeRegisterRow('07654321', 'TWO LIMITED')],
  });
  upstream = await startUpstream({ data, bulkParts: 1 });
  environment = {
    ...upstreamSettings(upstream.url),
    AS_OF: AS_OF.toISOString(),
    LOG_LEVEL: 'silent',
  };
  built = await makeJobServices(environment);
});
afterAll(async () => {
  await built.close();
  await upstream.close();
});
afterEach(() => upstream.setFaults([]));

const here = (folder: string, ...args: string[]) => runHere({ ...environment, DATA_DIR: folder }, ...args);
const ingest = (...args: string[]) => here(built.folder, 'ingest', 'find-a-tender', ...args);
const count = async (table: string) =>
  (await built.services.catalogue.read<{ n: number }>({ sql: `SELECT count(*) AS n FROM ${table}` }))[0]?.n;
const isLine = (text: string) => expect(text).toMatch(/^[^\n]+\n$/);

describe('a disk that is full', () => {
  it('ends the run with a sentence, loses nothing, and the next run heals', async () => {
    const { catalogue } = built.services;
    const [size] = await catalogue.read<{ page_count: number }>({ sql: 'PRAGMA page_count' });
    await catalogue.read({ sql: `PRAGMA max_page_count = ${(size?.page_count ?? 0) + 20}` });
    const outcome = await ingestSource(built.services, 'find_a_tender').then(
      (done) => (done.acquired ? String(done.result.error) : done.holder),
      (error: unknown) => describeFault(error),
    );
    expect(outcome).toMatch(
      /^the disk is full: nothing of this was written to .*catalogue\.db\. Make room and run it again/,
    );
    expect(await count("cursor WHERE value >= '2026-11-20T12:00:00Z'")).toBe(0);
    await catalogue.read({ sql: 'PRAGMA max_page_count = 1073741823' });
    expect(await ingestSource(built.services, 'find_a_tender')).toMatchObject({ result: { state: 'succeeded' } });
    expect(await count('release')).toBe(300);
    expect(await count("run WHERE state = 'running'")).toBe(0);
  });
});

describe('a database that cannot be used', () => {
  it('locked by another process for too long: says which, and exits; commands that only read still answer', async () => {
    await here(built.folder, 'migrate');
    const url = `file:${join(built.folder, 'catalogue.db')}`;
    const locker = spawn(process.execPath, [...scriptArguments('test/jobs/cli/lock-database.ts'), url], {
      env: makeEnvironment({}),
    });
    await once(locker.stdout, 'data');
    const answer = await ingest('--again');
    for (const looking of [['status'], ['runs'], ['quarantine', 'list'], ['takedown', 'list']])
      expect(await here(built.folder, ...looking)).toMatchObject({ code: 0, stderr: '' });
    locker.stdin.end();
    await once(locker, 'close');
    expect(answer).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/the database is held by another process: .*catalogue\.db\n$/),
    });
    isLine(answer.stderr);
    expect(await ingest('--again')).toMatchObject({ code: 0 });
  });

  it('that is no database, or a damaged one: says which file, and leaves it as it is', async () => {
    for (const [name, message] of [
      ['garbage', /^\/.*garbage\/catalogue\.db is not a database\. Move it away, or put a backup in its place/],
      [
        'damaged',
        /^\/.*damaged\/catalogue\.db is damaged, unless its disk only failed just now .*\. Put a backup in its place/,
      ],
    ] as const) {
      const folder = join(built.folder, name);
      await mkdir(folder);
      const file = join(folder, 'catalogue.db');
      if (name === 'garbage') await writeFile(file, 'certainly no database '.repeat(500));
      else await damage(file);
      const answer = await here(folder, 'ingest', 'find-a-tender');
      expect(answer).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
      isLine(answer.stderr);
    }
  });

  it.skipIf(!isOpen)('in a folder that cannot be written: says where', async () => {
    const folder = join(built.folder, 'sealed');
    await mkdir(folder);
    await chmod(folder, 0o555);
    await chmod(built.folder, 0o755);
    const answer = await runAsSomebody({ ...environment, DATA_DIR: folder }, 'migrate');
    expect(answer).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^\/.*sealed\/exports: this user may not read and write there \(EACCES\)\n$/),
    });
    // Where this user may not look, nothing is said to be missing.
    await chmod(folder, 0o000);
    expect(await runAsSomebody({ ...environment, DATA_DIR: folder }, 'status')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^\/.*sealed: this user may not read and write there \(EACCES\)\n$/),
    });
    // An installation that another user began.
    const exports = join(built.folder, 'begun', 'exports');
    await mkdir(exports, { recursive: true });
    await chmod(join(built.folder, 'begun'), 0o777);
    await chmod(exports, 0o555);
    expect(await runAsSomebody({ ...environment, DATA_DIR: join(built.folder, 'begun') }, 'migrate')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^\/.*begun\/exports: this user may not read and write there \(EACCES\)\n$/),
    });
    const file = join(built.folder, 'a-file');
    await writeFile(file, '');
    expect(await here(join(file, 'data'), 'migrate')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/there is a file where a folder should be/),
    });
  });
});

it.skipIf(!isOpen)(
  'databases that this user may read and not write: says so in a line, whatever the driver calls it',
  async () => {
    const folder = join(built.folder, 'theirs');
    await mkdir(folder);
    await here(folder, 'migrate');
    await chmod(built.folder, 0o755);
    await chmod(folder, 0o755);
    for (const name of ['catalogue.db', 'accounts.db']) {
      for (const end of ['-wal', '-shm']) await rm(join(folder, name + end), { force: true });
      await chmod(join(folder, name), 0o644);
    }
    for (const args of [['status'], ['ledger', 'verify'], ['migrate']]) {
      const answer = await runAsSomebody({ ...environment, DATA_DIR: folder }, ...args);
      expect(answer).toMatchObject({ code: 1, stderr: expect.stringContaining('read-only to this user') });
      isLine(answer.stderr);
    }
  },
);

describe('an upstream at fault, seen from the command line', () => {
  const fault = (path: RegExp, kind: Fault) => upstream.setFaults([{ path, fault: kind }]);

  it('a zip that ends early changes nothing, and the next run heals', async () => {
    fault(/\.zip/, { kind: 'half' });
    const answer = await here(built.folder, 'ingest', 'companies-house');
    expect(answer).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^companies-house: .*\.zip is (not a whole zip archive|damaged).*\n$/),
    });
    expect(await count('registered_company')).toBe(0);
    upstream.setFaults([]);
    expect(await here(built.folder, 'ingest', 'companies-house')).toMatchObject({ code: 0 });
    expect(await count('registered_company')).toBe(2);
  });

  it('an address that refuses: the reason, the address, and where to look', async () => {
    fault(/ocdsReleasePackages/, { kind: 'status', status: 400 });
    const answer = await ingest('--again');
    expect(answer).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^find-a-tender: http:\/\/127.*: refused \(400\)\n$/),
    });
    expect((await here(built.folder, 'runs', '--failed', '--limit', '1')).stdout).toContain('refused (400)');
  });
});

describe('a command line that makes no sense', () => {
  it.each([
    ['in the future', ['--since', '2030-01-01'], '--since must not lie in the future\n'],
    ['back to front', ['--since', '2026-11-02', '--until', '2026-11-01'], '--since must not be after --until\n'],
  ])('a span %s', async (_name, args, stderr) => {
    const before = upstream.requests.length;
    expect(await ingest(...args)).toMatchObject({ code: 2, stderr });
    for (const command of ['coverage', 'witness'])
      expect(await here(built.folder, command, ...args)).toMatchObject({ code: 2, stderr });
    expect(upstream.requests.length).toBe(before);
  });

  it('exits with 2 and a line, as a process', async () => {
    const answer = await runCli({ ...environment, DATA_DIR: built.folder }, 'runs', '--source', 'ted');
    expect(answer).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Expected ${sources.map(({ cliName }) => cliName).join(', ')}.`),
    });
  });
});

/** A whole catalogue whose pages after the first were overwritten. */
async function damage(file: string): Promise<void> {
  await built.services.catalogue.read({ sql: 'PRAGMA wal_checkpoint(TRUNCATE)' });
  await copyFile(join(built.folder, 'catalogue.db'), file);
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(400_000, 0x5a), 0, 400_000, 4_096);
  await handle.close();
}

/** One command as a user who is not root. */
async function runAsSomebody(settings: Record<string, string>, ...args: string[]) {
  const env = { ...makeEnvironment(settings), HOME: '/tmp', TMPDIR: '/tmp' };
  const child = spawn(process.execPath, [...scriptArguments('jobs/cli/main.ts'), ...args], { env, ...SOMEBODY });
  let stderr = '';
  child.stderr.on('data', (bytes: Buffer) => {
    stderr += bytes;
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, stderr };
}
