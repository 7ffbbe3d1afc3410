import type { Database } from '../../../schema/db/interface.ts';
import { slipsOf } from '../../query/edit-distance.ts';
import { quote } from './expression.ts';

/** Counted no further: it only tells the more usual word from the rarer one. */
const COUNTED_MAX = 50;
/** The index stems what it is asked, so each slip is asked as a word would be; one statement, as each takes microseconds. */
const COUNT_EACH = `SELECT slip, held FROM (SELECT value AS slip,
    (SELECT count(*) FROM (SELECT 1 FROM entry WHERE entry MATCH value LIMIT ${COUNTED_MAX})) AS held FROM json_each(?))
  WHERE held > 0`;

const BEGINS_ANY = 'SELECT 1 FROM entry WHERE entry MATCH ? LIMIT 1';

/** Whether any text holds a word that begins so. */
export async function beginsAny(index: Database, word: string): Promise<boolean> {
  return (await index.read({ sql: BEGINS_ANY, args: [`${quote([word])} *`] })).length > 0;
}

/** The word one slip away that most texts hold, of those that begin alike: for words that neither a title nor a name has. */
export async function readHeldSlip(index: Database, word: string): Promise<string | null> {
  const alike = slipsOf(word).filter((slip) => slip[0] === word[0] && !slip.includes(' '));
  const words = new Map(alike.map((slip) => [quote([slip]), slip]));
  const rows = await index.read<{ slip: string; held: number }>({
    sql: COUNT_EACH,
    args: [JSON.stringify([...words.keys()])],
  });
  const [best] = rows.toSorted((a, b) => b.held - a.held || (a.slip < b.slip ? -1 : 1));
  return best ? (words.get(best.slip) ?? null) : null;
}
