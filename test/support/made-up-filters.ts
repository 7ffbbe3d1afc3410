import { cpSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FilterRow } from '../../search/filters/row.ts';
import { identifier, regionList, someOf, splitRegions, storedRegions } from '../../search/filters/shapes.ts';
import { needCompiled } from './compiled.ts';
import { makeFolder } from './databases.ts';

/** Filters that are not in the table. Each is a single row, which is all that a new filter needs. */
export const MADE_UP: readonly FilterRow[] = [
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
    parse: (text) => splitRegions(text).flatMap(storedRegions),
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
    letter: 'u',
    several: false,
    input: (z) => identifier(z).optional().describe('Who leads'),
    words: 'The body that leads.',
    aliases: [],
    datasets: ['notices', 'tenders'],
  },
];

/** The project with the made-up filters in its table. */
export interface Widened {
  /** One of its modules, given by its source (`search/filters/read.ts`). */
  load<Module>(script: string): Promise<Module>;
  remove(): Promise<void>;
}

const TABLE = `export * from './own.js';
import { MADE_UP } from '../../test/support/made-up-filters.js';
import { FILTERS as OWN } from './own.js';
export const FILTERS = [...OWN, ...MADE_UP];
`;

/** A copy of the compiled project, all of which reads a table with the made-up filters. */
export async function addMadeUpFilters(): Promise<Widened> {
  const folder = await makeFolder();
  const copy = join(folder.path, 'compiled');
  cpSync(needCompiled(''), copy, { recursive: true, verbatimSymlinks: true });
  const filters = join(copy, 'search/filters');
  renameSync(join(filters, 'index.js'), join(filters, 'own.js'));
  writeFileSync(join(filters, 'index.js'), TABLE);
  return { load: (script) => import(join(copy, script.replace(/\.tsx?$/, '.js'))), remove: folder.remove };
}
