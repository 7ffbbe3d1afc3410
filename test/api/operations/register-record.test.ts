import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lookupCompany } from '../../../api/operations/companies/lookup.ts';
import { lookupCompanies } from '../../../api/operations/companies/lookup-many.ts';
import { companyProfile } from '../../../api/operations/companies/profile.ts';
import { splitCells } from '../../../ingest/register/csv.ts';
import { makeRowReader, readHeader } from '../../../ingest/register/row.ts';
import { listedStatements, listRecord, profileStatements } from '../../../ingest/register/store.ts';
import type { RegisterRecord } from '../../../schema/catalogue/details.ts';
import { ask, openRoom, type Room } from '../../support/catalogue-services.ts';
import { REGISTER_COLUMNS } from '../../upstream/data.ts';

const AT = '2026-02-27T09:00:00Z';
const RECORDED = '../shared/data/companies-house/api/company_candour.json';
const present = existsSync(RECORDED);
if (!present) console.warn(`skipped: the record of a genuine profile needs ${RECORDED}`);

/** A row with something in every one of the 55 columns. */
const FULL = Object.fromEntries(
  REGISTER_COLUMNS.map((name, index): [string, string] => {
    if (/Date|CONDATE/.test(name)) return [name, `${String(1 + (index % 28)).padStart(2, '0')}/03/2024`];
    if (/Num|RefDay|RefMonth/.test(name)) return [name, String(1 + (index % 9))];
    return [name, `CELL ${index}`];
  }),
);
const rows: Record<string, string>[] = [
  {
    ...FULL,
    CompanyName: 'WHOLE RECORD LIMITED',
    CompanyNumber: '01234567',
    CompanyStatus: 'Active',
    CompanyCategory: 'Private Limited Company',
    'Accounts.AccountCategory': 'MICRO ENTITY',
    'SICCode.SicText_1': '43290 - Other construction installation',
    'SICCode.SicText_2': '81210 - General cleaning of buildings',
    'SICCode.SicText_3': '81300 - Landscape service activities',
    'SICCode.SicText_4': '70229 - Management consultancy',
  },
  {
    CompanyName: 'LARGE LIMITED',
    CompanyNumber: '07654321',
    CompanyStatus: 'Active - Proposal to Strike off',
    CompanyCategory: 'PRI/LTD BY GUAR/NSC (Private, limited by guarantee, no share capital)',
  },
];

/** A profile with every field that the API documents. */
const PROFILE = {
  company_status: 'active',
  company_status_detail: 'active-proposal-to-strike-off',
  type: 'private-limited-guarant-nsc',
  subtype: 'community-interest-company',
  jurisdiction: 'england-wales',
  date_of_creation: '1999-03-04',
  date_of_cessation: '2026-01-05',
  registered_office_address: { premises: 'Unit 9', address_line_1: 'Mill Lane', locality: 'York', region: 'Yorkshire' },
  service_address: { address_line_1: '9 Rue Neuve', country: 'France' },
  accounts: {
    accounting_reference_date: { day: '31', month: '12' },
    last_accounts: { period_start_on: '2024-01-01', made_up_to: '2024-12-31', type: 'total-exemption-full' },
    next_accounts: { due_on: '2026-09-30', period_start_on: '2025-01-01', period_end_on: '2025-12-31', overdue: false },
  },
  annual_return: { last_made_up_to: '2015-03-04' },
  confirmation_statement: { last_made_up_to: '2025-03-04', next_made_up_to: '2026-03-04', next_due: '2026-03-18' },
  sic_codes: ['81300', '99999'],
  previous_company_names: [{ name: 'HALF RECORD LIMITED', effective_from: '1999-03-04', ceased_on: '2003-02-01' }],
  foreign_company_details: {
    originating_registry: { name: 'Registre du commerce', country: 'LUXEMBOURG' },
    registration_number: 'B 1234',
    governed_by: 'Law of Luxembourg',
    company_type: 'Société anonyme',
    business_activity: 'Roof gardens',
    is_a_credit_finance_institution: true,
  },
  branch_company_details: { business_activity: 'Roofs', parent_company_name: 'TOITS SA', parent_company_number: 'FC9' },
  corporate_annotation: [{ created_on: '2020-02-02', type: 'other', description: 'Struck off in error' }],
  last_full_members_list_date: '2014-03-04',
  has_charges: false,
  has_insolvency_history: true,
  has_been_liquidated: false,
  has_super_secure_pscs: true,
  super_secure_managing_officer_count: 7,
  is_community_interest_company: true,
  is_on_register_in_country_formed_in: true,
  registered_office_is_in_dispute: false,
  undeliverable_registered_office_address: true,
  external_registration_number: 'EX-77',
  partial_data_available: 'full-data-available-from-financial-conduct-authority',
  proof_status: 'unverified',
  term: '99 years',
};

