import { findEmails } from './contact-emails.ts';
import { foldWords, type Person } from './contact-names.ts';
import { findNumbers, type WantedNumbers } from './contact-numbers.ts';
import { type Replaced, replaceRanges } from './contact-text.ts';
import { addPerson, addPhrase, findNames, makeForms, type Named } from './name-forms.ts';
import { type Folded, foldText } from './text-fold.ts';

/** What is looked for in texts. */
export interface Wanted {
  people: readonly Person[];
  /** Words in their order: addresses. */
  phrases: readonly string[];
  /** Whether an address in its normal form is meant; `isSure` where it is written with a sign. */
  isEmail?: (value: string, isSure: boolean) => boolean;
  telephones?: WantedNumbers;
}

/** What stands in the place of each kind. */
export interface Marks {
  email: string;
  telephone: string;
  name: string;
}

/** Finds what a release says of its contacts, and what a takedown is about: one way of reading for both. */
export interface PersonMatcher {
  /** A text without what is looked for, or the very same. */
  strike(text: string, marks: Marks): string;
  /** Whether a text or a whole body needs a closer look: cheap, and never wrong about one that names somebody. */
  mayConcern(text: string): boolean;
  /** Keeps those named who are called so in one of these texts; of those whom an initial or a title may mean, these forms. */
  keepNamed(texts: readonly string[]): void;
}

const MAY_HAVE_EMAIL =
  /[@\uff20\ufe6b]|%40|[[({<] ?at ?[\])}>]|\sat\s[\p{L}\p{N}-]{1,63}(?:\.\p{L}|\s?[[({<]?dot\b|\sdot\b)|&(?:#|commat)/iu;
/** No name, address or number of anybody has fewer characters. */
const SHORTEST = 4;
const MAY_HAVE_NUMBER = /\d(?:[^\p{L}\d]{0,4}\d){7}|[\uff10-\uff19]|&#/u;
/** What may hide a letter: anything but plain text and usual punctuation. */
const NEEDS_FOLD = /[^\p{ASCII}\u00a0£€–—‘’“”•…·]|&(?!amp;)|<\/?[a-z]/iu;
/** More words than this are looked up one by one: texts are not searched for each. */
const KEYS_MOST = 12;

export function makePersonMatcher({ people, phrases, isEmail, telephones }: Wanted): PersonMatcher {
  const forms = makeForms();
  const named: Named[] = [...new Map(people.map((one) => [keyOf(one), one])).values()].map((one) =>
    addPerson(forms, one),
  );
  for (const words of phrases.map(foldWords)) if (words.length > 0) addPhrase(forms, words);
  const keys = [...forms.keys];
  const mayName = (text: string) => {
    if (keys.length === 0 || (named.every(({ stays }) => stays === 'whole') && phrases.length === 0)) return false;
    return keys.length > KEYS_MOST || keys.some((key) => text.includes(key));
  };
  const mayNameRaw = (text: string) => keys.length > 0 && (NEEDS_FOLD.test(text) || mayName(text.toLowerCase()));
  const mayConcern = (text: string) =>
    (isEmail !== undefined && MAY_HAVE_EMAIL.test(text)) ||
    (telephones !== undefined && MAY_HAVE_NUMBER.test(text)) ||
    mayNameRaw(text);
  return {
    mayConcern,
    strike(text, marks) {
      if (text.length < SHORTEST) return text;
      const mayHave = {
        email: isEmail && MAY_HAVE_EMAIL.test(text) ? isEmail : undefined,
        telephone: telephones && MAY_HAVE_NUMBER.test(text) ? telephones : undefined,
      };
      const mayHaveName = mayNameRaw(text);
      if (!mayHaveName && !mayHave.email && !mayHave.telephone) return text;
      const folded = foldText(text);
      const replaced = [
        ...(mayHave.email ? strikeEmails(folded, mayHave.email, marks) : []),
        ...(mayHave.telephone
          ? findNumbers(folded, text, mayHave.telephone).map((one) => ({ ...one, put: marks.telephone }))
          : []),
        ...(mayHaveName && mayName(folded.text)
          ? findNames(forms, folded, text).map((one) => ({ ...one, put: marks.name }))
          : []),
      ];
      return replaceRanges(text, folded, replaced);
    },
    keepNamed(texts) {
      for (const text of texts) {
        const folded = foldText(text);
        if (!mayName(folded.text)) continue;
        for (const { form, named: those } of findNames(forms, folded, text)) {
          const isWhole = form === 'full' || form === 'swapped';
          for (const one of those) one.stays = isWhole || one.stays === 'whole' ? 'whole' : 'short';
        }
      }
    },
  };
}

function keyOf({ given, surname }: Person): string {
  return `${given.join(' ')}|${surname.join(' ')}`;
}

function strikeEmails({ text }: Folded, isEmail: NonNullable<Wanted['isEmail']>, { email }: Marks): Replaced[] {
  return findEmails(text, true).flatMap(({ start, end, value, isSure }) =>
    isEmail(value, isSure) ? [{ start, end, put: email }] : [],
  );
}
