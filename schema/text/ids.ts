import { hash } from 'node:crypto';

/** The last character of Unicode. A database sorts it after every id, and a text with it at the end after all that begin with that text. */
export const LAST_CHARACTER = '\u{10ffff}';

/** The dashes that people write in numbers. */
export const DASH = '[-\u2010-\u2014\u2212]';

const NOTICE_GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NOTICE_NUMBER = /^\d{6}-\d{4}$/;
/** For services that identify notices by the id of their page: that id, after the prefix of the service. */
const NOTICE_PAGE = /^[a-z][a-z0-9]{2}-[a-z]{3}\d{4,}$/i;
const OCID = /^ocds-[a-z0-9]{6}[a-z0-9]*-.+$/i;

/** Prefixes of Companies House numbers in use (chguide.co.uk; Companies House URI guide). Two letters, or `R0`. */
const PREFIXES = new Set(
  'SC NI R0 OC SO NC LP SL NL FC SF NF BR SE ES EN GE GS GN AC SA NA ZC SZ NZ CE CS SG RC SR NR IP SP NP RS OE NO IC SI NV AP PC FE'.split(
    ' ',
  ),
);

/** `01/04/2019`, `2019-04-01`: without its signs a date has as many digits as a company number. */
const DATE = /^\s*(?:\d{1,2}([/.-])\d{1,2}\1(?:19|20)\d\d|(?:19|20)\d\d([/.-])\d\d\2\d\d)\s*$/;

/**
 * A Companies House number in its 8-character form, or null where the text cannot be one. Spaces and punctuation are removed,
 * letters become capitals, a fraction as spreadsheets add it (`1234567.0`) is dropped, and digits are padded to 8, or to 6 after
 * a prefix. Numbers may end in a letter (registered societies), so what follows a prefix only has to begin with a digit.
 */
export function parseCompanyNumber(raw: string): string | null {
  if (DATE.test(raw)) return null;
  const bare = raw
    .replace(/(?<=^\s*\d+)\.0\s*$/, '')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '');
  if (/^\d{1,8}$/.test(bare)) return /^0+$/.test(bare) ? null : bare.padStart(8, '0');
  const match = /^([A-Z]{2}|R0)(\d[0-9A-Z]{0,5})$/.exec(bare);
  if (!match) return null;
  const [, lead = '', tail = ''] = match;
  if (!PREFIXES.has(lead) || /^0+$/.test(tail)) return null;
  return lead + tail.padStart(6, '0');
}

/** A notice id as its source writes it (`NNNNNN-YYYY`, a GUID in lower case, `PCS-SEP427811`), or null. */
export function parseNoticeId(raw: string): string | null {
  const text = raw.trim();
  if (NOTICE_NUMBER.test(text)) return text;
  if (NOTICE_PAGE.test(text)) return text.toUpperCase();
  return NOTICE_GUID.test(text) ? text.toLowerCase() : null;
}

/** An ocid in lower case, or null. An empty tail (`ocds-b5fd17-`, seen on Contracts Finder) is refused; so is a contract id. */
export function parseOcid(raw: string): string | null {
  const text = raw.trim();
  return OCID.test(text) && parseContractId(text) === null ? text.toLowerCase() : null;
}

/** The ocid of a process: where buyers share one, a process id is the ocid plus `~` and a mark of the buyer. */
export function ocidOf(processId: string): string {
  return processId.replace(/~[0-9a-f]{8}$/, '');
}

/** `<process id>-a-<award>`: the award as published where that is short and plain, else 10 hex digits of its sha256. */
const CONTRACT_ID = /^(ocds-[a-z0-9]{6}[a-z0-9]*-[^\s]+)-a-([a-z0-9]+(?:-[a-z0-9]+)*)$/i;
const PLAIN_AWARD = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * A contract's id: stable, URL-safe and readable, as `ocds-h6vhtk-0525b3-a-1`. Contracts Finder's award ids repeat the ocid,
 * which is left out. `-a-` distinguishes it from an ocid: no ocid in use has a one-letter part in its tail.
 */
export function makeContractId(processId: string, awardId: string): string {
  const ocid = ocidOf(processId);
  const own = awardId.toLowerCase().startsWith(`${ocid}-`) ? awardId.slice(ocid.length + 1) : awardId;
  const isPlain = PLAIN_AWARD.test(own) && own.length <= 40 && !/(^|-)a(-|$)/.test(own);
  return `${processId}-a-${isPlain ? own : hash('sha256', awardId).slice(0, 10)}`;
}

