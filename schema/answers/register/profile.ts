import { omitEmpty, some } from '../omit-empty.ts';
import { accountsCategory, labelOf } from './labels.ts';

type ApiAddress = Record<string, string | null>;

interface ApiStatement {
  next_due?: string;
  last_made_up_to?: string;
  next_made_up_to?: string;
  overdue?: boolean;
}

interface ApiAccounts {
  accounting_reference_date?: { day?: string | number; month?: string | number } | null;
  last_accounts?: { made_up_to?: string; period_start_on?: string; period_end_on?: string; type?: string } | null;
  next_accounts?: { due_on?: string; period_start_on?: string; period_end_on?: string; overdue?: boolean } | null;
  next_due?: string;
  next_made_up_to?: string;
  overdue?: boolean;
}

/** The Companies House API's company profile without its links. Upstream, arrays may be null and days may be texts. */
export interface ApiProfile {
  company_name?: string | null;
  company_status?: string | null;
  company_status_detail?: string | null;
  type?: string | null;
  subtype?: string | null;
  jurisdiction?: string | null;
  date_of_creation?: string | null;
  date_of_cessation?: string | null;
  registered_office_address?: ApiAddress | null;
  service_address?: ApiAddress | null;
  accounts?: ApiAccounts | null;
  annual_return?: ApiStatement | null;
  confirmation_statement?: ApiStatement | null;
  sic_codes?: string[] | null;
  previous_company_names?: { name: string; effective_from?: string; ceased_on?: string }[] | null;
  foreign_company_details?: {
    originating_registry?: { name?: string; country?: string } | null;
    registration_number?: string;
    governed_by?: string;
    company_type?: string;
    /** What is served where `company_type` is documented. */
    legal_form?: string;
    business_activity?: string;
    is_a_credit_finance_institution?: boolean;
    /** The same, as it is served. */
    is_a_credit_financial_institution?: boolean;
  } | null;
  branch_company_details?: {
    business_activity?: string;
    parent_company_name?: string;
    parent_company_number?: string;
  } | null;
  corporate_annotation?: { created_on?: string; type?: string; description?: string }[] | null;
  last_full_members_list_date?: string | null;
  has_charges?: boolean | null;
  has_insolvency_history?: boolean | null;
  has_been_liquidated?: boolean | null;
  has_super_secure_pscs?: boolean | null;
  super_secure_managing_officer_count?: number | null;
  is_community_interest_company?: boolean | null;
  is_on_register_in_country_formed_in?: boolean | null;
  registered_office_is_in_dispute?: boolean | null;
  undeliverable_registered_office_address?: boolean | null;
  external_registration_number?: string | null;
  partial_data_available?: string | null;
  proof_status?: string | null;
  term?: string | null;
}

/** The contents of an API profile under the names that answers use: words and, next to them, their codes. */
export function fromProfile(profile: ApiProfile, describe: (code: string) => string | undefined) {
  const { company_status: status, company_status_detail: detail, type, subtype, jurisdiction } = profile;
  return omitEmpty({
    status: labelOf('company_status', status),
    status_code: status,
    status_detail: labelOf('company_status_detail', detail),
    status_detail_code: detail,
    type: labelOf('company_type', type),
    type_code: type,
    subtype: labelOf('company_subtype', subtype),
    subtype_code: subtype,
    jurisdiction: labelOf('jurisdiction', jurisdiction),
    jurisdiction_code: jurisdiction,
    incorporated: profile.date_of_creation,
    dissolved: profile.date_of_cessation,
    registered_office: profile.registered_office_address && officeOf(profile.registered_office_address),
    service_address: profile.service_address && officeOf(profile.service_address),
    accounts: profile.accounts && accountsOf(profile.accounts),
    annual_return: profile.annual_return && statementOf(profile.annual_return),
    confirmation_statement: profile.confirmation_statement && statementOf(profile.confirmation_statement),
    sic_codes: profile.sic_codes?.map((code) => ({ code, ...omitEmpty({ description: describe(code) }) })),
    previous_names: profile.previous_company_names?.map(({ name, effective_from, ceased_on }) => ({
      name,
      ...omitEmpty({ from: effective_from, ceased: ceased_on }),
    })),
    foreign_company: profile.foreign_company_details && foreignOf(profile.foreign_company_details),
    branch: profile.branch_company_details && some({ ...profile.branch_company_details }),
    annotations: profile.corporate_annotation?.map(({ created_on, type: kind, description }) =>
      omitEmpty({ created: created_on, type: kind, description }),
    ),
    last_full_members_list: profile.last_full_members_list_date,
    ...flagsOf(profile),
  });
}

/** Fields that are served under their own names. */
function flagsOf(profile: ApiProfile) {
  return omitEmpty({
    has_charges: profile.has_charges,
    has_insolvency_history: profile.has_insolvency_history,
    has_been_liquidated: profile.has_been_liquidated,
    has_super_secure_pscs: profile.has_super_secure_pscs,
    super_secure_managing_officer_count: profile.super_secure_managing_officer_count,
    is_community_interest_company: profile.is_community_interest_company,
    is_on_register_in_country_formed_in: profile.is_on_register_in_country_formed_in,
    registered_office_is_in_dispute: profile.registered_office_is_in_dispute,
    undeliverable_registered_office_address: profile.undeliverable_registered_office_address,
    external_registration_number: profile.external_registration_number,
    partial_data_available: profile.partial_data_available,
    proof_status: profile.proof_status,
    term: profile.term,
  });
}

function officeOf(address: ApiAddress) {
  return some({
    care_of: address.care_of,
    po_box: address.po_box,
    line_1: [address.premises, address.address_line_1].filter(Boolean).join(' '),
    line_2: address.address_line_2,
    locality: address.locality,
    county: address.region,
    country: address.country,
    postal_code: address.postal_code?.toUpperCase(),
  });
}

function statementOf(statement: ApiStatement) {
  return some({
    next_due: statement.next_due,
    last_made_up: statement.last_made_up_to,
    next_made_up: statement.next_made_up_to,
    overdue: statement.overdue,
  });
}

function accountsOf(accounts: NonNullable<ApiProfile['accounts']>) {
  const { accounting_reference_date: reference, last_accounts: last, next_accounts: next } = accounts;
  return some({
    reference_day: reference?.day === undefined ? null : Number(reference.day),
    reference_month: reference?.month === undefined ? null : Number(reference.month),
    next_due: next?.due_on ?? accounts.next_due,
    next_from: next?.period_start_on,
    next_made_up: next?.period_end_on ?? accounts.next_made_up_to,
    last_from: last?.period_start_on,
    last_made_up: last?.made_up_to ?? last?.period_end_on,
    ...accountsCategory(last?.type),
    category: labelOf('account_type', last?.type),
    overdue: next?.overdue ?? accounts.overdue,
  });
}

function foreignOf(details: NonNullable<ApiProfile['foreign_company_details']>) {
  const { originating_registry: registry, governed_by, registration_number } = details;
  return some({
    governed_by,
    registration_number,
    company_type: details.legal_form ?? details.company_type,
    business_activity: details.business_activity,
    registry: registry?.name,
    registry_country: registry?.country,
    is_a_credit_finance_institution:
      details.is_a_credit_financial_institution ?? details.is_a_credit_finance_institution,
  });
}
