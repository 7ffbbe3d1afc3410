import { spawnSync } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../schema/db/open.ts';
import { scriptArguments } from '../../support/compiled.ts';
import { makeFolder } from '../../support/databases.ts';
import { makeEnvironment } from '../../support/environment.ts';

const canTrace = spawnSync('strace', ['-f', '--seccomp-bpf', '-o', '/dev/null', 'true']).status === 0;
if (!canTrace) console.warn('failed-disk.test: no strace that works here, so no disk fails.');

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

const open = (path: string) => openDatabase({ url: `file:${path}`, durability: 'full' });

/** A row is written while a call of the system fails for the file's log, then its process is killed. Returns what it said, and the rows that the next to open the file finds. */
async function writeWhile(call: 'fsync' | 'pwrite64', fault: string) {
  const path = join(folder.path, `${call}-${fault}.db`);
  // Keeps the log as it is, so that the fault is that of a commit and not of the log's first bytes.
  const other = await open(path);
  await other.read({ sql: 'PRAGMA journal_mode=WAL' });
  await other.write([{ sql: 'CREATE TABLE paid (value)' }]);
  const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:error=${fault}`];
  const program = [process.execPath, ...scriptArguments('test/schema/db/write-and-die.ts'), path];
  const { stdout } = spawnSync('strace', ['-f', '-o', '/dev/null', '-P', `${path}-wal`, ...inject, ...program], {
    env: makeEnvironment({}),
    encoding: 'utf8',
  });
  for (const end of ['', '-wal']) await copyFile(path + end, `${path}.left${end}`);
  await other.close();
  const next = await open(`${path}.left`);
  const rows = await next.read({ sql: 'SELECT value FROM paid' });
  await next.close();
  return { said: stdout.trim(), rows };
}

describe.skipIf(!canTrace)('a batch at whose commit the disk fails', () => {
  it('is not said to be unwritten where it is whole in the log: after a kill it is there', async () => {
    const { said, rows } = await writeWhile('fsync', 'EIO');
    expect(said).toMatch(
      /^OutcomeUnknown: whether this was written to .*fsync-EIO\.db is not known.*SQLITE_IOERR_FSYNC/,
    );
    expect(rows).toEqual([{ value: 1 }]);
  });

  it.each(['ENOSPC', 'EIO'])('is said to be unwritten where it is not whole there: %s', async (fault) => {
    const { said, rows } = await writeWhile('pwrite64', fault);
    expect(said).toMatch(/^DatabaseFault: the disk .* nothing of this was written/);
    expect(rows).toEqual([]);
  });
});
