import { afterEach, beforeEach, expect, it } from 'vitest';
import { listedStatements, listRecord } from '../../../ingest/register/store.ts';
import { storePage } from '../../../ingest/store/page.ts';
import type { Match, RegisterRecord, SupplierDetail } from '../../../schema/catalogue/details.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { actRelease, COUNCIL, packageOf, read, reference } from '../compile/releases.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
let serial = 0;
beforeEach(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
});
afterEach(async () => {
  await catalogue.close();
  await folder.remove();
});

/** Companies as an edition lists them; the edition is held whole unless said otherwise. */
async function list(companies: (Partial<RegisterRecord> & { number: string; name: string })[], cursor = '2026-11-01') {
  const records = companies.map(({ number, name, ...more }): RegisterRecord => {
    const rest = { accounts: {}, sic_codes: [], previous_names: [], incorporated: '2001-02-03', ...more };
    return { company_number: number, company_name: name, ...rest };
  });
  const { statements } = await listedStatements(catalogue, records.map(listRecord), '2026-11-01');
  const keep = `INSERT OR REPLACE INTO cursor (source, value, updated_at) VALUES ('companies_house', ?, '')`;
  await catalogue.write([...statements, { sql: keep, args: [cursor] }]);
}

interface Won extends JsonObject {
  postalCode?: string;
  /** When the contract was awarded: a London day. */
  date?: string;
  /** Names of those who won it too. */
  others?: string[];
}

/** Stores an award and tells how its supplier was tied to an identity, as its contract serves it. */
async function win(name: string, { postalCode, date = '2026-02-01', others = [], ...more }: Won = {}) {
  serial += 1;
  const number = String(serial).padStart(6, '0');
  const awarded = { id: `w${serial}`, name, roles: ['supplier'], address: { postalCode }, ...more };
  const along = others.map((other, index) => ({ ...awarded, id: `o${serial}-${index}`, name: other }));
  const release = actRelease(`${number}-2026`, `${date}T00:00:00Z`, {
    ocid: `ocds-h6vhtk-${number}`,
    tag: ['award', 'contract'],
    parties: [COUNCIL, awarded, ...along],
    awards: [{ id: '1', status: 'active', suppliers: [awarded, ...along].map(reference) }],
  });
  const page = read(packageOf([release]));
  await storePage(catalogue, { source: 'x', fetchedAt: '2026-03-01T00:00:00Z', ...page, before: [], after: [] });
  return supplierOf(serial);
}

async function supplierOf(award: number) {
  const sql = "SELECT suppliers FROM contract WHERE process_id = format('ocds-h6vhtk-%06d', ?)";
  const [row] = await catalogue.read<{ suppliers: string }>({ sql, args: [award] });
  const [supplier] = JSON.parse(row?.suppliers ?? '[]') as SupplierDetail[];
  const match = supplier?.match as Match;
  return { id: supplier?.company_id, method: match.method, score: match.score, evidence: match.evidence };
}

it('a contract says how its supplier was known to the register', async () => {
  const formerly = { previous_names: [{ name: 'OSPREY PAVING LIMITED', ceased: '2025-01-01' }] };
  await list([{ number: '01234567', name: 'HERON GROUP PLC', postal_code: 'LS1 4AB', ...formerly }]);
  expect(await win('Osprey Paving Ltd', { postalCode: 'LS1 4AB' })).toEqual({
    id: 'GB-COH-01234567',
    method: 'previous_name_postcode',
    score: 0.98,
    evidence: [
      'cleaned name: osprey paving',
      'its name was OSPREY PAVING LIMITED until 2025-01-01',
      'postcode: LS1 4AB',
      'on the Companies House register as HERON GROUP PLC',
    ],
  });
  expect(await win('Heron Gruop Plc', { postalCode: 'LS1 9ZZ' })).toMatchObject({
    id: 'GB-COH-01234567',
    method: 'near_name',
  });
});

it('a likely match holds also where one who won together with it is not on the register', async () => {
  await list([{ number: '01234567', name: 'HERON PAVING LTD', postal_code: 'LS1 4AB' }]);
  const supplier = await win('Heron Paving Ltd', { postalCode: 'LS1 9ZZ', others: ['Osprey Homes Ltd'] });
  expect(supplier).toMatchObject({ id: 'GB-COH-01234567', method: 'name_district' });
});

