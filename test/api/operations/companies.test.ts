import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findCompanyByName } from '../../../api/find/by-name.ts';
import { companyContracts } from '../../../api/operations/companies/contracts.ts';
import { lookupCompany } from '../../../api/operations/companies/lookup.ts';
import { companyProfile } from '../../../api/operations/companies/profile.ts';
import { ask, openRoom, type Room } from '../../support/catalogue-services.ts';
import { companyRow, contractRows, registeredRow, row, seed, supplier } from '../../support/seed.ts';

const ACME = 'GB-COH-01234567';
const record = {
  company_name: 'ACME LIFTS LIMITED',
  company_number: '01234567',
  address_line_1: '1 High Street',
  locality: 'LEEDS',
  postal_code: 'LS1 1AA',
  accounts: { category: 'SMALL', next_due: '2026-09-30' },
  sic_codes: [{ code: '43290', description: 'Other construction installation' }],
  previous_names: [{ name: 'ACME HOISTS LIMITED', ceased: '2010-01-02' }],
};
const profile = {
  company_status: 'voluntary-arrangement',
  type: 'ltd',
  sic_codes: ['43290', '99999'],
  registered_office_address: { address_line_1: 'Unit 2', locality: 'York', postal_code: 'YO1 1AA', region: null },
  accounts: { last_accounts: { type: 'micro-entity', made_up_to: '2025-12-31' } },
  has_charges: false,
};
let room: Room;

beforeAll(async () => {
  room = await openRoom();
  await seed(
    room.services.catalogue,
    companyRow(ACME, 'Acme Lifts Ltd', {
      company_number: '01234567',
      name_key: 'acme lifts',
      is_sme: 1,
      contract_count: 3,
      totals: {
        sum: { GBP: { count: 3, value: 3000 } },
        apart: {},
        by_year: { 2025: { count: 1, sum: { GBP: 1000 } }, 2026: { count: 2, sum: { GBP: 2000 } } },
        top: [{ id: 'b', name: 'Northwick Council', count: 3 }],
        frameworks: [],
      },
      detail: { identifiers: [{ scheme: 'GB-COH', id: '01234567' }], also_known_as: ['Acme'], is_sme_source: 'notice' },
    }),
    row('alias', { kind: 'company', alias: 'gb-ppon-pzzz-1111-zzzz', target: ACME }),
    registeredRow('01234567', 'ACME LIFTS LIMITED', { name_key: 'acme lifts', record, edition: '2026-02-01' }),
    registeredRow('SC000042', 'QUIET MILL LIMITED', { name_key: 'quiet mill', locality: 'PERTH', profile, gone: 1 }),
    companyRow('GB-CHC-77', 'Twin Works', { contract_count: 2 }),
    companyRow('name-twin', 'Twin Works', { contract_count: 3 }),
    companyRow('GB-CHC-78', 'Double Works', { contract_count: 2 }),
    companyRow('GB-CHC-79', 'Double Works', { contract_count: 3 }),
    companyRow('name-placed-1', 'Placed Works', { framework_places: 1 }),
    companyRow('name-placed-2', 'Placed Works', { contract_count: 1 }),
    companyRow('name-idle', 'Idle and Sons', { name_key: 'idle and sons' }),
    ...[1, 2, 3].map((n) =>
      contractRows(`ocds-h6vhtk-${n}/1`, [supplier(ACME, 'Acme Lifts Ltd')], { sort_date: `2026-01-0${n}` }),
    ),
  );
});
afterAll(() => room.close());

