import { describe, expect, it } from 'vitest';
import type { Database } from '../../../schema/db/interface.ts';
import { editDistance, lettersOf, mayBeNear, slipsOf } from '../../../schema/names/spelling.ts';
import { countCodes } from '../../../search/embedded/layout/facet-codes.ts';
import { countNewest, queryCacheOf, refreshQueryCache } from '../../../search/embedded/match/query-cache.ts';
import { readTerms } from '../../../search/embedded/match/vocabulary.ts';
import { FACETS } from '../../../search/filters/facets.ts';
import { parseQuery } from '../../../search/query/parse.ts';

describe('what spares work', () => {
  it('tallies codes by facet, the most frequent first', () => {
    const { length } = FACETS;
    const [stage, source] = [length + FACETS.indexOf('stage'), length + FACETS.indexOf('source')];
    // A value among hundreds of thousands, as suppliers are, and a document without any.
    const late = 100_000 * length + stage;
    const text = [late, stage, source, '', stage + length, stage, late, source, late].join(',');
    const asked = { wanted: ['stage' as const], facets: FACETS };
    expect(countCodes(text, asked, 2)).toEqual(
      new Map([
        [
          'stage',
          [
            [late, 3],
            [stage, 2],
          ],
        ],
      ]),
    );
    expect(countCodes('', asked, 1)).toEqual(new Map([['stage', []]]));
    // Every document without any but one, and as many codes as a text can hold.
    const few = countCodes(`${','.repeat(5_000)}${stage}`, asked, 1);
    expect(few).toEqual(new Map([['stage', [[stage, 1]]]]));
    const all = Array.from({ length: 3_000 }, (_, place) => length * (place + 1) + FACETS.indexOf('stage'));
    const counted = countCodes([...all, ...all].join(','), asked, 5_000).get('stage');
    expect(counted).toEqual(all.map((code) => [code, 2]));
  });

  it('tells words apart by their letters only where they are not near', () => {
    for (const slip of slipsOf('harbour')) {
      expect(editDistance('harbour', slip, 1)).toBe(1);
      expect(mayBeNear(lettersOf('harbour'), lettersOf(slip), 1)).toBe(true);
    }
    expect(mayBeNear(lettersOf('harbour'), lettersOf('kitchen'), 2)).toBe(false);
    expect(slipsOf('harbour', 2).every((slip) => slip.endsWith('bour'))).toBe(true);
  });
});

/** An index that holds nothing, and notes for which beginnings its vocabulary was read, and how often its descriptions. */
function notingIndex(asked: unknown[], guessed: unknown[]): Database {
  return {
    async read({ sql, args }: { sql: string; args: unknown[] }) {
      if (sql.includes('BETWEEN')) asked.push(args[0]);
      if (sql.includes('AS slip')) guessed.push(args[0]);
      return sql.startsWith('SELECT count(*)') ? [{ count: 0, newest: 0, oldest: 0, keys: '[]' }] : [];
    },
  } as unknown as Database;
}

it('of the words that no text holds, eight are corrected, and two from descriptions too', async () => {
  const letters = 'bcdfghjklmnpqrstvwxz';
  const words = [...letters].map((one, at) => `${one}uqyxvuqy${letters[at + 1] ?? 'b'}uq`);
  const [asked, guessed]: [unknown[], unknown[]] = [[], []];
  const { terms } = await readTerms(notingIndex(asked, guessed), parseQuery(`${words.join(' ')} end`));
  // Four beginnings of each word: the first three letters, and where one of these may be wrong.
  expect(asked).toHaveLength(4 * 8);
  expect(guessed).toHaveLength(2);
  expect(terms.map(({ words: [word] }) => word)).toEqual([...words, 'end']);
});

it.each([
  ['counts', 0],
  ['common', 20_000],
] as const)(
  '%s are kept in bounded memory, however long the words and filters are that they are kept under',
  async (kept, count) => {
    const index = {
      read: async ({ sql }: { sql: string }) =>
        sql.startsWith('SELECT count(*)')
          ? [{ count, key: 1 }]
          : [{ value: '', keys: JSON.stringify(Array(count).fill(1)) }],
    } as unknown as Database;
    await refreshQueryCache(index);
    const cache = queryCacheOf(index)[kept];
    for (let query = 0; query < 500; query += 1) {
      await countNewest(index, {
        from: 'FROM entry',
        where: 'entry MATCH ?',
        args: [`${query} ${'x'.repeat(20_000)}`],
      });
    }
    expect(cache.size).toBeGreaterThan(0);
    expect([...cache.keys()].join('').length).toBeLessThanOrEqual(8_000_000);
  },
);
