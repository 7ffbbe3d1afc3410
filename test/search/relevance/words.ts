import { createHash } from 'node:crypto';

/** Words too common to tell one notice from another; a reading of their own, so that no engine's list is judged by itself. */
const COMMON = new Set(
  'and for the with from into this that lot lots phase tender contract services service supply'.split(' '),
);

/** A text for comparing: lower case, letters and digits with single spaces, and without apostrophes, as people type. */
export function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

export function wordsOf(text: string): string[] {
  return plain(text).split(' ').filter(Boolean);
}

/** A word that somebody might search by: letters alone, four or more, not common. */
export function tells(word: string): boolean {
  return /^[a-z]{4,}$/.test(word) && !COMMON.has(word);
}

/** A number that depends on the text alone: the same choice on every machine. */
export function numberOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}

/** Which draw: weights are chosen by the first alone, the others tell how they do on what nobody looked at. */
export const DRAWS = ['known', 'held out', 'held back'] as const;
export type Draw = (typeof DRAWS)[number];

/** Up to `count` of the values, chosen by their text alone; none is in two draws. */
export function choose<T>(values: readonly T[], count: number, draw: Draw, textOf: (value: T) => string): T[] {
  const from = DRAWS.indexOf(draw) * count;
  return values
    .map((value) => ({ value, rank: numberOf(textOf(value)) }))
    .sort((a, b) => a.rank - b.rank)
    .slice(from, from + count)
    .map(({ value }) => value);
}

/** One slip of the fingers inside a word: a letter left out, doubled, exchanged, or two neighbours swapped. */
export function misspell(word: string): string {
  const seed = numberOf(word);
  const at = 1 + (seed % (word.length - 3));
  const [before, one, two, rest] = [word.slice(0, at), word.charAt(at), word.charAt(at + 1), word.slice(at + 2)];
  const slips = [`${before}${two}${rest}`, `${before}${one}${one}${two}${rest}`, `${before}${two}${one}${rest}`];
  const exchanged = `${before}${one === 'e' ? 'a' : 'e'}${two}${rest}`;
  const slip = [...slips, exchanged][(seed >>> 8) % 4] ?? word;
  // Two like neighbours swapped are no slip.
  return slip === word ? `${before}${two}${rest}` : slip;
}

/** The other number of a regular English noun. */
export function otherNumber(word: string): string {
  if (/(ies)$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/[^s]s$/.test(word)) return word.slice(0, -1);
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}
