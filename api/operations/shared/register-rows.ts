import type { RegisterRecord } from '../../../schema/details.ts';
import type { RegisteredRow, SicWords } from '../../reads/companies.ts';
import { accountsCategory, codeOf, labelOf } from './company-labels.ts';
import { fromJson, held } from './held.ts';
import { type ApiProfile, some } from './register-api.ts';
import { fromProfile } from './register-profile.ts';

/** A registered company with what the register taught of SIC codes that its own record gives bare. */
export interface Registered {
  row: RegisteredRow;
  sicWords: SicWords;
}

/** Everything held of a registered company: the bulk row, over it what the newer API profile says. */
export function toRegisterFields({ row, sicWords }: Registered) {
  const record = fromJson<Partial<RegisterRecord>>(row.record);
  const profile = row.profile === null ? null : fromJson<ApiProfile>(row.profile);
  const own = new Map(record.sic_codes?.map(({ code, description }) => [code, description]));
  const describe = (code: string) => own.get(code) ?? sicWords.get(code);
  const newer = profile && fromProfile(profile, describe);
  const older = fromRecord(record, describe);
  return held({
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
export function bareSicCodes({ record, profile }: RegisteredRow): string[] {
  const { sic_codes: listed = [] } = fromJson<Partial<RegisterRecord>>(record);
  const named = profile === null ? [] : (fromJson<ApiProfile>(profile).sic_codes ?? []);
  const described = new Set(listed.flatMap(({ code, description }) => (description ? [code] : [])));
  return [...new Set([...listed.map(({ code }) => code), ...named])].filter((code) => !described.has(code));
}

function fromRecord(record: Partial<RegisterRecord>, describe: (code: string) => string | undefined) {
  return held({
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
    sic_codes: record.sic_codes?.map(({ code }) => ({ code, ...held({ description: describe(code) }) })),
    previous_names: record.previous_names,
    register_url: record.uri,
  });
}
