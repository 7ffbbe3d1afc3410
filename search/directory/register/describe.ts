import type { Database } from '../../../schema/db/interface.ts';
import { isSmeByAccounts } from '../../../schema/reference/company-size.ts';
import { type CompanyStatus, companyStatusOf } from '../../../schema/reference/company-status.ts';
import { regionOfPostcode } from '../../../schema/reference/regions.ts';

/** A company as lists show it: a supplier, or a row of the register that never won anything. */
export interface ListedCompany {
  id: string;
  name: string;
  company_number: string | null;
  status: CompanyStatus | null;
  region: string | null;
  region_code: string | null;
  locality: string | null;
  postcode: string | null;
  is_sme: boolean | null;
  incorporated: string | null;
  sic_codes: string[];
  contract_count: number;
  framework_places: number;
  /** Pounds: the sum of those contracts whose value may be added up; null where there are none. */
  value: number | null;
  /** The day of its newest contract. */
  last_award: string | null;
}

/** The register's data about a company. */
export const REGISTERED = `r.status, r.gone AS has_left, r.incorporated, r.record ->> '$.accounts.category' AS accounts,
  r.record -> '$.sic_codes' AS sic`;
/** What both kinds of rows hold. */
export interface Registered {
  name: string;
  name_key: string;
  company_number: string | null;
  locality: string | null;
  postcode: string | null;
  status: string | null;
  has_left: number | null;
  incorporated: string | null;
  accounts: string | null;
  sic: string | null;
}

/** The register's data about a company, in the form of lists. */
export function describeRegistered({
  company_number,
  status,
  has_left,
  incorporated,
  postcode,
  locality,
  sic,
}: Omit<Registered, 'name_key'>) {
  const region = regionOfPostcode(postcode ?? undefined);
  return {
    company_number,
    status: status === null ? null : companyStatusOf(status, has_left === 1),
    region: region?.name ?? null,
    region_code: region?.code ?? null,
    locality,
    postcode,
    incorporated,
    sic_codes: sicCodesOf(sic),
  };
}

/** The SIC codes in the register's list of them (JSON). */
export function sicCodesOf(sic: string | null): string[] {
  return [...(sic ?? '').matchAll(/"code":"(\d+)"/g)].map(([, code = '']) => code);
}

const OF_NUMBERS = `SELECT r.company_number, r.name, r.locality, r.postcode, ${REGISTERED} FROM registered_company r
  WHERE r.company_number IN (SELECT value FROM json_each(?))`;

/** Companies of the register alone by their numbers, as lists show them. */
export async function readRegistered(
  catalogue: Database,
  numbers: readonly string[],
): Promise<Map<string, ListedCompany>> {
  const rows = await catalogue.read<Registered & { company_number: string }>({
    sql: OF_NUMBERS,
    args: [JSON.stringify(numbers)],
  });
  return new Map(rows.map((row) => [row.company_number, toRegistered(row)]));
}

function toRegistered(row: Registered): ListedCompany {
  return {
    ...describeRegistered(row),
    id: `GB-COH-${row.company_number}`,
    name: row.name,
    is_sme: row.has_left === 1 ? null : isSmeByAccounts(row.accounts),
    contract_count: 0,
    framework_places: 0,
    value: null,
    last_award: null,
  };
}
