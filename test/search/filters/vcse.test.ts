import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKeyQuery } from '../../../api/operations/exports/filters.ts';
import { countRows } from '../../../api/reads/export-rows/keys.ts';
import { storePage } from '../../../ingest/store/page.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { READER_START, readChangesPage } from '../../../search/changes/page.ts';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import type { EmbeddedEngine } from '../../../search/embedded/engine.ts';
import type { AnyHit } from '../../../search/engine.ts';
import type { SearchFilters } from '../../../search/filters/index.ts';
import { syncSearch } from '../../../search/index/sync.ts';
import { openIndex } from '../../../search/open.ts';
import { actRelease, BRIGHT, COUNCIL, OAKES, packageOf, read, reference } from '../../ingest/compile/releases.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { makeTestEngine } from '../test-engine.ts';

const TRUST = { ...OAKES, details: { vcse: true } };
const FIRM = { ...BRIGHT, details: { vcse: false } };
/** By notice, the suppliers of its contract. */
const WON_BY = {
  '000001-2026': [TRUST],
  '000002-2026': [FIRM],
  '000003-2026': [BRIGHT],
  '000004-2026': [BRIGHT, TRUST],
  '000005-2026': [FIRM, OAKES],
};
const [BY_TRUST, BY_FIRM, NOT_SAID, WITH_TRUST] = Object.keys(WON_BY) as [string, string, string, string];

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
let engine: EmbeddedEngine<AnyHit>;

async function publish(id: string, date: string, suppliers: readonly JsonObject[]) {
  const award = {
    id: '1',
    status: 'active',
    suppliers: suppliers.map(reference),
    value: { amount: 10, currency: 'GBP' },
  };
  const more = { tag: ['award'], parties: [COUNCIL, ...suppliers], buyer: reference(COUNCIL), awards: [award] };
  const release = { ...actRelease(id, date, more), ocid: `ocds-h6vhtk-${id.slice(0, 6)}` };
  const fetched = { source: 'find_a_tender', fetchedAt: date, before: [], after: [] };
  await storePage(catalogue, { ...fetched, ...read(packageOf([release])) });
}

beforeAll(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  for (const [id, suppliers] of Object.entries(WON_BY)) await publish(id, '2026-03-01T00:00:00Z', suppliers);
  const { index, url } = await openIndex(folder.path, COLLECTIONS.contracts);
  engine = makeTestEngine<AnyHit>(index, { catalogue, url, collection: COLLECTIONS.contracts });
});
afterAll(async () => {
  await engine.close();
  await catalogue.close();
  await folder.remove();
});

const changesAfter = (filters: SearchFilters, position = READER_START) =>
  readChangesPage(catalogue, { position, kinds: ['contract'], filters, limit: 100 });

/** What a search finds, once it has the same number in exports and changes. */
async function find(filters: SearchFilters): Promise<string[]> {
  await syncSearch(catalogue, engine, {});
  const { hits } = await engine.find({ scope: 'contracts', filters, limit: 10, now: new Date() });
  const { changes } = await changesAfter(filters);
  expect(await countRows(catalogue, makeKeyQuery('contracts', filters, new Date()))).toBe(hits.length);
  expect(changes).toHaveLength(hits.length);
  return hits.map(({ notice_id }) => notice_id).toSorted();
}

describe('contracts of voluntary, community and social enterprises', () => {
  it('are those that name one as a supplier; the others are those whose every supplier says it is none', async () => {
    expect(await find({ vcse: true })).toEqual([BY_TRUST, WITH_TRUST]);
    expect(await find({ vcse: false })).toEqual([BY_FIRM]);
  });

  it('are joined by one whose notice says so later, and left by one that is corrected', async () => {
    const { next } = await changesAfter({ vcse: true });
    await publish(NOT_SAID, '2026-03-02T00:00:00Z', [{ ...BRIGHT, details: { vcse: true } }]);
    await publish(BY_TRUST, '2026-03-02T00:00:00Z', [{ ...OAKES, details: { vcse: false } }]);
    const { changes } = await changesAfter({ vcse: true }, next);
    expect(
      changes.map(({ id, change, changed }) => [id.slice(12, 18), change, changed?.includes('suppliers')]).toSorted(),
    ).toEqual([
      ['000001', 'left', undefined],
      ['000003', 'new', true],
    ]);
    expect(await find({ vcse: true })).toEqual([NOT_SAID, WITH_TRUST]);
  });
});
