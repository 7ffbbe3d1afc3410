import { expect, it } from 'vitest';
import type { Services } from '../../../../api/contract/operation.ts';
import { countWanted } from '../../../../api/operations/exports/keys.ts';
import { makeClocks } from '../../../../schema/config/clocks.ts';
import type { MatchPlace, SearchEngine, SearchQuery } from '../../../../search/engine.ts';

const START: MatchPlace = { engine: 'embedded', level: 'all', before: null };

/** A search that matches so many notices, of which it lists those that are left. */
function makeServices(matched: number, left = matched) {
  const listed: number[] = [];
  const engine: Pick<SearchEngine, 'matchAll' | 'listMatches'> = {
    matchAll: async () => ({ total: matched, prints: '', start: START, meta: {} as never }),
    async listMatches(_query: SearchQuery, { before }: MatchPlace, most: number) {
      const from = before ?? left;
      const to = Math.max(0, from - most);
      listed.push(from - to);
      const ids = Array.from({ length: from - to }, (_, at) => `n${from - at}`);
      return { ids, next: to === 0 ? null : { ...START, before: to } };
    },
  };
  return { services: { search: engine, clocks: makeClocks(undefined) } as unknown as Services, listed };
}

const wanted = { dataset: 'notices', filters: {}, query: 'lifts', maxRows: 1_000 } as const;

it.each([
  { matched: 0, maxRows: 1_000, rows: 0, pages: [] },
  { matched: 700, maxRows: 1_000, rows: 700, pages: [700] },
  { matched: 700, maxRows: 300, rows: 300, pages: [300] },
  { matched: 12_500, maxRows: 2_500, rows: 2_500, pages: [1_000, 1_000, 500] },
])('of $matched matches $maxRows at most are read, a thousand at once', async ({ matched, maxRows, rows, pages }) => {
  const { services, listed } = makeServices(matched);
  const counted = await countWanted(services, { ...wanted, maxRows });
  expect(counted).toMatchObject({ rows, matched });
  const keys: string[] = [];
  for await (const page of counted.readKeys()) keys.push(...page);
  expect(new Set(keys).size).toBe(rows);
  expect(listed).toEqual(pages);
});

it('nobody pays for rows that went while they were read', async () => {
  const counted = await countWanted(makeServices(900, 600).services, wanted);
  const readAll = async () => {
    for await (const _page of counted.readKeys());
  };
  await expect(readAll()).rejects.toMatchObject({ name: 'SearchUnavailable' });
});
