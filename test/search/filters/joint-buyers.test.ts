import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKeyQuery } from '../../../api/operations/exports/filters.ts';
import { countLiveTenders } from '../../../api/reads/buyers.ts';
import { countRows } from '../../../api/reads/export-rows/keys.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { READER_START, readChangesPage } from '../../../search/changes/page.ts';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import { syncSearch } from '../../../search/index/sync.ts';
import { filterConditions } from '../../../search/meilisearch/filters.ts';
import { indexSettings } from '../../../search/meilisearch/settings.ts';
import { actRelease, BRIGHT, COUNCIL, reference } from '../../ingest/compile/releases.ts';
import { NOW } from '../trial.ts';
import { openPublished, type Published } from './published.ts';

const [BRIDGE, ROADS, FERRY] = ['000001-2026', '000002-2026', '000003-2026'] as const;
const body = (id: string, name: string) => {
  return { ...COUNCIL, id: `GB-PPON-${id}`, name, identifier: { scheme: 'GB-PPON', id } };
};
const VALE = body('PVAL-1111-AAAA', 'Vale Council');
const MOOR = body('PMOR-2222-BBBB', 'Moor Council');

let published: Published;

/** A notice whose first body is its main buyer. */
function makeNotice(id: string, date: string, buyers: JsonObject[], more: JsonObject = {}) {
  const { tender, parties = [], ...rest } = more;
  return actRelease(id, date, {
    ...rest,
    parties: [...buyers, ...(parties as JsonObject[])],
    buyer: reference(buyers[0] as JsonObject),
    tender: {
      status: 'active',
      tenderPeriod: { endDate: '2026-06-30T12:00:00Z' },
      ...(tender as JsonObject | undefined),
    },
  });
}

const AWARD = {
  tag: ['award', 'contract'],
  parties: [BRIGHT],
  awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)], value: { amount: 9_000, currency: 'GBP' } }],
};
const FRAMEWORK = { tender: { techniques: { hasFrameworkAgreement: true } } };

beforeAll(async () => {
  published = await openPublished([
    makeNotice(BRIDGE, '2026-05-01T00:00:00Z', [COUNCIL, VALE, MOOR]),
    makeNotice(ROADS, '2026-05-02T00:00:00Z', [VALE], FRAMEWORK),
    makeNotice(FERRY, '2026-05-03T00:00:00Z', [MOOR, COUNCIL], { ...AWARD, ...FRAMEWORK }),
  ]);
});
afterAll(() => published.close());

const changesAfter = (buyer_id: string, kinds: Parameters<typeof readChangesPage>[1]['kinds'], from = READER_START) =>
  readChangesPage(published.catalogue, { position: from, kinds, filters: { buyer_id }, limit: 100 });
const count = (dataset: 'notices' | 'tenders' | 'contracts' | 'frameworks', buyer_id: string) =>
  countRows(published.catalogue, makeKeyQuery(dataset, { buyer_id }, NOW));

describe('what several bodies buy together', () => {
  it.each([
    [COUNCIL, [BRIDGE, FERRY]],
    [VALE, [BRIDGE, ROADS]],
    [MOOR, [BRIDGE, FERRY]],
  ])('is a notice of each of them: %j', async ({ id }, ids) => {
    expect((await published.trial.ids({ filters: { buyer_id: id } })).toSorted()).toEqual(ids);
    const { changes } = await changesAfter(id, ['notice']);
    expect(changes.map(({ item }) => item?.notice_id).toSorted()).toEqual(ids);
    expect(await count('notices', id)).toBe(ids.length);
  });

  it('is a live tender of each, in searches, exports and counts', async () => {
    const live = await countLiveTenders(published.catalogue, [COUNCIL.id, VALE.id, MOOR.id, 'GB-PPON-NONE'], NOW);
    expect(live).toEqual(new Map([COUNCIL, VALE, MOOR].map(({ id }) => [id, id === VALE.id ? 2 : 1])));
    for (const [id, tenders] of live) {
      expect(await published.trial.ids({ scope: 'tenders', filters: { buyer_id: id } })).toHaveLength(tenders);
      expect(await count('tenders', id)).toBe(tenders);
    }
    const later = new Date('2026-07-01T00:00:00Z');
    expect(await countLiveTenders(published.catalogue, [MOOR.id], later)).toEqual(new Map());
  });

  it.each([
    [COUNCIL, [FERRY]],
    [VALE, [ROADS]],
    [MOOR, [FERRY]],
  ])('is a framework of each: %j', async ({ id }, ids) => {
    expect(await published.trial.ids({ scope: 'frameworks', filters: { buyer_id: id } })).toEqual(ids);
    const { changes } = await changesAfter(id, ['framework']);
    expect(changes.map((one) => `${one.id.slice(-6)}-2026`)).toEqual(ids);
    expect(await count('frameworks', id)).toBe(ids.length);
  });

  it('is a contract of the first alone, so that its value is counted once', async () => {
    const counts = [COUNCIL, VALE, MOOR].map(({ id }) => count('contracts', id));
    expect(await Promise.all(counts)).toEqual([0, 0, 1]);
    const { changes } = await changesAfter(COUNCIL.id, ['contract']);
    expect(changes).toEqual([]);
  });
});

it('a server of Meilisearch is asked for either, also where its documents have one buyer alone', () => {
  for (const [scope, name] of [
    ['frameworks', 'notices'],
    ['contracts', 'contracts'],
  ] as const) {
    const conditions = filterConditions({ scope, filters: { buyer_id: VALE.id }, limit: 1, now: NOW });
    expect(conditions).toContain(`(buyer_id = "${VALE.id}" OR joint_buyer_ids = "${VALE.id}")`);
    const { filterableAttributes } = indexSettings(COLLECTIONS[name]);
    expect(filterableAttributes).toEqual(expect.arrayContaining(['buyer_id', 'joint_buyer_ids']));
  }
});

it('a body that leaves a notice, or gets another id, is followed by changes and searches', async () => {
  const { next } = await changesAfter(MOOR.id, ['notice']);
  const other = await changesAfter(VALE.id, ['notice']);
  // A better identifier, by the fixed order of registers, becomes the id of what was known by the other.
  const known = { ...VALE, additionalIdentifiers: [{ scheme: 'GB-COH', id: '00345678' }] };
  await published.publish(makeNotice('000004-2026', '2026-05-04T00:00:00Z', [known]));
  const [notice] = await published.catalogue.read<{ joint: string }>({
    sql: "SELECT joint_buyer_ids AS joint FROM notice WHERE notice_id = '000001-2026'",
  });
  const [row] = await published.catalogue.read<{ id: string }>({
    sql: "SELECT buyer_id AS id FROM notice WHERE notice_id = '000004-2026'",
  });
  expect(row?.id).not.toBe(VALE.id);
  expect(JSON.parse(notice?.joint ?? '')).toEqual([row?.id, MOOR.id]);
  await published.publish(makeNotice(BRIDGE, '2026-05-05T00:00:00Z', [COUNCIL, VALE]));
  await syncSearch(published.catalogue, published.trial.engine, {});
  expect((await changesAfter(MOOR.id, ['notice'], next)).changes).toMatchObject([{ change: 'left' }]);
  expect(await published.trial.ids({ filters: { buyer_id: MOOR.id } })).toEqual([FERRY]);
  expect((await published.trial.ids({ filters: { buyer_id: row?.id ?? '' } })).toSorted()).toEqual([
    BRIDGE,
    ROADS,
    '000004-2026',
  ]);
  expect(other.changes).toHaveLength(2);
});
