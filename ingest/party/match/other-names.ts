import { nameKey } from '../../../schema/names/clean.ts';
import { likeness, tellingWords } from './likeness.ts';

/** Words this long are of one family where one begins as the other does: `Subcan` and `Subcansystems`. */
const SHORTEST_BEGINNING = 4;

/**
 * Whether a published name has nothing in common with any name that a company has or had: no word that tells something,
 * no beginning, no initials. Its number may be another's then.
 */
export function isAnotherName(published: string, registered: readonly string[]): boolean {
  const words = tellingWords(nameKey(published));
  return words.length > 0 && registered.every((name) => !sharesWord(words, tellingWords(nameKey(name))));
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
