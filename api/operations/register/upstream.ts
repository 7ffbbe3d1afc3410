import { omitEmpty } from '../shared/omit-empty.ts';

export type ApiAddress = Record<string, string | null>;

export interface ApiStatement {
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

/** The Companies House API's company profile but for its links. Arrays may be null and days may be texts upstream. */
export interface ApiProfile {
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
    business_activity?: string;
    is_a_credit_finance_institution?: boolean;
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

/** The fields that have a value, or null where none has. */
export function some<T extends object>(fields: T) {
  const kept = omitEmpty(fields);
  return Object.keys(kept).length > 0 ? kept : null;
}
