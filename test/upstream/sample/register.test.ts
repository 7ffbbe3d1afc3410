import { describe, expect, it } from 'vitest';
import { type Json, listBySource } from '../data.ts';
import { makeSample } from './make.ts';

const sample = makeSample();
const today = sample.asOf.toISOString().slice(0, 10);
const published = [...listBySource(sample).values()].flat();

interface Party {
  name: string;
  roles: string[];
  address?: { postalCode?: string; region?: string; countryName?: string; streetAddress?: string };
  identifier?: { scheme?: string; id?: string };
}
const parties = published.flatMap(({ release }) => (release as unknown as { parties: Party[] }).parties);

/** Postcode areas of the sample and the level 1 region that each lies in. */
const AREAS: Record<string, string> = {
  YO: 'UKE',
  LS: 'UKE',
  S: 'UKE',
  M: 'UKD',
  LA: 'UKD',
  L: 'UKD',
  TR: 'UKK',
  DT: 'UKK',
  BA: 'UKK',
  BS: 'UKK',
  OX: 'UKJ',
  GU: 'UKJ',
  SO: 'UKJ',
  ME: 'UKJ',
  BN: 'UKJ',
  CB: 'UKH',
  NR: 'UKH',
  CO: 'UKH',
  NG: 'UKF',
  LE: 'UKF',
  NN: 'UKF',
  B: 'UKG',
  CV: 'UKG',
  SY: 'UKG',
  DH: 'UKC',
  NE: 'UKC',
  TS: 'UKC',
  E: 'UKI',
  N: 'UKI',
  SW: 'UKI',
  CR: 'UKI',
  PH: 'UKM',
  G: 'UKM',
  IV: 'UKM',
  SA: 'UKL',
  CF: 'UKL',
  BT: 'UKN',
};
const areaOf = (postcode: string | undefined) => /^[A-Z]+/.exec(postcode ?? '')?.[0] ?? '';
const countryOf = (postcode: string | undefined) =>
  ({ UKM: 'Scotland', UKL: 'Wales', UKN: 'Northern Ireland' })[AREAS[areaOf(postcode)] ?? ''] ?? 'England';

describe('places of the sample', () => {
  it('have postcodes of their region and country', () => {
    const odd = parties.filter(({ address }) => {
      if (!address?.postalCode) return false;
      const region = AREAS[areaOf(address?.postalCode)];
      const country = address?.countryName?.trim() ?? '';
      const isOwn =
        /^(?:UK|United Kingdom)$/.test(country) ||
        country.toLowerCase() === countryOf(address?.postalCode).toLowerCase();
      return region === undefined || !(address?.region ?? region).startsWith(region) || (country !== '' && !isOwn);
    });
    expect([...new Set(odd.map(({ name, address }) => `${name}: ${JSON.stringify(address)}`))]).toEqual([]);
    const typed = parties.filter(({ address }) => address?.streetAddress && /England/.test(address.countryName ?? ''));
    const foreign = typed.filter(
      ({ address }) =>
        countryOf(/([A-Z]{1,2}\d+ \d[A-Z]{2})\s*$/.exec(address?.streetAddress ?? '')?.[1] ?? address?.postalCode) !==
        'England',
    );
    expect(foreign.map(({ name }) => name)).toEqual([]);
  });
});

const bulkDay = (text: string | undefined) => text?.split('/').reverse().join('-') ?? '';
interface Profile {
  company_number: string;
  company_status: string;
  jurisdiction: string;
  type: string;
  date_of_creation: string;
  has_insolvency_history: boolean;
  accounts: { overdue: boolean; next_due: string; last_accounts: { made_up_to: string } };
  confirmation_statement: { overdue: boolean; next_due: string; last_made_up_to: string };
  registered_office_address: { country: string; postal_code: string };
  previous_company_names?: { effective_from: string; ceased_on: string }[];
}
const profiles = [...sample.profiles.values()].map((profile: Json) => profile as unknown as Profile);
const rows = [...sample.bulk];
const companies = (isOdd: (profile: Profile) => boolean) =>
  profiles.filter(isOdd).map(({ company_number }) => company_number);
