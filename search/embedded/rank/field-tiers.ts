import type { Database } from '../../../schema/db/interface.ts';
import { DAY_SPAN } from '../layout/tables.ts';
import { inTitles } from '../layout/tokens.ts';
import { type KeyRange, type Matching, narrow } from '../match/matching.ts';
import { readKeys } from '../match/query-cache.ts';

/** A document in an order. `value` is its score, amount or instant; null if it has none, which puts it last. */
export interface RankedKey {
  key: number;
  value: number | null;
}

const NOTHING_COMPARED = { conditions: [], args: [] };
const NAMES = '{title buyer supplier subject}';

/** A group of matches, one of several in order. The `value` of a document is the number of its tier. */
interface Tier {
  value: number;
  /** The newest keys below `before`. */
  read(before: number, limit: number): Promise<number[]>;
}

/**
 * A page of matches ordered by where the words are: matches of stricter levels first, then titles, then names and subjects,
 * then the rest. For words that are too common to be scored by weight.
 */
export async function readByTier(
  index: Database,
  matching: Matching,
  limit: number,
  after: RankedKey | undefined,
): Promise<RankedKey[]> {
  const stricter = [...new Set(matching.first.flat())];
  const reached = after?.value ?? 0;
  const page: RankedKey[] = reached > 0 ? [] : stricter.slice(after ? stricter.indexOf(after.key) + 1 : 0).map(asFirst);
  const { keys } = matching.counted;
  const tiers = keys ? tiersOfKnown(index, matching, stricter, keys) : tiersOf(index, matching, stricter);
  for (const { value, read } of tiers) {
    const missing = limit - page.length;
    if (missing <= 0) break;
    if (value < reached) continue;
    const before = after && value === reached ? after.key : Infinity;
    page.push(...without(await read(before, missing), stricter).map((key) => ({ key, value })));
  }
  return page.slice(0, limit);
}

function asFirst(key: number): RankedKey {
  return { key, value: 0 };
}

/** The tiers. Titles and names are searched from `matching.bound` on, and older documents come last. A key is in one tier only. */
function tiersOf(index: Database, matching: Matching, stricter: number[]): Tier[] {
  const { bound } = matching;
  const { text } = matching.scoring;
  const titles = inTitles(text);
  const tier = (value: number, expression: string) =>
    tierOf(index, matching, stricter, { value, expression, range: { since: bound } });
  return [
    tier(1, titles),
    tier(2, `(${NAMES} : ${text}) NOT (${titles})`),
    tier(3, `${text} NOT (${NAMES} : ${text})`),
    ...olderTier(index, matching, stricter),
  ];
}

function olderTier(index: Database, matching: Matching, stricter: number[]): Tier[] {
  const { bound } = matching;
  if (bound === 0) return [];
  return [tierOf(index, matching, stricter, { value: 4, expression: matching.scoring.text, range: { before: bound } })];
}

/** A tier that is read backwards from the start of the page, so that the work grows with the page only. */
function tierOf(
  index: Database,
  matching: Matching,
  stricter: number[],
  { value, expression, range }: { value: number; expression: string; range: Partial<KeyRange> },
): Tier {
  const passed = stricter.length > 0 ? 'AND entry.rowid NOT IN (SELECT value FROM json_each(?))' : '';
  const passedArgs = passed ? [JSON.stringify(stricter)] : [];
  return {
    value,
    read(before, limit) {
      const end = Math.min(before, range.before ?? before);
      const narrowed = narrow(matching, `(${expression})`, { ...range, before: end });
      return readKeys(index, narrowed, {
        sql: `${passed} ORDER BY entry.rowid DESC LIMIT ?`,
        args: [...passedArgs, limit],
      });
    },
  };
}

/** The tiers if all keys are known. Only titles and names are searched, as finding the rest would cost as much again. */
function tiersOfKnown(index: Database, matching: Matching, stricter: number[], keys: number[]): Tier[] {
  const { bound, reach } = matching;
  const [newest = 0, oldest = 0] = [keys[0], keys.at(-1)];
  const days = (newest - oldest) / DAY_SPAN + 1;
  // With few documents a day, filters save nothing, as the keys that they select are known.
  const filters = keys.length < days ? matching.filters : null;
  const range = { since: Math.max(oldest, bound), before: newest + 1 };
  const all = new Set(keys);
  const { text } = matching.scoring;
  const readPlace = async (expression: string) => {
    const narrowed = narrow({ filters, excluded: null, range, comparisons: NOTHING_COMPARED }, `(${expression})`);
    const found = await readKeys(index, narrowed, { sql: 'ORDER BY entry.rowid DESC', args: [] });
    return found.filter((key) => all.has(key));
  };
  let titled: Promise<number[]> | undefined;
  let named: Promise<number[]> | undefined;
  const titles = () => (titled ??= readPlace(inTitles(text)));
  const names = () => (named ??= readPlace(`${NAMES} : ${text}`));
  const tier = (value: number, readAll: () => Promise<number[]>): Tier => ({
    value,
    read: async (before) => (await readAll()).filter((key) => key < before),
  });
  const searched = keys.filter((key) => key >= bound);
  return [
    tier(1, titles),
    tier(2, async () => without(await names(), await titles())),
    tier(3, async () => without(searched, await names())),
    // If a phrase was counted in part, older keys are unknown.
    ...(reach > 0 ? olderTier(index, matching, stricter) : [tier(4, async () => keys.slice(searched.length))]),
  ];
}

function without(keys: number[], others: number[]): number[] {
  const left = new Set(others);
  return keys.filter((key) => !left.has(key));
}
