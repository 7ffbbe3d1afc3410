import { z } from 'zod';
import type { RegisterRecord } from '../../catalogue/details.ts';
import type { registeredCompany } from '../../catalogue/tables/parties.ts';
import { fromJson, omitEmpty, some } from '../omit-empty.ts';
import { day } from '../shapes.ts';
import { accountsCategory, codeOf, labelOf } from './labels.ts';
import { type ApiProfile, fromProfile } from './profile.ts';

export const codedValue = z.object({ code: z.string(), description: z.string().optional() });
const period = z.object({ next_due: z.string().optional(), last_made_up: z.string().optional() });
export const filing = period.extend({ next_made_up: z.string().optional(), overdue: z.boolean().optional() });
export const registerAddress = z.object({
  care_of: z.string().optional(),
  po_box: z.string().optional(),
  line_1: z.string().optional(),
  line_2: z.string().optional(),
  locality: z.string().optional(),
  county: z.string().optional(),
  country: z.string().optional(),
  postal_code: z.string().optional(),
});

export const accounts = period.extend({
  reference_day: z.number().optional(),
  reference_month: z.number().optional(),
  category: z.string().optional().describe('As published'),
  category_code: z.string().optional(),
  category_label: z.string().optional(),
  last_from: z.string().optional(),
  next_made_up: z.string().optional(),
  next_from: z.string().optional(),
  overdue: z.boolean().optional(),
});

export const foreignCompany = z.object({
  governed_by: z.string().optional(),
  company_type: z.string().optional(),
  registration_number: z.string().optional(),
  business_activity: z.string().optional(),
  registry: z.string().optional(),
  registry_country: z.string().optional(),
  is_a_credit_finance_institution: z.boolean().optional(),
});
export const branch = z.object({
  business_activity: z.string().optional(),
  parent_company_name: z.string().optional(),
  parent_company_number: z.string().optional(),
});
export const annotation = z.object({
  created: z.string().optional(),
  type: z.string().optional(),
  description: z.string().optional(),
});

export const mortgages = z.object({
  charges: z.number().optional(),
  outstanding: z.number().optional(),
  part_satisfied: z.number().optional(),
  satisfied: z.number().optional(),
});
export const limitedPartnerships = z.object({
  general_partners: z.number().optional(),
  limited_partners: z.number().optional(),
});
export const previousName = z.object({
  name: z.string(),
  from: day.optional(),
  ceased: z.string().optional(),
});

/** The whole stored Companies House record, under the same names whichever of the two services it came from. */
export const registerFields = {
  status: z.string().optional().describe('In words, as Companies House shows it'),
  status_code: z.string().optional(),
  status_detail: z.string().optional(),
  status_detail_code: z.string().optional(),
  type: z.string().optional().describe('In words'),
  type_code: z.string().optional(),
  subtype: z.string().optional(),
  subtype_code: z.string().optional(),
  jurisdiction: z.string().optional(),
  jurisdiction_code: z.string().optional(),
  country_of_origin: z.string().optional(),
  incorporated: z.string().optional(),
  dissolved: z.string().optional(),
  registered_office: registerAddress.optional(),
  service_address: registerAddress.optional(),
  accounts: accounts.optional(),
  annual_return: filing.optional(),
  confirmation_statement: filing.optional(),
  mortgages: mortgages.optional(),
  has_charges: z.boolean().optional(),
  has_insolvency_history: z.boolean().optional(),
  has_been_liquidated: z.boolean().optional(),
  has_super_secure_pscs: z.boolean().optional(),
  super_secure_managing_officer_count: z.number().optional(),
  is_community_interest_company: z.boolean().optional(),
  is_on_register_in_country_formed_in: z.boolean().optional(),
  registered_office_is_in_dispute: z.boolean().optional(),
  undeliverable_registered_office_address: z.boolean().optional(),
  last_full_members_list: z.string().optional(),
  external_registration_number: z.string().optional(),
  partial_data_available: z.string().optional(),
  proof_status: z.string().optional(),
  term: z.string().optional(),
  foreign_company: foreignCompany.optional(),
  branch: branch.optional(),
  annotations: z.array(annotation).optional(),
  limited_partnerships: limitedPartnerships.optional(),
  sic_codes: z.array(codedValue).optional().describe('Nature of business, SIC 2007'),
  previous_names: z.array(previousName).optional(),
  register_url: z.string().optional(),
  register_edition: z.string().optional().describe('The bulk edition that last listed it'),
  left_register: z
    .boolean()
    .optional()
    .describe('True where the newest edition lists it no more: what is said of it is what the last one said'),
  profile_fetched_at: z.string().optional(),
};

