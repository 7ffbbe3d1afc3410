import type { RegisterRecord } from '../../../schema/catalogue/details.ts';
import type { RegisteredRow, SicWords } from '../../reads/companies.ts';
import { fromJson, omitEmpty, some } from '../shared/omit-empty.ts';
import { accountsCategory, codeOf, labelOf } from './labels.ts';
import type { ApiProfile } from './profile.ts';
import { fromProfile } from './profile.ts';

/** A row of the register with its JSON read. */
export type Registered = Omit<RegisteredRow, 'record' | 'profile'> & {
  record: Partial<RegisterRecord>;
  /** The newer answer of the API, where it was asked. */
  profile: ApiProfile | null;
};

/** A row of the register with its JSON columns parsed. */
export function toRegistered({ record, profile, ...row }: RegisteredRow): Registered {
  return { ...row, record: fromJson(record), profile: profile === null ? null : fromJson(profile) };
}

/**
 * Everything stored about a registered company: the bulk row, overlaid with the newer API profile.
 * @param sicWords - what the register taught of SIC codes that the company's own record gives bare.
 */
export function toRegisterFields({ record, profile, ...row }: Registered, sicWords: SicWords) {
  const own = new Map(record.sic_codes?.map(({ code, description }) => [code, description]));
  const describe = (code: string) => own.get(code) ?? sicWords.get(code);
  const newer = profile && fromProfile(profile, describe);
  const older = fromRecord(record, describe);
  return omitEmpty({
    ...older,
    ...{ status: labelOf('company_status', row.status), status_code: codeOf('company_status', row.status) },
    ...{ type: labelOf('company_type', row.category), type_code: codeOf('company_type', row.category) },
    incorporated: row.incorporated,
    ...newer,
    // A profile that is silent of its accounts does not unsay what the bulk row tells of them.
    accounts: some({ ...older.accounts, ...newer?.accounts }),
    register_edition: row.edition,
    left_register: row.gone === 1 ? true : null,
    profile_fetched_at: row.profile_fetched_at,
  });
}

/** SIC codes that a row and its profile name without saying what they mean. */
export function bareSicCodes({ record, profile }: Registered): string[] {
  const listed = record.sic_codes ?? [];
  const described = new Set(listed.flatMap(({ code, description }) => (description ? [code] : [])));
  const named = [...listed.map(({ code }) => code), ...(profile?.sic_codes ?? [])];
  return [...new Set(named)].filter((code) => !described.has(code));
}

function fromRecord(record: Partial<RegisterRecord>, describe: (code: string) => string | undefined) {
  return omitEmpty({
    country_of_origin: record.country_of_origin,
    dissolved: record.dissolved,
    registered_office: some({
      care_of: record.care_of,
      po_box: record.po_box,
      line_1: record.address_line_1,
      line_2: record.address_line_2,
      locality: record.locality,
      county: record.county,
      country: record.country,
      postal_code: record.postal_code,
    }),
    accounts: some({ ...record.accounts, ...accountsCategory(record.accounts?.category) }),
    annual_return: some({ ...record.returns }),
    confirmation_statement: some({ ...record.confirmation_statement }),
    mortgages: record.mortgages,
    limited_partnerships: record.limited_partnerships,
    sic_codes: record.sic_codes?.map(({ code }) => ({ code, ...omitEmpty({ description: describe(code) }) })),
    previous_names: record.previous_names,
    register_url: record.uri,
  });
}
