import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { copyFile, readdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pendingMigrations } from '../../schema/db/migrate.ts';
import { openDatabase } from '../../schema/db/open.ts';
import { END_SIGNALS } from '../../schema/process/end-signals.ts';
import { scriptArguments } from '../support/compiled.ts';
import { makeFolder } from '../support/databases.ts';
import { makeEnvironment } from '../support/environment.ts';
import { runCli } from '../support/run-command.ts';
import { LIMITS_MS } from '../support/time-limits.ts';
import { upstreamSettings } from '../upstream/settings.ts';

/** Nothing listens there. */
const DEAD = 'http://127.0.0.1:9';
const UPSTREAM = upstreamSettings(DEAD);

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => folder.remove());

function start(name: string, environment: Record<string, string>) {
  const ports = { PORT: '0', PRIVATE_PORT: '0', JOBS_PRIVATE_PORT: '0', DRAIN_SECONDS: '0' };
  const env = makeEnvironment({ DATA_DIR: folder.path, ...ports, ...environment });
  const child = spawn(process.execPath, scriptArguments(`jobs/${name}.ts`), { env });
  const said = { out: '', err: '' };
  child.stdout.on('data', (bytes: Buffer) => {
    said.out += bytes;
  });
  child.stderr.on('data', (bytes: Buffer) => {
    said.err += bytes;
  });
  const ended = once(child, 'close').then(([code]) => code as number);
  const until = async (pattern: RegExp) => {
    while (!pattern.test(said.out)) {
      if (child.exitCode !== null) throw new Error(said.out + said.err);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return pattern.exec(said.out)?.[1] ?? '';
  };
  return { child, said, ended, until };
}

it('the jobs process migrates, answers its operator, and on SIGTERM gives its leases back', async () => {
  const jobs = start('main', UPSTREAM);
  const url = await jobs.until(/"private":"(http[^"]+)"/);
  await jobs.until(/missed its time/);
  const ask = (path: string) => fetch(url + path).then(async (answer) => [answer.status, await answer.text()] as const);
  expect(await ask('/healthz')).toEqual([200, 'ok\n']);
  // Its jobs have just begun: on a loaded machine they may hold a database for longer than this answer waits.
  const isReady = async () => expect(await ask('/readyz')).toEqual([200, expect.stringMatching(/^ready\n/)]);
  await vi.waitFor(isReady, LIMITS_MS.wait);
  const [, metrics] = await ask('/metrics');
  for (const line of [
    'jobs_active{job="ingest:find_a_tender"}',
    'catalogue_releases{source="find_a_tender"} 0',
    'exports_waiting 0',
  ])
    expect(metrics).toContain(line);
  expect((await ask('/elsewhere'))[0]).toBe(404);
  jobs.child.kill('SIGTERM');
  expect(await jobs.ended).toBe(0);
  expect(jobs.said.out).toContain('"msg":"stopped"');
  const catalogue = await openDatabase({ url: `file:${folder.path}/catalogue.db`, durability: 'normal' });
  expect(await catalogue.read({ sql: 'SELECT * FROM lease' })).toEqual([]);
  expect(await catalogue.read({ sql: "SELECT * FROM run WHERE state = 'running'" })).toEqual([]);
  await catalogue.close();
});

/** Every database and index of a folder, none with anything left in its log. */
const NO_LOGS = { 'accounts.db': 0, 'catalogue.db': 0, search: 0, contracts: 0 };

it.each(END_SIGNALS)(
  'the production start answers, and ends both processes and every database whole on %s',
  async (signal) => {
    const jobs = start('start', UPSTREAM);
    const url = await jobs.until(/"public":"(http[^"]+)"/);
    expect((await fetch(`${url}/v1/status`)).status).toBe(200);
    await jobs.until(/missed its time/);
    jobs.child.kill(signal);
    expect(await jobs.ended).toBe(0);
    expect(jobs.said.out.match(/"msg":"stopped"/g)).toHaveLength(2);
    expect(await readLogSizes(folder.path)).toEqual(NO_LOGS);
    for (const name of ['catalogue', 'accounts'] as const) {
      const copy = join(folder.path, `copy-${name}`);
      await copyFile(join(folder.path, `${name}.db`), copy);
      const database = await openDatabase({ url: `file:${copy}`, durability: 'normal' });
      expect(await pendingMigrations(database, name)).toEqual([]);
      await database.close();
    }
  },
);

it('a command of the command line leaves no log behind either', async () => {
  expect(await runCli({ DATA_DIR: folder.path }, 'migrate')).toMatchObject({ code: 0 });
  expect(await runCli({ DATA_DIR: folder.path }, 'search', 'sync')).toMatchObject({ code: 0 });
  expect(await readLogSizes(folder.path)).toEqual(NO_LOGS);
});

