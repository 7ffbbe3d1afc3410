import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storePage } from '../../../ingest/store/page.ts';
import type { Totals } from '../../../schema/catalogue/details.ts';
import type { Database, Statement } from '../../../schema/db/interface.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { actRelease, BRIGHT, COUNCIL, OAKES, packageOf, read, reference, supplier } from '../compile/releases.ts';
import { catalogueDigest, readSeq } from './catalogue-digest.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
const opened: Database[] = [];
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(async () => {
  for (const catalogue of opened) await catalogue.close();
  await folder.remove();
});

async function makeCatalogue(): Promise<Database> {
  const own = await makeFolder();
  const catalogue = await makeDatabase(own.path, 'catalogue');
  opened.push({ ...catalogue, close: async () => catalogue.close().then(own.remove) });
  return catalogue;
}

async function store(catalogue: Database, releases: JsonObject[]) {
  const source = 'find_a_tender';
  const page = read(packageOf(releases), source);
  return storePage(catalogue, { source, fetchedAt: '2026-11-20T00:00:00Z', ...page, before: [], after: [] });
}

let serial = 0;
/** An award of its own process. */
function award(winner: JsonObject, more: JsonObject = {}, buyer: JsonObject = COUNCIL): JsonObject {
  serial += 1;
  const number = String(serial).padStart(6, '0');
  return actRelease(`${number}-2026`, `2026-02-${String((serial % 27) + 1).padStart(2, '0')}T00:00:00Z`, {
    ocid: `ocds-h6vhtk-${number}`,
    tag: ['award', 'contract'],
    buyer: reference(buyer),
    parties: [buyer, winner],
    awards: [{ id: '1', status: 'active', suppliers: [reference(winner)], value: { amount: 1000.1, currency: 'GBP' } }],
    ...more,
  });
}

const one = async <T>(catalogue: Database, sql: string, ...args: string[]): Promise<T | undefined> =>
  (await catalogue.read<T>({ sql, args }))[0];

describe('two sources at once', () => {
  it('lose nothing of what they share: pages compiled side by side count every contract', async () => {
    const catalogue = await makeCatalogue();
    await Promise.all(Array.from({ length: 6 }, () => store(catalogue, [award(BRIGHT), award(OAKES)])));
    const buyers = await catalogue.read({ sql: 'SELECT contract_count FROM buyer WHERE gone = 0' });
    expect(buyers).toEqual([{ contract_count: 12 }]);
    const companies = await catalogue.read({ sql: 'SELECT contract_count FROM company WHERE gone = 0' });
    expect(companies).toEqual([{ contract_count: 6 }, { contract_count: 6 }]);
  });
});

describe('a stored page', () => {
  it('gives rows, suppliers, totals and counts; stored again it changes nothing', async () => {
    const catalogue = await makeCatalogue();
    await catalogue.write([
      {
        sql: `INSERT INTO source (id, title, homepage, licence, licence_url, attribution, timetable)
              VALUES ('find_a_tender', 't', 'h', 'l', 'u', 'a', 'x')`,
      },
    ]);
    const page = [award(BRIGHT), award(BRIGHT), award(OAKES)];
    expect(await store(catalogue, page)).toMatchObject({ stored: 3, unchanged: 0 });
    const company = await one<{ contract_count: number; totals: string; is_sme: number; postcode: string }>(
      catalogue,
      "SELECT * FROM company WHERE id = 'GB-COH-01234567'",
    );
    expect(company).toMatchObject({ contract_count: 2, is_sme: 1, company_number: '01234567', postcode: 'LS2 7EW' });
    const totals = JSON.parse(company?.totals ?? '{}') as Totals;
    expect(totals.sum).toEqual({ GBP: { count: 2, value: 2000.2 } });
    expect(totals.top).toMatchObject([{ id: COUNCIL.id, count: 2 }]);
    const buyer = await one(catalogue, 'SELECT * FROM buyer');
    expect(buyer).toMatchObject({ id: COUNCIL.id, contract_count: 3, region_code: 'UKE42', kind: 'local' });
    expect(await one(catalogue, 'SELECT releases FROM source')).toEqual({ releases: 3 });

    const before = [await catalogueDigest(catalogue), await readSeq(catalogue)];
    expect(await store(catalogue, page)).toMatchObject({ stored: 0, unchanged: 3 });
    expect([await catalogueDigest(catalogue), await readSeq(catalogue)]).toEqual(before);
  });

  it('is one batch: a fence that refuses leaves nothing', async () => {
    const catalogue = await makeCatalogue();
    const page = read(packageOf([award(BRIGHT)]));
    const fence = { sql: 'INSERT INTO fence (ok) VALUES (0)' };
    const stored = storePage(catalogue, {
      source: 's',
      fetchedAt: '2026-11-20T00:00:00Z',
      ...page,
      before: [fence],
      after: [],
    });
    await expect(stored).rejects.toThrow(/lease lost/);
    expect(await one(catalogue, 'SELECT count(*) AS n FROM release')).toEqual({ n: 0 });
  });

  it('keeps what it could not read beside what it could', async () => {
    const catalogue = await makeCatalogue();
    await store(catalogue, [award(BRIGHT), { ...award(OAKES), ocid: 'ocds-b5fd17-' }]);
    expect(await one(catalogue, 'SELECT kind, state, sightings FROM quarantine')).toEqual({
      kind: 'release',
      state: 'held',
      sightings: 1,
    });
    expect(await one(catalogue, 'SELECT count(*) AS n FROM release')).toEqual({ n: 1 });
  });

  it('lets a row that goes stay as gone, with a new seq', async () => {
    const catalogue = await makeCatalogue();
    const first = award(BRIGHT);
    await store(catalogue, [first]);
    const seq = await readSeq(catalogue);
    const cancelled = { ...first, date: '2026-05-01T00:00:00Z', awards: [{ id: '1', status: 'cancelled' }] };
    await store(catalogue, [{ ...cancelled, id: '900001-2026' }]);
    expect(await one(catalogue, 'SELECT gone, seq FROM contract')).toEqual({ gone: 1, seq: seq + 1 });
    expect(await one(catalogue, 'SELECT contract_count FROM company')).toEqual({ contract_count: 0 });
    expect(await one(catalogue, 'SELECT count(*) AS n FROM contract_supplier')).toEqual({ n: 0 });
  });
});