/** The process that a contract id belongs to, both in lower case, or null where the text is no contract id. */
export function parseContractId(raw: string): { contractId: string; processId: string } | null {
  const text = raw.trim();
  const match = CONTRACT_ID.exec(text);
  return match ? { contractId: text.toLowerCase(), processId: (match[1] ?? '').toLowerCase() } : null;
}

/** The 8 digits of a CPV code (`45000000`, `45000000-7`), or null. */
export function parseCpv(raw: string): string | null {
  const match = /^(\d{8})(-\d)?$/.exec(raw.trim());
  return match?.[1] ?? null;
}

/** Identifier schemes, best first. The best identifier of an identity is its id, in any order of arrival. */
const SCHEME_RANK = [
  'GB-COH',
  'GB-PPON',
  'GB-CHC',
  'GB-SC',
  'GB-NIC',
  'GB-NHS',
  'GB-UKPRN',
  'GB-MPR',
  'GB-CQC',
  'GB-LAE',
  'GB-LAS',
  'GB-GOR',
  'GB-SRS',
  'GG-RCE',
  'JE-FSC',
  'IM-CR',
] as const;

/** Known schemes that do not identify an organisation: a tax number, or a source's own numbering. */
const IGNORED = ['VAT', 'GB-VAT', 'OTHER', 'GB-FTS', 'GB-CFS'];
/** Every understood scheme, in capitals: those that identify, and those that are skipped. */
export const KNOWN_SCHEMES: ReadonlySet<string> = new Set([...SCHEME_RANK, ...IGNORED]);

/** What services and publishers write for a scheme besides its code, without spaces and signs. `NHS` alone may stand for anything. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ...['COH', 'UKCOH', 'COMPANIESHOUSE', 'GBCOMPANIESHOUSE'].map((name) => [name, 'GB-COH'] as const),
  ...['PPON', 'UKPRN'].map((name) => [name, `GB-${name}`] as const),
  ...[...KNOWN_SCHEMES].map((scheme) => [scheme.replaceAll('-', ''), scheme] as const),
]);

/** A scheme by its code: `COMPANIES_HOUSE` and `gb coh` are GB-COH. One that is not known is only in capitals. */
export function schemeOf(raw: string): string {
  const name = raw.trim().toUpperCase();
  return KNOWN_SCHEMES.has(name) ? name : (OTHER_NAMES.get(name.replace(/[^A-Z0-9]+/g, '')) ?? name);
}

const RANK = new Map<string, number>(SCHEME_RANK.map((scheme, index) => [scheme, index]));

/**
 * The forms of numbers in registers whose numbers have one, with what publishers put before it; the groups, joined with a
 * hyphen, are the number. PPON: GCGS-Central-Digital-Platform, PponService.cs. A charity's second number is that of a linked one;
 * 0 is the charity itself.
 */
const FORMS: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    'GB-PPON': /^(P[A-Z]{3})[- ]?(\d{4})[- ]?([A-Z]{4})$/,
    'GB-CHC': /^(?:CHC[- :]{0,2})?0?((?<=0)\d{6}|(?<!0)[1-9]\d{5,6})(?:[-.](?:0|(\d{1,2})))?$/,
    'GB-SC': /^(?:SC[- ]?)?(?!0+$)(\d{1,6})$/,
    'GB-NIC': /^(?:NIC[- ]?)?(\d{6})$/,
    'GB-UKPRN': /^(?:UKPRN[ :]{0,2})?(1\d{7})$/,
    'GB-NHS': /^(?:ODS[ :]{1,2})?([A-Z0-9]{3,10})$/,
  }),
);
/**
 * Words before and after a company number, as in `Company Number - 07382763` and `01234567 (England and Wales)`. `123456
 * (Scotland)` lacks its letters: as digits alone it would be another company's number. After `Registered in England` a shorter
 * number may be a year.
 */
