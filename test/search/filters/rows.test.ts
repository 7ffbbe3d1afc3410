import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { VERSION } from '../../../search/embedded/layout/tables.ts';
import type { SearchQuery } from '../../../search/engine.ts';
import { FILTERS } from '../../../search/filters/index.ts';
import { someDocument } from '../documents.ts';
import { NOW } from '../trial.ts';

/** The table with one more row, which is all that a new filter takes. */
async function withOneRowMore() {
  vi.resetModules();
  vi.doMock('../../../search/filters/index.ts', async (original) => {
    const table = await original<typeof import('../../../search/filters/index.ts')>();
    const { someOf } = await import('../../../search/filters/shapes.ts');
    const added = {
      name: 'currency',
      kind: 'exact',
      label: 'Currency',
      field: 'currency',
      letter: 'x',
      several: true,
      input: someOf(['GBP', 'EUR'], 'Currency of the value', 'GBP'),
      aliases: ['money'],
      datasets: ['notices', 'tenders'],
    } as const;
    return { ...table, FILTERS: [...table.FILTERS, added] };
  });
  return {
    ...(await import('../../../search/embedded/layout/tokens.ts')),
    ...(await import('../../../search/embedded/layout/tables.ts')),
    ...(await import('../../../search/meilisearch/filters.ts')),
    ...(await import('../../../search/meilisearch/settings.ts')),
    ...(await import('../../../api/operations/exports/filters.ts')),
    ...(await import('../../../api/operations/search/inputs.ts')),
    ...(await import('../../../api/validation/names.ts')),
    ...(await import('../../../search/filters/read.ts')),
  };
}

const query = { scope: 'notices', filters: { currency: ['EUR'] }, limit: 1, now: NOW } as unknown as SearchQuery;

describe('a filter that is one row of the table', () => {
  let house: Awaited<ReturnType<typeof withOneRowMore>>;

  beforeAll(async () => {
    house = await withOneRowMore();
  });
  afterAll(() => {
    vi.doUnmock('../../../search/filters/index.ts');
    vi.resetModules();
  });

  it('is indexed and sought by the embedded engine', () => {
    expect(house.documentTokens(someDocument({ currency: 'EUR' })).split(' ')).toContain('zzxeur');
    expect(house.VERSION).not.toBe(VERSION);
    expect(house.filterTokens(query)).toContainEqual([{ text: 'zzxeur' }]);
  });

  it('is a condition and a filterable attribute of Meilisearch', () => {
    expect(house.filterConditions(query)).toContain('(currency = "EUR")');
    expect(house.INDEX_SETTINGS.filterableAttributes).toContain('currency');
  });

  it('is an input of the searches, in any case, and a condition of the export', () => {
    const { currency: input } = house.noticeFilters as unknown as Record<string, typeof house.noticeFilters.stage>;
    expect(input?.parse('gbp, EUR')).toBe('GBP,EUR');
    expect(input?.safeParse('USD').success).toBe(false);
    expect(house.makeWalk('notices', query.filters, [], NOW).conditions).toEqual([
      { sql: 'currency = ?', args: ['EUR'] },
    ]);
  });

  it('is hinted at by its aliases', () => {
    expect(house.hintName('money', Object.keys({ ...house.noticeFilters, ...house.tenderFilters }), house.ROWS)).toBe(
      "; did you mean 'currency'?",
    );
  });
});

describe('the filters table', () => {
  it('gives each filter a name, and each filter of the index a letter, of its own', () => {
    const letters = FILTERS.flatMap((row) =>
      'letter' in row ? [row.letter, 'names' in row ? row.names.letter : []].flat() : [],
    );
    expect(new Set(letters).size).toBe(letters.length);
    expect(new Set(FILTERS.map(({ name }) => name)).size).toBe(FILTERS.length);
    // Letters of the tokens that are no filter by value: scope, open, month, bands, ids, company numbers.
    for (const letter of 'spdvwik') expect(letters).not.toContain(letter);
  });
});
