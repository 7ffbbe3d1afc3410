import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DatabaseFault } from '../../../schema/db/interface.ts';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import { openIndexFiles } from '../../../search/embedded/store/files.ts';
import { makeFolder } from '../../support/databases.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

it('a file that is no index is removed, and an empty one takes its place', async () => {
  const path = join(folder.path, 'search.db');
  await writeFile(path, 'this was never a database, and is longer than the header of one: '.repeat(40));
  const files = await openIndexFiles(`file:${path}`, COLLECTIONS.notices);
  const index = await files.live();
  expect(await index.read({ sql: 'PRAGMA integrity_check' })).toEqual([{ integrity_check: 'ok' }]);
  await files.close();
});

it('what cannot be opened for another reason is left where it is', async () => {
  const path = join(folder.path, 'folder.db');
  await mkdir(path);
  await expect(openIndexFiles(`file:${path}`, COLLECTIONS.notices)).rejects.toBeInstanceOf(DatabaseFault);
});
