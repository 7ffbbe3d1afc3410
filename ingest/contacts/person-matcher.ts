import { findEmails } from '../fields/text/clean.ts';
import { type Folded, foldText, type Replaced, replaceRanges } from '../fields/text/fold.ts';
import {
  addPerson,
  addPhrase,
  type FoundName,
  findNames,
  keyOfPhrase,
  keysOfPerson,
  makeForms,
  type Named,
  type NameForms,
} from './name-forms.ts';
import { foldWords, type Person } from './people.ts';
import { findNumbers, mayHaveNumbers, type WantedNumbers } from './telephones.ts';

/** What to look for in texts. */
interface Wanted {
  people: readonly Person[];
  /** Phrases: addresses. */
  phrases: readonly string[];
  /** Whether to replace an address in its normal form; `isSure` where it is written with an @ sign. */
  isEmail?: (value: string, isSure: boolean) => boolean;
  telephones?: WantedNumbers;
}

/** The replacement text of each kind. */
interface Marks {
  email: string;
  telephone: string;
  name: string;
}

/** The kinds that a text may contain. */
interface MayHave {
  email: boolean;
  telephone: boolean;
  name: boolean;
}

/** Finds the contacts of a release and the subjects of a takedown: both are read in the same way. */
interface PersonMatcher {
  /** A text without its matches; the same text where there are none. @param within - the kinds that its whole body may contain */
  redact(text: string, marks: Marks, within?: MayHave): string;
  /** Which kinds a text, or a whole body in JSON, may contain: a cheap test that never misses one. */
  mayHave(text: string): MayHave;
  /** Keeps people whose name one of these texts uses. If an initial or a title may mean somebody else, those forms are kept too. */
  keepNamed(texts: readonly string[]): void;
}

const MAY_HAVE_EMAIL =
  /[@\uff20\ufe6b]|%40|[[({<] ?at ?[\])}>]|\sat\s[\p{L}\p{N}-]{1,63}(?:\.\p{L}|\s?[[({<]?dot\b|\sdot\b)|&(?:#|commat)/iu;
/** No name, address or number is shorter than this, in characters. */
const SHORTEST = 4;
const EVERYTHING: MayHave = { email: true, telephone: true, name: true };
/** In JSON a line break is two characters, and one of them is a letter. */
const ESCAPED_BLANK = /\\[nrt]/g;
/** Anything but plain text and usual punctuation, entities, tags and escaped letters may hide a letter. */
const UNUSUAL = /[^\0-\x7f\u00a0£€–—‘’“”•…·]|%[c-e][\da-f]%/i;
const ENTITY = /&(?!amp;)/i;
const TAG = /<\/?[a-z]/i;
/** Above this number, the words of a text are looked up; below it, the text is searched for each. */
const KEYS_MOST = 12;

/**
 * A matcher for these people, phrases, e-mail addresses and telephone numbers; each kind that is absent is not looked
 * for.
 */
export function makePersonMatcher({ people, phrases, isEmail, telephones }: Wanted): PersonMatcher {
  const names = makeNames(people, phrases);
  const look = (text: string, plain: string, within: MayHave): MayHave => ({
    email: within.email && isEmail !== undefined && (plain.includes('@') || MAY_HAVE_EMAIL.test(plain)),
    telephone: within.telephone && telephones !== undefined && mayHaveNumbers(plain, telephones),
    name: within.name && names.mayBeIn(text),
  });
  return {
    mayHave: (text) => look(text, text.includes('\\') ? text.replace(ESCAPED_BLANK, ' ') : text, EVERYTHING),
    redact(text, marks, within = EVERYTHING) {
      if (text.length < SHORTEST) return text;
      const has = look(text, text, within);
      if (!has.email && !has.telephone && !has.name) return text;
      const folded = foldText(text, true);
      return replaceRanges(text, folded, [
        ...(has.email && isEmail ? ownEmails(folded, isEmail, marks) : []),
        ...(has.telephone && telephones
          ? findNumbers(folded, text, telephones).map((one) => ({ ...one, put: marks.telephone }))
          : []),
        ...(has.name ? names.find(folded, text).map((one) => ({ ...one, put: marks.name })) : []),
      ]);
    },
    keepNamed(texts) {
      for (const text of texts) {
        for (const { form, named } of names.find(foldText(text), text)) {
          const isWhole = form === 'full' || form === 'swapped';
          for (const one of named) one.stays = isWhole || one.stays === 'whole' ? 'whole' : 'short';
        }
      }
    },
  };
}

/** The forms of the names. They are generated when a text may contain one, as most releases name nobody in their texts. */
function makeNames(people: readonly Person[], phrases: readonly string[]) {
  const persons = [...new Map(people.map((one) => [keyOf(one), one])).values()];
  const worded = phrases.map(foldWords).filter((words) => words.length > 0);
  const keys = [...new Set([...persons.flatMap(keysOfPerson), ...worded.map(keyOfPhrase)])];
  let made: { forms: NameForms; named: Named[] } | undefined;
  const make = () => {
    const forms = makeForms();
    const named = persons.map((one) => addPerson(forms, one));
    for (const words of worded) addPhrase(forms, words);
    return { forms, named };
  };
  const mayName = (small: string) => keys.length > KEYS_MOST || keys.some((key) => small.includes(key));
  const doAllStay = () => worded.length === 0 && made?.named.every(({ stays }) => stays === 'whole');
  return {
    mayBeIn: (text: string) => keys.length > 0 && (needsFold(text) || mayName(text.toLowerCase())),
    find(folded: Folded, original: string): FoundName[] {
      if (keys.length === 0 || !mayName(folded.text)) return [];
      made ??= make();
      return doAllStay() ? [] : findNames(made.forms, folded, original);
    },
  };
}

function needsFold(text: string): boolean {
  return UNUSUAL.test(text) || (text.includes('&') && ENTITY.test(text)) || (text.includes('<') && TAG.test(text));
}

function keyOf({ given, surname }: Person): string {
  return `${given.join(' ')}|${surname.join(' ')}`;
}

function ownEmails({ text }: Folded, isEmail: NonNullable<Wanted['isEmail']>, { email }: Marks): Replaced[] {
  return findEmails(text, true).flatMap(({ start, end, value, isSure }) =>
    isEmail(value, isSure) ? [{ start, end, put: email }] : [],
  );
}