let room: Room;
beforeAll(async () => {
  room = await openRoom();
  const { catalogue } = room.services;
  const header = readHeader([...REGISTER_COLUMNS]);
  const read = makeRowReader(header);
  const listed = rows.map((row) => {
    const text = header.map((name) => `"${row[name] ?? ''}"`).join(',');
    const found = read(splitCells(text));
    if ('reason' in found) throw new Error(found.reason);
    return found;
  });
  await catalogue.write((await listedStatements(catalogue, listed, '2026-02-01')).statements);
});
afterAll(() => room.close());

const coreOf = async (company_number: string) => (await ask(room, companyProfile, { company_number })).body.core;

/** Every text, number and flag of a value, as text. */
function findLeaves(value: unknown, skip: ReadonlySet<string> = new Set()): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [String(value)];
  return Object.entries(value).flatMap(([name, member]) => (skip.has(name) ? [] : findLeaves(member, skip)));
}

describe('the whole Companies House record', () => {
  it('every cell of a bulk row, in the profile and in the look-up', async () => {
    for (const answer of [
      await coreOf('01234567'),
      (await ask(room, lookupCompany, { company_number: '01234567' })).body,
    ]) {
      const served = new Set(findLeaves(answer));
      const cells = Object.values(rows[0] ?? {}).map((text) => text.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$2-$1'));
      const lacking = cells.flatMap((text) => text.split(/(?<=^\d{5}) - /)).filter((text) => !served.has(text));
      expect(lacking).toEqual([]);
      expect(answer).toMatchObject({
        status: 'Active',
        status_code: 'active',
        type: 'Private Limited Company',
        type_code: 'ltd',
        accounts: {
          category: 'MICRO ENTITY',
          category_code: 'micro-entity',
          category_label: 'Micro-entity accounts',
        },
        is_sme: true,
        is_sme_source: 'accounts',
      });
    }
  });

  it('says nothing of the size of a company whose accounts do not tell', async () => {
    const core = await coreOf('07654321');
    expect(core).toMatchObject({ is_sme: null, status: 'Active - Proposal to Strike off' });
    expect(core).toMatchObject({ status_code: 'active', type_code: 'private-limited-guarant-nsc' });
    expect(core).not.toHaveProperty('is_sme_source');
  });

  it('every field of an API profile, words beside codes, SIC codes as the register itself describes them', async () => {
    await room.services.catalogue.write(profileStatements('07654321', JSON.stringify(PROFILE), AT));
    const core = await coreOf('07654321');
    const served = findLeaves(core);
    const merged = ['Unit 9', 'Mill Lane'];
    expect(findLeaves(PROFILE).filter((leaf) => !served.includes(leaf) && !merged.includes(leaf))).toEqual([]);
    expect(core).toMatchObject({
      status: 'Active',
      status_detail: 'Active proposal to strike off',
      type: 'Private limited by guarantee without share capital',
      type_code: 'private-limited-guarant-nsc',
      subtype: 'Community interest company',
      jurisdiction: 'England and Wales',
      jurisdiction_code: 'england-wales',
      registered_office: { line_1: 'Unit 9 Mill Lane' },
      accounts: { category_code: 'total-exemption-full', category_label: 'Total exemption full accounts' },
      sic_codes: [{ code: '81300', description: 'Landscape service activities' }, { code: '99999' }],
      profile_fetched_at: AT,
    });
  });

  it('says in brief that a company is to be struck off, and that its confirmation statement is overdue', async () => {
    const confirmation_statement = { ...PROFILE.confirmation_statement, overdue: true };
    const profile = JSON.stringify({ ...PROFILE, confirmation_statement });
    await room.services.catalogue.write(profileStatements('07654321', profile, AT));
    const brief = { company_number: '07654321', detail: 'brief' };
    const found = (await ask(room, lookupCompany, brief)).body;
    const [many] = (await ask(room, lookupCompanies, { companies: ['07654321'] })).body.items;
    for (const record of [found, (await ask(room, companyProfile, brief)).body.core, many?.company]) {
      expect(record).toMatchObject({
        status: 'Active',
        status_detail: 'Active proposal to strike off',
        accounts: { overdue: false },
        confirmation_statement: { overdue: true },
      });
    }
  });

  it('says nothing in brief of a confirmation statement that the register only dates', async () => {
    const { body } = await ask(room, lookupCompany, { company_number: '01234567' });
    expect(body).toHaveProperty('confirmation_statement.next_due');
    const brief = (await ask(room, lookupCompany, { company_number: '01234567', detail: 'brief' })).body;
    expect(brief).not.toHaveProperty('confirmation_statement');
  });

  it('what is known of a company formed abroad, under the names that are served and those that are documented', async () => {
    const { company_type, is_a_credit_finance_institution, ...details } = PROFILE.foreign_company_details;
    const served = { legal_form: company_type, is_a_credit_financial_institution: is_a_credit_finance_institution };
    const read = async (foreign_company_details: object) => {
      const profile = JSON.stringify({ ...PROFILE, foreign_company_details });
      await room.services.catalogue.write(profileStatements('07654321', profile, AT));
      return (await coreOf('07654321'))?.foreign_company;
    };
    const documented = await read(PROFILE.foreign_company_details);
    expect(await read({ ...details, ...served })).toEqual(documented);
    expect(documented).toMatchObject({ company_type: 'Société anonyme', is_a_credit_finance_institution: true });
  });

  it('what a later edition says has the last word, beside what only the profile tells', async () => {
    const { catalogue } = room.services;
    const said = { accounts: { next_due: '2026-09-30' }, sic_codes: [], previous_names: [] };
    const listed = {
      ...said,
      company_name: 'B LTD',
      company_number: '08765432',
      status: 'Liquidation',
      locality: 'LEEDS',
    };
    const list = async (record: RegisterRecord, edition: string) =>
      catalogue.write((await listedStatements(catalogue, [listRecord(record)], edition)).statements);
    await list(listed, '2026-02-01');
    const renamed = { ...PROFILE, company_name: 'C LTD', previous_company_names: [{ name: 'B LTD' }] };
    await catalogue.write(profileStatements('08765432', JSON.stringify(renamed), AT));
    expect(await coreOf('08765432')).toMatchObject({ name: 'C LTD', previous_names: [{ name: 'B LTD' }] });
    await list(listed, '2026-03-01');
    const core = await coreOf('08765432');
    expect(core).toMatchObject({
      name: 'B LTD',
      status: 'Liquidation',
      status_code: 'liquidation',
      registered_office: { locality: 'LEEDS' },
      accounts: { next_due: '2026-09-30', overdue: false },
      jurisdiction: 'England and Wales',
    });
    for (const former of ['status_detail', 'dissolved', 'sic_codes', 'previous_names'])
      expect(core).not.toHaveProperty(former);
    await list({ ...listed, accounts: { next_due: '2027-09-30' } }, '2026-04-01');
    expect((await coreOf('08765432'))?.accounts).toEqual({ next_due: '2027-09-30' });
  });

  it.skipIf(!present)('every field of a genuine profile but for its links and marks of the service', async () => {
    const text = readFileSync(RECORDED, 'utf8');
    await room.services.catalogue.write(profileStatements('07654321', text, AT));
    const marks = new Set(['links', 'etag', 'can_file', 'status', 'company_name', 'company_number', 'premises']);
    const served = findLeaves(await coreOf('07654321')).join('\n');
    const leaves = findLeaves(JSON.parse(text), marks);
    expect(leaves.length).toBeGreaterThan(20);
    expect(leaves.filter((leaf) => !served.includes(leaf))).toEqual([]);
  });
});
