import { afterAll, describe, expect, it } from 'vitest';
import { makeKeyQuery } from '../../../../api/operations/exports/filters.ts';
import { lookupFramework } from '../../../../api/operations/frameworks/lookup.ts';
import { KEYSET_START as FIRST_KEY, readKeys } from '../../../../api/reads/export-rows/keys.ts';
import { explain } from '../../../../ingest/explain/by-id.ts';
import { digestOfAll, readDigests } from '../../../../ingest/rebuild/digests.ts';
import { applyTakedown } from '../../../../ingest/store/takedown.ts';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { READER_START, readChangesPage } from '../../../../search/changes/page.ts';
import type { SearchEngine } from '../../../../search/engine.ts';
import { syncSearch } from '../../../../search/index/sync.ts';
import { openIndex } from '../../../../search/open.ts';
import { makeSharedReaders } from '../../../search/shared-readers.ts';
import { makeTestEngine } from '../../../search/test-engine.ts';
import { ask, openRoom, type Room } from '../../../support/catalogue-services.ts';
import { makeFolder } from '../../../support/databases.ts';
import { makeScottish, ocidOf } from '../../crawl/cells/releases.ts';
import { copy, originalAward, store } from './scottish-copies.ts';

const [SCOTTISH, FTS] = ['public_contracts_scotland', 'find_a_tender'];
const ORIGINAL = ocidOf(1);
const COPY = 'ocds-h6vhtk-06a81';
const NOW = new Date('2026-11-20T00:00:00Z');

const FRAMEWORK = {
  techniques: { hasFrameworkAgreement: true, frameworkAgreement: { maximumParticipants: 4 } },
  tenderPeriod: { endDate: '2026-12-01T12:00:00Z' },
};
const original = makeScottish(1, { day: '2026-09-03', tender: FRAMEWORK }).release;
const second = copy(1, { tender: FRAMEWORK });
/** An award on Find a Tender that says it was called off from the copy. */
const callOff: JsonObject = {
  ...copy(7, { links: false }),
  description: 'A lot of work.',
  relatedProcesses: [{ id: '1', relationship: ['framework'], scheme: 'ocid', identifier: COPY }],
};

/** One process for the indexes of all worlds. */
const readers = makeSharedReaders();
const closing = [readers.close];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

interface World extends Room {
  engine: SearchEngine;
}

async function makeRoom(...releases: JsonObject[]): Promise<World> {
  const [room, folder] = [await openRoom(), await makeFolder()];
  const { index, url } = await openIndex(folder.path);
  const engine = makeTestEngine(index, { catalogue: room.services.catalogue, url, shared: readers });
  closing.push(folder.remove, room.close, () => engine.close());
  await store(room.services.catalogue, releases);
  return { ...room, engine };
}

