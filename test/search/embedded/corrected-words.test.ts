import { expect, it } from 'vitest';
import type { Database } from '../../../schema/db/interface.ts';
import { readTerms } from '../../../search/embedded/match/vocabulary.ts';
import { parseQuery } from '../../../search/query/parse.ts';

/** An index that holds nothing, and notes for which beginnings its vocabulary was read. */
function emptyIndex(asked: unknown[]): Database {
  return {
    async read({ sql, args }: { sql: string; args: unknown[] }) {
      if (sql.includes('BETWEEN')) asked.push(args[0]);
      return sql.startsWith('SELECT count(*)') ? [{ count: 0, newest: 0, oldest: 0, keys: '[]' }] : [];
    },
  } as unknown as Database;
}

it('of the words that no text holds eight are corrected, however many a query has', async () => {
  const letters = 'bcdfghjklmnpqrstvwxz';
  const words = [...letters].map((one, at) => `${one}uqyxvuqy${letters[at + 1] ?? 'b'}uq`);
  const asked: unknown[] = [];
  const { terms } = await readTerms(emptyIndex(asked), parseQuery(`${words.join(' ')} end`));
  // Four beginnings of each word: the first three letters, and where one of these may be wrong.
  expect(asked).toHaveLength(4 * 8);
  expect(terms.map(({ words: [word] }) => word)).toEqual([...words, 'end']);
});
