import { expect, it } from 'vitest';
import { storePage } from '../../../ingest/store/page.ts';
import { CHANGE_DAYS, removeOldChanges } from '../../../schema/catalogue/changes/remove.ts';
import { READER_START, type ReaderPosition, readChangesPage } from '../../../search/changes/page.ts';
import { actRelease, BRIGHT, packageOf, read, reference } from '../../ingest/compile/releases.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

const award = (number: number, amount: number, version = 1, status = 'active') =>
  actRelease(`00000${number}-2026`, `2026-0${version}-01T00:00:00Z`, {
    ocid: `ocds-h6vhtk-00000${number}`,
    tag: ['award', 'contract'],
    awards: [{ id: '1', status, suppliers: [reference(BRIGHT)], value: { amount, currency: 'GBP' } }],
  });

it('a reader loses nothing where the log before it is removed, and rows change while it reads on', async () => {
  const folder = await makeFolder();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  const store = async (...releases: ReturnType<typeof award>[]) => {
    const fetched = { source: 'find_a_tender', fetchedAt: '2026-11-20T00:00:00Z', before: [], after: [] };
    await storePage(catalogue, { ...fetched, ...read(packageOf(releases)) });
  };
  let position: ReaderPosition = READER_START;
  const readOn = async (limit: number) => {
    const filters = { value_max: 2_000 };
    const page = await readChangesPage(catalogue, { position, kinds: ['contract'], filters, limit });
    position = page.next;
    return page.changes.map(({ id, change }) => `${id} ${change}`);
  };
  const removeAll = () => removeOldChanges(catalogue, new Date(Date.now() + (CHANGE_DAYS + 1) * 86_400_000));
  expect(await readOn(1)).toEqual([]);
  // Two rows of one batch, the second of which the reader has not had yet.
  await store(award(7, 1_000), award(8, 1_000));
  expect(await readOn(1)).toEqual(['ocds-h6vhtk-000007-a-1 new']);
  await removeAll();
  expect(await readOn(100)).toEqual(['ocds-h6vhtk-000008-a-1 updated']);
  // One that left before the log begins, and changes again before the reader is there.
  await store(award(8, 1_500, 2));
  await store(award(7, 9_000, 2));
  await removeAll();
  expect(await readOn(1)).toEqual(['ocds-h6vhtk-000008-a-1 updated']);
  await store(award(7, 9_500, 3));
  expect(await readOn(1)).toEqual(['ocds-h6vhtk-000007-a-1 left']);
  await catalogue.close();
  await folder.remove();
});

it('a reader whose next entries are removed while it reads still gets their rows', async () => {
  const folder = await makeFolder();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  const fetched = { source: 'find_a_tender', fetchedAt: '2026-11-20T00:00:00Z', before: [], after: [] };
  await storePage(catalogue, { ...fetched, ...read(packageOf([award(7, 1_000)])) });
  let reads = 0;
  const removing: typeof catalogue = {
    ...catalogue,
    async read(statement) {
      if (++reads === 2) await removeOldChanges(catalogue, new Date(Date.now() + (CHANGE_DAYS + 1) * 86_400_000));
      return catalogue.read(statement);
    },
  };
  const position = { at: { seq: 0, kind: '~', id: '' } };
  const page = await readChangesPage(removing, { position, kinds: ['contract'], filters: {}, limit: 100 });
  expect(page.changes.map(({ id, change }) => `${id} ${change}`)).toEqual(['ocds-h6vhtk-000007-a-1 updated']);
  await catalogue.close();
  await folder.remove();
});

it('a reader is told neither of a row that came and went before it asked nor that it went', async () => {
  const folder = await makeFolder();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  const store = async (...releases: ReturnType<typeof award>[]) => {
    const fetched = { source: 'find_a_tender', fetchedAt: '2026-11-20T00:00:00Z', before: [], after: [] };
    await storePage(catalogue, { ...fetched, ...read(packageOf(releases)) });
  };
  const kinds = ['contract', 'company'] as const;
  const start = (await readChangesPage(catalogue, { position: READER_START, kinds, filters: {}, limit: 100 })).next;
  await store(award(7, 1_000));
  const had = await readChangesPage(catalogue, { position: start, kinds, filters: {}, limit: 100 });
  expect(had.changes.map(({ change }) => change)).toEqual(['new', 'new']);
  await store(award(7, 1_000, 2, 'cancelled'));
  for (const filters of [{}, { value_max: 2_000 }]) {
    const ask = { kinds: ['contract'] as const, filters, limit: 100 };
    expect((await readChangesPage(catalogue, { ...ask, position: start })).changes).toEqual([]);
    // One that had it is told.
    const { changes } = await readChangesPage(catalogue, { ...ask, position: had.next });
    expect(changes.map(({ id, change }) => `${id} ${change}`)).toEqual(['ocds-h6vhtk-000007-a-1 gone']);
  }
  await catalogue.close();
  await folder.remove();
});

it('a page is as full as is asked for, whatever of it has gone since', async () => {
  const folder = await makeFolder();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  const store = async (...releases: ReturnType<typeof award>[]) => {
    const fetched = { source: 'find_a_tender', fetchedAt: '2026-11-20T00:00:00Z', before: [], after: [] };
    await storePage(catalogue, { ...fetched, ...read(packageOf(releases)) });
  };
  const ask = { kinds: ['contract'] as const, filters: {}, limit: 2 };
  const position = (await readChangesPage(catalogue, { ...ask, position: READER_START })).next;
  await store(award(1, 1_000), award(2, 1_000), award(3, 1_000));
  await store(award(2, 1_000, 2, 'cancelled'));
  const page = await readChangesPage(catalogue, { ...ask, position });
  expect(page.changes.map(({ id, change }) => `${id} ${change}`)).toEqual([
    'ocds-h6vhtk-000001-a-1 new',
    'ocds-h6vhtk-000003-a-1 new',
  ]);
  await catalogue.close();
  await folder.remove();
});
