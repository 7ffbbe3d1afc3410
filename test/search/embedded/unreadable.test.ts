import { mkdir, open, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DatabaseFault, pathOfFile } from '../../../schema/db/interface.ts';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import { openIndexFiles, readLiveUrl } from '../../../search/embedded/store/files.ts';
import { openIndex } from '../../../search/open.ts';
import { makeFolder } from '../../support/databases.ts';
import { someDocument } from '../documents.ts';
import { makeTestEngine } from '../test-engine.ts';
import { makeTrial } from '../trial.ts';

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

it('an index that is damaged while it answers is a fault for the operator', async () => {
  const own = await makeFolder();
  const { index, url } = await openIndex(own.path);
  const engine = makeTestEngine(index, { url });
  const trial = makeTrial(engine);
  await trial.fill(Array.from({ length: 500 }, () => someDocument({ title: 'Viaduct painting' })));
  await engine.close();
  const path = pathOfFile(await readLiveUrl(url));
  const { size } = await stat(path);
  // The pages of the tables that say what is where stay.
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(size / 2, 'x'), 0, size / 2, size / 2);
  await file.close();
  const reader = makeTestEngine(null, { url });
  await expect(makeTrial(reader).find({ text: 'viaduct' })).rejects.toBeInstanceOf(DatabaseFault);
  await reader.close();
  await own.remove();
});

it('what cannot be opened for another reason is left where it is', async () => {
  const path = join(folder.path, 'folder.db');
  await mkdir(path);
  await expect(openIndexFiles(`file:${path}`, COLLECTIONS.notices)).rejects.toBeInstanceOf(DatabaseFault);
});