const COMPANY_WORDS =
  /^(?:CRN|(?:CO(?:MPANY|MPANIES HOUSE)?|REG(?:ISTERED|ISTRATION)?)\b(?:[^A-Z0-9]{0,3}\b(?:REG(?:ISTERED|ISTRATION)?|NUMBER|NUM|NO))+|REG(?:ISTERED)? IN (?:ENGLAND(?: (?:AND|&) WALES)?|WALES)(?:[^A-Z0-9]{0,3}\b(?:COMPANY|NUMBER|NUM|NO))*(?=\W*(?:\d{7,8}|[A-Z]{2}\d{6})\W*$))\b[^A-Z0-9]*(?=(?:[A-Z]{2}|R0)?\d)|\s?\((?:UK|ENGLAND(?: (?:AND|&) WALES)?|WALES)\)$|(?<=\b(?:[A-Z]{2}|(?:SC|NI) )\d{1,6})\s?\((?:SCOTLAND|NORTHERN IRELAND)\)$/g;
/** A company number in which a letter stands for its first digit, alone or after the letters of its nation. */
const LETTER_FOR_ZERO = /^O(?=\d{7}$)|(?<=^(?:SC|NI))O(?=\d{5}$)/;
/** What is written where there is no number. */
const NO_NUMBER = /^(?:N\W?A|NOT APPLICABLE|NONE|NIL|NULL|TB[CD]|UNKNOWN|PENDING|EXEMPT)$/;
/** Longer texts are no identifiers. */
const LENGTH_MAX = 120;

/**
 * The URL-safe id of an identifier, such as `GB-COH-01234567`, or null where it is junk or its scheme does not identify. A
 * number is normalised where its register has a form for it. A company number that cannot be one (a VAT number, an NHS code) is
 * refused.
 */
export function identityId(scheme: string, raw: string): string | null {
  const name = schemeOf(scheme);
  if (!RANK.has(name) || raw.length > LENGTH_MAX) return null;
  // Some publishers repeat the scheme in the number: `GB-COH-01234567`.
  const own = raw.trim().toUpperCase();
  const id =
    own.startsWith(name) && /[^A-Z0-9]/.test(own.charAt(name.length)) ? own.slice(name.length + 1).trim() : own;
  const number = NO_NUMBER.test(id) ? null : numberOf(name, id);
  return number === null ? null : `${name}-${number}`;
}

function numberOf(scheme: string, id: string): string | null {
  if (scheme === 'GB-COH') return parseCompanyNumber(id.replace(COMPANY_WORDS, '').replace(LETTER_FOR_ZERO, '0'));
  // A spreadsheet writes `1234567.0`.
  const [, ...groups] = FORMS.get(scheme)?.exec(id.replace(/(?<=\d) (?=\d)|(?<=\d)\.0$/g, '')) ?? [];
  const parts = groups.filter((part) => part !== undefined);
  if (scheme === 'GB-PPON' && parts.length === 0) return null;
  const [number = id] = parts;
  const whole = scheme === 'GB-SC' && parts.length > 0 ? `SC${number.padStart(6, '0')}` : parts.join('-') || id;
  const safe = whole.replace(/[^A-Z0-9.]+/g, '-').replace(/^-|-$/g, '');
  return /[A-Z1-9]/.test(safe) && safe.length <= 60 ? safe : null;
}

/** An id that spells an identifier (`gb-chc 1234567`) as identities have it, as their ids had other spellings too; any other text as it is. */
export function spellId(text: string): string {
  const [, scheme = '', number = ''] = /^([A-Z]{2}-[A-Z]{2,5})[^A-Z0-9](.+)$/i.exec(text.slice(0, LENGTH_MAX)) ?? [];
  return identityId(scheme, number) ?? text;
}

/** Compares texts by their code units, the same on every machine. Returns -1, 0 or 1, as `sort` expects. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Compares ids by scheme, then by text; names come after every identifier. Negative, zero or positive, as `sort` expects. */
export function compareIds(a: string, b: string): number {
  return rankOf(a) - rankOf(b) || compareText(a, b);
}

/**
 * The scheme of an identifier where an organisation has only one number in it, or null. Registration accounts (GB-SRS) are
 * excluded: departments of one council each have their own.
 */
export function strongSchemeOf(id: string): string | null {
  const scheme = SCHEME_RANK[rankOf(id)];
  return scheme === undefined || scheme === 'GB-SRS' ? null : scheme;
}

function rankOf(id: string): number {
  const upper = id.toUpperCase();
  const index = SCHEME_RANK.findIndex((scheme) => upper.startsWith(`${scheme}-`));
  return index === -1 ? SCHEME_RANK.length : index;
}
