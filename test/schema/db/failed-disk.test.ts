import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../schema/db/open.ts';
import { scriptArguments } from '../../support/compiled.ts';
import { makeFolder } from '../../support/databases.ts';
import { makeEnvironment } from '../../support/environment.ts';
import { createNamespace, hasLibsql, startLibsql } from '../../support/libsql-process.ts';

const canTrace = spawnSync('strace', ['-f', '--seccomp-bpf', '-o', '/dev/null', 'true']).status === 0;
if (!canTrace) console.warn('failed-disk.test: no strace that works here, so no disk fails.');

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

const open = (path: string) => openDatabase({ url: `file:${path}`, durability: 'full' });

type Call = 'fsync' | 'pread64' | 'pwrite64';

/**
 * A file with one row is read, or a second one is written to it, by a process for which a call of the system fails on the file's log,
 * and which is then killed. Returns what it said, and the rows that the next to open the file finds.
 */
async function useWhile(use: 'read' | 'write', call: Call, fault: string) {
  const path = join(folder.path, `${call}-${fault.replace(/\W/g, '-')}.db`);
  // Keeps the log as it is, so that the fault is not that of its first bytes.
  const other = await open(path);
  await other.read({ sql: 'PRAGMA journal_mode=WAL' });
  await other.write([{ sql: 'CREATE TABLE paid (value)' }, { sql: 'INSERT INTO paid VALUES (1)' }]);
  const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:error=${fault}`];
  const program = [process.execPath, ...scriptArguments('test/schema/db/use-file.ts'), path, use];
  const { stdout } = spawnSync('strace', ['-f', '-o', '/dev/null', '-P', `${path}-wal`, ...inject, ...program], {
    env: makeEnvironment({}),
    encoding: 'utf8',
  });
  for (const end of ['', '-wal']) await copyFile(path + end, `${path}.left${end}`);
  await other.close();
  const next = await open(`${path}.left`);
  const rows = await next.read({ sql: 'SELECT value FROM paid' });
  await next.close();
  return { said: stdout.trim().split('\n'), rows };
}

describe.skipIf(!canTrace)('where the disk of a file fails', () => {
  it('a batch that is whole in the log is not said to be unwritten: after a kill it is there', async () => {
    const { said, rows } = await useWhile('write', 'fsync', 'EIO');
    const unknown = /^OutcomeUnknown: whether this was written to .*fsync-EIO\.db is not known.*SQLITE_IOERR_FSYNC/;
    expect(said).toEqual([expect.stringMatching(unknown)]);
    expect(rows).toEqual([{ value: 1 }, { value: 2 }]);
  });

  it.each(['ENOSPC', 'EIO'])('a batch that is not whole there is said to be unwritten: %s', async (fault) => {
    const { said, rows } = await useWhile('write', 'pwrite64', fault);
    expect(said).toEqual([expect.stringMatching(/^DatabaseFault: the disk .* nothing of this was written/)]);
    expect(rows).toEqual([{ value: 1 }]);
  });

  it('a read that fails is an error, and the next reads what is there', async () => {
    const { said } = await useWhile('read', 'pread64', 'EIO:when=2');
    expect(said).toEqual([expect.stringMatching(/^DatabaseFault: /), '[{"value":1}]']);
  });
});

/** The same on a libSQL server, which is killed and started again. */
async function writeToServerWhile(call: Call, fault: string) {
  const server = await startLibsql({ folder: join(folder.path, `server-${call}-${fault}`), namespaces: true });
  await createNamespace(server, 'paid', { durability_mode: 'strong' });
  const database = await openDatabase({ url: `${server.socketUrl}/dev/paid`, durability: 'full' });
  await database.write([{ sql: 'CREATE TABLE paid (value)' }, { sql: 'INSERT INTO paid VALUES (1)' }]);
  const log = join(server.folder, 'dbs/paid/data-wal');
  const inject = ['-P', log, '-e', `trace=${call}`, '-e', `inject=${call}:error=${fault}`];
  const tracing = spawn('strace', ['-f', '-o', '/dev/null', '-p', String(server.pid()), ...inject]);
  // It says which process it is attached to.
  await once(tracing.stderr, 'data');
  const written = database.write([{ sql: 'INSERT INTO paid VALUES (2)' }]);
  const said = await written.then(JSON.stringify, (error: Error) => `${error.name}: ${error.message}`);
  await server.kill();
  await once(tracing, 'close');
  await server.start();
  const rows = await database.read({ sql: 'SELECT value FROM paid' });
  await database.close();
  await server.kill();
  return { said, rows };
}

describe.skipIf(!canTrace || !hasLibsql('the disk of a libSQL server'))(
  'where the disk of a libSQL server fails',
  () => {
    it('a batch that is whole in its log is not said to be unwritten: after a kill it is there', async () => {
      const { said, rows } = await writeToServerWhile('fsync', 'EIO');
      expect(said).toMatch(/^OutcomeUnknown: whether this was written to ws:.*\/dev\/paid is not known.*SQLITE_IOERR/);
      expect(rows).toEqual([{ value: 1 }, { value: 2 }]);
    });

    it('a batch that found no room there is said to be unwritten', async () => {
      const { said, rows } = await writeToServerWhile('pwrite64', 'ENOSPC');
      expect(said).toMatch(/^DatabaseFault: the disk is full: nothing of this was written/);
      expect(rows).toEqual([{ value: 1 }]);
    });
  },
);
