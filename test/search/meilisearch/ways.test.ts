import { expect, it } from 'vitest';
import { waysToMatch } from '../../../search/meilisearch/ways.ts';
import { parseQuery } from '../../../search/query/parse.ts';

const phrasesOf = (text: string) =>
  waysToMatch(parseQuery(text), undefined, true).map(({ parsed }) => parsed.phrases.map((words) => words.join(' ')));

it('a phrase with "and" is asked once in each of its spellings', () => {
  expect(phrasesOf('"fire and rescue"')).toEqual([['fire and rescue'], ['fire rescue']]);
  expect(phrasesOf('"a1 and b1" "a2 & b2" "a3 and b3"')).toHaveLength(8);
});

it('a phrase is asked as it is where the other words leave no room for its other spelling', () => {
  const words = Array.from({ length: 9 }, (_, index) => `bridge${index}`).join(' ');
  expect(phrasesOf(`${words} "fire and rescue"`)).toEqual([['fire and rescue']]);
});

it('a postcode is asked also as a district, and a phrase that begins like one is not', () => {
  const ways = waysToMatch(parseQuery('LS1 4AP "ls1 windows"'), undefined, true);
  expect(ways.map(({ parsed }) => [parsed.phrases.length, parsed.identifiers.map(({ district }) => district)])).toEqual(
    [
      [2, []],
      [1, ['ls1']],
    ],
  );
});
