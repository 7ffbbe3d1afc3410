import { joinLetters } from './clean.ts';

/** What a company's name ends in, by the law that it was made under; empty where it says nothing. */
export type LegalForm = '' | 'limited' | 'plc' | 'llp' | 'cic' | 'lp' | 'cio' | 'unlimited';

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
