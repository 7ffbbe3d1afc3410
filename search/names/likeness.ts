import { editDistance, lettersOf, mayBeNear, NAME_FILLERS, nameKey } from '../../schema/names/spelling.ts';

const MISTAKES_MAX = 3;
/** In shorter words a different letter makes a different word: `Map` and `Mop`. */
const FORGIVEN_LENGTH = 5;
/** From this length on a word may hold two mistakes. */
const TWO_MISTAKES_LENGTH = 8;
/** The highest score of a merely similar name, as a share of what it has in common. */
const NEAR = 0.9;
/** The highest score of a name that differs in more than typing mistakes: it is suggested, never answered. */
const OTHER_NAME = 0.7;
/** Fillers and prepositions: people add and leave out places (`Royal Borough of Kingston upon Thames`). */
const FILLERS = new Set<string>([...NAME_FILLERS, 'for', 'in', 'on', 'at', 'upon']);

/** How likely a stored name is the requested one, by its cleaned form. */
interface Likeness {
  /** 0 to 0.9. */
  score: number;
  method: 'other_name' | 'prefix' | 'near';
  why: string;
}

/** What begins the name under which another trades. Without its stroke, `TA` may be part of a name. */
const TRADING = /[\s,;.(–-](?:t[/\\]as?|trading as)[\s:.]+\S/i;
const BEFORE_TRADING = /[\s,;.(–-]/;
/** A shorter one is no name. */
const LEGAL_MIN = 3;

/** Rates a published name that is the requested one and the name under which it trades: `Marwell Ltd t/a Bright`; null for any other. */
export function rateTrading(given: string, name: string): Likeness | null {
  let end = name.search(TRADING);
  // One sign at a time: a pattern would read signs without end again from each of them.
  while (end > 0 && BEFORE_TRADING.test(name[end - 1] as string)) end -= 1;
  if (end < LEGAL_MIN || nameKey(name.slice(0, end)) !== given) return null;
  return { score: NEAR, method: 'other_name', why: 'is this name and the one under which it trades' };
}

/** Whether two names are written alike but for case and spaces. */
export function sameText(a: string, b: string): boolean {
  return a.trim().replace(/\s+/g, ' ').toLowerCase() === b.trim().replace(/\s+/g, ' ').toLowerCase();
}

/** How alike two cleaned names are, 0 to 1: by their letters or by the words they share, whichever is higher. */
export function nameSimilarity(a: string, b: string): number {
  return Math.max(sharedLetters(a, b), sharedWords(a.split(' '), b.split(' ')));
}

/** Rates a stored name that differs from the requested one. Numbers, initials and other words separate two names, however alike they are. */
export function rateLikeness(given: string, stored: string): Likeness {
  const { alike, begins, score } = compare(given, stored);
  const difference = begins ? describeRest(given, stored) : describeDifference(given.split(' '), stored.split(' '));
  const why = begins ? 'begins so' : `is ${Math.round(alike * 100)}% alike`;
  return {
    method: begins ? 'prefix' : 'near',
    score: difference ? Math.min(score, OTHER_NAME) : score,
    why: difference ? `${why}, but ${difference}` : why,
  };
}

/** The score alone: for a name that is not very similar, further differences change nothing. */
export function scoreLikeness(given: string, stored: string): number {
  const { score } = compare(given, stored);
  return score > OTHER_NAME ? rateLikeness(given, stored).score : score;
}

function compare(given: string, stored: string): { alike: number; begins: boolean; score: number } {
  const alike = nameSimilarity(given, stored);
  const begins = stored.startsWith(given);
  const near = NEAR * alike;
  return { alike, begins, score: begins ? Math.max(0.5 + 0.4 * (given.length / stored.length), near) : near };
}

/** Whether so few letters differ that one may be a misspelling of the other; much cheaper than a full rating. */
export function mayBeMisspelt(given: { text: string; letters: number }, stored: string): boolean {
  return (
    Math.abs(given.text.length - stored.length) <= MISTAKES_MAX &&
    mayBeNear(given.letters, lettersOf(stored), MISTAKES_MAX) &&
    editDistance(given.text, stored, MISTAKES_MAX) <= MISTAKES_MAX
  );
}

function sharedLetters(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  if (longest === 0 || Math.abs(a.length - b.length) > MISTAKES_MAX) return 0;
  if (!mayBeNear(lettersOf(a), lettersOf(b), MISTAKES_MAX)) return 0;
  const mistakes = editDistance(a, b, MISTAKES_MAX);
  return mistakes > MISTAKES_MAX ? 0 : 1 - mistakes / longest;
}

/** Twice the shared letters of common words over all letters, so that long words count for more; a typing mistake costs little. */
function sharedWords(a: string[], b: string[]): number {
  const left = [...b];
  let shared = 0;
  for (const word of a) {
    const same = left.indexOf(word);
    const place = same >= 0 ? same : left.findIndex((other) => isSlip(word, other));
    if (place < 0) continue;
    shared += word.length + (left[place]?.length ?? 0) - (left[place] === word ? 0 : 1);
    left.splice(place, 1);
  }
  const letters = lengthOf(a) + lengthOf(b);
  return letters === 0 ? 0 : shared / letters;
}

/** Whether two cleaned names share a word of at least four letters, however misspelt. */
export function shareWord(given: string, stored: string): boolean {
  const own = stored.split(' ');
  return given.split(' ').some((word) => word.length > 3 && own.some((other) => word === other || isSlip(word, other)));
}

function lengthOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + word.length, 0);
}

/** How a name continues after the requested one: a number or an initial makes it a different name. */
function describeRest(given: string, stored: string): string | null {
  const rest = stored.slice(given.length);
  if (given.length < FORGIVEN_LENGTH) return 'too little was asked for';
  if (/\p{N}/u.test(rest)) return 'continues with a number';
  return / .( |$)/u.test(rest) ? 'continues with an initial' : null;
}

function describeDifference(given: string[], stored: string[]): string | null {
  // One word written as two, or two as one.
  if (given.join('') === stored.join('')) return null;
  if (numbersAndInitials(given) !== numbersAndInitials(stored)) return 'its numbers or initials differ';
  const missing = without(given, stored);
  const added = without(stored, given);
  if (missing.length === 0 || added.length === 0) {
    return [...missing, ...added].every((word) => FILLERS.has(word)) ? null : 'it has more words, or fewer';
  }
  return isMisspelt(missing, added) ? null : 'other words are in it';
}

/** Numbers and initials, in order: people do not misspell these. */
function numbersAndInitials(words: string[]): string {
  return words.filter((word) => /\p{N}/u.test(word) || [...word].length === 1).join(' ');
}

function isMisspelt(missing: string[], added: string[]): boolean {
  return missing.length === added.length
    ? missing.every((word, index) => isMistaken(word, added[index] ?? ''))
    : isMistaken(missing.join(''), added.join(''));
}

function without(words: string[], others: string[]): string[] {
  const left = [...others];
  return words.filter((word) => {
    const place = left.indexOf(word);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}

function isSlip(word: string, other: string): boolean {
  return Math.max(word.length, other.length) >= FORGIVEN_LENGTH && editDistance(word, other, 1) <= 1;
}

function isMistaken(word: string, other: string): boolean {
  const length = Math.max(word.length, other.length);
  if (length < FORGIVEN_LENGTH) return false;
  const forgiven = length >= TWO_MISTAKES_LENGTH ? 2 : 1;
  return editDistance(word, other, forgiven) <= forgiven;
}

/** A text with its letters, for `mayBeMisspelt`. */
export function withLetters(text: string): { text: string; letters: number } {
  return { text, letters: lettersOf(text) };
}
