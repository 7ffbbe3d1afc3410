import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { generationPath, generationUrl } from '../../../../schema/db/generations.ts';
import type { Database, Statement } from '../../../../schema/db/interface.ts';
import { migrate } from '../../../../schema/db/migrate.ts';
import { openDatabase } from '../../../../schema/db/open.ts';
import { readAnswering, readCopyState, replicaFiles } from '../../../../schema/db/replica/files.ts';
import { openReplica } from '../../../../schema/db/replica/open.ts';
import type { KeepOrder } from '../../../../schema/db/replica/process.ts';
import { extension } from '../../../../schema/process/child.ts';
import { insertInto } from '../../../search/index/notice-rows.ts';
import { makeFolder } from '../../../support/databases.ts';
import { hasLibsql, type LibsqlProcess, startLibsql } from '../../../support/libsql-process.ts';
import { LIMITS_MS } from '../../../support/time-limits.ts';
import { replaceByAnother } from './machine.ts';

const KEEPER = new URL(`../../../../schema/db/replica/process${extension()}`, import.meta.url);
const WAIT = { timeout: LIMITS_MS.wait, interval: 50 };

const isHere = hasLibsql('what a copy of a real libSQL server comes to');

let folder: Awaited<ReturnType<typeof makeFolder>>;
let server: LibsqlProcess;
let catalogue: Database;
const open: { close(): unknown }[] = [];
beforeEach(async () => {
  if (!isHere) return;
  said = [];
  folder = await makeFolder();
  server = await startLibsql({ folder: join(folder.path, 'server') });
  catalogue = await openDatabase({ url: server.url, durability: 'normal' });
  await migrate(catalogue, 'catalogue');
  await catalogue.write([insertRelease('0')]);
});
afterEach(async () => {
  if (!isHere) return;
  for (const each of open.splice(0).toReversed()) await each.close();
  await catalogue.close();
  await server.kill();
  await folder.remove();
});

const files = () => replicaFiles(join(folder.path, 'machine'));
const copyPath = async () => generationPath(files(), (await readAnswering(files())) ?? 1);
let said: string[] = [];

async function openMachine(): Promise<Database> {
  const say = (_level: string, message: string) => void said.push(message);
  const dataDir = join(folder.path, 'machine');
  const replica = await openReplica({ dataDir, server: { url: server.url }, say, everyMs: 50, lookEveryMs: 25 });
  open.push(replica);
  await vi.waitFor(() => expect(replica.copyAge?.()).toMatchObject({ answers: true, fault: null }), WAIT);
  return replica;
}

function insertRelease(id: string): Statement {
  return insertInto('release', {
    ocid: `ocds-${id}`,
    release_id: id,
    digest: id,
    source: 'find_a_tender',
    body: Buffer.alloc(2_000, id),
    page_sha256: '',
    date: '2026-11-21T12:00:00Z',
    fetched_at: '2026-11-21T12:00:00Z',
  });
}

/** What a lease leaves: in two histories the same row of the same page with another token. */
const takeLease = () =>
  catalogue.write([
    {
      sql: "INSERT OR REPLACE INTO lease (name, token, holder, expires_at) VALUES ('x', hex(randomblob(16)), '', 1)",
    },
  ]);

const CONTENT = `SELECT (SELECT count(*) FROM release) AS releases, (SELECT group_concat(release_id) FROM release) AS ids,
  (SELECT max(token) FROM lease) AS token`;
const readContent = async (database: Database) => (await database.read<{ ids: string }>({ sql: CONTENT }))[0];

/** Waits until a machine's copy answers what the server holds. */
async function untilSame(replica: Database): Promise<void> {
  await vi.waitFor(async () => {
    expect(replica.copyAge?.()).toMatchObject({ answers: true, fault: null });
    expect(await readContent(replica)).toEqual(await readContent(catalogue));
  }, WAIT);
  const [row] = await replica.read<{ quick_check: string }>({ sql: 'PRAGMA quick_check' });
  expect(row?.quick_check).toBe('ok');
}

async function putBack(older: string): Promise<void> {
  await server.stop();
  await rm(join(folder.path, 'server'), { recursive: true });
  await cp(older, join(folder.path, 'server'), { recursive: true });
  await server.start();
}

async function copyServer(): Promise<string> {
  const older = join(folder.path, 'older');
  await server.stop();
  await cp(join(folder.path, 'server'), older, { recursive: true });
  await server.start();
  return older;
}

