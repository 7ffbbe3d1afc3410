import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Services } from '../../api/contract/operation.ts';
import { lookupContract } from '../../api/operations/contracts/lookup.ts';
import { lookupFramework } from '../../api/operations/frameworks/lookup.ts';
import { getNotice } from '../../api/operations/notices/get.ts';
import { storePage } from '../../ingest/store/page.ts';
import { makeClocks } from '../../schema/config/clocks.ts';
import { readSettings } from '../../schema/config/settings.ts';
import type { Database } from '../../schema/db/interface.ts';
import type { JsonObject } from '../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, reference, supplier } from '../ingest/compile/releases.ts';
import { readPublished } from '../ingest/parse/read-published.ts';
import { makeRandom, spoil } from '../ingest/parse/spoil.ts';
import { makeDatabase, makeFolder } from '../support/databases.ts';
import { listBySource } from '../upstream/data.ts';
import { makeSample } from '../upstream/sample/make.ts';
import { findFaults } from './every-answer.ts';

/** Bad records on their whole way: page, catalogue, answer. */
let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
let services: Services;
beforeEach(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  const settings = readSettings({ DATA_DIR: folder.path });
  services = { settings, clocks: makeClocks(settings.AS_OF), catalogue, secret: 'x'.repeat(40) } as Services;
});
afterEach(async () => {
  await catalogue.close();
  await folder.remove();
});

async function store(releases: readonly unknown[], source = 'find_a_tender') {
  const page = readPublished(source, releases);
  const fetchedAt = '2026-11-20T00:00:00Z';
  const report = await storePage(catalogue, { source, fetchedAt, ...page, before: [], after: [] });
  return { ...report, quarantined: page.quarantined.length };
}

const nobody = { accountId: 'a', keyId: 'k' };
const answer = async (found: Promise<{ kind: string; body?: unknown }>) =>
  (await found).body as Record<string, unknown>;
const about = (notice_id: string) => ({
  notice: () => answer(getNotice.run({ notice_id }, services, nobody)),
  contract: () => answer(lookupContract.run({ notice_id }, services, nobody)),
});
const ID = '000001-2026';
const release = (more: JsonObject) => actRelease(ID, '2026-03-01T09:00:00Z', more);
const gbp = (amount: unknown) => ({ value: { amount, currency: 'GBP' } });

describe('a release in which random values are exchanged', () => {
  it('leads only to answers that the API promises (96 random releases)', async () => {
    const all = [...listBySource(makeSample({ notices: 300, buyers: 40, companies: 20 }))];
    const random = makeRandom(20261121);
    for (let round = 0; round < 32; round++) {
      const [source, published] = all[round % all.length] ?? ['', []];
      const spoilt = [0, 1, 2].map(() => spoil(published[random(published.length)]?.release ?? {}, random));
      const { stored, unchanged, refused, quarantined } = await store(spoilt, source);
      expect([stored + unchanged + quarantined, refused]).toEqual([3, 0]);
    }
    expect(await findFaults(services, 0)).toEqual([]);
  });
});

describe('a record of absurd size', () => {
  const many = <T>(make: (index: number) => T) => Array.from({ length: 10_000 }, (_, index) => make(index));

  it('of ten thousand lots and two thousand awards: the answers are short, and say what was left out', async () => {
    const ids = many((index) => String(index + 1));
    const awards = ids.slice(0, 2_000).map((id) => ({
      id,
      status: 'active',
      suppliers: [reference(BRIGHT)],
      relatedLots: [id],
      ...gbp(10),
    }));
    const tender = { lots: ids.map((id) => ({ id, ...gbp(1000) })), items: ids.map((id) => ({ id, relatedLot: id })) };
    await store([release({ tag: ['award'], parties: [COUNCIL, BRIGHT], tender, awards })]);
    const { lots, warnings } = await about(ID).notice();
    expect(lots).toHaveLength(2_000);
    expect(warnings).toEqual([
      'only the first 2000 of 10000 lots are held',
      'only the first 1000 of 2000 contracts are listed',
    ]);
    const contract = await about(ID).contract();
    expect(contract).toMatchObject({ value: 20_000, warnings: ['only the first 1000 of 2000 awards are listed'] });
    expect(JSON.stringify(contract).length).toBeLessThan(1_000_000);
    const [company] = await catalogue.read({ sql: 'SELECT contract_count FROM company' });
    expect(company).toEqual({ contract_count: 2_000 });
  });

  it('of twelve hundred suppliers in each of ten lots has short answers, with a place for every supplier', async () => {
    const suppliers = many((index) => supplier(String(10_000_000 + index), `Supplier ${index} Ltd`)).slice(0, 1_200);
    const lots = many((index) => ({ id: String(index) })).slice(0, 10);
    const award = {
      id: '1',
      status: 'active',
      suppliers: suppliers.map(reference),
      relatedLots: lots.map(({ id }) => id),
    };
    const tender = { lots, techniques: { hasFrameworkAgreement: true } };
    await store([release({ tag: ['award'], parties: [COUNCIL, ...suppliers], tender, awards: [award] })]);
    expect((await about(ID).contract()).warnings).toContain('only the first 1000 of 1200 suppliers are listed');
    const input = { framework_id: ID, limit: 50, cursor: undefined };
    const framework = await answer(lookupFramework.run(input, services, nobody));
    expect(framework.warnings).toContain('only the first 500 suppliers of each lot are listed, of 12000 in 10 lots');
    const [first] = framework.lots as { supplier_count: number; suppliers: unknown[] }[];
    expect([framework.supplier_count, first?.supplier_count, first?.suppliers.length]).toEqual([1_200, 1_200, 500]);
    const [counted] = await catalogue.read({ sql: 'SELECT count(*) AS n FROM company WHERE framework_places = 1' });
    expect(counted).toEqual({ n: 1_200 });
  });

  it('with a description of five megabytes: its beginning is served, with its length', async () => {
    await store([release({ tender: { title: 'x'.repeat(5_000), description: 'word '.repeat(1_000_000) } })]);
    const { title, description, warnings } = await about(ID).notice();
    expect([String(title).length, String(description).length]).toEqual([1_000, 99_999]);
    expect(warnings).toEqual([
      'only the first 1000 of 5000 characters of the title are held',
      'only the first 100000 of 4999999 characters of the description are held',
    ]);
  });
});

