import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKeyQuery } from '../../../api/operations/exports/filters.ts';
import { countRows } from '../../../api/reads/export-rows/keys.ts';
import { READER_START, readChangesPage } from '../../../search/changes/page.ts';
import type { SearchFilters } from '../../../search/filters/index.ts';
import { syncSearch } from '../../../search/index/sync.ts';
import { actRelease } from '../../ingest/compile/releases.ts';
import { openPublished, type Published } from './published.ts';

const [SOON, LATE, UNKNOWN] = ['000001-2026', '000002-2026', '000003-2026'] as const;

let published: Published;

function framework(id: string, date: string, ends?: string) {
  const techniques = {
    hasFrameworkAgreement: true,
    frameworkAgreement: ends ? { period: { endDate: `${ends}T23:59:59Z` } } : {},
  };
  return actRelease(id, date, { tender: { techniques } });
}

beforeAll(async () => {
  published = await openPublished([
    framework(SOON, '2026-03-01T00:00:00Z', '2027-03-31'),
    framework(LATE, '2026-03-01T00:00:00Z', '2030-03-30'),
    framework(UNKNOWN, '2026-03-01T00:00:00Z'),
  ]);
});
afterAll(() => published.close());

const changesAfter = (filters: SearchFilters, position = READER_START) =>
  readChangesPage(published.catalogue, { position, kinds: ['framework'], filters, limit: 100 });

describe('the end of a framework', () => {
  it.each<[SearchFilters, string[]]>([
    [{ ends_from: '2027-01-01', ends_to: '2027-12-31' }, [SOON]],
    [{ ends_from: '2027-03-31' }, [SOON, LATE]],
    [{ ends_to: '2027-03-30' }, []],
    [{ ends_to: '2030-03-30' }, [SOON, LATE]],
  ])('by %j searches, exports and changes find the same', async (filters, ids) => {
    const { changes } = await changesAfter(filters);
    expect((await published.trial.ids({ scope: 'frameworks', filters })).toSorted()).toEqual(ids);
    expect(changes.map(({ id }) => `${id.slice(-6)}-2026`).toSorted()).toEqual(ids);
    expect(await countRows(published.catalogue, makeKeyQuery('frameworks', filters, new Date()))).toBe(ids.length);
  });

  it('sorts them, those without one last', async () => {
    expect(await published.trial.ids({ scope: 'frameworks', sort: 'ends' })).toEqual([SOON, LATE, UNKNOWN]);
    expect(await published.trial.ids({ scope: 'frameworks', sort: '-ends' })).toEqual([LATE, SOON, UNKNOWN]);
  });

  it('moves with a later notice: it leaves what is kept up with, and is found by its new end', async () => {
    const filters = { ends_to: '2027-12-31' };
    const { next } = await changesAfter(filters);
    await published.publish(framework(SOON, '2026-03-02T00:00:00Z', '2029-03-31'));
    expect((await changesAfter(filters, next)).changes.map(({ change }) => change)).toEqual(['left']);
    await syncSearch(published.catalogue, published.trial.engine, {});
    expect(
      await published.trial.ids({ scope: 'frameworks', filters: { ends_from: '2029-03-31', ends_to: '2029-03-31' } }),
    ).toEqual([SOON]);
  });
});
