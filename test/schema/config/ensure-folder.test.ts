import { mkdir, open, rmdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ensureFolder } from '../../../schema/config/ensure-folder.ts';
import { readSecret } from '../../../schema/config/secret.ts';
import { readSettings } from '../../../schema/config/settings.ts';
import { makeFolder } from '../../support/databases.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => folder.remove());

it('a folder and those above it are made once, by however many at the same time', async () => {
  const path = join(folder.path, 'a', 'b', 'c');
  // Whether two meet between a parent and its folder is chance.
  for (let round = 0; round < 200; round++) {
    const own = join(folder.path, String(round), 'b', 'c');
    await Promise.all(Array.from({ length: 8 }, () => ensureFolder(own)));
  }
  await ensureFolder(path);
  await ensureFolder(path);
  await symlink(path, join(folder.path, 'link'));
  await ensureFolder(join(folder.path, 'link'));
  expect((await stat(path)).isDirectory()).toBe(true);
});

it.each(['a/../b', 'a/b/.', './a//b/', 'link/../a'])('a folder is made where it is written as %s', async (written) => {
  await mkdir(join(folder.path, 'other', 'target'), { recursive: true });
  await symlink(join('other', 'target'), join(folder.path, 'link'));
  const path = `${folder.path}/${written}`;
  await ensureFolder(path);
  expect((await stat(path)).isDirectory()).toBe(true);
});

it('a file in its place, or above it, is refused', async () => {
  await writeFile(join(folder.path, 'file'), '');
  await expect(ensureFolder(join(folder.path, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(ensureFolder(join(folder.path, 'file', 'a'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});

// As a container has its volume once the folder was removed on the host: Node's recursive `mkdir` never ended there.
it.skipIf(process.platform !== 'linux')(
  'a folder that was removed while it was open takes none, and says so',
  async () => {
    const removed = join(folder.path, 'removed');
    await mkdir(removed);
    const handle = await open(removed);
    await rmdir(removed);
    const path = `/proc/self/fd/${handle.fd}`;
    const refused = { code: 'ENOENT', path: join(path, 'exports') };
    await expect(ensureFolder(join(path, 'exports'))).rejects.toMatchObject(refused);
    await expect(ensureFolder(join(path, 'exports', 'a'))).rejects.toMatchObject(refused);
    await expect(readSecret(readSettings({ DATA_DIR: join(path, 'data') }))).rejects.toMatchObject({ code: 'ENOENT' });
    await handle.close();
  },
);
