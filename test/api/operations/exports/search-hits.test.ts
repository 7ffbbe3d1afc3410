import { expect, it } from 'vitest';
import type { Services } from '../../../../api/contract/operation.ts';
import { countWanted } from '../../../../api/operations/exports/keys.ts';
import { makeClocks } from '../../../../schema/config/clocks.ts';
import type { SearchAnswer, SearchQuery } from '../../../../search/engine.ts';

const DEPTH = 5_000;

/** A search that finds so many notices, as deep as a search goes, and notes what it was asked for. */
function makeServices(found: number, { most = 10_000, exact = found <= 10_000 } = {}) {
  const limits: number[] = [];
  const find = async ({ limit, cursor }: SearchQuery): Promise<SearchAnswer> => {
    limits.push(limit);
    const from = Number(cursor ?? 0);
    const to = Math.min(from + limit, found, DEPTH);
    const hits = Array.from({ length: to - from }, (_, at) => ({ id: `n${from + at}` }));
    const nextCursor = to < Math.min(found, DEPTH) ? String(to) : null;
    return { hits, total: Math.min(found, most), exact, nextCursor } as unknown as SearchAnswer;
  };
  const services = { search: { find }, clocks: makeClocks(undefined) } as unknown as Services;
  return { services, limits };
}

const wanted = { dataset: 'notices', filters: {}, query: 'lifts', maxRows: 1_000 } as const;

it.each([
  { found: 0, maxRows: 1_000, rows: 0, matched: 0, exact: true },
  { found: 700, maxRows: 1_000, rows: 700, matched: 700, exact: true },
  { found: 700, maxRows: 300, rows: 300, matched: 700, exact: true },
  { found: 7_000, maxRows: 1_000_000, rows: DEPTH, matched: 7_000, exact: true },
  { found: 80_000, maxRows: 1_000_000, rows: DEPTH, matched: 10_000, exact: false },
])('of $found hits a quote and a purchase of $maxRows count the same, and a quote holds none', async (expected) => {
  const { found, maxRows, ...counts } = expected;
  const quote = makeServices(found);
  expect(await countWanted(quote.services, { ...wanted, maxRows, countsOnly: true })).toMatchObject(counts);
  expect(quote.limits).toEqual([1]);
  const { services } = makeServices(found);
  const counted = await countWanted(services, { ...wanted, maxRows });
  expect(counted).toMatchObject(counts);
  let keys = 0;
  for await (const page of counted.readKeys()) keys += page.length;
  expect(keys).toBe(counts.rows);
});

it('a total that is not sure is counted out, where more may be wanted than it says', async () => {
  const { services, limits } = makeServices(900, { most: 600, exact: false });
  const counted = await countWanted(services, { ...wanted, countsOnly: true });
  expect(counted).toMatchObject({ rows: 900, matched: 900, exact: true });
  expect(limits).toEqual([1, 500, 500]);
});