describe('values that are not text, dates or numbers', () => {
  it('a NUL and half a surrogate pair are left out, and too long an id is replaced by its SHA-256', async () => {
    await store([
      { ...release({ tender: { title: 'Pav\u0000ing \ud83d of\udc00 squares' } }), id: '00\u00000001-2026' },
    ]);
    expect((await about(ID).notice()).title).toBe('Paving of squares');
    const long = { ...release({}), ocid: 'ocds-h6vhtk-000002', id: 'x'.repeat(5_000) };
    expect(await store([long, long])).toMatchObject({ stored: 1, unchanged: 1 });
    const [row] = await catalogue.read<{ notice_id: string }>({
      sql: 'SELECT notice_id FROM notice WHERE length(notice_id) > 11',
    });
    expect((await about(row?.notice_id ?? '').notice()).ocid).toBe('ocds-h6vhtk-000002');
    expect(await store([{ ...release({}), ocid: `ocds-h6vhtk-${'0'.repeat(200)}` }])).toMatchObject({ quarantined: 1 });
  });

  it('a word that every object knows is no nation, no kind of body and no rule of a framework', async () => {
    const address = { countryName: 'constructor', region: 'valueOf' };
    const classifications = [{ scheme: 'UK_CA_TYPE', id: 'constructor' }];
    const frameworkAgreement = { type: 'constructor' };
    const tender = {
      items: [{ id: '1', deliveryAddresses: [address] }],
      techniques: { hasFrameworkAgreement: true, frameworkAgreement },
    };
    const buyer = { ...COUNCIL, name: 'Harrowmere Partnership', address, details: { classifications } };
    expect(await store([release({ parties: [buyer], tender })])).toMatchObject({ stored: 1, refused: 0 });
    expect(await findFaults(services, 0)).toEqual([]);
  });

  it('ids that every object knows, numbers as ids and one id twice are ids', async () => {
    const odd = ['__proto__', 'constructor', 7, 7];
    const awards = odd.map((id) => ({ id, status: 'active', suppliers: [reference(BRIGHT)], ...gbp(100) }));
    await store([release({ tag: ['award'], parties: [COUNCIL, BRIGHT], awards })]);
    const { awards: answered, value } = await about(ID).contract();
    expect([(answered as unknown[]).length, value]).toEqual([3, 300]);
    expect(await findFaults(services, 0)).toEqual([]);
  });

  it.each([
    '2085-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '2026-02-30T12:00:00Z',
    '2026-02-30',
    'next week',
  ])('a day such as %s is none, and said to be none', async (day) => {
    const period = { startDate: '2026-04-01', endDate: day };
    const award = { id: '1', status: 'active', suppliers: [reference(BRIGHT)], date: day, contractPeriod: period };
    const tender = { tenderPeriod: { endDate: day } };
    await store([
      release({ tender }),
      { ...release({ tag: ['award'], parties: [COUNCIL, BRIGHT], awards: [award] }), id: '000002-2026' },
    ]);
    expect(await about(ID).notice()).toMatchObject({
      deadline: null,
      warnings: [`the published deadline is not a date: ${day}`],
    });
    const contract = await about('000002-2026').contract();
    expect(contract).not.toHaveProperty('ends');
    expect(contract).not.toHaveProperty('awarded');
    expect(contract.warnings).toEqual([
      `the published award date is not a date: ${day}`,
      `the published end is not a date: ${day}`,
    ]);
  });
});
