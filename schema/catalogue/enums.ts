/** Words in the catalogue's rows that only our own code writes, so that answers may promise them. */

/** What a source brings: notices, released one by one, or a register of companies, in editions. */
const SOURCE_KINDS = ['notices', 'register'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/**
 * How a name or a party was tied to an identity (by published facts, by the register, or by a name in a request), or one
 * procurement to another (`identifier`, `reference`, `title`).
 */
export const MATCH_METHODS = [
  'identifier',
  'company_number',
  'name',
  'name_postcode',
  'previous_name_postcode',
  'name_district',
  'previous_name_district',
  'full_name',
  'previous_full_name',
  'near_name',
  'short_name_district',
  'name_alone',
  'unmatched',
  'number',
  'exact',
  'cleaned',
  'previous_name',
  'other_name',
  'prefix',
  'near',
  'reference',
  'title',
] as const;
export type MatchMethod = (typeof MATCH_METHODS)[number];

/** The days that a notice may state, and the instant at which questions close. */
export type NoticeDate =
  | 'starts'
  | 'ends'
  | 'extends_to'
  | 'engagement_until'
  | 'enquiries_until'
  | 'enquiries_until_at'
  | 'expressions_until'
  | 'invitations_expected'
  | 'award_expected'
  | 'tender_expected'
  | 'bids_expected'
  | 'recurs_expected'
  | 'awarded'
  | 'signature_expected'
  | 'signed'
  | 'standstill_until';

/** What kind of body a buyer is. */
export const BUYER_KINDS = [
  'central',
  'devolved',
  'local',
  'nhs',
  'education',
  'police_fire',
  'housing',
  'utility',
  'sub_central',
] as const;
export type BuyerKind = (typeof BUYER_KINDS)[number];

/** The source of a buyer's kind. */
export const KIND_SOURCES = ['identifier', 'classification', 'name'] as const;
export type KindSource = (typeof KIND_SOURCES)[number];

/** The source for whether a company is small or medium-sized. */
export const SME_SOURCES = ['notice', 'accounts'] as const;
export type SmeSource = (typeof SME_SOURCES)[number];

/** Of a contract; `ended` where a notice says that it was completed. An award that was cancelled or led to nothing is none. */
export const CONTRACT_STATUSES = ['pending', 'active', 'ended', 'terminated'] as const;
export type ContractStatus = (typeof CONTRACT_STATUSES)[number];

/** The source of a contract's last day: `duration` is its start plus a published length. */
export const ENDS_BASES = ['termination', 'change', 'contract', 'award', 'lot', 'tender', 'duration'] as const;
export type EndsBasis = (typeof ENDS_BASES)[number];

/** The source of a contract's latest end: a stated day, or a calculation from the words of these fields. */
export const ENDS_LATEST_BASES = ['stated', 'renewal', 'options', 'description'] as const;
export type EndsLatestBasis = (typeof ENDS_LATEST_BASES)[number];

/** How a contract was awarded; `direct` without competition, `call_off` under a framework or dynamic market. */
export const PROCEDURES = [
  'open',
  'restricted',
  'competitive_flexible',
  'negotiated',
  'direct',
  'call_off',
  'other',
] as const;
export type Procedure = (typeof PROCEDURES)[number];

/** Whom a buyer may call a procurement suitable for, as in the names of the fields of `BidTerms`. */
export const SUITED = ['sme', 'vcse'] as const;

/** Codes of the special rules that may apply, as published (UK extension). */
export const SPECIAL_REGIMES = ['lightTouch', 'utilities', 'concession', 'defenceSecurity'] as const;

/**
 * For whom alone a procurement may be: codes as published (OCDS, UK extension), one for contracts performed in sheltered employment,
 * and one for suppliers of an area.
 */
export const RESERVED = ['smeVcse', 'shelteredWorkshop', 'publicService', 'shelteredEmployment', 'area'] as const;

/** How totals treat a contract's value, in the words of rows. Only `sum` is ever added up. */
export const VALUE_CLASSES = ['sum', 'shared', 'framework_ceiling', 'estimate', 'absurd', 'unstated'] as const;

/** The same in the words of answers. */
export const COUNTED_AS = {
  sum: 'sum',
  shared: 'shared',
  framework_ceiling: 'framework_ceiling',
  estimate: 'estimate',
  absurd: 'not_believed',
  unstated: 'not_stated',
} as const satisfies Record<(typeof VALUE_CLASSES)[number], string>;
export type CountedAs = (typeof COUNTED_AS)[keyof typeof COUNTED_AS];

/** Classes of amounts that are not a contract's value: a ceiling, and an amount that is not believed. */
export const NO_VALUE: ReadonlySet<string> = new Set<keyof typeof COUNTED_AS>(['framework_ceiling', 'absurd']);
/** A contract's value in SQL; null where there is only such an amount. */
export const CONTRACT_VALUE = `iif(value_class IN (${[...NO_VALUE].map((one) => `'${one}'`).join(', ')}), NULL, value)`;

/** Whether a supplier in a JSON list is a voluntary, community or social enterprise, as SQL: 1 where one is, 0 where none is, otherwise null. */
export function vcseSql(suppliers: string): string {
  const said = "value ->> '$.is_vcse'";
  return `(SELECT iif(max(${said}) = 1 OR count(${said}) = count(*), max(${said}), NULL) FROM json_each(${suppliers}))`;
}

/** What kind of agreement a framework is. */
export const FRAMEWORK_KINDS = ['framework', 'dynamic_market'] as const;

/** How a contract relates to its framework. */
export const FRAMEWORK_ROLES = ['establishes', 'call_off'] as const;

/** The source of a framework's ceiling. */
export const CEILING_SOURCES = ['tender', 'awards'] as const;
export type CeilingSource = (typeof CEILING_SOURCES)[number];

/** The source of a value; an estimate belongs to the tender, not the award. */
export const VALUE_BASES = ['net', 'gross', 'estimate'] as const;

/** The evidence that a procurement succeeds a contract: its text, a buyer's reference, or title, CPV code and dates together. */
export const SUCCESSION_METHODS = ['identifier', 'reference', 'title_cpv_dates'] as const;