describe.skipIf(!isHere)('a copy of a libSQL server', () => {
  it('is a file that follows the server and has a version', async () => {
    const replica = await openMachine();
    expect(replica.url).toMatch(/^file:.*replica\/catalogue\.db$/);
    const before = replica.version?.();
    await pause(500);
    // A look without news leaves what was made from it.
    expect(replica.version?.()).toBe(before);
    await catalogue.write([insertRelease('1')]);
    await untilSame(replica);
    expect(replica.version?.()).not.toBe(before);
    await expect(replica.write([insertRelease('2')])).rejects.toThrow(/readonly/);
  });

  it('answers while the server is away or hangs, says so, and continues as the same copy', async () => {
    const replica = await openMachine();
    await server.stop();
    await vi.waitFor(() => expect(replica.copyAge?.().fault).toMatch(/ECONNREFUSED/), WAIT);
    expect((await readContent(replica))?.ids).toBe('0');
    const before = replica.copyAge?.().seconds ?? 0;
    await vi.waitFor(() => expect(replica.copyAge?.().seconds).toBeGreaterThan(before), WAIT);
    await server.start();
    await catalogue.write([insertRelease('1')]);
    await untilSame(replica);
    server.hang();
    await vi.waitFor(() => expect(replica.copyAge?.().fault).toMatch(/no answer within 5 s/), WAIT);
    expect((await readContent(replica))?.ids).toBe('0,1');
    server.goOn();
    await catalogue.write([insertRelease('2')]);
    await untilSame(replica);
    expect([await readAnswering(files()), said]).toEqual([
      1,
      expect.not.arrayContaining([expect.stringMatching(/copied again/)]),
    ]);
  });

  it('is made again, next to the one that answers, of a server that was killed', async () => {
    const replica = await openMachine();
    await server.kill();
    await server.start();
    await catalogue.write([insertRelease('1')]);
    await untilSame(replica);
    expect(await readAnswering(files())).toBe(2);
    expect(said).toContainEqual(expect.stringMatching(/the server began another log since/));
  });

  it('is made again of a server that was restored to an older state, seen at once', async () => {
    const older = await copyServer();
    const replica = await openMachine();
    await catalogue.write([insertRelease('lost')]);
    await untilSame(replica);
    await putBack(older);
    await untilSame(replica);
    expect((await readContent(replica))?.ids).toBe('0');
    // Its pages do not say so where what was lost is on others.
    expect(said).toContainEqual(expect.stringMatching(/restored to an older state/));
  });

  it.each([
    ['a release', () => catalogue.write([insertRelease(`of-${Math.random()}`)])],
    ['a lease', takeLease],
  ])('and of one that went further since, with %s, while nobody looked', async (_what, change) => {
    const older = await copyServer();
    const first = await openMachine();
    await change();
    await untilSame(first);
    await open.pop()?.close();
    await putBack(older);
    for (let turn = 0; turn < 3; turn++) await change();
    await untilSame(await openMachine());
    expect(await readAnswering(files())).toBe(2);
  });

  it('stays where the server comes back empty', async () => {
    const replica = await openMachine();
    await server.stop();
    await rm(join(folder.path, 'server'), { recursive: true });
    await server.start();
    await vi.waitFor(() => expect(replica.copyAge?.().fault).toMatch(/holds no database yet/), WAIT);
    await migrate(catalogue, 'catalogue');
    await vi.waitFor(() => expect(replica.copyAge?.().fault).toMatch(/came back with an empty catalogue/), WAIT);
    expect((await readContent(replica))?.ids).toBe('0');
    await catalogue.write([insertRelease('again')]);
    await untilSame(replica);
    expect((await readContent(replica))?.ids).toBe('again');
  });

  it.each([
    ['cut', async (path: string) => truncate(path, 100_000)],
    ['no database', async (path: string) => writeFile(path, 'x'.repeat(100_000))],
    ['damaged', async (path: string) => writeFile(path, (await readFile(path)).fill(7, 8_192, 12_288))],
    ['gone', async (path: string) => rm(path)],
    ['without its mark', async (path: string) => rm(`${path}-client_wal_index`)],
    ['with half a mark', async (path: string) => truncate(`${path}-client_wal_index`, 20)],
    ['of another database', replaceByAnother],
  ])('is made again where its file is %s', async (_what, spoil) => {
    await openMachine();
    const path = await copyPath();
    await open.pop()?.close();
    await spoil(path);
    const replica = await openMachine();
    await catalogue.write([insertRelease('1')]);
    await untilSame(replica);
    expect(await copyPath()).not.toBe(path);
  });

  it('is whole after its process was killed again and again in the middle of a sync', async () => {
    // A server that is written without end may have no snapshot for a copy that begins.
    await (await openMachine()).close();
    open.length = 0;
    let [isWriting, written] = [true, 0];
    const writing = (async () => {
      while (isWriting) {
        const batch = Array.from({ length: 50 }, () => insertRelease(`${++written}`));
        await catalogue.write(batch);
      }
    })();
    const order: KeepOrder = { files: files(), server: { url: server.url }, everyMs: 10 };
    for (let turn = 0; turn < 8; turn++) {
      const keeper = fork(KEEPER, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      keeper.send(order);
      await pause(500 + Math.random() * 500);
      const ended = once(keeper, 'exit');
      keeper.kill('SIGKILL');
      await ended;
      const number = (await readAnswering(files())) ?? 1;
      const copy = await openDatabase({ url: generationUrl(files(), number), durability: 'normal', readOnly: true });
      const [row] = await copy.read<{ quick_check: string }>({ sql: 'PRAGMA quick_check' });
      expect(row?.quick_check).toBe('ok');
      await copy.close();
    }
    isWriting = false;
    await writing;
    await untilSame(await openMachine());
    expect(await readAnswering(files())).toBe(1);
    expect((await readCopyState(files())).syncedAt).not.toBeNull();
  });
});
