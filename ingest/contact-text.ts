/** An e-mail address or telephone number that stands in a text, in its one normal form. */
export interface Found {
  kind: 'email' | 'telephone';
  /** An address in lower case; a number as digits, a UK one with its leading 0, any other with its `+`. */
  value: string;
}

/** What stands in its place, or null to leave it. */
export type Replacement = (found: Found) => string | null;

/** Every quantifier is bounded: no text makes these slow. */
const AT = String.raw`(?: ?@ ?|%40| ?[([]at[)\]] ?)`;
const DOMAIN = String.raw`(?!www\.)(?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24}(?![a-z0-9])`;
const EMAIL = new RegExp(String.raw`(?:mailto:\s?)?([a-z0-9_][\w.%+'’&-]{0,63})${AT}(${DOMAIN})`, 'gi');
/** `https://name@host/`: a name for the server, not an address. */
const USER_OF_URL = /(\bhttps?:\/\/)[^\s/@]{1,128}@/gi;

const GAP = String.raw`[ \t\u00a0.()\-–]{0,3}`;
const digits = (least: number, most: number) => String.raw`(?:${GAP}\d){${least},${most}}`;
const EXTENSION = String.raw`(?:[ ,;]{0,2}\(?(?:ext(?:ension|n)?|x)[.: ]{0,3}\d{1,6}\)?)?`;
const ADDRESS = String.raw`(?:https?:\/\/|www\.)[^\s<>"]+`;
const LABEL = String.raw`\b(?:tel(?:ephone)?|phone|mob(?:ile)?|fax)(?: ?(?:no|number))?(?:\.? ?[:–-]|\.| no| number) ?`;
const UK = String.raw`\(?(?:(?:\+|\b00) ?44|\b44(?= ?\(0\)))\)?${GAP}(?:0${GAP})?[1-9]${digits(8, 9)}`;
const ABROAD = String.raw`\(?\+ ?[1-9]\d{0,2}\)?${digits(7, 11)}`;
const NATIONAL = String.raw`\(?0${digits(9, 10)}`;
/** Neither inside a longer number, word or sum of money, nor followed by more of one. */
const BEFORE = String.raw`(?<![\w£$€@=&#+]|\w[-–]|\d[.,])`;
const AFTER = String.raw`(?![\w@]|[-–.,]\d|\/[1-9]|\/\d\d\/)`;
const TELEPHONE = new RegExp(
  String.raw`(${ADDRESS})|(${LABEL})(\(?\+?\d${digits(5, 12)})${EXTENSION}${AFTER}|${BEFORE}(${UK}|${ABROAD}|${NATIONAL})${EXTENSION}${AFTER}`,
  'gi',
);
/** Only a text with so many digits close to one another is worth the walk. */
const MAY_HAVE_TELEPHONE = /\d(?:[ \t\u00a0.()\-–]{0,3}\d){5}/;

/** Replaces what `replacement` says of the e-mail addresses and telephone numbers in a text. Web addresses keep their digits. */
export function replaceContacts(text: string, replacement: Replacement): string {
  const plain = mayHaveEmail(text) ? replaceEmails(text, replacement) : text;
  return MAY_HAVE_TELEPHONE.test(plain) ? replaceTelephones(plain, replacement) : plain;
}

function mayHaveEmail(text: string): boolean {
  return text.includes('@') || text.includes('%40') || /[([]at[)\]]/i.test(text);
}

function replaceEmails(text: string, replacement: Replacement): string {
  return text.replace(USER_OF_URL, '$1').replace(EMAIL, (whole, name: string, domain: string) => {
    return replacement({ kind: 'email', value: `${name}@${domain}`.toLowerCase() }) ?? whole;
  });
}

function replaceTelephones(text: string, replacement: Replacement): string {
  return text.replace(TELEPHONE, (whole, address?: string, label?: string, labelled?: string, bare?: string) => {
    if (address !== undefined) return whole;
    const number = labelled ?? bare ?? '';
    if (labelled !== undefined ? isYears(labelled) : !isTelephone(number)) return whole;
    const put = replacement({ kind: 'telephone', value: normalTelephone(number) });
    return put === null ? whole : `${label ?? ''}${put}`;
  });
}

/** `+44 (0)20 7946 0000`, `0044 20 …`, `020 7946 0000` as `02079460000`; `+33 1 …` as `+331…`. */
export function normalTelephone(text: string): string {
  const bare = text.replace(/\(0\)/g, '').replace(/[^\d+]/g, '');
  const national = bare.replace(/^(?:\+|00)?44(?=\d{9,10}$)/, '').replace(/^0?(?=[1-9]\d{8,9}$)/, '0');
  return bare.startsWith('+') && !bare.startsWith('+44') ? bare : national;
}

/** Whether digits are grouped as telephone numbers are; codes, dates and references of as many digits are not. */
function isTelephone(number: string): boolean {
  if (/^\(?(?:\+|00 ?44|44)/.test(number)) return true;
  const groups = number.replace(/^\(0\)\s?/, '0').match(/\d+/g) ?? [];
  const all = groups.join('');
  const first = groups[0]?.length ?? 0;
  // Ranges in use (Ofcom): 01, 02, 03, 07, 08; only 01 and 08 have numbers of ten digits.
  if (!(all.length === 11 ? /^0[12378]/ : /^0[18]/).test(all)) return false;
  if (groups.length === 1) return true;
  if (first < 3 || first > 7 || groups.some((group) => group.length < 2)) return false;
  return !(/[-–.]/.test(number) && groups.some((group) => /^(?:19|20)\d\d$/.test(group)));
}

/** `Fax: 2024-2025` is no number. */
function isYears(number: string): boolean {
  return /^(?:19|20)\d\d[ -](?:19|20)?\d\d$/.test(number);
}
