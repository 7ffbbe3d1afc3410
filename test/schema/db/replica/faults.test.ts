import { mkdir, open as openFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { generationPath } from '../../../../schema/db/generations.ts';
import type { Database } from '../../../../schema/db/interface.ts';
import { migrate } from '../../../../schema/db/migrate.ts';
import { openDatabase } from '../../../../schema/db/open.ts';
import { takeLock } from '../../../../schema/db/process-lock.ts';
import { lockPath, readAnswering } from '../../../../schema/db/replica/files.ts';
import { makeFolder } from '../../../support/databases.ts';
import { hasLibsql, type LibsqlProcess, startLibsql } from '../../../support/libsql-process.ts';
import { LIMITS_MS } from '../../../support/time-limits.ts';
import { useMachine } from './machine.ts';

const { said, files, openHere } = useMachine();
const isHere = hasLibsql('faults of a copy of a real libSQL server that pass');
const WAIT = { timeout: LIMITS_MS.wait };
const PAGE = 4_096;

describe.skipIf(!isHere)('a copy of a libSQL server', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let server: LibsqlProcess;
  let catalogue: Database;
  beforeAll(async () => {
    folder = await makeFolder();
    server = await startLibsql({ folder: join(folder.path, 'server') });
    catalogue = await openDatabase({ url: server.url, durability: 'normal' });
    await migrate(catalogue, 'catalogue');
  });
  afterAll(async () => {
    await catalogue?.close();
    await server?.kill();
    await folder?.remove();
  });

  const untilCopied = (replica: Database) =>
    vi.waitFor(() => expect(replica.copyAge?.()).toMatchObject({ answers: true, fault: null }), WAIT);

  it('is said to be behind each time that the server goes, also where it has just been away', async () => {
    const replica = await openHere(server.url);
    await untilCopied(replica);
    said.length = 0;
    for (let times = 0; times < 3; times++) {
      await server.kill();
      await vi.waitFor(() => expect(replica.copyAge?.().fault).not.toBeNull(), WAIT);
      await server.start();
      await untilCopied(replica);
    }
    const behind = () => said.filter((words) => words.includes('not up to date'));
    await vi.waitFor(() => expect(behind()).toHaveLength(3), WAIT);
  });

  it('is said to be behind once while its state cannot be recorded, and is brought up to date all the same', async () => {
    const replica = await openHere(server.url);
    await untilCopied(replica);
    said.length = 0;
    const state = join(files().folder, 'state.json');
    // The process that keeps the copy may replace it in between; a folder it cannot replace.
    await vi.waitFor(() => rm(state, { force: true }).then(() => mkdir(state)), WAIT);
    for (const name of ['one', 'two', 'three']) {
      await catalogue.write([{ sql: 'INSERT INTO counter (name, value) VALUES (?, 1)', args: [name] }]);
      const read = () => replica.read({ sql: 'SELECT 1 FROM counter WHERE name = ?', args: [name] });
      await vi.waitFor(async () => expect(await read()).toHaveLength(1), WAIT);
    }
    expect(said.filter((words) => words.includes('not up to date'))).toEqual([expect.stringContaining('EISDIR')]);
  });

  it('is replaced where its damage could be reported only later, when its disk was well again', async () => {
    const replica = await openHere(server.url);
    await untilCopied(replica);
    const path = generationPath(files(), (await readAnswering(files())) ?? 1);
    // Nothing can be written there, as on a disk that failed.
    await symlink(join(folder.path, 'nowhere/at-all'), `${path}.damaged`);
    const [meta] = await replica.read<{ rootpage: number }>({
      sql: "SELECT rootpage FROM sqlite_master WHERE name = 'meta'",
    });
    const file = await openFile(path, 'r+');
    await file.write(Buffer.alloc(PAGE, 7), 0, PAGE, ((meta?.rootpage ?? 1) - 1) * PAGE);
    await file.close();
    await catalogue.write([{ sql: "INSERT INTO counter (name, value) VALUES ('next', 1)" }]);
    const read = () => replica.read({ sql: 'SELECT * FROM meta, counter' });
    await vi.waitFor(async () => {
      await read();
      expect(replica.copyAge?.().answers).toBe(false);
    }, WAIT);
    await rm(`${path}.damaged`);
    await untilCopied(replica);
    expect(await readAnswering(files())).toBe(2);
    expect(said.filter((words) => words.includes('is damaged'))).toHaveLength(1);
  });

  it('is read no longer where its folder was removed, and is replaced', async () => {
    const replica = await openHere(server.url);
    await untilCopied(replica);
    await rm(files().folder, { recursive: true, maxRetries: 10 });
    await mkdir(files().folder, { recursive: true });
    // Nobody makes another copy meanwhile.
    const lock = takeLock(lockPath(files()));
    await catalogue.write([{ sql: "INSERT INTO counter (name, value) VALUES ('after', 1)" }]);
    const read = () => replica.read({ sql: "SELECT 1 FROM counter WHERE name = 'after'" });
    await vi.waitFor(async () => expect(await read()).toHaveLength(1), WAIT);
    lock?.release();
    await untilCopied(replica);
    expect(await read()).toHaveLength(1);
  });
});
