/** A company's state, in the words of lists. */
export const COMPANY_STATUSES = [
  'active',
  'dissolved',
  'liquidation',
  'administration',
  'receivership',
  'voluntary_arrangement',
  'other',
] as const;
export type CompanyStatus = (typeof COMPANY_STATUSES)[number];

/** What they mean. */
export const COMPANY_STATUS_MEANINGS: Readonly<Record<CompanyStatus, string>> = {
  active: 'It lives, as far as the register says',
  dissolved: 'It was dissolved, converted or closed, or the register no longer lists it',
  liquidation: 'It is being wound up',
  administration: 'An administrator runs it',
  receivership: 'A receiver runs it, or part of it',
  voluntary_arrangement: 'It has agreed with its creditors what it pays',
  other: 'Any other state',
};

/** The register's own words, as in the bulk file and the API, the more specific first. */
const WORDS: readonly (readonly [RegExp, CompanyStatus])[] = [
  [/dissol|converted|closed|removed/i, 'dissolved'],
  [/liquidat/i, 'liquidation'],
  [/receiver/i, 'receivership'],
  [/administrat/i, 'administration'],
  [/voluntary/i, 'voluntary_arrangement'],
  [/active|open|registered/i, 'active'],
];

/** The state of a company by the words of its register row; one that the register no longer lists is dissolved. */
export function companyStatusOf(words: string, hasLeft: boolean): CompanyStatus {
  const status = WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'other';
  return hasLeft && status === 'active' ? 'dissolved' : status;
}
