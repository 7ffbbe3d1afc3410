/** Words of the catalogue's rows that come from our own code alone, so that answers may promise them. */

/** What a source brings: notices, released one by one, or a register of companies, in editions. */
export const SOURCE_KINDS = ['notices', 'register'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** How a name or a party was tied to an identity: by what was published, by the register, or by a name that somebody asked for. */
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

/** What a buyer's kind was read from. */
export const KIND_SOURCES = ['identifier', 'classification', 'name'] as const;
export type KindSource = (typeof KIND_SOURCES)[number];

/** What says whether a company is small or medium-sized. */
export const SME_SOURCES = ['notice', 'accounts'] as const;
export type SmeSource = (typeof SME_SOURCES)[number];

/** Of a contract; an award that was cancelled or led to nothing is none. */
export const CONTRACT_STATUSES = ['pending', 'active', 'terminated'] as const;
export type ContractStatus = (typeof CONTRACT_STATUSES)[number];

/** Where the last day of a contract was read: `duration` is its start and a published length. */
export const ENDS_BASES = ['termination', 'change', 'contract', 'award', 'lot', 'tender', 'duration'] as const;
export type EndsBasis = (typeof ENDS_BASES)[number];

/** What the latest end of a contract was read from: stated as a day, or reckoned from the words of these fields. */
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

/** What totals do with a contract's value, in the words of answers; rows say `absurd` and `unstated` of the last two. */
export const COUNTED_AS = ['sum', 'shared', 'framework_ceiling', 'estimate', 'not_believed', 'not_stated'] as const;
export type CountedAs = (typeof COUNTED_AS)[number];

/** What a contract is to its framework. */
export const FRAMEWORK_ROLES = ['establishes', 'call_off'] as const;
export type FrameworkRole = (typeof FRAMEWORK_ROLES)[number];

/** Where a framework's ceiling was read. */
export const CEILING_SOURCES = ['tender', 'awards'] as const;
export type CeilingSource = (typeof CEILING_SOURCES)[number];

/** What a value was read from; an estimate is the tender's, not the award's. */
export const VALUE_BASES = ['net', 'gross', 'estimate'] as const;

/** What says that a procurement succeeds a contract: its text, a reference of the buyer, or title, CPV code and dates together. */
export const SUCCESSION_METHODS = ['identifier', 'reference', 'title_cpv_dates'] as const;
