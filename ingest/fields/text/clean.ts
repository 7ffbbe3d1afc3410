import { domainToUnicode } from 'node:url';
import { dropInvisible } from '../../../schema/text/json-values.ts';
import { matchesOf, memoise } from '../../../schema/text/memoise.ts';
import { decodeEntities, type Folded, foldKey, foldText, type Replaced, replaceRanges } from './fold.ts';

const BREAK = /<\/?(?:br|p|div|li|ul|ol|tr|table|h[1-6])\b[^<>]*>/gi;
const TAG = /<!--(?:(?!<!--).)*?-->|<!\[CDATA\[|\]\]>|<[!?][a-z][^<>]*>|<\/?[a-z][a-z0-9:-]*(?:\s[^<>]*)?\/?>/gis;
const HIDDEN = /<(style|script)\b[^<>]*>(?:(?!<\1).)*?<\/\1\s*>/gis;
/** A tag that a length limit cut in two. */
const CUT_TAG = /<\/?(?:a|b|i|u|p|em|br|div|img|li|ol|ul|span|font|strong|table|t[rdh]|h[1-6])(?:\s[^<>]*)?$/i;
/** `\r` in letters at the end of a line, which procurement portals send for a line break. */
const WRITTEN_RETURN = /(?<!\\r)(?:\\r)+[^\S\r\n]*(?=[\r\n]|$)/g;
/** Each pass removes one layer of escapes; published texts have at most this many. */
const PASSES_MAX = 8;
/** The most characters that are served of a text and of a line. Longer ones are cut, with a warning. */
export const [TEXT_MAX, LINE_MAX] = [100_000, 1_000];
/** Allows for markup and spaces, which are read but not served. */
const READ_MAX = 3 * TEXT_MAX;

/**
 * Text as the catalogue serves it, without e-mail addresses and telephone numbers. HTML tags are removed and entities decoded,
 * however often they were escaped. Line breaks stay, and several spaces become one.
 */
