import { expect, it } from 'vitest';
import { countWords } from '../../../search/embedded/store/count-words.ts';
import { foldText, wordsOf } from '../../../search/query/pieces.ts';

it('words are counted each time they occur, however many there are', () => {
  const texts = Array.from({ length: 12_000 }, (_, place) =>
    foldText(`Kerb ${place % 9_000}; kerb-stones, Môn's 文具 ${(place * 2_654_435_761).toString(36)} ${place % 7}`),
  );
  const expected = new Map<string, number>();
  for (const word of texts.flatMap(wordsOf)) expected.set(word, (expected.get(word) ?? 0) + 1);
  expect(expected.size).toBeGreaterThan(20_000);
  expect(new Map(countWords(texts))).toEqual(expected);
  expect(countWords(['', ' - '])).toEqual([]);
});
