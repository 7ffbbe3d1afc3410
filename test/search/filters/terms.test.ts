import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKeyQuery } from '../../../api/operations/exports/filters.ts';
import { countRows } from '../../../api/reads/export-rows/keys.ts';
import { storePage } from '../../../ingest/store/page.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { READER_START, readChangesPage } from '../../../search/changes/page.ts';
import type { SearchFilters } from '../../../search/filters/index.ts';
import { syncSearch } from '../../../search/index/sync.ts';
import { openIndex } from '../../../search/open.ts';
import { actRelease, packageOf, read } from '../../ingest/compile/releases.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { makeTestEngine } from '../test-engine.ts';
import { makeTrial, type Trial } from '../trial.ts';

const OF_A_LOT = '000001-2026';
const OF_THE_WHOLE = '000002-2026';
const SILENT = '000003-2026';
/** What each says of whom it suits and by which rules it is bought. */
const TENDERS: Readonly<Record<string, JsonObject>> = {
  [OF_A_LOT]: {
    lots: [{ id: '1' }, { id: '2', suitability: { sme: true } }],
    specialRegime: ['lightTouch', 'concession'],
    aboveThreshold: true,
  },
  [OF_THE_WHOLE]: { suitability: { sme: false, vcse: true }, aboveThreshold: false },
  [SILENT]: { lots: [{ id: '1' }] },
};

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
let trial: Trial;

async function publish(id: string, date: string, tender: JsonObject) {
  const release = { ...actRelease(id, date, { tender }), ocid: `ocds-h6vhtk-${id.slice(0, 6)}` };
  const fetched = { source: 'find_a_tender', fetchedAt: date, before: [], after: [] };
  await storePage(catalogue, { ...fetched, ...read(packageOf([release])) });
}

beforeAll(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  for (const [id, tender] of Object.entries(TENDERS)) await publish(id, '2026-03-01T00:00:00Z', tender);
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
  readChangesPage(catalogue, { position, kinds: ['notice'], filters, limit: 100 });

describe('whom a notice suits, and the rules that apply to it', () => {
  it.each<[SearchFilters, string[]]>([
    [{ suitable_for: ['sme'] }, [OF_A_LOT]],
    [{ suitable_for: ['vcse'] }, [OF_THE_WHOLE]],
    [{ suitable_for: ['sme', 'vcse'] }, [OF_A_LOT, OF_THE_WHOLE]],
    [{ special_regime: ['concession'] }, [OF_A_LOT]],
    [{ special_regime: ['utilities'] }, []],
    [{ above_threshold: true }, [OF_A_LOT]],
    [{ above_threshold: false }, [OF_THE_WHOLE]],
  ])('by %j searches, exports and changes find the same', async (filters, ids) => {
    const { changes } = await changesAfter(filters);
    expect((await trial.ids({ filters })).toSorted()).toEqual(ids);
    expect(changes.map(({ id }) => id.slice(0, OF_A_LOT.length)).toSorted()).toEqual(ids);
    expect(await countRows(catalogue, makeKeyQuery('notices', filters, new Date()))).toBe(ids.length);
  });

  it('leave a search that is kept up with when the notice no longer says so', async () => {
    const { next } = await changesAfter({ suitable_for: ['sme'] });
    await publish(OF_A_LOT, '2026-03-02T00:00:00Z', {
      suitability: { sme: false },
      specialRegime: [],
      aboveThreshold: false,
    });
    for (const filters of [{ suitable_for: ['sme'] }, { special_regime: ['concession'] }, { above_threshold: true }]) {
      const { changes } = await changesAfter(filters, next);
      expect(changes.map(({ change }) => change)).toEqual(['left']);
    }
  });
});