const PREFIXES: Record<string, string> = {
  SC: 'scotland',
  SO: 'scotland',
  NI: 'northern-ireland',
  NC: 'northern-ireland',
};
const COUNTRIES: Record<string, string[]> = {
  scotland: ['Scotland'],
  'northern-ireland': ['Northern Ireland'],
  'england-wales': ['England', 'Wales'],
};

describe('the register of the sample', () => {
  it('has each company in the jurisdiction of its number, with an office there', () => {
    expect(
      companies(
        ({ company_number, jurisdiction }) =>
          (PREFIXES[company_number.slice(0, 2)] ?? 'england-wales') !== jurisdiction,
      ),
    ).toEqual([]);
    expect(
      companies(
        ({ jurisdiction, registered_office_address: { country } }) => !COUNTRIES[jurisdiction]?.includes(country),
      ),
    ).toEqual([]);
    expect(
      companies(({ registered_office_address: office }) => countryOf(office.postal_code) !== office.country),
    ).toEqual([]);
    const odd = rows.filter((row) => row['RegAddress.Country'] !== countryOf(row['RegAddress.PostCode']).toUpperCase());
    expect(odd.map(({ CompanyNumber }) => CompanyNumber)).toEqual([]);
    const kinds = profiles.map(({ company_number, type }) => `${/^[A-Z]*/.exec(company_number)?.[0]} ${type}`);
    for (const kind of new Set(kinds))
      expect([
        'SC ltd',
        'SC plc',
        'NI ltd',
        'NI plc',
        ' ltd',
        ' plc',
        'OC llp',
        'SO llp',
        'NC llp',
        'RS registered-society-non-jurisdictional',
      ]).toContain(kind);
  });

  it('says overdue of what is due before today, and of nothing else', () => {
    expect(companies(({ accounts }) => accounts.overdue !== accounts.next_due < today)).toEqual([]);
    expect(companies(({ confirmation_statement: said }) => said.overdue !== said.next_due < today)).toEqual([]);
    expect(companies(({ confirmation_statement: said }) => said.overdue).length).toBeGreaterThan(0);
    expect(
      companies(
        ({ confirmation_statement: said, accounts }) =>
          said.last_made_up_to > today || accounts.last_accounts.made_up_to > today,
      ),
    ).toEqual([]);
  });

  it('has no date before the company, no award before it either, and tells the same in both forms', () => {
    expect(
      companies(({ date_of_creation, previous_company_names = [] }) =>
        previous_company_names.some(
          ({ effective_from, ceased_on }) =>
            effective_from < date_of_creation || ceased_on <= effective_from || ceased_on > today,
        ),
      ),
    ).toEqual([]);
    expect(
      companies(
        ({ date_of_creation, confirmation_statement, accounts }) =>
          date_of_creation > confirmation_statement.last_made_up_to ||
          date_of_creation > accounts.last_accounts.made_up_to,
      ),
    ).toEqual([]);
    const earliest = published.map(({ publishedAt }) => publishedAt.toISOString()).toSorted()[0] ?? '';
    expect(companies(({ date_of_creation }) => date_of_creation > earliest)).toEqual([]);
    const known = new Map(profiles.map((profile) => [profile.company_number, profile]));
    const differ = rows.filter((row) => {
      const profile = known.get(row.CompanyNumber ?? '');
      return (
        bulkDay(row.IncorporationDate) !== profile?.date_of_creation ||
        bulkDay(row.ConfStmtNextDueDate) !== profile?.confirmation_statement.next_due ||
        bulkDay(row['Accounts.NextDueDate']) !== profile?.accounts.next_due ||
        (row['PreviousName_1.CONDATE'] ? bulkDay(row['PreviousName_1.CONDATE']) : undefined) !==
          profile?.previous_company_names?.[0]?.ceased_on
      );
    });
    expect(differ.map(({ CompanyNumber }) => CompanyNumber)).toEqual([]);
    expect(
      companies(
        ({ company_status, has_insolvency_history }) =>
          /liquidation|administration/.test(company_status) !== has_insolvency_history,
      ),
    ).toEqual([]);
  });

  it('knows nobody who was dissolved, so that nobody wins an award after their end', () => {
    expect(companies(({ company_status }) => company_status === 'dissolved')).toEqual([]);
  });
});