it('a match stays when the company moves, or takes another name', async () => {
  await list([{ number: '01234567', name: 'HERON PAVING LTD', postal_code: 'LS1 4AB' }]);
  const before = await win('Heron Pavving Ltd', { postalCode: 'LS1 9ZZ' });
  expect(before).toMatchObject({ id: 'GB-COH-01234567', method: 'near_name' });
  await list([{ number: '01234567', name: 'OSPREY HOMES LTD', postal_code: 'M1 1AA' }]);
  expect(await win('Heron Pavving Ltd', { postalCode: 'LS1 9ZZ' })).toEqual(before);
});

it('a surer match of a name holds for what was won under it before', async () => {
  await list([{ number: '01234567', name: 'HERON PAVING LTD', postal_code: 'LS1 4AB' }]);
  expect(await win('Heron Paving Ltd', { postalCode: 'LS1 9ZZ' })).toMatchObject({
    id: 'GB-COH-01234567',
    method: 'name_district',
  });
  await list([{ number: '01234567', name: 'HERON PAVING LTD', postal_code: 'LS1 9ZZ' }]);
  const surer = await win('Heron Paving Ltd', { postalCode: 'LS1 9ZZ' });
  expect(surer).toMatchObject({ id: 'GB-COH-01234567', method: 'name_postcode', score: 0.99 });
  expect(await supplierOf(serial - 1)).toEqual(surer);
});

it('a name that the register gives to two is given to neither', async () => {
  await list([{ number: '01234567', name: 'HERON PAVING LTD', postal_code: 'LS1 4AB' }]);
  expect(await win('Heron Paving Ltd', { postalCode: 'LS1 9ZZ' })).toMatchObject({
    id: 'GB-COH-01234567',
    method: 'name_district',
  });
  await list([
    { number: '01234567', name: 'OSPREY HOMES LTD', postal_code: 'M1 1AA' },
    { number: '07654321', name: 'HERON PAVING LTD', postal_code: 'LS1 5AB' },
  ]);
  const evidence = ['no identity of that name and postcode'];
  expect(await win('Heron Paving Ltd', { postalCode: 'LS1 9ZZ' })).toMatchObject({
    method: 'unmatched',
    score: 0,
    evidence,
  });
});

it('what notices say of a name outweighs what the register makes likely', async () => {
  await list([{ number: '01234567', name: 'HERON PAVING LTD', postal_code: 'M1 1AA' }]);
  expect(await win('Heron Paving Ltd', { postalCode: 'LS1 9ZZ' })).toMatchObject({
    id: 'GB-COH-01234567',
    method: 'full_name',
  });
  await win('Heron Paving Ltd', { postalCode: 'LS1 9ZZ', identifier: { scheme: 'GB-COH', id: '07654321' } });
  expect(await win('Heron Paving Ltd', { postalCode: 'LS1 9ZZ' })).toEqual({
    id: 'GB-COH-07654321',
    method: 'name_postcode',
    score: 0.99,
    evidence: [
      'cleaned name: heron paving',
      'postcode: LS1 9ZZ',
      'published under that name and postcode as GB-COH-07654321',
    ],
  });
});

it('a wrong number in one notice does not move what the register says of the name at its postcode', async () => {
  await list([
    { number: '01234567', name: 'HERON PAVING LTD', postal_code: 'LS1 4AB' },
    { number: '07654321', name: 'OSPREY HOMES LTD', postal_code: 'M1 1AA' },
  ]);
  const heron = { id: 'GB-COH-01234567', method: 'name_postcode', score: 0.99 };
  expect(await win('Heron Paving Ltd', { postalCode: 'LS1 4AB' })).toMatchObject(heron);
  const identifier = { scheme: 'GB-COH', id: '07654321' };
  expect(await win('Heron Paving Ltd', { postalCode: 'LS1 4AB', identifier })).toMatchObject({
    id: 'GB-COH-07654321',
    score: 0.5,
  });
  expect(await win('Heron Paving Ltd', { postalCode: 'LS1 4AB' })).toMatchObject(heron);
  expect(await supplierOf(serial - 2)).toMatchObject(heron);
});

