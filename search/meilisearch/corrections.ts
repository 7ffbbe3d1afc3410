import { editDistance } from '../../schema/names/spelling.ts';
import { compareText } from '../../schema/text/ids.ts';
import type { SearchAnswer } from '../engine.ts';
import type { ParsedQuery } from '../query/parse.ts';
import { splitWords } from '../query/pieces.ts';
import { CLOSE_MARK, OPEN_MARK } from '../results/highlight.ts';

type Corrections = SearchAnswer['meta']['corrections'];

/** The word lengths from which the server forgives one mistake and two, as its settings say. */
export const FORGIVES = { one: 5, two: 9 } as const;

const MARKED = new RegExp(`${OPEN_MARK}([^${CLOSE_MARK}]+)${CLOSE_MARK}`, 'gu');

/** Whether the server forgives mistakes in any word of a query. */
export function mayBeCorrected(parsed: ParsedQuery): boolean {
  return wordsOf(parsed).some(isForgiven);
}

/** The server does not report what it forgave. The words that it highlighted in the hits show it, where none of them is the requested word. */
export function readCorrections(parsed: ParsedQuery, texts: readonly string[]): Corrections {
  const words = wordsOf(parsed);
  const marked = texts.flatMap((text) => [...text.matchAll(MARKED)].flatMap(([, inside = '']) => splitWords(inside)));
  const counts = new Map<string, number>();
  for (const word of marked) counts.set(word, (counts.get(word) ?? 0) + 1);
  const found = [...counts].sort(([a, x], [b, y]) => y - x || compareText(a, b)).map(([word]) => word);
  return words.filter(isForgiven).flatMap((from) => {
    if (found.some((word) => isSame(from, word))) return [];
    const mistakes = from.length >= FORGIVES.two ? 2 : 1;
    const to = found.find((word) => !words.includes(word) && editDistance(from, word, mistakes) <= mistakes);
    return to === undefined ? [] : [{ from, to }];
  });
}

function wordsOf(parsed: ParsedQuery): string[] {
  return [parsed, ...parsed.either].flatMap(({ words }) => words);
}

function isForgiven(word: string): boolean {
  return word.length >= FORGIVES.one && !/\p{N}/u.test(word);
}

/** Whether a word has letters and digits, such as `rm6100`: the server forgives mistakes in it, as it is not a number as a whole. */
export function isCode(word: string): boolean {
  return word.length >= FORGIVES.one && /\p{N}/u.test(word) && /\P{N}/u.test(word);
}

/** The same word, its beginning, or its other number. */
function isSame(given: string, word: string): boolean {
  return word.startsWith(given) || given.startsWith(word);
}
