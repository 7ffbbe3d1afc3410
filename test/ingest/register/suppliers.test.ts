import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runRegister } from '../../../ingest/register/run.ts';
import { listedStatements, listRecord } from '../../../ingest/register/store.ts';
import { runSource } from '../../../ingest/run.ts';
import { registerSources } from '../../../ingest/runs/record.ts';
import { sources } from '../../../ingest/sources/index.ts';
import { noticeDocument } from '../compile/releases.ts';
import { AS_OF, makeData, makeNotice, makeRegisterRow, makeWorld, type World } from '../small-world.ts';

type Known = { identifier?: { scheme: string; id: string }; countryName?: string };

/** An award of our own to a supplier that little more than its name and postcode makes known. */
function makeAward(number: number, name: string, postalCode: string, { identifier, countryName }: Known = {}) {
  const address = { postalCode, countryName };
  const supplier = { id: `GB-FTS-${number}`, name, identifier, address, roles: ['supplier'] };
  const buyer = { id: 'GB-PPON-PBCD-1234-FGHJ', name: 'Little Example Council', roles: ['buyer'] };
  const id = `${String(number).padStart(6, '0')}-2026`;
  return makeNotice(number, new Date(AS_OF.getTime() - number * 3_600_000), {
    tag: ['award', 'contract'],
    parties: [buyer, supplier],
    awards: [
      {
        id: '1',
        status: 'active',
        suppliers: [{ id: supplier.id, name }],
        value: { amountNet: 100, amount: 120, currency: 'GBP' },
        documents: [noticeDocument(id, 'UK6')],
      },
    ],
  });
}

const DATA = makeData({
  findATender: [
    makeAward(1, 'Alder Paving Ltd', 'LS1 1AA'),
    makeAward(2, 'Birch Roofing Ltd', 'LS2 2BB', { identifier: { scheme: 'GB-PPON', id: 'PLMN-2468-PQRS' } }),
    makeAward(3, 'Cedar Lifts Ltd', 'LS3 3CC'),
    makeAward(4, 'Dogwood Holdings Ltd', 'LS4 4DD'),
    makeAward(5, 'Elder Paving Ltd t/a Sambucus', 'LS5 5EE'),
    makeAward(6, 'Forsithya Cleaning Ltd', 'LS6 6FF'),
    makeAward(7, 'Gorse and Heather Consortium', 'LS7 7GG'),
    makeAward(8, 'Hazel Lifts', 'LS8 8HH'),
    makeAward(9, 'Ivy Lifts Ltd', 'D02 XY45', { countryName: 'Ireland' }),
  ],
  bulk: [
    makeRegisterRow('01111111', 'ALDER PAVING LIMITED', { 'RegAddress.PostCode': 'LS1 1AA' }),
    makeRegisterRow('02222222', 'BIRCH ROOFING LIMITED', { 'RegAddress.PostCode': 'LS2 2BB' }),
    makeRegisterRow('03333333', 'CEDAR LIFTS LIMITED', { 'RegAddress.PostCode': 'LS9 9ZZ' }),
    makeRegisterRow('04444444', 'WILLOW GROUP PLC', {
      'RegAddress.PostCode': 'LS4 4DD',
      'PreviousName_1.CompanyName': 'DOGWOOD HOLDINGS LIMITED',
      'PreviousName_1.CONDATE': '01/02/2020',
    }),
    makeRegisterRow('05555555', 'ELDER PAVING LTD', { 'RegAddress.PostCode': 'LS5 9ZZ' }),
    makeRegisterRow('06666666', 'FORSYTHIA CLEANING LIMITED', { 'RegAddress.PostCode': 'LS6 6FF' }),
    makeRegisterRow('07777777', 'GORSE AND HEATHER LIMITED', { 'RegAddress.PostCode': 'LS7 7GG' }),
    makeRegisterRow('08888888', 'HAZEL LIFTS LIMITED', { 'RegAddress.PostCode': 'M1 1AA' }),
    makeRegisterRow('09999999', 'IVY LIFTS LIMITED', { 'RegAddress.PostCode': 'M1 1AA' }),
  ],
});

let world: World;
beforeEach(async () => {
  world = await makeWorld(DATA);
  await registerSources(world.catalogue, sources);
});
afterEach(() => world.close());

const run = (again = false) => runRegister(world.context, 'companies_house', { again });
const suppliers = async () => {
  type Row = { identity_id: string; method: string };
  const rows = await world.rows<Row>("SELECT identity_id, method FROM party WHERE role = 'supplier' ORDER BY name");
  return rows.map(({ identity_id, method }) => [identity_id.replace(/^(name-.*)-[0-9a-f]{8}$/, '$1'), method]);
};
const RECORD = { accounts: {}, sic_codes: [], previous_names: [] };
const cursor = () => world.rows("SELECT value FROM cursor WHERE source = 'companies_house:suppliers'");
const MATCHED = [
  ['GB-COH-01111111', 'name_postcode'],
  ['GB-COH-02222222', 'identifier'],
  ['GB-COH-03333333', 'full_name'],
  ['GB-COH-04444444', 'previous_name_postcode'],
  ['GB-COH-05555555', 'name_district'],
  ['GB-COH-06666666', 'near_name'],
  ['name-gorse-and-heather-consortium', 'unmatched'],
  ['name-hazel-lifts', 'unmatched'],
  ['name-ivy-lifts', 'unmatched'],
];