/** What the search, an export and the list of changes have of a service, which must agree. */
async function find({ services, engine }: World, source?: string): Promise<unknown[]> {
  const { catalogue } = services;
  await syncSearch(catalogue, engine);
  const filters = source === undefined ? {} : { source: [source] };
  const { hits } = await engine.find({ scope: 'frameworks', filters, limit: 10, now: NOW });
  const ids = hits.map(({ framework_id }) => framework_id).sort();
  const keys = await readKeys(catalogue, makeKeyQuery('frameworks', filters, NOW), FIRST_KEY, 10);
  expect(keys.map(({ id }) => id).sort()).toEqual(ids);
  const page = await readChangesPage(catalogue, { position: READER_START, kinds: ['framework'], filters, limit: 100 });
  expect(
    page.changes
      .filter(({ item }) => item)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(ids);
  return ids;
}

const takeDown = ({ services }: Room, noticeId: string) =>
  applyTakedown(
    services.catalogue,
    {
      id: noticeId,
      kind: 'notice',
      target: { noticeId },
      reason: 'r',
      takenAt: '2026-11-20T00:00:00Z',
      takenBy: 'me',
    },
    { before: [], signal: AbortSignal.timeout(60_000) },
  );

const look = async (room: Room, framework_id: string) => (await ask(room, lookupFramework, { framework_id })).body;

describe('a Scottish framework and its copy on Find a Tender', () => {
  it.each([
    ['the original first', [original, second, callOff]],
    ['the copy first', [second, original, callOff]],
    ['a call-off before both', [callOff, second, original]],
    ['a call-off between them', [second, callOff, original]],
  ])(
    'are one that either service finds, and what is called off from the copy is the original’s: %s',
    async (_how, releases) => {
      const room = await makeRoom(...releases);
      for (const source of [undefined, SCOTTISH, FTS]) expect(await find(room, source)).toEqual([ORIGINAL]);
      expect(await find(room, 'contracts_finder')).toEqual([]);
      for (const id of [ORIGINAL, COPY, '050831-2026'])
        expect(await look(room, id)).toMatchObject({
          framework_id: ORIGINAL,
          source: SCOTTISH,
          also_on: [FTS],
          call_off_count: 1,
        });
    },
  );

  it('are the same in whatever order they and a call-off came', async () => {
    const digests = new Set<string>();
    for (const releases of [
      [original, second, callOff],
      [second, callOff, original],
      [callOff, original, second],
    ]) {
      const { services } = await makeRoom(...releases);
      // A release's row has the number by which it came.
      const tables = (await readDigests(services.catalogue)).filter(({ table }) => table !== 'release');
      digests.add(digestOfAll(tables));
    }
    expect(digests.size).toBe(1);
  });

  it('are described by changes: the copy leaves, and the original is news to those who ask for its service', async () => {
    const room = await makeRoom(second);
    const { catalogue } = room.services;
    const readChanges = (position: typeof READER_START) =>
      readChangesPage(catalogue, { position, kinds: ['framework'], filters: { source: [String(FTS)] }, limit: 100 });
    const before = await readChanges(READER_START);
    expect(before.changes.map(({ id, change }) => [id, change])).toEqual([[COPY, 'new']]);
    await store(catalogue, [original]);
    const after = await readChanges(before.next);
    expect(after.changes.map(({ id, change }) => [id, change]).sort()).toEqual([
      [COPY, 'left'],
      [ORIGINAL, 'new'],
    ]);
    expect(after.changes.find(({ id }) => id === ORIGINAL)?.item).toMatchObject({ also_on: [FTS] });
  });

  it('are what is left once either is taken down', async () => {
    for (const [gone, left, source] of [
      ['PCS-SEP500001', COPY, FTS],
      ['050831-2026', ORIGINAL, SCOTTISH],
    ] as const) {
      const room = await makeRoom(original, second, callOff);
      await takeDown(room, gone);
      expect(await find(room)).toEqual([left]);
      const body = await look(room, left);
      expect(body).toMatchObject({ framework_id: left, source });
      expect(body).not.toHaveProperty('also_on');
      if (left === COPY) expect(body).toMatchObject({ call_off_count: 1 });
    }
  });

  it('are two where the copy says nothing of the original', async () => {
    const room = await makeRoom(original, copy(1, { links: false, buyer: 'Another Council', tender: FRAMEWORK }));
    expect(await find(room)).toEqual([COPY, ORIGINAL].sort());
    expect(await find(room, FTS)).toEqual([COPY]);
  });
});

describe('an explanation', () => {
  it('says of a notice, contract and framework which notices have it on another service', async () => {
    const { services } = await makeRoom(original, second, originalAward(2), copy(2));
    const [one] = await explain(services.catalogue, ORIGINAL, NOW);
    const ofNotice = { source: FTS, id: '050831-2026', notice_ids: ['050831-2026'] };
    expect(one).toMatchObject({
      process: { rows_differing: 0 },
      notices: [{ copy_of: null, also_on: [ofNotice] }],
      framework: { copy_of: null, also_on: [{ source: FTS, id: COPY, notice_ids: ['050831-2026'] }] },
    });
    const [copied] = await explain(services.catalogue, '050831-2026', NOW);
    expect(copied).toMatchObject({
      process: { rows_differing: 0 },
      notices: [{ copy_of: 'PCS-SEP500001', also_on: [] }],
      framework: { copy_of: ORIGINAL, also_on: [] },
    });
    const [awarded] = await explain(services.catalogue, `${ocidOf(2)}-a-1`, NOW);
    expect(awarded).toMatchObject({
      process: { rows_differing: 0 },
      contracts: [
        { counted_as: [], also_on: [{ source: FTS, id: 'ocds-h6vhtk-06a82-a-1', notice_ids: ['050832-2026'] }] },
      ],
    });
  });
});
