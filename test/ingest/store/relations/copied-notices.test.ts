import { afterAll, describe, expect, it } from 'vitest';
import { applyTakedown } from '../../../../ingest/store/takedown.ts';
import { CHANGE_KINDS } from '../../../../schema/catalogue/changes/kinds.ts';
import type { Database } from '../../../../schema/db/interface.ts';
import { READER_START, readChangesPage } from '../../../../search/changes/page.ts';
import type { SearchEngine } from '../../../../search/engine.ts';
import { syncSearch } from '../../../../search/index/sync.ts';
import { openIndex } from '../../../../search/open.ts';
import { makeSharedReaders } from '../../../search/shared-readers.ts';
import { makeTestEngine } from '../../../search/test-engine.ts';
import { makeDatabase, makeFolder } from '../../../support/databases.ts';
import { makeScottish } from '../../crawl/cells/releases.ts';
import { copy, store } from './scottish-copies.ts';

/** One process for the indexes of all worlds. */
const readers = makeSharedReaders();
const closing = [readers.close];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

interface World {
  catalogue: Database;
  engine: SearchEngine;
}

async function makeWorld(): Promise<World> {
  const folder = await makeFolder();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  const { index, url } = await openIndex(folder.path);
  const engine = makeTestEngine(index, { catalogue, url, shared: readers });
  closing.push(
    folder.remove,
    () => catalogue.close(),
    () => engine.close(),
  );
  return { catalogue, engine };
}

const TENDER = { tenderPeriod: { endDate: '2026-12-01T12:00:00+00:00' }, status: 'active' };
const original = makeScottish(1, {
  day: '2026-09-03',
  tender: { tenderPeriod: { endDate: '2026-12-01T12:00:00Z' } },
}).release;
const BOTH = ['public_contracts_scotland', 'find_a_tender'];
const ORIGINAL = { notice_id: 'PCS-SEP500001', sources: BOTH };
const COPY = { notice_id: '050831-2026', sources: ['find_a_tender'] };

/** What a search finds once the index has followed the catalogue, of tenders and of notices, with its counts by service. */
async function search({ catalogue, engine }: World, source?: string) {
  await syncSearch(catalogue, engine);
  const filters = source === undefined ? {} : { source: [source] };
  const query = { text: 'grounds maintenance', filters, limit: 10, now: new Date('2026-09-10T00:00:00Z') };
  const notices = await engine.find({ ...query, scope: 'notices', facets: ['source'] });
  const tenders = await engine.find({ ...query, scope: 'tenders' });
  const brief = ({ hits }: typeof notices) => hits.map(({ notice_id, sources }) => ({ notice_id, sources }));
  expect(notices.total).toBe(notices.hits.length);
  return { notices: brief(notices), tenders: brief(tenders), counts: notices.facets?.source };
}

const takedown = (noticeId: string) =>
  ({
    id: noticeId,
    kind: 'notice',
    target: { noticeId },
    reason: 'r',
    takenAt: '2026-11-20T00:00:00Z',
    takenBy: 'me',
  }) as const;
const options = () => ({ before: [], signal: AbortSignal.timeout(60_000) });

describe('a Scottish notice and its copy on Find a Tender', () => {
  it.each([
    ['its link, the original first', {}, true],
    ['its link, the copy first', {}, false],
    ['the number in its text, the copy first', { links: false }, false],
  ])('are one result with both services, by %s', async (_how, how, isFirst) => {
    const world = await makeWorld();
    const second = copy(1, { ...how, tender: TENDER });
    const [first, last] = isFirst ? [original, second] : [second, original];
    await store(world.catalogue, [first]);
    const alone = isFirst ? { ...ORIGINAL, sources: BOTH.slice(0, 1) } : COPY;
    expect(await search(world)).toMatchObject({ notices: [alone], tenders: [alone] });
    await store(world.catalogue, [last]);
    const found = { notices: [ORIGINAL], tenders: [ORIGINAL], counts: { [BOTH[0] ?? '']: 1, [BOTH[1] ?? '']: 1 } };
    expect(await search(world)).toEqual(found);
    for (const source of BOTH) expect(await search(world, source)).toEqual(found);
    expect((await search(world, 'contracts_finder')).notices).toEqual([]);
  });

  it('are described as what left and what came, and a list that keeps to this has one', async () => {
    const { catalogue } = await makeWorld();
    const readChanges = async (position = READER_START) => {
      const page = await readChangesPage(catalogue, { position, kinds: ['notice'], filters: {}, limit: 100 });
      return {
        ...page,
        described: page.changes.map(({ id, change, item }) => [id.split('_')[0], change, item?.also_on]),
      };
    };
    expect(CHANGE_KINDS).toContain('notice');
    await store(catalogue, [copy(1, { tender: TENDER })]);
    const before = await readChanges();
    expect(before.described).toEqual([['050831-2026', 'new', undefined]]);
    await store(catalogue, [original]);
    const after = await readChanges(before.next);
    expect(after.described.toSorted()).toEqual([
      ['050831-2026', 'left', undefined],
      ['PCS-SEP500001', 'new', ['find_a_tender']],
    ]);
    expect((await readChanges()).described).toEqual([['PCS-SEP500001', 'new', ['find_a_tender']]]);
  });

  it('are found by what is left once the other is taken down', async () => {
    for (const how of [{}, { links: false }]) {
      const world = await makeWorld();
      await store(world.catalogue, [original, copy(1, { ...how, tender: TENDER })]);
      await applyTakedown(world.catalogue, takedown('PCS-SEP500001'), options());
      expect(await search(world)).toMatchObject({ notices: [COPY], tenders: [COPY] });
    }
    const world = await makeWorld();
    await store(world.catalogue, [original, copy(1, { tender: TENDER })]);
    expect((await search(world)).notices).toEqual([ORIGINAL]);
    await applyTakedown(world.catalogue, takedown('050831-2026'), options());
    const alone = { ...ORIGINAL, sources: BOTH.slice(0, 1) };
    expect(await search(world)).toMatchObject({ notices: [alone], tenders: [alone] });
  });

  it('are two where the very notice is not stored, or nothing says that they are one', async () => {
    const world = await makeWorld();
    const family = makeScottish(2, { day: '2026-09-05', family: 1, title: 'Grounds maintenance' }).release;
    const { description: _none, ...silent } = copy(3, { links: false, tender: TENDER });
    await store(world.catalogue, [family, copy(1, { tender: TENDER }), silent]);
    const ids = (await search(world)).notices.map(({ notice_id }) => notice_id);
    expect(ids.toSorted()).toEqual(['050831-2026', '050833-2026', 'PCS-SEP500002']);
  });
});
