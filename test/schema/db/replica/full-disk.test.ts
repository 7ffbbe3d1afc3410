import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { nameDatabaseFault } from '../../../../schema/db/interface.ts';
import { migrate } from '../../../../schema/db/migrate.ts';
import { openDatabase } from '../../../../schema/db/open.ts';
import { readAnswering, replicaFiles, reportIfDamaged } from '../../../../schema/db/replica/files.ts';
import type { KeepOrder } from '../../../../schema/db/replica/process.ts';
import { extension } from '../../../../schema/process/child.ts';
import { makeFolder } from '../../../support/databases.ts';
import { hasLibsql, startLibsql } from '../../../support/libsql-process.ts';
import { startProxy } from '../../../support/proxy.ts';
import { LIMITS_MS } from '../../../support/time-limits.ts';

const KEEPER = new URL(`../../../../schema/db/replica/process${extension()}`, import.meta.url);
const WAIT = { timeout: LIMITS_MS.wait };
const TRIES = 40;

const canLimit = spawnSync('prlimit', ['--version']).status === 0;
if (!canLimit) console.warn('full-disk.test: no prlimit here, so a copy always has room.');
const isHere = hasLibsql('a copy of a real libSQL server on a full disk');

/** How large a file of a process may become. */
const limitFiles = (pid: number | undefined, most: string) =>
  spawnSync('prlimit', ['--pid', `${pid}`, `--fsize=${most}:`]);

/** How many files of a folder a process has open. */
async function countOpen(pid: number | undefined, folder: string): Promise<number> {
  const handles = `/proc/${pid}/fd`;
  const paths = (await readdir(handles)).map((name) => readlink(join(handles, name)).catch(() => ''));
  return (await Promise.all(paths)).filter((path) => path.startsWith(folder)).length;
}

it.skipIf(!canLimit || !isHere)(
  'a copy that finds no room has no more files open with every try, and is whole once there is room',
  async () => {
    const folder = await makeFolder();
    const server = await startLibsql({ folder: join(folder.path, 'server') });
    const catalogue = await openDatabase({ url: server.url, durability: 'normal' });
    await migrate(catalogue, 'catalogue');
    const proxy = await startProxy(new URL(server.url));
    let tries = 0;
    proxy.become((asked) => {
      if (asked.endsWith('/Hello')) tries += 1;
      return 'pass';
    });
    const files = replicaFiles(join(folder.path, 'machine'));
    await mkdir(files.folder, { recursive: true });
    const keeper = fork(KEEPER, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    limitFiles(keeper.pid, '100000');
    const order: KeepOrder = { files, server: { url: proxy.url }, everyMs: 1 };
    keeper.send(order);
    await vi.waitFor(() => expect(tries).toBeGreaterThan(TRIES), WAIT);
    expect(await countOpen(keeper.pid, files.folder)).toBeLessThan(TRIES);
    expect(await readAnswering(files)).toBeNull();
    limitFiles(keeper.pid, 'unlimited');
    await vi.waitFor(async () => expect(await readAnswering(files)).toBe(1), WAIT);
    const ended = once(keeper, 'exit');
    keeper.kill('SIGKILL');
    await ended;
    await catalogue.close();
    await Promise.all([server.kill(), proxy.close()]);
    await folder.remove();
  },
);

it('a copy is damaged for who reads it also where that cannot be recorded for the others', async () => {
  const folder = await makeFolder();
  const path = join(replicaFiles(folder.path).folder, 'catalogue.db');
  // Nothing can be written where a folder is.
  await mkdir(`${path}.damaged`, { recursive: true });
  await writeFile(path, '');
  const corrupt = Object.assign(new Error('malformed'), { code: 'SQLITE_CORRUPT' });
  expect(await reportIfDamaged(`file:${path}`, nameDatabaseFault(corrupt, `file:${path}`))).toBe(true);
  await folder.remove();
});
