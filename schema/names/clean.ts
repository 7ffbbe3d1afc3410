import { memoise } from '../text/memoise.ts';

const SUFFIX =
  /\b(limited|ltd|plc|public limited company|llp|limited liability partnership|cic|community interest company|cyf|cyfyngedig|inc|incorporated|llc)\b/g;

/**
 * Raised whenever a name is cleaned to another key than before: cleaned names that are stored are of one edition of this
 * rule, and `cli rebuild` brings them to it.
 */
export const CLEANING = 2;

/**
 * A name reduced to what two spellings of it share: lower case, no accents, no legal suffix, `&` as and, initials as one
 * word (`P. P. M.`, `G.EVANS` as `g evans`), single spaces. Empty where nothing is left.
 */
export const nameKey = memoise(cleanName);

/** A dot after an initial, or before a legal form, stands where a space does: `G.Evans`, `Dale & Co.Ltd`. */
const GLUED_DOT = /(?<=(?<![\p{L}\p{N}])\p{L})\.|\.(?=(?:ltd|limited|plc|llp|cic)(?![\p{L}\p{N}]))/giu;
/** Legal forms written letter by letter at the end. */
const SPACED_FORM = / (?:p l c|l t d|l l p|c i c|s a|n v|b v|a g)$/;
const LETTERS = /(?<![\p{L}\p{N}])\p{L}(?: \p{L}(?![\p{L}\p{N}]))+/gu;

const TWO_LETTERS = /(?:^| )\p{L} \p{L}(?: |$)/u;

/** Single letters that follow each other as one word, a legal form at the end as a word of its own: `b p p l c` is `bp plc`. */
function joinLetters(plain: string): string {
  if (!TWO_LETTERS.test(plain)) return plain;
  const form = SPACED_FORM.exec(plain)?.[0] ?? '';
  const rest = plain.slice(0, plain.length - form.length);
  const joined = rest.replace(LETTERS, (letters) => letters.replaceAll(' ', ''));
  return form === '' ? joined : `${joined} ${form.replaceAll(' ', '')}`;
}

/** The `nameKey` of a name that seldom comes twice, as those of the register: it is not kept in memory. */
export function cleanName(name: string): string {
  return withoutForm(joinLetters(plainText(name.includes('.') ? name.replace(GLUED_DOT, ' ') : name)));
}

/** A name as the first edition cleaned it, by which ids of names were once made: initials as words of their own. */
export const formerNameKey = memoise((name) => withoutForm(plainText(name)));

const ASCII = /^[ -~]*$/;

function plainText(name: string): string {
  // Unicode's classes find the same in ASCII, which nearly all names are, and take several times as long.
  const isAscii = ASCII.test(name);
  const letters = isAscii ? name : name.normalize('NFKD').replace(/\p{M}/gu, '');
  return letters
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/['’`.]/g, '')
    .replace(isAscii ? /[^a-z0-9]+/g : /[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function withoutForm(plain: string): string {
  const bare = plain.replace(SUFFIX, ' ').replace(/^the /, '').replace(/\s+/g, ' ').trim();
  return bare || plain;
}

/** What a company's name ends in, by the law that it was made under; empty where it says nothing. */
type LegalForm = '' | 'limited' | 'plc' | 'llp' | 'cic' | 'lp' | 'cio' | 'unlimited';

/** The same, of companies made under another country's law. */
export type Ending = LegalForm | 'foreign';

const FORMS: readonly (readonly [LegalForm, RegExp])[] = [
  ['plc', /\b(?:plc|public limited company)$/],
  ['cic', /\b(?:cic|community interest company)(?: (?:limited|ltd|plc))?$/],
  ['llp', /\b(?:llp|limited liability partnership)$/],
  ['lp', /\b(?:lp|limited partnership)$/],
  ['unlimited', /\bunlimited$/],
  ['limited', /\b(?:limited|ltd|cyf|cyfyngedig)$/],
  ['cio', /\b(?:cio|charitable incorporated organisation)$/],
];

const FOREIGN =
  /\b(?:inc|incorporated|llc|corp|gmbh|ag|kg|bv|nv|sarl|srl|sa|ab|oy|aps|as|dac|(?:pty|pte|pvt|private)(?: limited| ltd)?)$/;

/** Legal endings as they are mistyped: "Limted", "Lmited", "LImiited", "Ltd" glued to the word before. */
const MISTYPED = /\b(?:li?mi?i?ti?e?d|limietd|limtied|limitd|lmited|ltdd?)\s*\.?$/i;
const GLUED = /([a-z]{3})(Ltd|Limited|LTD|LIMITED)\.?$/;

/** A name with its legal ending spelled as the register does where it was mistyped or glued to the word before. */
export function mendEnding(name: string): string {
  return name.trim().replace(GLUED, '$1 $2').replace(MISTYPED, 'Limited');
}

/** The legal form that a name ends in. */
export function legalForm(name: string): LegalForm {
  const plain = plainEnd(name);
  return FORMS.find(([, ending]) => ending.test(plain))?.[0] ?? '';
}

/** The same where it matters under which country's law: `Pty Ltd` is no `Ltd`. */
export function endingOf(name: string): Ending {
  return FOREIGN.test(plainEnd(name)) ? 'foreign' : legalForm(name);
}

function plainEnd(name: string): string {
  const plain = mendEnding(name)
    .toLowerCase()
    .replace(/['’]|\.(?!(?:ltd|limited|plc|llp|cic)\b)/g, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
  return joinLetters(plain);
}
