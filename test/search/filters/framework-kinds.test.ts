import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKeyQuery } from '../../../api/operations/exports/filters.ts';
import { countRows } from '../../../api/reads/export-rows/keys.ts';
import { READER_START, readChangesPage } from '../../../search/changes/page.ts';
import type { SearchFilters } from '../../../search/filters/index.ts';
import { syncSearch } from '../../../search/index/sync.ts';
import { actRelease } from '../../ingest/compile/releases.ts';
import { openPublished, type Published } from './published.ts';

const [AGREEMENT, MARKET, OVER] = ['000001-2026', '000002-2026', '000003-2026'] as const;

let published: Published;

function agreement(id: string, date: string, isMarket: boolean, ends: string) {
  const kind = isMarket ? { hasDynamicPurchasingSystem: true } : { hasFrameworkAgreement: true };
  const techniques = { ...kind, frameworkAgreement: { period: { endDate: `${ends}T23:59:59Z` } } };
  return actRelease(id, date, { tender: { techniques } });
}

beforeAll(async () => {
  published = await openPublished([
    agreement(AGREEMENT, '2026-03-01T00:00:00Z', false, '2030-03-31'),
    agreement(MARKET, '2026-03-01T00:00:00Z', true, '2031-03-31'),
    agreement(OVER, '2026-03-01T00:00:00Z', true, '2026-06-30'),
    actRelease('000004-2026', '2026-03-01T00:00:00Z', {}),
  ]);
});
afterAll(() => published.close());

const changesAfter = (filters: SearchFilters, position = READER_START) =>
  readChangesPage(published.catalogue, { position, kinds: ['framework'], filters, limit: 100 });

describe('the kind of a framework', () => {
  it.each<[SearchFilters, string[]]>([
    [{ framework_kind: ['framework'] }, [AGREEMENT]],
    [{ framework_kind: ['dynamic_market'] }, [MARKET, OVER]],
    [{ framework_kind: ['framework', 'dynamic_market'] }, [AGREEMENT, MARKET, OVER]],
    // The dynamic markets that are open in November.
    [{ framework_kind: ['dynamic_market'], ends_from: '2026-11-30' }, [MARKET]],
  ])('by %j searches, exports and changes find the same', async (filters, ids) => {
    const { changes } = await changesAfter(filters);
    expect((await published.trial.ids({ scope: 'frameworks', filters })).toSorted()).toEqual(ids);
    expect(changes.map(({ id }) => `${id.slice(-6)}-2026`).toSorted()).toEqual(ids);
    expect(await countRows(published.catalogue, makeKeyQuery('frameworks', filters, new Date()))).toBe(ids.length);
  });

  it('changes with a later notice: it leaves what is kept up with, and is found by its new kind', async () => {
    const filters = { framework_kind: ['dynamic_market'] };
    const { next } = await changesAfter(filters);
    await published.publish(agreement(OVER, '2026-03-02T00:00:00Z', false, '2026-06-30'));
    expect((await changesAfter(filters, next)).changes).toMatchObject([{ change: 'left' }]);
    await syncSearch(published.catalogue, published.trial.engine, {});
    expect(await published.trial.ids({ scope: 'frameworks', filters })).toEqual([MARKET]);
    expect(
      (await published.trial.ids({ scope: 'frameworks', filters: { framework_kind: ['framework'] } })).toSorted(),
    ).toEqual([AGREEMENT, OVER]);
  });
});
