import lists from '../../schema/reference/name-words.json' with { type: 'json' };
import { memoise } from '../../schema/text/memoise.ts';
import { findEmails } from '../fields/text/clean.ts';
import { decodeEntities, type Folded, foldKey, foldText, type Replaced, replaceRanges } from '../fields/text/fold.ts';
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
  type Person,
  TITLES,
} from './name-forms.ts';
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

const wordsIn = (lines: readonly string[]) => new Set(lines.join(' ').split(' '));
/** Names of contact points that are not people: a desk, a job, an organisation or a place. */
const NOT_A_PERSON = wordsIn(lists.not_a_person);
/** Surnames among those words: they name a person where a title or the mail address says so. */
const ALSO_SURNAMES = wordsIn(lists.also_surnames);
const NO_NAME = wordsIn(lists.no_name);
const TITLE = new RegExp(`^(?:(?:${TITLES.join('|')})\\b\\.?\\s*)+`, 'i');
const AFTER_NAME = /\s+(?:MCIPS|FCIPS|MRICS|FRICS|CIPS|PhD|MSc|BSc|BA|MA|MBA|OBE|MBE|CBE|JP|CEng)$/i;
const PARTICLES = wordsIn(lists.particles);
const WORD = /^\p{L}[\p{L}\p{M}'’‘.-]*$/u;
const NAME_MAX = 60;
/** Ordinary words that are also names: they count as a name only where they are written like one. */
const ORDINARY = wordsIn(lists.ordinary);

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
const KEYS_MAX = 12;

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
  const mayName = (small: string) => keys.length > KEYS_MAX || keys.some((key) => small.includes(key));
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

/** The people in the name of a contact point, without titles, jobs and organisations; none where none is certain. */
export function readPeople(name: string, email: string | null = null): readonly Person[] {
  return name.length > 4 * NAME_MAX ? [] : readKnown(JSON.stringify([name, email?.slice(0, 4 * NAME_MAX)]));
}

const readKnown = memoise((said): readonly Person[] => {
  const [name, email = null] = JSON.parse(said) as [string, string?];
  const plain = decodeEntities(name).replace(/\([^)]*\)/g, ' ');
  return plain.split(/\bt\/a\b|\/|;|&|\+|\n|\band\b|\bor\b/i).flatMap((part) => readPart(part, email) ?? []);
});

function readPart(text: string, email: string | null): Person | null {
  const [first = '', second = ''] = text.split(/,| [-–] /).map((part) => part.trim().replace(/\s+/g, ' '));
  const isSwapped =
    second !== '' && text.includes(',') && isOneSurname(first) && !isJob(second) && second.split(' ').length <= 2;
  const whole = isSwapped ? `${second} ${first}` : first;
  const bare = whole.replace(TITLE, '').replace(AFTER_NAME, '').replace(/\d+$/, '').replace(/ -|- /g, '-').trim();
  const words = bare.split(' ');
  if (bare.length > NAME_MAX || words.length < 2 || words.length > 5 || !words.every((word) => WORD.test(word)))
    return null;
  return isPerson(words, whole !== bare && TITLE.test(whole), email) ? splitName(words) : null;
}

function isOneSurname(text: string): boolean {
  const words = text.split(' ');
  return words.slice(0, -1).every((word) => PARTICLES.has(word.toLowerCase()));
}

function isJob(text: string): boolean {
  return text.split(/[ .'’-]+/).some((word) => NOT_A_PERSON.has(word.toLowerCase()));
}

function isPerson(words: readonly string[], isTitled: boolean, email: string | null): boolean {
  const small = words.map((word) => word.toLowerCase());
  const parts = small.flatMap((word) => word.split(/[.'’-]+/)).filter(Boolean);
  const jobs = parts.filter((word) => NOT_A_PERSON.has(word));
  const last = parts.at(-1) ?? '';
  if (jobs.length > 0 && (jobs.length > 1 || jobs[0] !== last)) return false;
  if (jobs.length > 0 && !isTitled && !(ALSO_SURNAMES.has(last) && isNamedInEmail(small, email))) return false;
  if (small.some((word) => NO_NAME.has(word))) return false;
  const named = words.filter((word) => !PARTICLES.has(word.toLowerCase()));
  const areCapital = named.every((word) => /^\p{Lu}/u.test(word) || !/^\p{Ll}/u.test(word));
  return areCapital || isTitled || words.length === 2 || isNamedInEmail(small, email);
}

function isNamedInEmail(words: readonly string[], email: string | null): boolean {
  const local = foldKey(email ?? '').split('@')[0] ?? '';
  const [first = '', last = ''] = [words[0], words.at(-1)].map((word) => foldKey(word ?? ''));
  return last.length > 2 && local.includes(last) && (local.includes(first) || local.startsWith(first.slice(0, 1)));
}

/** The words of a name that is known to be a person's; null where its surname has fewer than two letters. */
function splitName(words: readonly string[]): Person | null {
  const particle = words.findIndex((word, at) => at > 0 && at < words.length - 1 && PARTICLES.has(word.toLowerCase()));
  const at = particle > 0 ? particle : words.length - 1;
  const [given, surname] = [words.slice(0, at).flatMap(foldWords), words.slice(at).flatMap(foldWords)];
  const longest = Math.max(...surname.map((word) => word.length), 0);
  if (given.length === 0 || longest < 2) return null;
  return {
    given,
    surname,
    isOrdinary: [given[0] ?? '', ...surname].every((word) => word.length < 3 || ORDINARY.has(word)),
  };
}

/** The folded words of a text, separated at everything that is not a letter or digit. */
function foldWords(text: string): string[] {
  return foldKey(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