describe('lookup_company', () => {
  it.each(['01234567', '1234567', 'GB-COH-01234567', 'gb-coh-1234567', 'gb-ppon-PZZZ-1111-zzzz'])(
    'finds a company as %s',
    async (given) => {
      const { body } = await ask(room, lookupCompany, { company_number: given });
      expect(body).toMatchObject({
        id: ACME,
        name: 'ACME LIFTS LIMITED',
        companies_house_number: '01234567',
        is_sme: true,
        contract_count: 3,
      });
    },
  );

  it('finds one by its name and says why', async () => {
    const { body } = await ask(room, lookupCompany, { name: 'Acme Lifts' });
    expect(body.id).toBe(ACME);
    expect(body.match?.score).toBeGreaterThan(0.8);
    expect(body.match?.evidence.length).toBeGreaterThan(0);
  });

  it('prefers the only namesake with an identifier, and guesses between no two', async () => {
    expect((await ask(room, lookupCompany, { name: 'Twin Works' })).body.id).toBe('GB-CHC-77');
    const { found } = await ask(room, lookupCompany, { name: 'Double Works' });
    expect(found).toEqual({
      kind: 'nothing',
      message: 'two companies have the name Double Works; send the id of a candidate',
      candidates: [
        { id: 'GB-CHC-79', name: 'Double Works', contract_count: 3 },
        { id: 'GB-CHC-78', name: 'Double Works', contract_count: 2 },
      ],
    });
  });

  it.each(['GB-CHC-78', 'name-idle'])('takes %s, the id of a candidate, in place of a name', async (name) => {
    const { body } = await ask(room, lookupCompany, { name });
    expect(body.id).toBe(name);
    expect(body).not.toHaveProperty('match');
  });

  it('puts contracts before as many places on frameworks', async () => {
    const { candidates } = await findCompanyByName(room.services.catalogue, 'Placed Works');
    expect(candidates).toEqual([
      { id: 'name-placed-2', name: 'Placed Works', contract_count: 1 },
      { id: 'name-placed-1', name: 'Placed Works', contract_count: 0, framework_places: 1 },
    ]);
  });

  it('tells candidates in one form of id, with their contracts, place and status', async () => {
    const { candidates } = await findCompanyByName(room.services.catalogue, 'Quiet Mull');
    expect(candidates).toEqual([
      { id: 'GB-COH-SC000042', name: 'QUIET MILL LIMITED', contract_count: 0, place: 'PERTH', status: 'Active' },
    ]);
  });

  it('finds one that is only in the register', async () => {
    const { body } = await ask(room, lookupCompany, { company_number: 'sc42' });
    expect(body).toMatchObject({
      id: 'GB-COH-SC000042',
      is_sme: null,
      locality: 'PERTH',
      contract_count: 0,
      left_register: true,
    });
    expect((await ask(room, lookupCompany, { company_number: body.id })).body.id).toBe(body.id);
  });

  it('leaves out a number that is not on record', async () => {
    const { body } = await ask(room, lookupCompany, { company_number: 'name-idle' });
    expect(body).not.toHaveProperty('companies_house_number');
    expect(body).toMatchObject({ locality: null, is_sme: null });
  });

  it.each([{}, { company_number: '1', name: 'x' }])('refuses %j', async (given) => {
    await expect(ask(room, lookupCompany, given)).rejects.toThrow(/company_number or name/);
  });

  it.each([{ company_number: '99999999' }, { company_number: 'RJR' }, { name: 'Qwxz Zzyx Unlikely' }])(
    'finds nothing for %j',
    async (given) => {
      expect((await ask(room, lookupCompany, given)).found.kind).toBe('nothing');
    },
  );
});

