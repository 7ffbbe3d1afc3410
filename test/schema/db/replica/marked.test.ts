import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { generationPath } from '../../../../schema/db/generations.ts';
import { migrate } from '../../../../schema/db/migrate.ts';
import { openDatabase } from '../../../../schema/db/open.ts';
import { readAnswering, replicaFiles } from '../../../../schema/db/replica/files.ts';
import { makeKeeper } from '../../../../schema/db/replica/keep.ts';
import { makeFolder } from '../../../support/databases.ts';
import { hasLibsql, startLibsql } from '../../../support/libsql-process.ts';
import { startFlawedLog } from './flawed-log.ts';

/** The files that this process has open, where the system tells. */
const HANDLES = '/proc/self/fd';
const isHere = hasLibsql('a copy of a real libSQL server whose mark is older than its pages');

it.skipIf(!isHere)('a copy is continued after a kill between a commit and the mark of it', async () => {
  const folder = await makeFolder();
  const server = await startLibsql({ folder: join(folder.path, 'server') });
  const catalogue = await openDatabase({ url: server.url, durability: 'normal' });
  await migrate(catalogue, 'catalogue');
  const takeToken = () =>
    catalogue.write([{ sql: "INSERT OR REPLACE INTO lease VALUES ('x', hex(randomblob(16)), '', 1)" }]);
  const files = replicaFiles(folder.path);
  const said: string[] = [];
  const openKeeper = () =>
    makeKeeper({ files, server, say: (_level, message) => void said.push(message), onStuck: () => undefined });
  const first = await openKeeper();
  await takeToken();
  await first.step();
  const path = generationPath(files, 1);
  const mark = await readFile(`${path}-client_wal_index`);
  await takeToken();
  await first.step();
  first.close();
  await writeFile(`${path}-client_wal_index`, mark);
  await takeToken();
  const second = await openKeeper();
  await second.step();
  second.close();
  expect([await readAnswering(files), said]).toEqual([1, ['the copy of the catalogue is whole']]);
  const copy = await openDatabase({ url: `file:${path}`, durability: 'normal', readOnly: true });
  const token = { sql: 'SELECT token FROM lease' };
  expect(await copy.read(token)).toEqual(await catalogue.read(token));
  for (const each of [copy, catalogue]) await each.close();
  await server.kill();
  await folder.remove();
});

it.skipIf(!isHere)('a copy of what the log no longer has is believed until the server is started again', async () => {
  const folder = await makeFolder();
  const server = await startLibsql({ folder: join(folder.path, 'server') });
  const catalogue = await openDatabase({ url: server.url, durability: 'normal' });
  await migrate(catalogue, 'catalogue');
  await catalogue.write([{ sql: "INSERT INTO counter (name, value) VALUES ('x', 1)" }]);
  const flawed = await startFlawedLog(server);
  const files = replicaFiles(folder.path);
  const said: string[] = [];
  const step = async () => {
    const say = (_level: string, message: string) => void said.push(message);
    const keeper = await makeKeeper({ files, server: flawed, say, onStuck: () => undefined });
    await keeper.step().finally(keeper.close);
  };
  await step();
  await flawed.become('forgets');
  await step();
  expect([await readAnswering(files), said]).toEqual([1, ['the copy of the catalogue is whole']]);
  // It may have been restored meanwhile, and have continued since.
  await server.stop();
  await server.start();
  await step();
  expect(await readAnswering(files)).toBe(2);
  expect(said[1]).toMatch(/started again and its log no longer has what was copied last/);
  await flawed.close();
  await catalogue.close();
  await server.kill();
  await folder.remove();
});

it.skipIf(!isHere)('a copy that no more can be applied to is replaced, also where nobody reads it', async () => {
  const folder = await makeFolder();
  const server = await startLibsql({ folder: join(folder.path, 'server') });
  const catalogue = await openDatabase({ url: server.url, durability: 'normal' });
  await migrate(catalogue, 'catalogue');
  const files = replicaFiles(folder.path);
  const said: string[] = [];
  const keeper = await makeKeeper({
    files,
    server,
    say: (_level, message) => void said.push(message),
    onStuck: () => undefined,
  });
  const count = (name: string) =>
    catalogue.write([{ sql: 'INSERT INTO counter (name, value) VALUES (?, 1)', args: [name] }]);
  await keeper.step();
  await count('compared with the server');
  await keeper.step();
  const path = generationPath(files, 1);
  // Otherwise its log would grow with every sync.
  expect((await stat(`${path}-wal`)).size).toBe(0);
  await writeFile(path, Buffer.alloc((await stat(path)).size, 7));
  await count('not applied');
  await expect(keeper.step()).rejects.toThrow(/malformed|not a database/);
  await keeper.step();
  expect([await readAnswering(files), said.at(-2)]).toEqual([2, expect.stringMatching(/copied again/)]);
  keeper.close();
  await catalogue.close();
  await server.kill();
  await folder.remove();
});

it.skipIf(!isHere || !existsSync(HANDLES))('a copy that was replaced leaves no file, nor one open', async () => {
  const folder = await makeFolder();
  const server = await startLibsql({ folder: join(folder.path, 'server') });
  const catalogue = await openDatabase({ url: server.url, durability: 'normal' });
  await migrate(catalogue, 'catalogue');
  const files = replicaFiles(folder.path);
  const keeper = await makeKeeper({ files, server, say: () => undefined, onStuck: () => undefined });
  await keeper.step();
  await server.kill();
  await server.start();
  await keeper.step();
  const paths = (await readdir(HANDLES)).map((name) => readlink(join(HANDLES, name)).catch(() => ''));
  const former = (await Promise.all(paths)).filter((path) => path.startsWith(generationPath(files, 1)));
  expect([await readAnswering(files), former, existsSync(generationPath(files, 1))]).toEqual([2, [], false]);
  keeper.close();
  await catalogue.close();
  await server.kill();
  await folder.remove();
});

it('a copy is for the user of the service alone, also in a folder that all could read', async () => {
  const folder = await makeFolder();
  const files = replicaFiles(folder.path);
  await mkdir(files.folder, { mode: 0o755 });
  const server = { url: 'http://127.0.0.1:9', authToken: undefined };
  const keeper = await makeKeeper({ files, server, say: () => undefined, onStuck: () => undefined });
  expect((await stat(files.folder)).mode & 0o777).toBe(0o700);
  keeper.close();
  await folder.remove();
});