describe('frameworks and their call-offs', () => {
  const framework = award(OAKES, {
    tender: { id: 'RM6099', title: 'Cleaning', techniques: { hasFrameworkAgreement: true } },
  });
  const callOff = award(BRIGHT, {
    tender: { title: 'Windows', procurementMethodDetails: 'Award under framework', description: 'under RM6099' },
  });
  it.each([
    ['framework first', [framework, callOff]],
    ['call-off first', [callOff, framework]],
  ])('are linked by reference, %s', async (_, releases) => {
    const catalogue = await makeCatalogue();
    for (const release of releases) await store(catalogue, [release]);
    const linked = await one<{ framework_id: string; detail: string }>(
      catalogue,
      "SELECT framework_id, detail FROM contract WHERE framework_role = 'call_off'",
    );
    expect(linked?.framework_id).toBe(framework.ocid);
    expect(JSON.parse(linked?.detail ?? '{}').framework_link).toEqual({ method: 'reference', evidence: ['RM6099'] });
  });
});

describe('any order, any batches, twice', () => {
  it('give the same catalogue', async () => {
    const ppon = { scheme: 'GB-PPON', id: 'PQRS-5678-TVWX' };
    const bare = (name: string, id: string) => ({ id, name, roles: ['supplier'], address: { postalCode: 'LS2 7EW' } });
    const releases = [
      award(bare('Brightwater Cleaning', 'GB-FTS-1')),
      award(BRIGHT),
      award({ ...BRIGHT, id: 'GB-PPON-PQRS-5678-TVWX', identifier: ppon, name: 'Brightwater Group' }),
      award({ ...BRIGHT, additionalIdentifiers: [ppon] }),
      award(bare('Somebody Else', 'GB-FTS-1')),
      award(OAKES, {}, { ...COUNCIL, id: 'GB-FTS-5', identifier: { legalName: 'x' } }),
      award(supplier('RJR', 'Elm Hospital')),
    ];
    const digests = [];
    for (const order of [releases, releases.toReversed(), [...releases.slice(3), ...releases.slice(0, 4)]]) {
      const catalogue = await makeCatalogue();
      for (let at = 0; at < order.length; at += 2) await store(catalogue, order.slice(at, at + 2));
      await store(catalogue, releases);
      digests.push(await catalogueDigest(catalogue));
    }
    expect(digests[1]).toEqual(digests[0]);
    expect(digests[2]).toEqual(digests[0]);
  });
});

it('a buyer who becomes another takes all its notices along, and no answer holds the texts of more than 200', async () => {
  const catalogue = await makeCatalogue();
  const named = { id: 'own-1', name: COUNCIL.name, roles: ['buyer'] };
  await store(
    catalogue,
    Array.from({ length: 250 }, () => award(BRIGHT, {}, named)),
  );
  const counts: number[] = [];
  const counting: Database = {
    ...catalogue,
    async read<T>(statement: Statement) {
      const rows = await catalogue.read<T>(statement);
      const long = (rows as JsonObject[]).filter((row) => row.body ?? row.sighting ?? row.suppliers);
      counts.push(new Set(long.map((row) => row.ocid ?? row.process_id ?? row.id)).size);
      return rows;
    },
  };
  await store(counting, [award(BRIGHT)]);
  expect(await one(catalogue, 'SELECT contract_count FROM buyer WHERE id = ?', COUNCIL.id)).toEqual({
    contract_count: 251,
  });
  expect(Math.max(...counts)).toBeLessThanOrEqual(200);
});
