import { afterAll, describe, expect, it } from 'vitest';
import { digestOfAll, readDigests } from '../../../../ingest/rebuild/digests.ts';
import { applyTakedown } from '../../../../ingest/store/takedown.ts';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { READER_START, readChangesPage } from '../../../../search/changes/page.ts';
import { ocidOf } from '../../crawl/cells/releases.ts';
import { GUID, onFinder, onTender, store as storePair } from './both-services.ts';
import { find, makeWorlds, type World } from './contracts-of-services.ts';
import { copy, originalAward, store, VALUE } from './scottish-copies.ts';

const ORIGINAL = `${ocidOf(1)}-a-1`;
const COPY = 'ocds-h6vhtk-06a81-a-1';
const [SCOTTISH, FTS] = ['public_contracts_scotland', 'find_a_tender'];

const { makeWorld, closeAll } = makeWorlds();
afterAll(closeAll);

const alsoOn = async ({ catalogue }: World) =>
  catalogue.read<{ id: string; also_on: string | null }>({
    sql: 'SELECT id, also_on FROM contract WHERE gone = 0 ORDER BY id',
  });

const takeDown = ({ catalogue }: World, noticeId: string) =>
  applyTakedown(
    catalogue,
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

/** What changes tell of contracts of a service, from a position on. */
async function readChanges({ catalogue }: World, source: string, position = READER_START) {
  const page = await readChangesPage(catalogue, {
    position,
    kinds: ['contract'],
    filters: { source: [source] },
    limit: 100,
  });
  return { ...page, described: page.changes.map(({ id, change, item }) => [id, change, item?.also_on]) };
}

const found = (source: string) => ({ counts: { [source]: 1 }, groups: [[source, 1]], pence: 8_000_000 });

describe('a Scottish contract and its copy on Find a Tender', () => {
  const original = originalAward(1);
  const second = copy(1);

  it.each([
    ['the original first', [original, second]],
    ['the copy first', [second, original]],
  ])('are one contract that either service finds, counted under the first, %s', async (_how, releases) => {
    const world = await makeWorld();
    await store(world.catalogue, releases.slice(0, 1));
    const isFirst = releases[0] === original;
    expect(await find(world)).toEqual({
      ids: [isFirst ? ORIGINAL : COPY],
      ...found(String(isFirst ? SCOTTISH : FTS)),
    });
    await store(world.catalogue, releases.slice(1));
    const both = {
      ids: [ORIGINAL],
      counts: { [String(SCOTTISH)]: 1, [String(FTS)]: 1 },
      groups: [[SCOTTISH, 1]],
      pence: 8_000_000,
    };
    expect(await find(world)).toEqual(both);
    for (const source of [SCOTTISH, FTS]) expect(await find(world, source)).toEqual(both);
    expect((await find(world, 'contracts_finder')).ids).toEqual([]);
  });

  it('are the same in whatever order they and a correction came', async () => {
    const value = { ...VALUE, amount: 90_000 };
    const corrected: JsonObject = {
      ...second,
      id: '050841-2026',
      date: '2026-09-20T13:14:23+01:00',
      awards: [{ ...(second.awards as JsonObject[])[0], value }],
    };
    const digests = new Set<string>();
    for (const releases of [
      [original, second, corrected],
      [corrected, original, second],
      [second, corrected, original],
    ]) {
      const world = await makeWorld();
      await store(world.catalogue, releases);
      expect(await alsoOn(world)).toEqual([{ id: ORIGINAL, also_on: JSON.stringify([FTS]) }]);
      // A release's row has the number by which it came.
      digests.add(digestOfAll((await readDigests(world.catalogue)).filter(({ table }) => table !== 'release')));
    }
    expect(digests.size).toBe(1);
  });

  it('are described by changes of either service, and the one that left to those who had it', async () => {
    const world = await makeWorld();
    await store(world.catalogue, [original]);
    const before = await readChanges(world, String(FTS));
    expect(before.described).toEqual([]);
    await store(world.catalogue, [second]);
    const after = await readChanges(world, String(FTS), before.next);
    expect(after.described).toEqual([[ORIGINAL, 'new', [FTS]]]);
    await takeDown(world, '050831-2026');
    expect((await readChanges(world, String(FTS), after.next)).described).toEqual([[ORIGINAL, 'left', undefined]]);
  });

  it('are described as an update that names the service', async () => {
    const world = await makeWorld();
    await store(world.catalogue, [original]);
    const { next } = await readChanges(world, String(SCOTTISH));
    await store(world.catalogue, [second]);
    const { changes } = await readChanges(world, String(SCOTTISH), next);
    const item = { source: SCOTTISH, also_on: [FTS] };
    expect(changes).toMatchObject([{ id: ORIGINAL, change: 'updated', changed: ['also_on'], item }]);
  });

  it('are what is left once either is taken down', async () => {
    for (const [gone, left, source] of [
      ['PCS-SEP500001', COPY, FTS],
      ['050831-2026', ORIGINAL, SCOTTISH],
    ] as const) {
      const world = await makeWorld();
      await store(world.catalogue, [original, second]);
      await takeDown(world, gone);
      expect(await alsoOn(world)).toEqual([{ id: left, also_on: null }]);
      expect(await find(world)).toEqual({ ids: [left], ...found(String(source)) });
      expect((await find(world, source === FTS ? SCOTTISH : FTS)).ids).toEqual([]);
    }
  });

  it('are two, each of its own service, where nothing says that they are one', async () => {
    const world = await makeWorld();
    const { description: _none, ...silent } = copy(1, { links: false });
    await store(world.catalogue, [original, silent]);
    expect((await alsoOn(world)).map(({ also_on }) => also_on)).toEqual([null, null]);
    expect((await find(world, SCOTTISH)).ids).toEqual([ORIGINAL]);
    expect((await find(world, FTS)).ids).toEqual([COPY]);
  });
});

describe('a contract on Contracts Finder and Find a Tender', () => {
  const tender = onTender('000201', '2024-03-01T00:00:00Z');
  const finder = onFinder(1, '2024-04-01T00:00:00Z', { tender: { description: `As published, 2024/S 000-000201.` } });
  const unstated = onTender('000201', '2024-03-01T00:00:00Z', {
    awards: (tender.awards as JsonObject[]).map(({ value: _value, ...award }) => award),
  });

  it.each([
    ['counts under Find a Tender', tender, 'ocds-h6vhtk-000201-a-1', 'contracts_finder'],
    ['counts where its value is stated', unstated, `ocds-b5fd17-${GUID}1-a-1`, 'find_a_tender'],
  ])('%s and is found under both', async (_how, other, id, also) => {
    for (const releases of [
      [other, finder],
      [finder, other],
    ]) {
      const world = await makeWorld();
      await storePair(world.catalogue, releases);
      expect(await alsoOn(world)).toEqual([{ id, also_on: JSON.stringify([also]) }]);
      for (const source of ['contracts_finder', 'find_a_tender'])
        expect(await find(world, source)).toMatchObject({ ids: [id], pence: 500_000 });
    }
  });
});

describe('two contracts of one service that count as one by way of another service', () => {
  it('name that other service alone', async () => {
    const without = (release: JsonObject): JsonObject => ({
      ...release,
      awards: (release.awards as JsonObject[]).map(({ value: _value, ...award }) => award),
    });
    const naming = { tender: { description: 'As published, 2024/S 000-000201.' } };
    const unstated = without(onFinder(1, '2024-04-01T00:00:00Z', naming));
    const stated = onFinder(3, '2024-04-02T00:00:00Z', naming);
    const world = await makeWorld();
    await storePair(world.catalogue, [unstated, stated, without(onTender('000201', '2024-03-01T00:00:00Z'))]);
    expect(await alsoOn(world)).toEqual([
      { id: `ocds-b5fd17-${GUID}3-a-1`, also_on: JSON.stringify(['find_a_tender']) },
    ]);
  });
});

describe('a contract on three services', () => {
  it('counts under the first of them, and names the two others', async () => {
    const onScotland = originalAward(1);
    const onFts = copy(1);
    // The notice of Contracts Finder names the one of Find a Tender alone.
    const onCf = onFinder(1, '2026-09-10T00:00:00Z', {
      parties: onFts.parties,
      buyer: onFts.buyer,
      awards: [{ ...(onFts.awards as JsonObject[])[0], date: '2026-09-10T00:00:00Z' }],
      tender: { description: 'As published, 2026/S 000-050831.' },
    });
    const digests = new Set<string>();
    for (const order of ['SFC', 'CFS', 'FCS', 'CSF']) {
      const world = await makeWorld();
      for (const service of order) {
        if (service === 'C') await storePair(world.catalogue, [onCf]);
        else await store(world.catalogue, [service === 'S' ? onScotland : onFts]);
      }
      expect(await alsoOn(world)).toEqual([{ id: ORIGINAL, also_on: JSON.stringify(['contracts_finder', FTS]) }]);
      const counted = await world.catalogue.read<{ counted_as: string }>({
        sql: 'SELECT counted_as FROM process WHERE counted_as IS NOT NULL',
      });
      const ids = counted.map(({ counted_as }) => Object.values(JSON.parse(counted_as)).flat(2));
      expect(ids).toEqual([[ORIGINAL], [ORIGINAL]]);
      for (const source of [SCOTTISH, FTS, 'contracts_finder'])
        expect(await find(world, source)).toMatchObject({ ids: [ORIGINAL], groups: [[SCOTTISH, 1]], pence: 8_000_000 });
      digests.add(digestOfAll((await readDigests(world.catalogue)).filter(({ table }) => table !== 'release')));
    }
    expect(digests.size).toBe(1);
  });
});
