import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReleaseToStore } from '../../../ingest/store/page.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { actRelease, noticeDocument, packageOf, read } from '../compile/releases.ts';
import { makeScottish } from '../crawl/cells/releases.ts';
import { readPublished } from '../parse/read-published.ts';
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

  it('says what was fetched last also where that has the earlier date', async () => {
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

describe('notices of one date', () => {
  const fetched = (source: string, release: JsonObject, day: number, type?: string): ReleaseToStore[] =>
    readPublished(source, [release], type).releases.map((one) => ({ ...one, fetchedAt: `2026-11-0${day}T12:00:00Z` }));

  /** Number `n` of a Scottish service that counts pages otherwise: the later the notice, the lower the number of its page. */
  const scottish = (n: number, day: number, type: string, tender: JsonObject) => {
    const tag = type === '14' ? 'tenderUpdate' : 'tender';
    const more = { description: `(SC Ref:${700_009 + n})` };
    const { release } = makeScottish(9 - n, {
      day: '2026-11-03',
      type,
      tag,
      family: 1,
      title: 'Gritting',
      tender,
      more,
    });
    return fetched('public_contracts_scotland', release, day, type);
  };
  const notice = (id: string, day: number, endDate: string) =>
    fetched(
      'find_a_tender',
      actRelease(id, '2026-11-03T09:00:00Z', {
        tender: { tenderPeriod: { endDate }, documents: [noticeDocument(id, 'UK4', 'tenderNotice')] },
      }),
      day,
    );

  const deadlineAfter = async (batches: readonly ReleaseToStore[][]) => {
    const catalogue = await catalogues.make();
    await storeBatches(catalogue, batches);
    const [row] = await catalogue.read<{ deadline: string }>({
      sql: 'SELECT deadline FROM notice WHERE is_tender = 1',
    });
    await catalogue.close();
    return row?.deadline;
  };

  it('follow each other by their own numbers where one gains a document after its corrigendum', async () => {
    const ends = (endDate: string, more: JsonObject = {}) => ({ tenderPeriod: { endDate }, ...more });
    const invitation = scottish(1, 3, '2', ends('2026-12-04T12:00:00Z'));
    const corrigendum = scottish(2, 4, '14', ends('2026-12-18T12:00:00Z'));
    const documents = [{ id: 'plan', documentType: 'biddingDocuments', title: 'Routes' }];
    const withDocument = scottish(1, 5, '2', ends('2026-12-04T12:00:00Z', { documents }));
    expect(await deadlineAfter([invitation, corrigendum])).toBe('2026-12-18');
    expect(await deadlineAfter([invitation, corrigendum, withDocument])).toBe('2026-12-18');
  });

  it('follow each other by their own numbers where the type of the corrigendum is asked for first', async () => {
    const corrigendum = scottish(2, 3, '14', { tenderPeriod: { endDate: '2026-12-18T12:00:00Z' } });
    const invitation = scottish(1, 4, '5', { tenderPeriod: { endDate: '2026-12-04T12:00:00Z' } });
    expect(await deadlineAfter([corrigendum, invitation])).toBe('2026-12-18');
  });

  it('follow each other by the numbers of a year, and year by year', async () => {
    const [first, second] = [
      notice('090001-2026', 5, '2026-12-04T12:00:00Z'),
      notice('090002-2026', 4, '2026-12-18T12:00:00Z'),
    ];
    expect(await deadlineAfter([second, first])).toBe('2026-12-18');
    expect(await deadlineAfter([notice('000001-2027', 4, '2027-01-15T12:00:00Z'), second])).toBe('2027-01-15');
  });
});
