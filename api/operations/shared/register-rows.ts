import type { RegisterRecord } from '../../../schema/details.ts';
import type { RegisteredRow } from '../../reads/companies.ts';
import { labelOf } from './company-labels.ts';
import { fromJson, held } from './held.ts';

/** The part of the Companies House API's profile that is served. Arrays may be null and days may be texts upstream. */
interface ApiProfile {
  company_status?: string | null;
  company_status_detail?: string | null;
  type?: string | null;
  subtype?: string | null;
  jurisdiction?: string | null;
  date_of_creation?: string | null;
  date_of_cessation?: string | null;
  registered_office_address?: Record<string, string | null> | null;
  accounts?: {
    accounting_reference_date?: { day?: string | number; month?: string | number } | null;
    last_accounts?: { made_up_to?: string; period_end_on?: string; type?: string } | null;
    next_accounts?: { due_on?: string; overdue?: boolean } | null;
    next_due?: string;
    overdue?: boolean;
  } | null;
  confirmation_statement?: { next_due?: string; last_made_up_to?: string; overdue?: boolean } | null;
  sic_codes?: string[] | null;
  previous_company_names?: { name: string; ceased_on?: string }[] | null;
  has_charges?: boolean | null;
  has_insolvency_history?: boolean | null;
}

/** Everything held of a registered company: the bulk row, over it what the newer API profile says. */
export function toRegisterFields(row: RegisteredRow) {
  const record = fromJson<Partial<RegisterRecord>>(row.record);
  const profile = row.profile === null ? null : fromJson<ApiProfile>(row.profile);
  return held({
    ...fromRecord(record),
    status: row.status,
    type: row.category,
    incorporated: row.incorporated,
    ...(profile && fromProfile(profile, record)),
    register_edition: row.edition,
    left_register: row.gone === 1 ? true : null,
    profile_fetched_at: row.profile_fetched_at,
  });
}

function fromRecord(record: Partial<RegisterRecord>) {
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
    accounts: some({ ...record.accounts }),
    annual_return: some({ ...record.returns }),
    confirmation_statement: some({ ...record.confirmation_statement }),
    mortgages: record.mortgages,
    limited_partnerships: record.limited_partnerships,
    sic_codes: record.sic_codes,
    previous_names: record.previous_names,
    register_url: record.uri,
  });
}

function fromProfile(profile: ApiProfile, record: Partial<RegisterRecord>) {
  return held({
    status: labelOf('company_status', profile.company_status),
    status_detail: labelOf('company_status_detail', profile.company_status_detail),
    type: labelOf('company_type', profile.type),
    subtype: labelOf('company_subtype', profile.subtype),
    jurisdiction: labelOf('jurisdiction', profile.jurisdiction),
    incorporated: profile.date_of_creation,
    dissolved: profile.date_of_cessation,
    registered_office: profile.registered_office_address && officeOf(profile.registered_office_address),
    accounts: profile.accounts && accountsOf(profile.accounts),
    confirmation_statement:
      profile.confirmation_statement &&
      some({
        next_due: profile.confirmation_statement.next_due,
        last_made_up: profile.confirmation_statement.last_made_up_to,
        overdue: profile.confirmation_statement.overdue,
      }),
    sic_codes: profile.sic_codes && describedCodes(profile.sic_codes, record),
    previous_names: profile.previous_company_names?.map(({ name, ceased_on }) => ({
      name,
      ...held({ ceased: ceased_on }),
    })),
    has_charges: profile.has_charges,
    has_insolvency_history: profile.has_insolvency_history,
  });
}

function officeOf(address: Record<string, string | null>) {
  return some({
    care_of: address.care_of,
    po_box: address.po_box,
    line_1: [address.premises, address.address_line_1].filter(Boolean).join(' '),
    line_2: address.address_line_2,
    locality: address.locality,
    county: address.region,
    country: address.country,
    postal_code: address.postal_code,
  });
}

function accountsOf(accounts: NonNullable<ApiProfile['accounts']>) {
  const { accounting_reference_date: reference, last_accounts: last, next_accounts: next } = accounts;
  return some({
    reference_day: reference?.day === undefined ? null : Number(reference.day),
    reference_month: reference?.month === undefined ? null : Number(reference.month),
    next_due: next?.due_on ?? accounts.next_due,
    last_made_up: last?.made_up_to ?? last?.period_end_on,
    category: labelOf('account_type', last?.type),
    overdue: next?.overdue ?? accounts.overdue,
  });
}

/** The API gives SIC codes bare; the bulk row has the words for those it lists. */
function describedCodes(codes: string[], record: Partial<RegisterRecord>) {
  const words = new Map(record.sic_codes?.map(({ code, description }) => [code, description]));
  return codes.map((code) => ({ code, ...held({ description: words.get(code) }) }));
}

/** The fields that are held, or null where none is. */
function some<T extends object>(fields: T) {
  const kept = held(fields);
  return Object.keys(kept).length > 0 ? kept : null;
}
