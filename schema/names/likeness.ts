/** Words that come and go in one organisation's name, so they never tell two organisations apart. */
export const NAME_FILLERS = ['and', 'of', 'the', 'uk', 'co', 'company'] as const;

/**
 * The number of mistakes between two words: a letter missing, added or changed, or two neighbours swapped.
 * Returns `most + 1` for anything above `most`, which saves most of the work.
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  const [from, ends] = sharedEnds(a, b);
  return most === 1
    ? oneMistake(a.slice(from, a.length - ends), b.slice(from, b.length - ends))
    : countMistakes(a.slice(from, a.length - ends), b.slice(from, b.length - ends), most);
}

/** How many letters two words share at the beginning, and after those at the end. Those hold no mistake. */
function sharedEnds(a: string, b: string): [from: number, ends: number] {
  const shorter = Math.min(a.length, b.length);
  let from = 0;
  while (from < shorter && a.charCodeAt(from) === b.charCodeAt(from)) from += 1;
  let ends = 0;
  while (ends < shorter - from && a.charCodeAt(a.length - 1 - ends) === b.charCodeAt(b.length - 1 - ends)) ends += 1;
  return [from, ends];
}

/** 0, 1, or 2 for any more, of what is left between shared ends. */
function oneMistake(a: string, b: string): number {
  if (a.length <= 1 && b.length <= 1) return Math.max(a.length, b.length);
  return a.length === 2 && b.length === 2 && a[0] === b[1] && a[1] === b[0] ? 1 : 2;
}

/** Row by row of the usual table; the last two rows are enough. */
function countMistakes(a: string, b: string, most: number): number {
  if (a.length === 0 || b.length === 0) return Math.min(Math.max(a.length, b.length), most + 1);
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let mistakes = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, changed);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) mistakes = Math.min(mistakes, (before[j - 2] ?? 0) + 1);
      next.push(mistakes);
      least = Math.min(least, mistakes);
    }
    if (least > most) return most + 1;
    before = row;
    row = next;
  }
  return Math.min(row[b.length] ?? most + 1, most + 1);
}

/** Which letters a word has, as bits. Each mistake adds and removes one at most, so the bits tell most words apart. */
export function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) {
    const letter = word.charCodeAt(at) - 97;
    letters |= 1 << (letter >= 0 && letter < 26 ? letter : 26);
  }
  return letters;
}

/** Whether words with these letters may be at most so many mistakes apart. */
export function mayBeNear(a: number, b: number, mistakes: number): boolean {
  let differing = 0;
  for (let left = a ^ b; left !== 0; left &= left - 1) differing += 1;
  return differing <= 2 * mistakes;
}

/** Letters that a slip may put into a text. A wrong digit is another number, not a slip. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz ';

/** Every text that is one mistake away within the first `places` letters. Digits stay as they are. */
export function slipsOf(text: string, places = text.length + 1): string[] {
  const slips = new Set<string>();
  for (let at = 0; at <= text.length && at < places; at++) {
    const [before, after] = [text.slice(0, at), text.slice(at)];
    const [here = '', next = ''] = after;
    for (const letter of LETTERS) slips.add(before + letter + after);
    if (/\p{N}/u.test(here)) continue;
    slips.add(before + after.slice(1)).add(before + next + here + after.slice(2));
    for (const letter of LETTERS) slips.add(before + letter + after.slice(1));
  }
  slips.delete(text);
  return [...slips];
}
