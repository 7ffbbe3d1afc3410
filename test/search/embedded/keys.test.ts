import { expect, it } from 'vitest';
import type { Database } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import { storeDocuments } from '../../../search/embedded/store/statements.ts';
import { makeFolder } from '../../support/databases.ts';
import { someDocument } from '../documents.ts';
import { emptyIndex } from './empty-index.ts';

it('thousands that are published at one instant have a key each after a few tries, and keep it', async () => {
  const { path, remove } = await makeFolder();
  const index = await openDatabase({ url: `file:${path}/keys.db`, durability: 'normal' });
  await emptyIndex(index);
  let tries = 0;
  const counting: Database = {
    ...index,
    read(statement) {
      tries += Number(statement.sql.startsWith('SELECT key FROM document WHERE key IN'));
      return index.read(statement);
    },
  };
  const documents = Array.from({ length: 4_000 }, (_, place) =>
    someDocument({ notice_id: `k-${place}`, published: '2026-03-02', published_at: '2026-03-02T10:00:00Z' }),
  );
  const store = (some: typeof documents) =>
    storeDocuments(
      counting,
      { documents: some, gone: [], cursor: { generation: 'g', version: 'v', seq: 1, id: '' } },
      COLLECTIONS.notices,
    );
  const readKeys = async () =>
    (await index.read<{ key: number }>({ sql: 'SELECT key FROM document ORDER BY id' })).map(({ key }) => key);
  await store(documents.slice(0, 2_500));
  await store(documents.slice(2_000));
  const keys = await readKeys();
  expect(new Set(keys).size).toBe(documents.length);
  expect(tries).toBeLessThan(24);
  await store(documents);
  expect(await readKeys()).toEqual(keys);
  await index.close();
  await remove();
});
