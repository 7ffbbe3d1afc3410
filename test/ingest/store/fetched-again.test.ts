import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReleaseToStore } from '../../../ingest/store/page.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { actRelease, noticeDocument, packageOf, read } from '../compile/releases.ts';
import { makeCatalogues, storeBatches } from './any-order.ts';

let catalogues: Awaited<ReturnType<typeof makeCatalogues>>;
beforeAll(async () => {
  catalogues = await makeCatalogues();
});
afterAll(() => catalogues.remove());

/** One notice in the words of one of its versions, as it was fetched on a day of March. */
function version(title: string, day: number, month = 3): ReleaseToStore {
  const documents = [noticeDocument('000001-2026', 'UK4')];
  const release = actRelease('000001-2026', `2026-0${month}-01T09:00:00Z`, { tender: { title, documents } });
  const [own] = read(packageOf([release])).releases;
  if (!own) throw new Error('the release cannot be read');
  return { ...own, fetchedAt: `2026-03-${String(day).padStart(2, '0')}T00:00:00Z` };
}

async function titleAfter(batches: readonly ReleaseToStore[][]): Promise<string | undefined> {
  const catalogue = await catalogues.make();
  try {
    await storeBatches(catalogue, batches);
    return await readTitle(catalogue);
  } finally {
    await catalogue.close();
  }
}

async function readTitle(catalogue: Database): Promise<string | undefined> {
  const [row] = await catalogue.read<{ title: string }>({ sql: 'SELECT title FROM notice' });
  return row?.title;
}

const earlier = version('Roofs', 1);
const between = version('Roofs and walls', 2);
const back = version('Roofs', 3);

describe('a notice that is put back to what it said before', () => {
  it('says what was fetched last, in whatever order and batches its versions are processed', async () => {
    for (const batches of [
      [[earlier], [between], [back]],
      [[earlier, between, back]],
      [[back], [between], [earlier]],
      [[earlier], [back], [between]],
      [[between], [earlier, back]],
      [[between, back], [earlier]],
    ])
      expect(await titleAfter(batches)).toBe('Roofs');
  });

  it('follows every turn of it', async () => {
    expect(await titleAfter([[earlier], [between], [back], [version('Roofs and walls', 4)]])).toBe('Roofs and walls');
  });

  it('says what was fetched last also where that bears the earlier date', async () => {
    expect(await titleAfter([[version('Walls', 1, 2)], [version('Roofs', 2, 3)], [version('Walls', 3, 2)]])).toBe(
      'Walls',
    );
  });

  it('is as it was where an earlier fetch is only processed late', async () => {
    expect(await titleAfter([[earlier], [version('Roofs and walls', 4)], [back]])).toBe('Roofs and walls');
  });

  it('raises no seq while what it says stays the same', async () => {
    const catalogue = await catalogues.make();
    const seqOf = async () => (await catalogue.read<{ seq: number }>({ sql: 'SELECT seq FROM notice' }))[0]?.seq;
    await storeBatches(catalogue, [[earlier]]);
    const seq = await seqOf();
    await storeBatches(catalogue, [[back], [version('Roofs', 9)]]);
    expect(await seqOf()).toBe(seq);
    await catalogue.close();
  });
});