/** Bytes in the write-ahead log of each database of a folder, but for the columns of the summaries: those read over a log, and can be made again. */
async function readLogSizes(path: string): Promise<Record<string, number>> {
  const files = (await readdir(path)).filter((name) => name.endsWith('.db') && !name.startsWith('columns.')).sort();
  const sizes = files.map((name) => {
    const log = statSync(join(path, `${name}-wal`), { throwIfNoEntry: false });
    return [name.replace(/\.[0-9a-f]{12}(-\d+)?\.db$/, ''), log?.size ?? 0] as const;
  });
  return Object.fromEntries(sizes);
}

it('the production start ends when one of its processes cannot go on, with its code', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const jobs = start('start', { ...UPSTREAM, JOBS_PRIVATE_PORT: String(port) });
  expect(await jobs.ended).toBe(1);
  expect(jobs.said.err).toContain(`JOBS_PRIVATE_PORT: expected a free port, ${port} is taken`);
  taken.close();
});

it.each(END_SIGNALS)('the jobs process ends at once on %s while it waits for a database server', async (signal) => {
  const jobs = start('main', {
    ...UPSTREAM,
    CATALOGUE_URL: DEAD,
    AUTH_SECRET: 'a secret that only this test has, of 32',
  });
  await jobs.until(/a database server does not answer yet/);
  jobs.child.kill(signal);
  expect(await jobs.ended).toBe(0);
  expect(jobs.said.err).toBe('');
});

it('the jobs process ends where its timetable cannot begin, though its port is open and jobs are at work', async () => {
  expect(await runCli({ DATA_DIR: folder.path }, 'migrate')).toMatchObject({ code: 0 });
  const catalogue = await openDatabase({ url: `file:${folder.path}/catalogue.db`, durability: 'normal' });
  await catalogue.write([{ sql: 'ALTER TABLE run RENAME COLUMN ended_at TO lost' }]);
  await catalogue.close();
  const jobs = start('main', UPSTREAM);
  expect(await jobs.ended).toBe(1);
  expect(jobs.said.out).toContain('databases at this version');
  expect(jobs.said.err).toMatch(/no such column: ended_at/);
});

it('the production start makes no folder that DATA_DIR names and that is not there, in either process', async () => {
  const wrong = join(folder.path, 'hosue');
  const jobs = start('start', { ...UPSTREAM, DATA_DIR: wrong });
  expect(await jobs.ended).toBe(1);
  expect(jobs.said.err).toContain(`there is no folder ${wrong}, which DATA_DIR names`);
  expect(await readdir(folder.path)).toEqual([]);
});

it('the production start leaves no process behind when it is killed', async () => {
  const jobs = start('start', { ...UPSTREAM, DRAIN_SECONDS: '600' });
  const url = await jobs.until(/"public":"(http[^"]+)"/);
  await jobs.until(/missed its time/);
  jobs.child.kill('SIGKILL');
  // Its output ends when the last process that writes there has ended.
  await jobs.ended;
  await expect(fetch(url)).rejects.toThrow();
  expect(jobs.said.out.match(/"msg":"stopped"/g)).toHaveLength(2);
  expect(await readLogSizes(folder.path)).toEqual(NO_LOGS);
});

it.each(['start', 'main'])(
  '%s stops at the door for a bad setting and for live ingest without a contact',
  async (name) => {
    const bad = start(name, { PORT: '99999', AS_OF: 'yesterday' });
    expect(await bad.ended).toBe(1);
    expect(bad.said.err).toBe(
      'bad settings:\n  PORT: expected a whole number from 0 to 65535, got "99999"\n  AS_OF: expected an ISO 8601 instant with a zone, got "yesterday"\n',
    );
    const anonymous = start(name, { CONTACT: '' });
    expect(await anonymous.ended).toBe(1);
    expect(anonymous.said.err).toMatch(/^CONTACT: expected an e-mail or web address, got nothing\./);
  },
);

/** Fails the first opening of a file as a system does where a process may open no more. */
const OUT_OF_FILES_ONCE = `import Module from 'node:module';
let failed = false;
const load = Module._extensions['.js'];
Module._extensions['.js'] = (module, path) => {
  if (failed || !path.endsWith('/basic-crawler.js')) return load(module, path);
  failed = true;
  throw Object.assign(new Error('EMFILE'), { code: 'EMFILE', path });
};`;

it('the jobs process ends where it cannot load what it fetches with, as no later load would succeed', async () => {
  const NODE_OPTIONS = `--import=data:text/javascript;base64,${Buffer.from(OUT_OF_FILES_ONCE).toString('base64')}`;
  const jobs = start('main', { ...UPSTREAM, NODE_OPTIONS });
  expect(await jobs.ended).toBe(1);
  expect(jobs.said.err).toMatch(/basic-crawler\.js: this process may open no more files: raise its limit/);
});