it('who is known by another identifier becomes a company by name and postcode only', async () => {
  await list([{ number: '01234567', name: 'HERON PAVING LTD', postal_code: 'LS1 4AB' }]);
  const identifier = { scheme: 'GB-PPON', id: 'PLMN-2468-PQRS' };
  expect(await win('Heron Paving Ltd', { postalCode: 'LS1 9ZZ', identifier })).toMatchObject({
    id: 'GB-PPON-PLMN-2468-PQRS',
  });
  const other = { scheme: 'GB-PPON', id: 'PLMN-1357-PQRS' };
  expect(await win('Heron Paving Ltd', { postalCode: 'LS1 4AB', identifier: other })).toEqual({
    id: 'GB-COH-01234567',
    method: 'identifier',
    score: 0.99,
    evidence: [
      'published as GB-PPON-PLMN-1357-PQRS',
      'one with GB-COH-01234567: published together, or under one cleaned name and postcode',
      'on the Companies House register as HERON PAVING LTD',
    ],
  });
});

it('without a postcode a name and its legal form lead, and one without it does not follow', async () => {
  await list([{ number: '01234567', name: 'HERON PAVING LTD', postal_code: 'LS1 4AB' }]);
  expect(await win('Heron Paving Limited')).toMatchObject({ id: 'GB-COH-01234567', method: 'full_name' });
  expect(await win('Heron Paving')).toMatchObject({
    method: 'unmatched',
    evidence: ['neither identifier nor postcode'],
  });
  expect(await win('Heron Paving LLP')).toMatchObject({ method: 'unmatched' });
  expect(await win('Heron Paving Limited', { date: '1999-01-01' })).toMatchObject({ id: 'GB-COH-01234567' });
  const address = { countryName: 'Ireland' };
  expect(await win('Heron Paving Limited', { address })).toMatchObject({ method: 'unmatched' });
});

it('while an edition is still being read only a name at its very postcode counts', async () => {
  await list([{ number: '01234567', name: 'HERON PAVING LTD', postal_code: 'LS1 4AB' }], '2026-11-01 3/7');
  expect(await win('Heron Paving Ltd', { postalCode: 'LS1 9ZZ' })).toMatchObject({ method: 'unmatched' });
  expect(await win('Heron Paving Ltd', { postalCode: 'LS1 4AB' })).toMatchObject({
    id: 'GB-COH-01234567',
    method: 'name_postcode',
  });
});

it('a number that the register knows under quite another name is followed and doubted, once it is known', async () => {
  const identifier = { scheme: 'GB-COH', id: '1234567' };
  expect(await win('Skylark Fencing', { postalCode: 'M1 1AA', identifier })).toMatchObject({
    id: 'GB-COH-01234567',
    score: 1,
  });
  const formerly = { previous_names: [{ name: 'OSPREY HOMES LIMITED', ceased: '2025-01-01' }] };
  await list([{ number: '01234567', name: 'HERON PAVING LTD', postal_code: 'LS1 4AB', ...formerly }]);
  expect(await win('Skylark Fencing', { postalCode: 'M1 1AA', identifier })).toEqual({
    id: 'GB-COH-01234567',
    method: 'company_number',
    score: 0.5,
    evidence: [
      'published as GB-COH-01234567',
      'on the Companies House register as HERON PAVING LTD',
      'a different name from the one published: the number may be wrong',
    ],
  });
  for (const name of [
    'Heron Paving',
    'HP Ltd',
    'Herron & Sons',
    'HeronPaving (Leeds)',
    'Osprey',
    'Paving Ltd t/a Kite',
  ])
    expect(await win(name, { postalCode: 'M1 1AA', identifier })).toMatchObject({ method: 'company_number', score: 1 });
  await catalogue.write([{ sql: 'UPDATE registered_company SET gone = 1' }]);
  expect((await win('Skylark Fencing', { postalCode: 'M1 1AA', identifier })).evidence).toEqual([
    'published as GB-COH-01234567',
  ]);
});

it('a partnership and a company of its name at its address stay two, also where only one is on the register', async () => {
  await list([{ number: 'OC301234', name: 'HERON LEGAL LLP', postal_code: 'LS1 4AB' }]);
  const partners = await win('Heron Legal LLP', { postalCode: 'LS1 4AB' });
  expect(partners).toMatchObject({ id: 'GB-COH-OC301234', method: 'name_postcode' });
  expect(await win('Heron Legal Limited', { postalCode: 'LS1 4AB' })).toMatchObject({ method: 'unmatched' });
});
