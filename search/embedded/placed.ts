import type { Database } from '../../schema/database.ts';
import { type KeyRange, type Matching, narrow } from './matching.ts';

/** A document in its order: `value` is its score, amount or instant; null for a document that has none (they come last). */
export interface Placed {
  key: number;
  value: number | null;
}

const TITLE = '{title}';
const NAMES = '{title buyer supplier subject}';

/** One after the other, each the newest first: a document's `value` is the number of its tier. */
interface Tier {
  value: number;
  expression: string;
  range: Partial<KeyRange>;
}

/**
 * A page of matches in order of where the words stand: the matches of stricter levels first, then titles, then names and
 * subjects, then the rest. For words that are too common to be weighed against each other. Each tier is read backwards from
 * where the page starts, so a page costs what it shows; titles and names are looked at from `matching.bound` on.
 */
export async function readByPlace(
  index: Database,
  matching: Matching,
  limit: number,
  after: Placed | undefined,
): Promise<Placed[]> {
  const stricter = [...new Set(matching.first.flat())];
  const reached = after?.value ?? 0;
  const page: Placed[] = reached > 0 ? [] : stricter.slice(after ? stricter.indexOf(after.key) + 1 : 0).map(asFirst);
  for (const tier of tiersOf(matching)) {
    if (page.length >= limit) break;
    if (tier.value < reached) continue;
    const from = after && tier.value === reached ? after.key : null;
    page.push(...(await readTier(index, matching, tier, { stricter, from, limit: limit - page.length })));
  }
  return page.slice(0, limit);
}

function asFirst(key: number): Placed {
  return { key, value: 0 };
}

/** A key is in one tier only. */
function tiersOf({ scoring: { text }, bound }: Matching): Tier[] {
  const range = { since: bound };
  const tiers: Tier[] = [
    { value: 1, expression: `${TITLE} : ${text}`, range },
    { value: 2, expression: `(${NAMES} : ${text}) NOT (${TITLE} : ${text})`, range },
    { value: 3, expression: `${text} NOT (${NAMES} : ${text})`, range },
  ];
  if (bound > 0) tiers.push({ value: 4, expression: text, range: { before: bound } });
  return tiers;
}

async function readTier(
  index: Database,
  matching: Matching,
  { value, expression, range }: Tier,
  { stricter, from, limit }: { stricter: number[]; from: number | null; limit: number },
): Promise<Placed[]> {
  const without = stricter.length > 0 ? 'AND entry.rowid NOT IN (SELECT value FROM json_each(?))' : '';
  const asked = narrow(matching, `(${expression})`, from === null ? range : { ...range, before: from });
  return index.read<Placed>({
    sql: `SELECT entry.rowid AS key, ${value} AS value ${asked.from} ${asked.where} ${without}
      ORDER BY entry.rowid DESC LIMIT ?`,
    args: [...asked.args, ...(without ? [JSON.stringify(stricter)] : []), limit],
  });
}
