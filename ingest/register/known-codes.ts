import { accountsCategory, type CodeList, hasCode } from '../../schema/answers/register/labels.ts';
import codes from '../../schema/reference/company-codes.json' with { type: 'json' };
import { type JsonObject, objectOf, textOf } from '../../schema/text/json-values.ts';
import type { Unknown } from '../fields/notice.ts';

/** `CompanyStatus` and `CompanyCategory` of the bulk file, in capitals: the file mixes cases. */
const BULK_STATUSES = new Set(Object.keys(codes.bulk_statuses));
const BULK_CATEGORIES = new Set(Object.keys(codes.bulk_categories));

/** The cells of a bulk row that say what kind of company it is. Its country of origin is a place, for which there is no list. */
export interface RowKinds {
  status: string | undefined;
  category: string | undefined;
  accounts: string | undefined;
}

/** Kinds in a bulk row that are on none of the register's lists. */
export function findUnknownKinds({ status, category, accounts }: RowKinds): Unknown[] {
  return listUnknown([
    ['CompanyStatus', status, BULK_STATUSES.has(status?.toUpperCase() ?? '')],
    ['CompanyCategory', category, BULK_CATEGORIES.has(category?.toUpperCase() ?? '')],
    ['Accounts.AccountCategory', accounts, 'category_code' in accountsCategory(accounts)],
  ]);
}

/** Codes in an API profile that are not in its enumerations. */
export function findUnknownCodes(profile: JsonObject): Unknown[] {
  const code = (field: string, raw: unknown, list: CodeList): Check => {
    const value = textOf(raw);
    return [field, value, value !== undefined && hasCode(list, value)];
  };
  const lastAccounts = objectOf(objectOf(profile.accounts)?.last_accounts);
  return listUnknown([
    code('company_status', profile.company_status, 'company_status'),
    code('company_status_detail', profile.company_status_detail, 'company_status_detail'),
    code('type', profile.type, 'company_type'),
    code('subtype', profile.subtype, 'company_subtype'),
    code('jurisdiction', profile.jurisdiction, 'jurisdiction'),
    code('accounts.last_accounts.type', lastAccounts?.type, 'account_type'),
  ]);
}

/** Field, value, and whether it is known. */
type Check = [field: string, value: string | undefined, isKnown: boolean];

function listUnknown(checks: Check[]): Unknown[] {
  return checks.flatMap(([field, value, isKnown]) => (value && !isKnown ? [{ field, value }] : []));
}
