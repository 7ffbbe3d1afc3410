import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKeyQuery } from '../../../api/operations/exports/filters.ts';
import { countRows } from '../../../api/reads/export-rows/keys.ts';
import { storePage } from '../../../ingest/store/page.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { READER_START, readChangesPage } from '../../../search/changes/page.ts';
import type { SearchFilters } from '../../../search/filters/index.ts';
import { syncSearch } from '../../../search/index/sync.ts';
import { openIndex } from '../../../search/open.ts';
import { actRelease, packageOf, read } from '../../ingest/compile/releases.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { makeTestEngine } from '../test-engine.ts';
import { makeTrial, type Trial } from '../trial.ts';

const [SOON, LATE, UNKNOWN] = ['000001-2026', '000002-2026', '000003-2026'] as const;

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
let trial: Trial;

async function publish(id: string, date: string, ends?: string) {
  const techniques = {
    hasFrameworkAgreement: true,
    frameworkAgreement: ends ? { period: { endDate: `${ends}T23:59:59Z` } } : {},
  };
  const release = { ...actRelease(id, date, { tender: { techniques } }), ocid: `ocds-h6vhtk-${id.slice(0, 6)}` };
  const fetched = { source: 'find_a_tender', fetchedAt: date, before: [], after: [] };
  await storePage(catalogue, { ...fetched, ...read(packageOf([release])) });
}

beforeAll(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  await publish(SOON, '2026-03-01T00:00:00Z', '2027-03-31');
  await publish(LATE, '2026-03-01T00:00:00Z', '2030-03-30');
  await publish(UNKNOWN, '2026-03-01T00:00:00Z');
  const { index, url } = await openIndex(folder.path);
  trial = makeTrial(makeTestEngine(index, { catalogue, url }));
  await syncSearch(catalogue, trial.engine, {});
});
afterAll(async () => {
  await trial.engine.close();
  await catalogue.close();
  await folder.remove();
});

const changesAfter = (filters: SearchFilters, position = READER_START) =>
  readChangesPage(catalogue, { position, kinds: ['framework'], filters, limit: 100 });

describe('the end of a framework', () => {
  it.each<[SearchFilters, string[]]>([
    [{ ends_from: '2027-01-01', ends_to: '2027-12-31' }, [SOON]],
    [{ ends_from: '2027-03-31' }, [SOON, LATE]],
    [{ ends_to: '2027-03-30' }, []],
    [{ ends_to: '2030-03-30' }, [SOON, LATE]],
  ])('by %j searches, exports and changes find the same', async (filters, ids) => {
    const { changes } = await changesAfter(filters);
    expect((await trial.ids({ scope: 'frameworks', filters })).toSorted()).toEqual(ids);
    expect(changes.map(({ id }) => `${id.slice(-6)}-2026`).toSorted()).toEqual(ids);
    expect(await countRows(catalogue, makeKeyQuery('frameworks', filters, new Date()))).toBe(ids.length);
  });

  it('sorts them, those without one last', async () => {
    expect(await trial.ids({ scope: 'frameworks', sort: 'ends' })).toEqual([SOON, LATE, UNKNOWN]);
    expect(await trial.ids({ scope: 'frameworks', sort: '-ends' })).toEqual([LATE, SOON, UNKNOWN]);
  });

  it('moves with a later notice: it leaves what is kept up with, and is found by its new end', async () => {
    const filters = { ends_to: '2027-12-31' };
    const { next } = await changesAfter(filters);
    await publish(SOON, '2026-03-02T00:00:00Z', '2029-03-31');
    expect((await changesAfter(filters, next)).changes.map(({ change }) => change)).toEqual(['left']);
    await syncSearch(catalogue, trial.engine, {});
    expect(
      await trial.ids({ scope: 'frameworks', filters: { ends_from: '2029-03-31', ends_to: '2029-03-31' } }),
    ).toEqual([SOON]);
  });
});
