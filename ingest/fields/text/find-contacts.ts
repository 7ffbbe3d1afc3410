import { findEmails } from './emails.ts';
import { type Folded, foldText } from './fold.ts';

/** An e-mail address or telephone number that stands in a text, in its one normal form. */
export interface Found {
  kind: 'email' | 'telephone';
  /** An address in lower case; a number as digits, a UK one with its leading 0, any other with its `+`. */
  value: string;
}

/** What stands in its place, or null to leave it. */
export type Replacement = (found: Found) => string | null;

/** `https://name@host/`: a name for the server, not an address. */
export const USER_OF_URL = /(\bhttps?:\/\/)[^\s/@]{1,128}@/gi;

/** Every quantifier is bounded: no text makes these slow. */
const GAP = String.raw`[ \t.()\-]{0,3}`;
const digits = (least: number, most: number) => String.raw`(?:${GAP}\d){${least},${most}}`;
const EXTENSION = String.raw`(?:[ ,;]{0,2}\(?(?:ext(?:ension|n)?|x)[.: ]{0,3}\d{1,6}\)?)?`;
const ADDRESS = String.raw`(?:https?:\/\/|www\.)[^\s<>"]+`;
const LABEL = String.raw`\b(?:tel(?:ephone)?|phone|mob(?:ile)?|fax)(?: ?(?:no|number))?(?:\.? ?[:-]|\.| no| number) ?`;
const UK = String.raw`\(?(?:(?:\+|\b00) ?44|\b44(?= ?\(0\)))\)?${GAP}(?:0${GAP})?[1-9]${digits(8, 9)}`;
const ABROAD = String.raw`\(?\+ ?[1-9]\d{0,2}\)?${digits(7, 11)}`;
const NATIONAL = String.raw`\(?0${digits(9, 10)}`;
/** Neither inside a longer number, word or sum of money, nor followed by more of one. */
const BEFORE = String.raw`(?<![\d_£$€@=&#+]|\w-|\d[.,])`;
const AFTER = String.raw`(?![\w@]|[-.,]\d|\/[1-9]|\/\d\d\/)`;
const TELEPHONE = new RegExp(
  String.raw`(${ADDRESS})|(${LABEL})(\(?\+?\d${digits(5, 12)})${EXTENSION}${AFTER}|${BEFORE}(${UK}|${ABROAD}|${NATIONAL})${EXTENSION}${AFTER}`,
  'gi',
);
/** Only a text with so many digits close to one another is worth the walk. */
const MAY_HAVE_TELEPHONE = /\d(?:[^\p{L}\d]{0,3}\d){5}/u;

/** Replaces what `replacement` says of the e-mail addresses and telephone numbers in a text. Web addresses keep their digits. */
export function replaceContacts(text: string, replacement: Replacement): string {
  const mayHaveEmail = MAY_HAVE_EMAIL.test(text);
  if (!mayHaveEmail && !MAY_HAVE_TELEPHONE.test(text)) return text;
  const plain = mayHaveEmail ? text.replace(USER_OF_URL, '$1') : text;
  const folded = foldText(plain);
  const replaced = [...replaceEmails(folded, replacement), ...replaceTelephones(folded, plain, replacement)];
  return replaceRanges(plain, folded, replaced);
}

const MAY_HAVE_EMAIL = /[@\uff20\ufe6b]|%40|[[({<] ?at ?[\])}>]|&(?:#|commat)/i;

/** A stretch of a folded text and what stands in its place. */
export interface Replaced {
  start: number;
  end: number;
  put: string;
}

/** A text with these stretches replaced; of stretches that overlap, the one that begins first. */
export function replaceRanges(text: string, folded: Folded, replaced: readonly Replaced[]): string {
  if (replaced.length === 0) return text;
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end, put } of replaced.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const [from, to] = folded.range(start, end);
    if (from < done) continue;
    pieces.push(text.slice(done, from), put);
    done = to;
  }
  return `${pieces.join('')}${text.slice(done)}`;
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
  for (const { 0: whole, 1: address, 2: label, 3: labelled, 4: bare, index } of text.matchAll(TELEPHONE)) {
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

/** `on01634 331 042`: a word that lost its blank. Codes and ids are in capitals, short, or hold digits. */
function isGlued(before: string, number: string): boolean {
  return /(?<![\p{L}\p{N}_-])\p{L}\p{Ll}+$/u.test(before) && /^\(?0\d+[ -]\d/.test(number);
}

/** `+44 (0)20 7946 0000`, `0044 20 …`, `020 7946 0000` as `02079460000`; `+33 1 …` as `+331…`. */
export function normalTelephone(text: string): string {
  const bare = text.replace(/\(0\)/g, '').replace(/[^\d+]/g, '');
  const abroad = bare.replace(/^00(?!44)(?=\d{8})/, '+');
  const national = abroad.replace(/^(?:\+|00)?44(?=0?\d{9,10}$)/, '').replace(/^0?(?=[1-9]\d{8,9}$)/, '0');
  return abroad.startsWith('+') && !abroad.startsWith('+44') ? abroad : national;
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