/** A row of the register with its JSON read. */
export type Registered = Omit<typeof registeredCompany.$inferSelect, 'record' | 'profile'> & {
  record: Partial<RegisterRecord>;
  /** The newer answer of the API, where it was fetched. */
  profile: ApiProfile | null;
};

/** A row of the register with its JSON columns parsed. */
export function toRegistered({ record, profile, ...row }: typeof registeredCompany.$inferSelect): Registered {
  return { ...row, record: fromJson(record), profile: profile === null ? null : fromJson(profile) };
}

/** Whether an edition listed the company after its profile was fetched. */
function isListedLater({ edition, profile_fetched_at }: Pick<Registered, 'edition' | 'profile_fetched_at'>): boolean {
  return (edition ?? '') > (profile_fetched_at ?? '');
}

/** The name of a registered company: of the row or of the profile, whichever is newer. */
export function registeredNameOf(registered: Registered): string {
  const { name, profile } = registered;
  return isListedLater(registered) ? name : profile?.company_name?.trim() || name;
}

/**
 * Everything stored about a registered company: the bulk row and the API profile. Where both state a fact, the newer decides.
 * @param sicWords - descriptions from the register for SIC codes that the company's own record gives without one.
 */
export function toRegisterFields({ record, profile, ...row }: Registered, sicWords: ReadonlyMap<string, string>) {
  const own = new Map(record.sic_codes?.map(({ code, description }) => [code, description]));
  const describe = (code: string) => own.get(code) ?? sicWords.get(code);
  const asked: Partial<ReturnType<typeof fromProfile>> = profile ? fromProfile(profile, describe) : {};
  const listed = {
    ...fromRecord(record, describe),
    status: labelOf('company_status', row.status),
    status_code: codeOf('company_status', row.status),
    status_detail: null,
    status_detail_code: null,
    type: labelOf('company_type', row.category),
    type_code: codeOf('company_type', row.category),
    incorporated: row.incorporated,
  };
  const isLater = isListedLater(row);
  // What only a profile says of accounts, such as that they are overdue, holds until others are due.
  const isFiledSince = isLater && asked.accounts?.next_due !== listed.accounts?.next_due;
  const [older, newer] = isLater ? [asked, listed] : [listed, asked];
  return omitEmpty({
    ...older,
    ...newer,
    accounts: some({ ...(isFiledSince ? null : older.accounts), ...newer.accounts }),
    register_edition: row.edition,
    left_register: row.gone === 1 ? true : null,
    profile_fetched_at: row.profile_fetched_at,
  });
}

const servedFields = z.object(registerFields);

/** Whether every member of a profile is of the type that the API documents, as far as answers repeat it. */
export function isServable(profile: object): boolean {
  try {
    return servedFields.safeParse(fromProfile(profile, () => undefined)).success;
  } catch (error) {
    // Such as a text in place of a list.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** SIC codes that a row and its profile give without a description. */
export function bareSicCodes({ record, profile }: Registered): string[] {
  const listed = record.sic_codes ?? [];
  const described = new Set(listed.flatMap(({ code, description }) => (description ? [code] : [])));
  const named = [...listed.map(({ code }) => code), ...(profile?.sic_codes ?? [])];
  return [...new Set(named)].filter((code) => !described.has(code));
}

/** Every field that a bulk row can state; undefined where it states nothing. */
function fromRecord(record: Partial<RegisterRecord>, describe: (code: string) => string | undefined) {
  return {
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
  };
}
