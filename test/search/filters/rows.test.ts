import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXPORT_DATASETS } from '../../../schema/accounts/exports/datasets.ts';
import { readSettings } from '../../../schema/config/settings.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import { versionOf } from '../../../search/embedded/layout/tables.ts';
import type { SearchQuery } from '../../../search/engine.ts';
import { FILTERS } from '../../../search/filters/index.ts';
import { filterNames } from '../../../search/filters/read.ts';
import { addMadeUpFilters, type Widened } from '../../support/made-up-filters.ts';
import { someDocument } from '../documents.ts';
import { NOW } from '../trial.ts';

/** What reads the table, with filters in it that are one row each. */
async function importReaders({ load }: Widened) {
  return {
    ...(await load<typeof import('../../../search/embedded/layout/tokens.ts')>('search/embedded/layout/tokens.ts')),
    ...(await load<typeof import('../../../search/embedded/layout/tables.ts')>('search/embedded/layout/tables.ts')),
    ...(await load<typeof import('../../../search/meilisearch/filters.ts')>('search/meilisearch/filters.ts')),
    ...(await load<typeof import('../../../search/meilisearch/settings.ts')>('search/meilisearch/settings.ts')),
    ...(await load<typeof import('../../../api/mcp/tools.ts')>('api/mcp/tools.ts')),
    ...(await load<typeof import('../../../api/openapi/document.ts')>('api/openapi/document.ts')),
    ...(await load<typeof import('../../../api/operations/exports/bulk.ts')>('api/operations/exports/bulk.ts')),
    ...(await load<typeof import('../../../api/operations/exports/filters.ts')>('api/operations/exports/filters.ts')),
    ...(await load<typeof import('../../../api/operations/filters/apply.ts')>('api/operations/filters/apply.ts')),
    ...(await load<typeof import('../../../api/operations/filters/known.ts')>('api/operations/filters/known.ts')),
    ...(await load<typeof import('../../../api/operations/index.ts')>('api/operations/index.ts')),
    ...(await load<typeof import('../../../api/operations/search/inputs.ts')>('api/operations/search/inputs.ts')),
    ...(await load<typeof import('../../../api/validation/inputs.ts')>('api/validation/inputs.ts')),
    ...(await load<typeof import('../../../api/validation/words.ts')>('api/validation/words.ts')),
    ...(await load<typeof import('../../../search/filters/read.ts')>('search/filters/read.ts')),
    ...(await load<typeof import('../../../search/collections/index.ts')>('search/collections/index.ts')),
  };
}

const settings = readSettings({ BASE_URL: 'https://api.example.org' });
const query = { scope: 'notices', filters: { currency: ['EUR'] }, limit: 1, now: NOW } as unknown as SearchQuery;
const nowhere = { delivery_region: ['Nowhere'] } as unknown as SearchQuery['filters'];