export function cleanText(raw: string | undefined): string {
  if (!raw) return '';
  let text = raw.slice(0, READ_MAX);
  for (let pass = 0; pass < PASSES_MAX && /[&<]/.test(text); pass += 1) {
    const before = text;
    text = decodeEntities(dropTags(text));
    if (text === before) break;
  }
  const plain = dropInvisible(text)
    .replace(WRITTEN_RETURN, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return cut(redact(plain), TEXT_MAX);
}

/** Cleaned text on one line, for titles and names. */
export const cleanLine = (raw: string | undefined): string => (raw ? readLine(raw) : '');
const readLine = memoise((raw) => cut(cleanText(raw).replace(/\s+/g, ' '), LINE_MAX));

/** The beginning of a published text on one line, as a warning quotes it. */
export const quote = (raw: string): string => cleanLine(raw).slice(0, 40);

/** Whether a text only stands for none, as `N/A` and Welsh `Amherthnasol` do, also one next to the other. */
export const saysNothing = (text: string): boolean => NOTHING.test(text);
const NONE = String.raw`(?:n[^\p{L}\p{N}]{0,3}a|nil|none|not[ -]applicable|tb[acd]|dim|amherthnasol|ddim yn (?:b|g)erthnasol|i['’]w gadarnhau)`;
// What follows the words stands with them: two such runs side by side would make a text of dashes slow to read.
const NOTHING = new RegExp(String.raw`^[^\p{L}\p{N}]*(?:${NONE}(?:[^\p{L}\p{N}]+${NONE})?[^\p{L}\p{N}]*)?$`, 'iu');

/** The beginning of a text. Never ends in half a character. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/\s*[\ud800-\udbff]?$/, '');
}

function dropTags(text: string): string {
  if (!text.includes('<')) return text;
  return text.replace(HIDDEN, ' ').replace(BREAK, '\n').replace(TAG, ' ').replace(CUT_TAG, ' ');
}

/** An e-mail address in a folded text. */
interface FoundEmail {
  start: number;
  end: number;
  /** The normal form: folded, with its domain decoded. */
  value: string;
  /** Whether it has an @ sign and so is certain. `jo at example dot org` may be part of a sentence. */
  isSure: boolean;
}

const MAY_HAVE = /@|%40|[[({<] ?at ?[\])}>]/;
const MAY_HAVE_SPELT = /\sat\s/;
const SURE = /@|%40|[[({<] ?at ?[\])}>]/g;
const SURE_OR_SPELT = new RegExp(`${SURE.source}|(?<=\\s)at(?=\\s)`, 'g');
/** No character is in two of these, so a text matches in one way only and the search is fast for any text. */
const DOT = String.raw`(?:\.|\s?[[({<]\s?dot\s?[\])}>]\s?)`;
const SPELT_DOT = String.raw`(?:\.|\sdot\s|\s?[[({<]\s?dot\s?[\])}>]\s?)`;
const LETTER = String.raw`[\p{L}\p{N}_%+'&-]`;
const nameBefore = (dot: string) => new RegExp(`[\\p{L}\\p{N}_](?:${LETTER}|${dot}){0,63} {0,2}$`, 'u');
const domainAfter = (dot: string) =>
  new RegExp(
    String.raw`^ {0,2}(?!www\.)((?:[\p{L}\p{N}-]{1,63}${dot}){1,6}(?:xn--[\p{L}\p{N}-]{1,59}|\p{L}{2,24}))(?![\p{L}\p{N}])`,
    'u',
  );
const [NAME, SPELT_NAME] = [nameBefore(DOT), nameBefore(SPELT_DOT)];
const [DOMAIN, SPELT_DOMAIN] = [domainAfter(DOT), domainAfter(SPELT_DOT)];
/** Characters searched before and after the sign, more than any address has. */
const NAME_MAX = 80;
const DOMAIN_MAX = 260;

export const REMOVED = { email: '[e-mail removed]', telephone: '[telephone removed]' } as const;

/** An e-mail address or telephone number in a text, in its normal form. */
export interface Found {
  kind: 'email' | 'telephone';
  /** An address in lower case; a UK number as digits with its leading 0, any other with its `+`. */
  value: string;
}

/** Returns the text that replaces a match, or null to leave it. */
type Replacement = (found: Found) => string | null;

/** In `https://name@host/` the name is a login, not an e-mail address. */
export const USER_OF_URL = /(\bhttps?:\/\/)[^\s/@]{1,128}@/gi;

/** Every quantifier is bounded, so the search is fast for any text. */
const GAP = String.raw`[ \t.()\-]{0,3}`;
const digits = (least: number, most: number) => String.raw`(?:${GAP}\d){${least},${most}}`;
const EXTENSION = String.raw`(?:[ ,;]{0,2}\(?(?:ext(?:ension|n)?|x)[.: ]{0,3}\d{1,6}\)?)?`;
const ADDRESS = String.raw`(?:https?:\/\/|www\.)[^\s<>"]+`;
const LABEL = String.raw`\b(?:tel(?:ephone)?|phone|mob(?:ile)?|fax)(?: ?(?:no|number))?(?:\.? ?[:-]|\.| no| number) ?`;
const UK = String.raw`\(?(?:(?:\+|\b00) ?44|\b44(?= ?\(0\)))\)?${GAP}(?:0${GAP})?[1-9]${digits(8, 9)}`;
const ABROAD = String.raw`\(?\+ ?[1-9]\d{0,2}\)?${digits(7, 11)}`;
const NATIONAL = String.raw`\(?0${digits(9, 10)}`;
/** A number is not part of a longer number, a word or an amount of money. */
const BEFORE = String.raw`(?<![\d_£$€@=&#+]|\w-|\d[.,])`;
const AFTER = String.raw`(?![\w@]|[-.,]\d|\/[1-9]|\/\d\d\/)`;
const TELEPHONE = new RegExp(
  String.raw`(${ADDRESS})|(${LABEL})(\(?\+?\d${digits(5, 12)})${EXTENSION}${AFTER}|${BEFORE}(${UK}|${ABROAD}|${NATIONAL})${EXTENSION}${AFTER}`,
  'gi',
);
/** Only a text with this many digits close together is searched. */
const MAY_HAVE_TELEPHONE = /\d(?:[^\p{L}\d]{0,3}\d){5}/u;

const MAY_HAVE_EMAIL = /[@\uff20\ufe6b]|%40|[[({<] ?at ?[\])}>]|&(?:#|commat)/i;

/**
 * A text without e-mail addresses and telephone numbers. Names of people stay, as they cannot be distinguished from places and
 * firms.
 */
export function redact(text: string): string {
  return replaceContacts(text, ({ kind }) => REMOVED[kind]);
}

/** A web address without any e-mail address in it; undefined if it is only an e-mail address. */
export function redactUrl(url: string | undefined): string | undefined {
  if (url === undefined || !/@|%40|^mailto:/i.test(url)) return url;
  if (/^mailto:/i.test(url) || !/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return undefined;
  return replaceContacts(url, () => '');
}

/**
 * The e-mail addresses in a folded text. Looks at each sign once.
 * @param spelt whether to find addresses that are spelt in words too
 */
export function findEmails(folded: string, spelt = false): FoundEmail[] {
  if (!MAY_HAVE.test(folded) && !(spelt && MAY_HAVE_SPELT.test(folded))) return [];
  const found: FoundEmail[] = [];
  for (const { 0: sign, index } of matchesOf(folded, spelt ? SURE_OR_SPELT : SURE)) {
    const isSpelt = sign === 'at';
    const from = Math.max(found.at(-1)?.end ?? 0, index - NAME_MAX);
    const name = (spelt ? SPELT_NAME : NAME).exec(folded.slice(from, index));
    const rest = folded.slice(index + sign.length, index + sign.length + DOMAIN_MAX);
    const domain = name && (spelt ? SPELT_DOMAIN : DOMAIN).exec(rest);
    if (!name || !domain?.[1]) continue;
    const value = normalEmail(`${name[0]}@${domain[1]}`);
    found.push({
      start: withScheme(folded, from + name.index),
      end: index + sign.length + domain[0].length,
      value,
      isSure: !isSpelt,
    });
  }
  return found;
}

function withScheme(folded: string, start: number): number {
  return start - (/mailto:\s?$/.exec(folded.slice(Math.max(0, start - 8), start))?.[0].length ?? 0);
}

/** An e-mail address in the form used for comparison: without accents, with its domain decoded. */
export function normalEmail(address: string): string {
  const plain = foldKey(address).replace(/\sdot\s|\s?[[({<]\s?dot\s?[\])}>]\s?/g, '.');
  const [, name = '', domain = ''] = /^\s*(?:mailto:)?\s*([^@]*?)\s*@\s*(.*?)\s*$/.exec(plain) ?? [];
  const read = domain.includes('xn--') ? foldKey(domainToUnicode(domain) || domain) : domain;
  return `${name}@${read}`;
}

/** Replaces e-mail addresses and telephone numbers in a text as `replacement` says. Web addresses keep their digits. */
export function replaceContacts(text: string, replacement: Replacement): string {
  const mayHaveEmail = MAY_HAVE_EMAIL.test(text);
  if (!mayHaveEmail && !MAY_HAVE_TELEPHONE.test(text)) return text;
  const plain = mayHaveEmail ? text.replace(USER_OF_URL, '$1') : text;
  const folded = foldText(plain);
  const replaced = [...replaceEmails(folded, replacement), ...replaceTelephones(folded, plain, replacement)];
  return replaceRanges(plain, folded, replaced);
}

function replaceEmails({ text }: Folded, replacement: Replacement): Replaced[] {
  return findEmails(text).flatMap(({ start, end, value }) => {
    const put = replacement({ kind: 'email', value });
    return put === null ? [] : { start, end, put };
  });
}

function replaceTelephones({ text, range }: Folded, original: string, replacement: Replacement): Replaced[] {
  if (!MAY_HAVE_TELEPHONE.test(text)) return [];
  const replaced: Replaced[] = [];
  for (const { 0: whole, 1: address, 2: label, 3: labelled, 4: bare, index } of matchesOf(text, TELEPHONE)) {
    if (address !== undefined) continue;
    const number = labelled ?? bare ?? '';
    if (labelled !== undefined ? isYears(labelled) : !isTelephone(number)) continue;
    const before = index === 0 ? '' : original.slice(...range(Math.max(0, index - 40), index));
    if (label === undefined && /\p{L}$/u.test(before) && !isGlued(before, number)) continue;
    const put = replacement({ kind: 'telephone', value: normalTelephone(number) });
    if (put !== null) replaced.push({ start: index + (label?.length ?? 0), end: index + whole.length, put });
  }
  return replaced;
}

/** Whether a word lost the space after it, as in `on01634 331 042`. Codes and ids are in capitals, short, or contain digits. */
function isGlued(before: string, number: string): boolean {
  return /(?<![\p{L}\p{N}_-])\p{L}\p{Ll}+$/u.test(before) && /^\(?0\d+[ -]\d/.test(number);
}

/** A telephone number in its normal form: `02079460000` for `+44 (0)20 7946 0000` or `0044 20 …`, and `+331…` for `+33 1 …`. */
export function normalTelephone(text: string): string {
  const bare = text.replace(/\(0\)/g, '').replace(/[^\d+]/g, '');
  const abroad = bare.replace(/^00(?!44)(?=\d{8})/, '+');
  const national = abroad.replace(/^(?:\+|00)?44(?=0?\d{9,10}$)/, '').replace(/^0?(?=[1-9]\d{8,9}$)/, '0');
  return abroad.startsWith('+') && !abroad.startsWith('+44') ? abroad : national;
}

/** Whether digits are grouped as in a telephone number, unlike codes, dates and references with as many digits. */
function isTelephone(number: string): boolean {
  if (/^\(?(?:\+|00 ?44|44)/.test(number)) return true;
  const groups = number.replace(/^\(0\)\s?/, '0').match(/\d+/g) ?? [];
  const all = groups.join('');
  const first = groups[0]?.length ?? 0;
  // Ofcom's ranges in use are 01, 02, 03, 07 and 08. Only 01 and 08 have numbers of ten digits.
  if (!(all.length === 11 ? /^0[12378]/ : /^0[18]/).test(all)) return false;
  if (groups.length === 1) return true;
  if (first < 3 || first > 7 || groups.some((group) => group.length < 2)) return false;
  return !(/[-–.]/.test(number) && groups.some((group) => /^(?:19|20)\d\d$/.test(group)));
}

/** Whether it is two years: `Fax: 2024-2025` is not a telephone number. */
function isYears(number: string): boolean {
  return /^(?:19|20)\d\d[ -](?:19|20)?\d\d$/.test(number);
}

/** The warning for a text that is cut; none for any other. */
export function warnOfCut(what: string, text: string | undefined, most: number): string[] {
  const characters = text?.length ?? 0;
  return characters > most ? [`only the first ${most} of ${characters} characters of the ${what} are held`] : [];
}
