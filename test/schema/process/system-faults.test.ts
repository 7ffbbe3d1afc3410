import { copyFile, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSecret } from '../../../schema/config/secret.ts';
import { readSettings } from '../../../schema/config/settings.ts';
import { nameDatabaseFault, readCode } from '../../../schema/db/interface.ts';
import { nameListenFault } from '../../../schema/process/listen.ts';
import { describeSurroundings } from '../../../schema/process/system-faults.ts';
import { makeFolder } from '../../support/databases.ts';

it.each([
  ['UNKNOWN_SQLITE_ERROR_1544', 'SQLITE_READONLY', 'read-only to this user'],
  ['UNKNOWN_SQLITE_ERROR_2570', 'SQLITE_IOERR', 'the disk that holds'],
  ['UNKNOWN_SQLITE_ERROR_1038', 'SQLITE_CANTOPEN', 'may not use it, the file, its -wal or -shm'],
  ['SQLITE_IOERR_SHMSIZE', 'SQLITE_IOERR_SHMSIZE', 'the disk is full'],
  ['UNKNOWN_SQLITE_ERROR_7', 'SQLITE_NOMEM', 'no memory left'],
  ['SQLITE_PROTOCOL', 'SQLITE_PROTOCOL', 'cannot be locked'],
])('a result code that the driver knows by its number is named by its kind: %s', (code, name, words) => {
  const error = Object.assign(new Error('x'), { code });
  expect(readCode(error)).toBe(name);
  expect((nameDatabaseFault(error, 'file:/x/a.db') as Error).message).toContain(words);
});

it('another error is left as it is, also one with a number that is none of these', () => {
  for (const code of ['UNKNOWN_SQLITE_ERROR_21', 'SQLITE_CONSTRAINT_UNIQUE', undefined, 7]) {
    const error = Object.assign(new Error('x'), { code });
    expect(nameDatabaseFault(error, 'file:/x/a.db')).toBe(error);
  }
});

it('a copy that finds no room names the place that lacks it, not what was copied', async () => {
  const full = Object.assign(new Error(), { code: 'ENOSPC', path: '/from', dest: '/to' });
  expect(describeSurroundings(full)).toBe('/to: the disk is full: make room and run it again (ENOSPC)');
  expect(describeSurroundings(Object.assign(new Error(), { code: 'ENOSPC' }))).toMatch(/^the disk is full/);
  expect(describeSurroundings(Object.assign(new Error(), { code: 'ENOENT' }))).toBe(null);
  const folder = await makeFolder();
  const missing = await copyFile(join(folder.path, 'a'), join(folder.path, 'b')).catch((error: Error) => error);
  expect(describeSurroundings(missing as Error)).toMatch(/\/a or .*\/b: there is no such folder/);
  await folder.remove();
});

it.each([
  ['EIO', '/backups/a.db: the disk failed (EIO)'],
  ['EMFILE', '/backups/a.db: this process may open no more files: raise its limit (ulimit -n) (EMFILE)'],
])('a disk that fails and a limit of open files are said without a stack: %s', (code, said) => {
  expect(describeSurroundings(Object.assign(new Error(), { code, path: '/backups/a.db' }))).toBe(said);
});

it('a folder that links to itself, and a name that is too long, are said without a stack', async () => {
  const folder = await makeFolder();
  await symlink(join(folder.path, 'loop'), join(folder.path, 'loop'));
  const readFault = (path: string) => stat(join(folder.path, path, 'accounts.db')).catch(describeSurroundings);
  expect(await readFault('loop')).toMatch(/^\/.*: its links lead round in a circle \(ELOOP\)$/);
  expect(await readFault('x'.repeat(300))).toMatch(/: its name is longer than this disk takes \(ENAMETOOLONG\)$/);
  await folder.remove();
});

it.each([
  ['192.0.2.1', 'HOST: expected an address of this machine, got 192.0.2.1'],
  ['nowhere.invalid', /^HOST: expected an address of this machine, (there is no host|the look-up of) nowhere/],
])('a host that is none of this machine is a fault of its setting: %s', async (host, said) => {
  const error = await new Promise<Error>((resolve) => {
    createServer().once('error', resolve).listen(0, host);
  });
  expect(nameListenFault(error, { names: { host: 'HOST', port: 'PORT' }, host, port: 0 }).message).toMatch(said);
});

it.each([
  ['PORT', 8_080, 'PORT=8090'],
  ['PRIVATE_PORT', 9_090, 'PRIVATE_PORT=9100'],
  ['JOBS_PRIVATE_PORT', 65_535, 'JOBS_PRIVATE_PORT=65525'],
])('a port that is taken is said with what to do: %s', (name, port, other) => {
  const taken = Object.assign(new Error('x'), { code: 'EADDRINUSE' });
  expect(nameListenFault(taken, { names: { host: 'HOST', port: name }, host: '::', port }).message).toBe(
    `${name}: expected a free port, ${port} is taken: stop what uses it, or set another, as in ${other}`,
  );
});

it('a secret of no bytes is said with what to do, and is never one', async () => {
  const folder = await makeFolder();
  await mkdir(folder.path, { recursive: true });
  await writeFile(join(folder.path, 'secret'), '');
  await expect(readSecret(readSettings({ DATA_DIR: folder.path }))).rejects.toMatchObject({
    name: 'BadSettings',
    message: `${folder.path}/secret is empty: remove it, or set AUTH_SECRET`,
  });
  await folder.remove();
});

it.each(['CATALOGUE_URL', 'ACCOUNTS_URL'])(
  'a secret is asked for where %s is a server, as every machine signs with it',
  async (name) => {
    const folder = await makeFolder();
    const settings = { DATA_DIR: folder.path, [name]: 'http://127.0.0.1:1' };
    await expect(readSecret(readSettings(settings))).rejects.toThrow(
      new RegExp(`^${name} names a server: set AUTH_SECRET, to the same value on every machine`),
    );
    const secret = 'the same on every machine, and long enough';
    expect(await readSecret(readSettings({ ...settings, AUTH_SECRET: secret }))).toBe(secret);
    await folder.remove();
  },
);
