import { nameKey } from '../../../schema/names/spelling.ts';
import { type Dice, makeDice } from '../../generated/draw.ts';
import type { NamedCompany } from '../../generated/names/make.ts';

/** A name as somebody may type it, and the company meant; without one nothing is to be answered. */
export interface AskedName {
  name: string;
  number: string | null;
  /** Cleaned name of the company that it was made of: a namesake of a better standing is as right. */
  key: string;
}

type Ask = (dice: Dice, company: NamedCompany) => Pick<AskedName, 'name' | 'number'> | null;

const ASKED: Readonly<Record<string, Ask>> = {
  exact: (_dice, { name, number }) => ({ name, number }),
  cleaned: (_dice, { stem, number }) => ({ name: `${stem} Ltd.`, number }),
  'previous name': (_dice, { previous, number }) => (previous ? { name: previous, number } : null),
  prefix: (_dice, { stem, number }) => ({ name: stem.slice(0, Math.ceil(stem.length * 0.8)), number }),
  near: (dice, { stem, number }) => ({ name: misspell(dice, stem, dice.below(stem.length - 1)), number }),
  'near, at first': (dice, { stem, number }) => ({ name: misspell(dice, stem, dice.below(3)), number }),
  'near, previous': (dice, { previous, number }) =>
    previous ? { name: misspell(dice, previous, dice.below(previous.length - 9)), number } : null,
  'words moved': (_dice, { stem, number }) => {
    const [first, ...rest] = stem.split(' ');
    return rest.length > 0 ? { name: [...rest, first].join(' '), number } : null;
  },
  number: (_dice, { number }) => ({ name: number, number }),
  unknown: (dice) => ({ name: letters(dice, 24), number: null }),
  // What very many names hold, or nothing but a legal form: nobody is meant.
  common: (dice) => ({ name: COMMON[dice.below(COMMON.length)] ?? '', number: null }),
};

const COMMON = [
  'Ltd',
  'The',
  'Services Limited',
  'Group',
  'Consulting Ltd',
  'J Smith',
  'A',
  '1',
  'Property Management Company',
  '12 Smith Road',
  'London',
  'Global Solutions Group Holdings',
  'Smith & Jones & Taylor & Brown & Williams & Wilson & Johnson & Davies Consulting Services',
];

/** `each` names of every kind that the companies give. */
export function askedNames(companies: readonly NamedCompany[], each: number): [kind: string, asked: AskedName[]][] {
  const dice = makeDice(3);
  return Object.entries(ASKED).map(([kind, ask]) => [
    kind,
    companies
      .flatMap((company) => {
        const asked = ask(dice, company);
        return asked ? [{ ...asked, key: nameKey(company.name) }] : [];
      })
      .slice(0, each),
  ]);
}

/** A letter changed, left out, doubled, or swapped with the next. */
function misspell(dice: Dice, name: string, at: number): string {
  const [before, here, next, after] = [name.slice(0, at), name[at] ?? '', name[at + 1] ?? '', name.slice(at + 2)];
  const slips = [
    `${before}${letters(dice, 1)}${next}${after}`,
    `${before}${next}${after}`,
    `${before}${here}${here}${next}${after}`,
    `${before}${next}${here}${after}`,
  ] as const;
  return slips[dice.below(slips.length)] ?? name;
}

function letters(dice: Dice, count: number): string {
  return Array.from({ length: count }, () => String.fromCharCode(97 + dice.below(26))).join('');
}
