import { type JsonObject, objectOf, textOf } from '../../schema/text/json-values.ts';
import type { Unknown } from '../fields/notice.ts';

/** `CompanyStatus` of the bulk file, in capitals (the file mixes cases); dissolved companies are not in it. */
const BULK_STATUSES = new Set([
  'ACTIVE',
  'ACTIVE - PROPOSAL TO STRIKE OFF',
  'ADMINISTRATION ORDER',
  'ADMINISTRATIVE RECEIVER',
  'CONVERTED/CLOSED',
  'IN ADMINISTRATION',
  'IN ADMINISTRATION/ADMINISTRATIVE RECEIVER',
  'IN ADMINISTRATION/RECEIVER MANAGER',
  'INSOLVENCY PROCEEDINGS',
  'LIQUIDATION',
  'LIVE BUT RECEIVER MANAGER ON AT LEAST ONE CHARGE',
  'RECEIVER MANAGER / ADMINISTRATIVE RECEIVER',
  'RECEIVERSHIP',
  'REGISTERED',
  'VOLUNTARY ARRANGEMENT',
  'VOLUNTARY ARRANGEMENT / ADMINISTRATIVE RECEIVER',
  'VOLUNTARY ARRANGEMENT / RECEIVER MANAGER',
]);

/** `CompanyCategory` of the bulk file, in capitals. */
const BULK_CATEGORIES = new Set([
  'CHARITABLE INCORPORATED ORGANISATION',
  'COMMUNITY INTEREST COMPANY',
  'CONVERTED/CLOSED',
  'EUROPEAN PUBLIC LIMITED-LIABILITY COMPANY (SE)',
  'FURTHER EDUCATION AND SIXTH FORM COLLEGE CORPS',
  'INDUSTRIAL AND PROVIDENT SOCIETY',
  'INVESTMENT COMPANY WITH VARIABLE CAPITAL',
  'INVESTMENT COMPANY WITH VARIABLE CAPITAL (SECURITIES)',
  'INVESTMENT COMPANY WITH VARIABLE CAPITAL(UMBRELLA)',
  'LIMITED LIABILITY PARTNERSHIP',
  'LIMITED PARTNERSHIP',
  'OLD PUBLIC COMPANY',
  'OTHER COMPANY TYPE',
  'OVERSEAS ENTITY',
  "PRI/LBG/NSC (PRIVATE, LIMITED BY GUARANTEE, NO SHARE CAPITAL, USE OF 'LIMITED' EXEMPTION)",
  'PRI/LTD BY GUAR/NSC (PRIVATE, LIMITED BY GUARANTEE, NO SHARE CAPITAL)',
  'PRIV LTD SECT. 30 (PRIVATE LIMITED COMPANY, SECTION 30 OF THE COMPANIES ACT)',
  'PRIVATE LIMITED COMPANY',
  'PRIVATE UNLIMITED',
  'PRIVATE UNLIMITED COMPANY',
  'PROTECTED CELL COMPANY',
  'PUBLIC LIMITED COMPANY',
  'REGISTERED SOCIETY',
  'ROYAL CHARTER COMPANY',
  'SCOTTISH CHARITABLE INCORPORATED ORGANISATION',
  'SCOTTISH PARTNERSHIP',
  'UNITED KINGDOM ECONOMIC INTEREST GROUPING',
  'UNITED KINGDOM SOCIETAS',
]);

/** `Accounts.AccountCategory` of the bulk file, in capitals. */
const BULK_ACCOUNTS = new Set([
  'ACCOUNTS TYPE NOT AVAILABLE',
  'AUDIT EXEMPTION SUBSIDIARY',
  'AUDITED ABRIDGED',
  'DORMANT',
  'FILING EXEMPTION SUBSIDIARY',
  'FULL',
  'GROUP',
  'INITIAL',
  'INTERIM',
  'MEDIUM',
  'MICRO ENTITY',
  'NO ACCOUNTS FILED',
  'PARTIAL EXEMPTION',
  'SMALL',
  'TOTAL EXEMPTION FULL',
  'TOTAL EXEMPTION SMALL',
  'UNAUDITED ABRIDGED',
]);