describe('company_contracts', () => {
  it('pages through every contract, and only the first page is paid', async () => {
    const first = await ask(room, companyContracts, { company_number: ACME, limit: 2 });
    expect(first.needed).toBe(10);
    expect(first.found).not.toHaveProperty('charge');
    expect(first.body).toMatchObject({ contract_count: 3, count: 2 });
    expect(first.body.items.map(({ ocid }) => ocid)).toEqual(['ocds-h6vhtk-3', 'ocds-h6vhtk-2']);
    const second = await ask(room, companyContracts, {
      company_number: '1234567',
      limit: 2,
      cursor: first.body.next_cursor,
    });
    expect(second.needed).toBe(0);
    expect(second.found).toMatchObject({ charge: 'none' });
    expect(second.body.items.map(({ ocid }) => ocid)).toEqual(['ocds-h6vhtk-1']);
    expect(second.body).not.toHaveProperty('next_cursor');
  });

  it('charges again once 24 hours have passed', async () => {
    const { body } = await ask(room, companyContracts, { company_number: ACME, limit: 1 });
    const later = new Date(Date.now() + 25 * 3_600_000);
    const services = { ...room.services, clocks: { ...room.services.clocks, wallNow: () => later } };
    const late = await ask({ ...room, services }, companyContracts, {
      company_number: ACME,
      limit: 1,
      cursor: body.next_cursor,
    });
    expect(late.needed).toBe(10);
    expect(late.found).not.toHaveProperty('charge');
    expect(late.body.items[0]?.ocid).toBe('ocds-h6vhtk-2');
  });

  it('refuses a cursor that is forged, of another account, of another company or of another operation', async () => {
    const { body } = await ask(room, companyContracts, { company_number: ACME, limit: 1 });
    const cursor = body.next_cursor ?? '';
    const other = { accountId: 'other', keyId: 'key' };
    const refused = /not a cursor of this list/;
    await expect(ask(room, companyContracts, { company_number: ACME, cursor: `x${cursor}` })).rejects.toThrow(refused);
    await expect(ask(room, companyContracts, { company_number: ACME, cursor }, other)).rejects.toThrow(refused);
    await expect(ask(room, companyContracts, { company_number: 'sc42', cursor })).rejects.toThrow(refused);
    await expect(ask(room, companyProfile, { company_number: ACME, cursor })).rejects.toThrow(refused);
  });

  it.each(['name-idle', 'SC000042'])('answers %s, known and without contracts, free', async (given) => {
    const { body, found } = await ask(room, companyContracts, { company_number: given });
    expect(body).toMatchObject({ contract_count: 0, items: [], count: 0 });
    expect(found).toMatchObject({ charge: 'none' });
  });
});

describe('company_profile', () => {
  it('answers the whole register record, totals and contracts', async () => {
    const { body } = await ask(room, companyProfile, { company_number: ACME });
    expect(body.core).toMatchObject({
      name: 'ACME LIFTS LIMITED',
      company_number: '01234567',
      is_sme_source: 'notice',
      registered_office: { line_1: '1 High Street', locality: 'LEEDS', postal_code: 'LS1 1AA' },
      accounts: { category: 'SMALL', next_due: '2026-09-30' },
      sic_codes: record.sic_codes,
      previous_names: record.previous_names,
      also_known_as: ['Acme Lifts Ltd', 'Acme'],
      register_edition: '2026-02-01',
    });
    expect(body.contracts).toMatchObject({ contract_count: 3, count: 3 });
    expect(body.by_year.map(({ year }) => year)).toEqual(['2026', '2025']);
    expect(body.top_buyers).toEqual([{ id: 'b', name: 'Northwick Council', contract_count: 3 }]);
  });

  it('prefers what the API said later, in words, and marks who left the register', async () => {
    const { body, found } = await ask(room, companyProfile, { company_number: 'SC000042' });
    expect(body.core).toMatchObject({
      status: 'Voluntary Arrangement',
      type: 'Private limited company',
      registered_office: { line_1: 'Unit 2', locality: 'York', postal_code: 'YO1 1AA' },
      accounts: { category: 'Micro-entity accounts', last_made_up: '2025-12-31' },
      sic_codes: [{ code: '43290' }, { code: '99999' }],
      has_charges: false,
      left_register: true,
    });
    expect(body.contracts).toEqual({ contract_count: 0, framework_places: 0, items: [], count: 0 });
    expect(found).not.toHaveProperty('charge');
  });

  it('takes a name as well', async () => {
    expect((await ask(room, companyProfile, { name: 'Acme Lifts' })).body.core.company_number).toBe('01234567');
  });
});
