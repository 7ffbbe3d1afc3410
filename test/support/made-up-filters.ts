import { vi } from 'vitest';
import type { FilterRow } from '../../search/filters/row.ts';

/** Filters that are not in the table. Each is a single row, which is all that a new filter needs. */
async function madeUpRows(): Promise<FilterRow[]> {
  const { identifier, regionList, someOf, splitRegions, storedRegion } = await import('../../search/filters/shapes.ts');
  return [
    {
      name: 'currency',
      kind: 'exact',
      label: 'Currency',
      choices: ['GBP', 'EUR'],
      values: 'code',
      field: 'currency',
      letter: 'x',
      several: true,
      input: (z) => someOf(z, ['GBP', 'EUR'], 'Currency of the value', 'GBP'),
      words: 'The currency of the value.',
      aliases: ['money'],
      datasets: ['notices', 'tenders', 'contracts'],
    },
    {
      name: 'delivery_region',
      kind: 'prefix',
      label: 'Delivered in',
      values: 'region',
      field: 'regions',
      codes: ({ regions }) => regions.map(({ code }) => code),
      letter: 'z',
      lengths: [3],
      names: { letter: 'l', of: ({ regions }) => regions.map(({ name }) => name), never: /^uk[a-z0-9]{1,3}$/i },
      several: true,
      parse: (text) => splitRegions(text).map(storedRegion),
      input: (z) => regionList(z).optional().describe('Where it is delivered'),
      words: 'Where it is delivered.',
      example: 'London',
      aliases: ['delivered_in'],
      datasets: ['contracts'],
    },
    {
      name: 'lead_buyer',
      kind: 'exact',
      label: 'Lead buyer',
      hint: 'The body that leads',
      values: 'buyer',
      field: 'buyer_id',
      letter: 'q',
      several: false,
      input: (z) => identifier(z).optional().describe('Who leads'),
      words: 'The body that leads.',
      aliases: [],
      datasets: ['notices', 'tenders'],
    },
  ];
}

/** Adds the made-up filters to the table for everything imported from now on, until `removeMadeUpFilters`. */
export function addMadeUpFilters(): void {
  vi.resetModules();
  vi.doMock('../../search/filters/index.ts', async (original) => {
    const table = await original<typeof import('../../search/filters/index.ts')>();
    return { ...table, FILTERS: [...table.FILTERS, ...(await madeUpRows())] };
  });
}

/** Restores the table for everything imported from now on. */
export function removeMadeUpFilters(): void {
  vi.doUnmock('../../search/filters/index.ts');
  vi.resetModules();
}