describe('a filter that is one row of the table', () => {
  let project: Widened;
  let services: Awaited<ReturnType<typeof importReaders>>;

  beforeAll(async () => {
    project = await addMadeUpFilters();
    services = await importReaders(project);
  });
  afterAll(() => project?.remove());

  it('is indexed and sought by the embedded engine', () => {
    expect(
      services.documentTokens(someDocument({ currency: 'EUR' }), services.COLLECTIONS.notices).split(' '),
    ).toContain('zzxeur');
    expect(services.versionOf(services.COLLECTIONS.notices)).not.toBe(versionOf(COLLECTIONS.notices));
    expect(services.filterTokens(query)).toContainEqual([{ text: 'zzxeur' }]);
  });

  it('is a condition and a filterable attribute of Meilisearch', () => {
    expect(services.filterConditions(query)).toContain('(currency = "EUR")');
    expect(services.indexSettings(services.COLLECTIONS.notices).filterableAttributes).toContain('currency');
  });

  it('is an input of the searches, in any case, and a condition of the export', () => {
    const { currency: input } = services.noticeFilters as unknown as Record<
      string,
      typeof services.noticeFilters.stage
    >;
    expect(input?.parse('gbp, EUR')).toBe('GBP,EUR');
    expect(input?.safeParse('USD').success).toBe(false);
    for (const dataset of ['notices', 'contracts'] as const) {
      const { conditions } = services.makeKeyQuery(dataset, query.filters, NOW);
      expect(conditions.at(-1)).toEqual({ sql: 'currency = ?', args: ['EUR'] });
      expect(conditions.slice(0, -1)).toEqual(dataset === 'notices' ? [{ sql: 'copy_of IS NULL', args: [] }] : []);
    }
  });

  it('is an input of the export alone where only an export takes it, read from the column of its row', () => {
    expect(Object.keys(services.bulkExport.input.shape)).toContain('delivery_region');
    expect(Object.keys(services.noticeFilters)).not.toContain('delivery_region');
    const [condition] = services.makeKeyQuery('contracts', nowhere, NOW).conditions;
    expect(condition?.sql).toContain("json_each(detail, '$.regions')");
    const tokens = services
      .documentTokens(someDocument({ regions: [{ code: 'UKI', name: 'London' }] }), services.COLLECTIONS.notices)
      .split(' ');
    expect(tokens.filter((token) => /^zz[zl]/.test(token))).toEqual([]);
    expect(services.indexSettings(services.COLLECTIONS.notices).filterableAttributes).not.toContain(
      'delivery_region_parts',
    );
    expect(() => services.checkDatasetFilters('notices', { delivery_region: 'London' } as object)).toThrow();
  });

  it('is stored, and a value that nothing has is reported, as for its kind', async () => {
    const given = { delivery_region: 'London, TLK' } as object;
    expect(await services.effectiveFilters({} as Database, given)).toEqual({ delivery_region: ['UKI', 'UKK'] });
    expect(await services.findUnknownFilters({} as Database, nowhere)).toEqual([
      expect.objectContaining({ input: 'delivery_region', message: expect.stringContaining('Nowhere') }),
    ]);
    expect(services.unknownFilter.shape.input.options).toContain('delivery_region');
  });

  it('is a described parameter of OpenAPI with an example, and an input of the tools', () => {
    const { paths } = services.makeOpenApi(settings, services.operations);
    const { parameters } = (paths['/v1/notices/search']?.get ?? {}) as { parameters?: object[] };
    expect(parameters).toContainEqual(
      expect.objectContaining({
        name: 'currency',
        description: expect.stringMatching(/^The currency of the value\. Several may be sent/),
        schema: expect.objectContaining({ examples: ['GBP'] }),
      }),
    );
    expect(JSON.stringify(paths['/v1/exports']?.post)).toContain('"delivery_region"');
    const tools = services.compileTools(services.operations, settings.TOOL_PREFIX);
    expect(JSON.stringify(tools.get(`${settings.TOOL_PREFIX}search_tenders`)?.tool.inputSchema)).toContain(
      '"Currency of the value"',
    );
  });

  it('is hinted at by its aliases', () => {
    const [search] = services.operations.filter(({ name }) => name === 'search_notices');
    expect(search && services.inputFacts(search, 'currency').isList).toBe(true);
    expect(services.hintName('delivered_in', Object.keys(services.bulkExport.input.shape), services.ROWS)).toBe(
      "; did you mean 'delivery_region'?",
    );
    expect(services.hintName('money', Object.keys(services.tenderFilters), services.ROWS)).toBe(
      "; did you mean 'currency'?",
    );
  });
});

describe('the filters table', () => {
  it('gives each filter of a dataset a name, and each filter of the index a letter, of its own', () => {
    const letters = FILTERS.flatMap((row) =>
      'letter' in row ? [row.letter, 'names' in row ? row.names.letter : []].flat() : [],
    );
    expect(new Set(letters).size).toBe(letters.length);
    for (const dataset of EXPORT_DATASETS) {
      const names = filterNames(dataset);
      expect(new Set(names).size).toBe(names.length);
    }
    // Letters of the tokens that are no filter by value: scope, open, month, bands, ids, company numbers.
    for (const letter of 'spdvwik') expect(letters).not.toContain(letter);
  });
});