describe('suppliers that came before the register', () => {
  beforeEach(async () => {
    expect(await runSource(world.context, 'find_a_tender')).toMatchObject({ state: 'succeeded', stored: 9 });
  });

  it('are matched with it once the edition is applied, and not again until the next', async () => {
    expect((await suppliers()).filter(([, method]) => method !== 'unmatched')).toEqual([
      ['GB-PPON-PLMN-2468-PQRS', 'identifier'],
    ]);
    expect(await run()).toMatchObject({ state: 'succeeded', releases: 9 });
    expect(await suppliers()).toEqual(MATCHED);
    expect(await cursor()).toEqual([{ value: expect.stringMatching(/^2026-11-01 \d+$/) }]);
    expect(await world.rows('SELECT id, contract_count FROM company WHERE gone = 0 ORDER BY id')).toEqual([
      ...[1, 2, 3, 4, 5, 6].map((digit) => ({ id: `GB-COH-0${String(digit).repeat(7)}`, contract_count: 1 })),
      { id: expect.stringMatching(/^name-gorse-and-heather-consortium-/), contract_count: 1 },
      { id: expect.stringMatching(/^name-hazel-lifts-/), contract_count: 1 },
      { id: expect.stringMatching(/^name-ivy-lifts-/), contract_count: 1 },
    ]);
    const [before] = await world.rows("SELECT value FROM counter WHERE name = 'seq'");
    expect(await run()).toMatchObject({ state: 'empty' });
    expect(await run(true)).toMatchObject({ state: 'succeeded', unchanged: 9 });
    expect(await world.rows("SELECT value FROM counter WHERE name = 'seq'")).toEqual([before]);
  });

  it('stay as they are in a run that lost its lease, and are resolved by the next', async () => {
    const lost = `INSERT INTO fence (ok) SELECT CASE WHEN EXISTS (SELECT 1 FROM cursor
      WHERE source = 'companies_house' AND value = '2026-11-01') THEN 0 ELSE 1 END`;
    world.context.fence = { sql: lost };
    await expect(run()).rejects.toThrow();
    expect((await suppliers())[0]).toEqual(['name-alder-paving', 'unmatched']);
    world.context.fence = null;
    await run();
    expect(await suppliers()).toEqual(MATCHED);
  });

  it('are resolved by the next run from where a killed one stopped', async () => {
    const killed = `INSERT INTO fence (ok) SELECT CASE WHEN EXISTS (SELECT 1 FROM cursor
      WHERE source = 'companies_house:suppliers' AND value LIKE '% names %') THEN 0 ELSE 1 END`;
    world.context.fence = { sql: killed };
    await expect(run()).rejects.toThrow();
    expect(await cursor()).toEqual([{ value: expect.stringMatching(/^2026-11-01 -1 \d+ names \{/) }]);
    world.context.fence = null;
    // A company that came after the scan was cut short is looked up once that scan has ended.
    const one = listRecord({ ...RECORD, company_number: '07777778', company_name: 'GORSE AND HEATHER CONSORTIUM LTD' });
    await world.catalogue.write((await listedStatements(world.catalogue, [one], null)).statements);
    await run();
    expect(await suppliers()).toEqual(MATCHED);
    const [{ newest } = { newest: 0 }] = await world.rows<{ newest: number }>(
      'SELECT max(seq) AS newest FROM registered_company',
    );
    expect(await cursor()).toEqual([{ value: `2026-11-01 ${newest}` }]);
  });
});

it('the register first or the notices first give the same suppliers', async () => {
  await run();
  await runSource(world.context, 'find_a_tender');
  expect(await suppliers()).toEqual(MATCHED);
  const facts = "SELECT token, field, value, last_seen FROM identity_fact WHERE kind = 'company' ORDER BY 1, 2, 3";
  const before = await world.rows(facts);
  await world.close();
  world = await makeWorld(DATA);
  await registerSources(world.catalogue, sources);
  await runSource(world.context, 'find_a_tender');
  await run();
  expect(await world.rows(facts)).toEqual(before);
});

it('a company that only its profile states, dissolved before the notice, is not its supplier', async () => {
  const profile = {
    company_number: '01111111',
    company_name: 'ALDER PAVING LIMITED',
    type: 'ltd',
    company_status: 'dissolved',
    date_of_creation: '1999-05-06',
    date_of_cessation: '2019-05-01',
  };
  const numbered = { identifier: { scheme: 'GB-COH', id: '01111111' } };
  await world.close();
  world = await makeWorld(
    makeData({
      findATender: [makeAward(1, 'Alder Paving Ltd', 'LS1 1AA'), makeAward(2, 'Alder Pavings', 'LS2 2BB', numbered)],
      bulk: [makeRegisterRow('02222222', 'BIRCH ROOFING LIMITED')],
      profiles: new Map([[profile.company_number, profile]]),
    }),
    { settings: { COMPANIES_HOUSE_API_KEY: 'the-key' } },
  );
  await registerSources(world.catalogue, sources);
  await runSource(world.context, 'find_a_tender');
  await run();
  expect(await suppliers()).toEqual([
    ['name-alder-paving', 'unmatched'],
    ['GB-COH-01111111', 'company_number'],
  ]);
});
