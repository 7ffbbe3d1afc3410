import { OF_TECHNOLOGY, wordsOf } from './pieces.ts';
import { findSynonyms } from './synonyms.ts';

/** A search for IT means technology, but in most texts "it" is a pronoun. */
const TECHNOLOGY = 'it';
const MARK = 'zz';
/** What replaces a pronoun in the index: a word that nobody searches for. */
const PRONOUNS: ReadonlySet<string> = new Set([TECHNOLOGY, 'its']);

/** In small letters it is technology only before certain nouns; in capitals it is not before a verb in capitals. */
const SMALL = String.raw`[Ii]t\b(?!\s+(?:${OF_TECHNOLOGY})\b)`;
const CAPITAL = String.raw`IT\b(?=\s+(?:IS|WAS|WILL|WOULD|HAS|SHALL|SHOULD|MUST|MAY|MIGHT|CAN|COULD|DOES|NEEDS|REQUIRES|MEANS)\b)`;
/** A stem of the technology, but never the technology itself. */
const ITS = /\b[Ii]ts\b/g;
const ANY = new RegExp(String.raw`\b(?:${SMALL}|${CAPITAL}|[Ii]ts\b)`, 'g');
const MARKED = /\bzz(?=its?\b)/gi;

/** A running text in which the pronoun is marked, to distinguish it from the technology, before it is folded. */
export function markPronouns(text: string): string {
  return text.replace(ANY, `${MARK}$&`);
}

/** A title or a name in which only the possessive `its` is marked: there "it" is the technology, however written. */
export function markPossessives(text: string): string {
  return text.replace(ITS, `${MARK}$&`);
}

/** The text as it was before `markPronouns`. */
export function unmarkPronouns(text: string): string {
  return text.replace(MARKED, '');
}

/** A phrase as it may be indexed, as it does not show which of the two is meant. */
export function withPronouns(words: string[]): string[][] {
  const other = words.map((word) => (PRONOUNS.has(word) ? `${MARK}${word}` : word));
  return words.length > 1 && words.some(isPronoun) ? [words, other] : [words];
}

/** Whether a word of a phrase may be indexed as another. */
export function isPronoun(word: string): boolean {
  return PRONOUNS.has(word);
}

/** Whether a word needs `saysTechnology` to be found correctly. */
export function isTechnology(word: string): boolean {
  return word === TECHNOLOGY;
}

/** Whether a marked and folded text mentions the technology, in these or other words. */
export function saysTechnology(folded: string): boolean {
  const words = wordsOf(folded);
  if (words.includes(TECHNOLOGY)) return true;
  const text = ` ${words.join(' ')} `;
  return OTHERS.some((wording) => text.includes(wording));
}

const OTHERS = findSynonyms([TECHNOLOGY]).flatMap(({ others }) => others.map((words) => ` ${words.join(' ')} `));