/** Codes of the profile API (Companies House, api-enumerations, August 2026). */
const API_STATUSES = new Set(
  `active dissolved liquidation receivership converted-closed voluntary-arrangement insolvency-proceedings administration
  open closed registered removed`.split(/\s+/),
);
const API_STATUS_DETAILS = new Set(
  `active dissolved converted-closed transferred-from-uk active-proposal-to-strike-off petition-to-restore-dissolved
  transformed-to-se converted-to-plc converted-to-uk-societas converted-to-ukeig`.split(/\s+/),
);
const API_TYPES = new Set(
  `private-unlimited ltd plc old-public-company private-limited-guarant-nsc-limited-exemption limited-partnership
  private-limited-guarant-nsc converted-or-closed private-unlimited-nsc private-limited-shares-section-30-exemption
  protected-cell-company assurance-company oversea-company eeig-establishment icvc-securities icvc-warrant icvc-umbrella
  registered-society-non-jurisdictional industrial-and-provident-society northern-ireland northern-ireland-other llp
  royal-charter investment-company-with-variable-capital unregistered-company other
  european-public-limited-liability-company-se united-kingdom-societas uk-establishment scottish-partnership
  charitable-incorporated-organisation scottish-charitable-incorporated-organisation
  further-education-or-sixth-form-college-corporation eeig ukeig registered-overseas-entity`.split(/\s+/),
);
const API_SUBTYPES = new Set('community-interest-company private-fund-limited-partnership slp pflp spflp'.split(/\s+/));
const API_JURISDICTIONS = new Set(
  'england-wales wales scotland northern-ireland european-union united-kingdom england noneu'.split(/\s+/),
);
const API_ACCOUNTS = new Set(
  `null full small medium group dormant interim initial total-exemption-full total-exemption-small partial-exemption
  audit-exemption-subsidiary filing-exemption-subsidiary micro-entity no-accounts-type-available audited-abridged
  unaudited-abridged cic`.split(/\s+/),
);

/** The cells of a bulk row that say what kind of company it is. Its country of origin is a place: of those there is no list. */
export interface RowKinds {
  status: string | undefined;
  category: string | undefined;
  accounts: string | undefined;
}

/** Kinds of a bulk row that no list of the register names. */
export function findUnknownKinds({ status, category, accounts }: RowKinds): Unknown[] {
  return listUnknown([
    ['CompanyStatus', status, BULK_STATUSES.has(status?.toUpperCase() ?? '')],
    ['CompanyCategory', category, BULK_CATEGORIES.has(category?.toUpperCase() ?? '')],
    ['Accounts.AccountCategory', accounts, BULK_ACCOUNTS.has(accounts?.toUpperCase() ?? '')],
  ]);
}

/** Codes of an API profile that its enumerations do not name. */
export function findUnknownCodes(profile: JsonObject): Unknown[] {
  const code = (field: string, raw: unknown, known: ReadonlySet<string>): Check => {
    const value = textOf(raw);
    return [field, value, value !== undefined && known.has(value)];
  };
  const lastAccounts = objectOf(objectOf(profile.accounts)?.last_accounts);
  return listUnknown([
    code('company_status', profile.company_status, API_STATUSES),
    code('company_status_detail', profile.company_status_detail, API_STATUS_DETAILS),
    code('type', profile.type, API_TYPES),
    code('subtype', profile.subtype, API_SUBTYPES),
    code('jurisdiction', profile.jurisdiction, API_JURISDICTIONS),
    code('accounts.last_accounts.type', lastAccounts?.type, API_ACCOUNTS),
  ]);
}

/** Field, value, and whether it is known. */
type Check = [field: string, value: string | undefined, isKnown: boolean];

function listUnknown(checks: Check[]): Unknown[] {
  return checks.flatMap(([field, value, isKnown]) => (value && !isKnown ? [{ field, value }] : []));
}
