import { isOneName } from '../../party/claims.ts';

/** What a publication of an award describes, as words. */
interface Described {
  /** The words of the award's description and of its notice's; none where there is no description. */
  said: readonly ReadonlySet<string>[];
  /** Those that are written as names are: of places, schools, buildings. */
  proper: ReadonlySet<string>;
  /** The words of its suppliers' names. */
  names: ReadonlySet<string>;
}

/**
 * How the descriptions of two publications compare, names of suppliers aside: they are the same, one says more than the
 * other, both say something of their own (`edited`), or both name a lot, place or time of their own (`apart`).
 */
export type Likeness = 'same' | 'more' | 'edited' | 'apart';
const WORST_FIRST = ['apart', 'edited', 'more'] as const;

/** What a client that loses backslashes leaves of line breaks: one recording has them (UPSTREAM 2.6). */
const LOST_BREAKS = /(?:rn)+(?=\p{Lu}|$)/gu;
/** Amounts are compared as values, where they are stated as such. */
const AMOUNTS = /[£€]\s?[\d,.]+/g;
/** A capital letter that no sentence owes to grammar. */
const PROPER = /(?<=[\p{Ll}\p{N},)]\s)\p{Lu}[\p{L}\p{N}]*/gu;
/** Words that tell lots, places and times apart: `lot 2`, `north`, `March`, `Q3`. */
const TELLING =
  /^(?:\d{1,2}|20\d\d|q[1-4]|[b-h]|[ivx]{1,4}|(?:north|south|east|west)\w*|central|first|second|third|fourth|fifth|one|two|three|four|five|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|spring|summer|autumn|winter)$/;

/** Compares descriptions word by word, those of the awards and those of the notices each for themselves. */
export function compareDescriptions(one: Described, other: Described): Likeness {
  const isName = (word: string) => one.names.has(word) || other.names.has(word);
  const isTelling = (word: string) => TELLING.test(word) || one.proper.has(word) || other.proper.has(word);
  const each = one.said.map((words, place) => compareWords(words, other.said[place] ?? new Set(), isName, isTelling));
  return WORST_FIRST.find((likeness) => each.includes(likeness)) ?? 'same';
}

function compareWords(
  words: ReadonlySet<string>,
  others: ReadonlySet<string>,
  isName: (word: string) => boolean,
  isTelling: (word: string) => boolean,
): Likeness {
  const own = [...words].filter((word) => !others.has(word) && !isName(word));
  const ownOfOther = [...others].filter((word) => !words.has(word) && !isName(word));
  if (own.length === 0 && ownOfOther.length === 0) return 'same';
  if (own.length === 0 || ownOfOther.length === 0) return 'more';
  const [telling, tellingOfOther] = [own.filter(isTelling), ownOfOther.filter(isTelling)];
  const isSlip = telling.every((word) => tellingOfOther.some((other) => word.length > 3 && isOneName(word, other)));
  return tellingOfOther.length > 0 && !isSlip ? 'apart' : 'edited';
}

/** The words of a text as they are compared, without amounts of money. */
export function wordsOf(text: string): Set<string> {
  return new Set(
    plain(text.replace(LOST_BREAKS, ' ').replace(AMOUNTS, ' '))
      .split(' ')
      .filter((word) => word !== ''),
  );
}

/** The words of a text that are written as names are. */
export function properWordsOf(text: string): Set<string> {
  return new Set([...text.matchAll(PROPER)].map(([word]) => word.toLowerCase()));
}

/** The words that tell lots, places and times apart in a text, in the order of the alphabet. */
export function tellingWords(text: string): string[] {
  const proper = properWordsOf(text);
  return [...wordsOf(text)].filter((word) => TELLING.test(word) || proper.has(word)).toSorted();
}

/** A text as it is compared: lower case, words of letters and digits with one space between. */
export function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
