import { editDistance, NAME_FILLERS, nameKey } from '../../../schema/names/spelling.ts';

/** Words that distinguish no two companies: fillers, and endings that the register itself disregards. */
const EMPTY = new Set<string>([...NAME_FILLERS, 'gb', 'com', 'net', 'org', 'eu', 'ltd', 'limited']);
/** Words so common that they say little. */
const COMMON = new Set([
  'services',
  'service',
  'solutions',
  'management',
  'consulting',
  'consultancy',
  'consultants',
  'international',
  'trading',
  'associates',
  'partners',
  'systems',
  'contractors',
  'construction',
  'engineering',
  'design',
  'care',
]);
const COMMON_WEIGHT = 0.5;
/** A word this short is either the same or a different one. */
const SHORTEST_MISSPELT = 5;

/** Words of this length are related if one begins with the other: `Subcan` and `Subcansystems`. */
const SHORTEST_BEGINNING = 4;

/**
 * How alike two cleaned names are, from 0 to 1: words are paired exactly, then by a misspelling or two, and weighted by how
 * distinctive they are. Names that differ only in spaces are one.
 */
export function likeness(a: string, b: string): number {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const [tightLeft, tightRight] = [left.join(''), right.join('')];
  if (tightLeft === '' || tightRight === '') return 0;
  if (tightLeft === tightRight) return 1;
  if (numbersOf(left) !== numbersOf(right)) return 0;
  return Math.max(byWords(left, right), asOneWord(tightLeft, tightRight));
}

/** The distinctive words of a cleaned name; if there are none, all that are not empty. */
function distinctiveWords(key: string): string[] {
  const words = wordsOf(key);
  const rare = words.filter((word) => weightOf(word) === 1);
  return rare.length > 0 ? rare : words;
}

function wordsOf(key: string): string[] {
  const words = key.split(' ');
  const distinctive = words.filter((word) => !EMPTY.has(word));
  return (distinctive.length > 0 ? distinctive : words).map(singular);
}

function singular(word: string): string {
  return word.length >= SHORTEST_MISSPELT && /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function numbersOf(words: readonly string[]): string {
  return words
    .filter((word) => /\d/.test(word))
    .toSorted()
    .join(' ');
}

function byWords(left: readonly string[], right: readonly string[]): number {
  const open = [...right];
  let shared = 0;
  const unpaired: string[] = [];
  for (const word of left) {
    const place = open.indexOf(word);
    if (place === -1) unpaired.push(word);
    else {
      open.splice(place, 1);
      shared += 2 * weightOf(word);
    }
  }
  for (const word of unpaired) {
    const [best, place] = nearestOf(word, open);
    if (place === -1) return 0;
    shared += best * (weightOf(word) + weightOf(open[place] ?? ''));
    open.splice(place, 1);
  }
  if (open.length > 0) return 0;
  const whole = [...left, ...right].reduce((sum, word) => sum + weightOf(word), 0);
  return shared / whole;
}

function nearestOf(word: string, open: readonly string[]): [number, number] {
  let best = 0;
  let place = -1;
  for (const [index, other] of open.entries()) {
    const alike = wordLikeness(word, other);
    if (alike <= best) continue;
    best = alike;
    place = index;
  }
  return [best, place];
}

function weightOf(word: string): number {
  return COMMON.has(word) || COMMON.has(`${word}s`) ? COMMON_WEIGHT : 1;
}

/** Words with as many mistakes as their length allows and the same first letter; otherwise 0. */
function wordLikeness(a: string, b: string): number {
  const shortest = Math.min(a.length, b.length);
  if (shortest < SHORTEST_MISSPELT || a[0] !== b[0]) return 0;
  const slips = slipsBetween(a, b, mostSlips(shortest));
  return slips === null ? 0 : 1 - slips / (shortest + 1);
}

function asOneWord(a: string, b: string): number {
  const shortest = Math.min(a.length, b.length);
  if (shortest < 2 * SHORTEST_MISSPELT || a[0] !== b[0]) return 0;
  const slips = slipsBetween(a, b, 1);
  return slips === null ? 0 : 1 - slips / shortest;
}

/** A name of this length allows one mistake, and one of ten letters two. */
const SHORTEST_SLIPPED = 7;
/** Words this short are initials, or might be different words. */
const LONGEST_SHORT = 3;

/**
 * How alike two cleaned names are as sequences of letters, from 0 to 1. A mistake or two may be anywhere, even in the first
 * letter. 0 if their numbers, short words or points of the compass differ. Only sufficient with other evidence that they are one.
 */
export function slipLikeness(a: string, b: string): number {
  const [left, right] = [a.split(' '), b.split(' ')];
  const [tightLeft, tightRight] = [left.join(''), right.join('')];
  const shortest = Math.min(tightLeft.length, tightRight.length);
  const differ = numbersOf(left) !== numbersOf(right) || shortOf(left) !== shortOf(right);
  if (differ || areApart(left, right) || shortest < SHORTEST_SLIPPED) return 0;
  const slips = slipsBetween(tightLeft, tightRight, shortest < 10 ? 1 : 2);
  return slips === null ? 0 : 1 - slips / shortest;
}

function shortOf(words: readonly string[]): string {
  return words.filter(({ length }) => length <= LONGEST_SHORT).join('');
}

/** Companies of a group share an address, and `North` is two letters from `South`. */
function areApart(left: readonly string[], right: readonly string[]): boolean {
  const points = (words: readonly string[]) => words.filter((word) => /^(?:north|south|east|west)(?:ern)?$/.test(word));
  const [here, there] = [points(left), points(right)];
  return here.length === there.length && here.join() !== there.join();
}

function mostSlips(length: number): number {
  return length >= 9 ? 2 : 1;
}

/** The mistakes between two words; null when there are more than `most`. */
function slipsBetween(a: string, b: string, most: number): number | null {
  const slips = editDistance(a, b, most);
  return slips > most ? null : slips;
}

/**
 * Whether a published name has nothing in common with any name of a company, present or former: no distinctive word, no
 * beginning, no initials. Its number may then belong to a different company.
 */
export function isAnotherName(published: string, registered: readonly string[]): boolean {
  const words = distinctiveWords(nameKey(published));
  return words.length > 0 && registered.every((name) => !sharesWord(words, distinctiveWords(nameKey(name))));
}

function sharesWord(left: readonly string[], right: readonly string[]): boolean {
  if (isInitials(left, right) || isInitials(right, left)) return true;
  const [tightLeft, tightRight] = [left.join(''), right.join('')];
  return left.some((word) => isIn(word, right, tightRight)) || right.some((word) => isIn(word, left, tightLeft));
}

function isIn(word: string, words: readonly string[], tight: string): boolean {
  if (words.some((other) => other === word || likeness(word, other) > 0)) return true;
  return word.length >= SHORTEST_BEGINNING && tight.startsWith(word);
}

/** Whether a word of one name is the initials of the other: `BPI` of `British Polythene Industries`. */
function isInitials(short: readonly string[], long: readonly string[]): boolean {
  const initials = long.map(([first = '']) => first).join('');
  return initials.length >= 2 && short.some((word) => word.length >= 2 && initials.startsWith(word));
}
