/** Words for the codes of the Companies House API (companieshouse/api-enumerations, constants.yml). */
const LABELS = {
  company_status: {
    active: 'Active',
    dissolved: 'Dissolved',
    liquidation: 'Liquidation',
    receivership: 'Receiver Action',
    'converted-closed': 'Converted / Closed',
    'voluntary-arrangement': 'Voluntary Arrangement',
    'insolvency-proceedings': 'Insolvency Proceedings',
    administration: 'In Administration',
    open: 'Open',
    closed: 'Closed',
    registered: 'Registered',
    removed: 'Removed',
  },
  company_status_detail: {
    active: 'Active',
    dissolved: 'Dissolved',
    'converted-closed': 'Converted / Closed',
    'transferred-from-uk': 'Transferred from UK',
    'active-proposal-to-strike-off': 'Active proposal to strike off',
    'petition-to-restore-dissolved': 'Petition to restore dissolved',
    'transformed-to-se': 'Transformed to SE',
    'converted-to-plc': 'Converted to PLC',
    'converted-to-uk-societas': 'Converted to UK Societas',
    'converted-to-ukeig': 'Converted to UKEIG',
  },
  company_type: {
    'private-unlimited': 'Private unlimited company',
    ltd: 'Private limited company',
    plc: 'Public limited company',
    'old-public-company': 'Old public company',
    'private-limited-guarant-nsc-limited-exemption':
      "Private limited by guarantee without share capital, use of 'Limited' exemption",
    'limited-partnership': 'Limited partnership',
    'private-limited-guarant-nsc': 'Private limited by guarantee without share capital',
    'converted-or-closed': 'Converted / closed',
    'private-unlimited-nsc': 'Private unlimited company without share capital',
    'private-limited-shares-section-30-exemption': "Private limited company, use of 'Limited' exemption",
    'protected-cell-company': 'Protected cell company',
    'assurance-company': 'Assurance company',
    'oversea-company': 'Overseas company',
    'registered-society-non-jurisdictional': 'Registered society',
    'industrial-and-provident-society': 'Industrial and provident society',
    'northern-ireland': 'Northern Ireland company',
    'northern-ireland-other': 'Credit union (Northern Ireland)',
    llp: 'Limited liability partnership',
    'royal-charter': 'Royal charter company',
    'investment-company-with-variable-capital': 'Investment company with variable capital',
    'unregistered-company': 'Unregistered company',
    other: 'Other company type',
    'european-public-limited-liability-company-se': 'European public limited liability company (SE)',
    'united-kingdom-societas': 'United Kingdom Societas',
    'uk-establishment': 'UK establishment company',
    'scottish-partnership': 'Scottish qualifying partnership',
    'charitable-incorporated-organisation': 'Charitable incorporated organisation',
    'scottish-charitable-incorporated-organisation': 'Scottish charitable incorporated organisation',
    'further-education-or-sixth-form-college-corporation': 'Further education or sixth form college corporation',
    eeig: 'European Economic Interest Grouping (EEIG)',
    ukeig: 'United Kingdom Economic Interest Grouping',
    'registered-overseas-entity': 'Overseas entity',
    'eeig-establishment': 'Establishment of a European Economic Interest Grouping',
    'icvc-securities': 'Investment company with variable capital (securities)',
    'icvc-warrant': 'Investment company with variable capital (warrant)',
    'icvc-umbrella': 'Investment company with variable capital (umbrella)',
  },
  company_subtype: {
    'community-interest-company': 'Community interest company',
    'private-fund-limited-partnership': 'Private fund limited partnership',
    slp: 'Scottish limited partnership',
    pflp: 'Private fund limited partnership',
    spflp: 'Scottish private fund limited partnership',
  },
  jurisdiction: {
    'england-wales': 'England and Wales',
    wales: 'Wales',
    scotland: 'Scotland',
    'northern-ireland': 'Northern Ireland',
    'european-union': 'European Union',
    'united-kingdom': 'United Kingdom',
    england: 'England',
    noneu: 'Foreign (non-EU)',
  },
  account_type: {
    full: 'Full accounts',
    small: 'Small company accounts',
    medium: 'Medium company accounts',
    group: 'Group accounts',
    dormant: 'Dormant accounts',
    'total-exemption-full': 'Total exemption full accounts',
    'total-exemption-small': 'Total exemption small company accounts',
    'micro-entity': 'Micro-entity accounts',
    'audit-exemption-subsidiary': 'Audit exemption subsidiary accounts',
    'unaudited-abridged': 'Unaudited abridged accounts',
    'audited-abridged': 'Audited abridged accounts',
    'partial-exemption': 'Partial exemption accounts',
    'filing-exemption-subsidiary': 'Filing exemption subsidiary accounts',
    interim: 'Interim accounts',
    initial: 'Initial accounts',
    cic: 'Community interest company accounts',
    'no-accounts-filed': 'No accounts filed',
    'no-accounts-type-available': 'Accounts type not available',
    'accounts-type-not-available': 'Accounts type not available',
    null: 'Accounts type not available',
  },
} as const satisfies Record<string, Record<string, string>>;

type List = keyof typeof LABELS;

/** List -> words in lower case -> code; of two codes with the same words, the first. */
const CODES = new Map(
  Object.entries(LABELS).map(([list, labels]) => [
    list,
    new Map(
      Object.entries(labels)
        .map(([code, words]): [string, string] => [words.toLowerCase(), code])
        .reverse(),
    ),
  ]),
);

/** The words for a code, or the code itself where it has none. */
export function labelOf(list: List, code: string | null | undefined): string | null {
  if (code === null || code === undefined) return null;
  return wordsOf(list)[code] ?? code;
}

/** The code for a text, in any case: the bulk file gives only words. */
export function codeOf(list: List, words: string | null | undefined): string | null {
  if (!words) return null;
  if (wordsOf(list)[words]) return words;
  return CODES.get(list)?.get(words.toLowerCase()) ?? null;
}

/** Code and words of an accounts category as either service writes it: `TOTAL EXEMPTION FULL`, `total-exemption-full`. */
export function accountsCategory(published: string | null | undefined) {
  if (!published) return {};
  const code = published.toLowerCase().replaceAll(' ', '-');
  const label = wordsOf('account_type')[code];
  return { category: published, ...(label && { category_code: code, category_label: label }) };
}

function wordsOf(list: List): Record<string, string> {
  return LABELS[list];
}
