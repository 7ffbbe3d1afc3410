import { z } from 'zod';
import type { ExportDataset } from '../../../schema/accounts/exports/datasets.ts';
import { candidate } from '../../../schema/answers/shapes.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { CPV_DIVISIONS, divisionOf } from '../../../schema/reference/cpv.ts';
import {
  isRegionName,
  listRegions,
  type Region,
  regionOfCode,
  widerRegionOf,
} from '../../../schema/reference/regions.ts';
import type { SearchFilters } from '../../../search/filters/index.ts';
import { rowsOfKind, wantedValues } from '../../../search/filters/read.ts';
import type { ValueKind } from '../../../search/filters/row.ts';
import { withoutFormer } from '../../../search/filters/shapes.ts';
import type { Nothing } from '../../contract/operation.ts';
import { noBuyer, noCompany } from '../../find/by-id-or-name.ts';
import { lookUpFramework } from '../../find/framework.ts';
import { lookUpBuyer, lookUpCompany } from '../../find/organisation.ts';
import { findNear } from '../../validation/words.ts';

const NEAR_MAX = 5;
/** Of several unknown things the first few are searched by name: such an answer is free, and is to stay short. */
const SEARCHED_MAX = 5;
/** Characters of a region code directly below the whole country. */
const WIDE = 3;

/** The filters whose values name something that can be looked up, and so may be unknown. */
const NAMED = (['buyer', 'company', 'framework', 'region', 'cpv'] as const).flatMap(rowsOfKind);

/** A filter whose value names nothing known, so that it can find nothing. */
export const unknownFilter = z.object({
  input: z.enum([...new Set(NAMED.map(({ name }) => name))]),
  message: z.string().describe('What is wrong with it, and what to send instead'),
  candidates: z.array(candidate).optional().describe('What is near'),
});
/** All of them. */
export const unknownFilters = z
  .array(unknownFilter)
  .optional()
  .describe(
    'Filters by a buyer, supplier, framework, region or CPV code that is nowhere: all where nothing was found, otherwise those of several values',
  );
/** Of a brief answer. */
export const UNKNOWN_KEPT = [
  'meta.unknown_filters',
  'meta.unknown_filters.candidates',
  'meta.unknown_filters.candidates.contract_count',
  'meta.unknown_filters.candidates.framework_places',
];
export const UNKNOWN_MAX = { 'meta.unknown_filters.candidates': 20 };

export type UnknownFilters = NonNullable<z.output<typeof unknownFilters>>;
type UnknownFilter = UnknownFilters[number];
/** The fault of a value, whichever filter it was sent to. */
type Unknown = Omit<UnknownFilter, 'input'>;

/**
 * The unknown filter values of a search; undefined where all are known. A search that found something may have an unknown value
 * only among several values of a filter: without a word, its results would look complete.
 * @param searched `dataset`: what was searched; `found`: whether there was anything, so that no names are searched
 */
export async function findUnknownFilters(
  catalogue: Database,
  filters: SearchFilters,
  { dataset, found = false }: { dataset?: ExportDataset | undefined; found?: boolean } = {},
): Promise<UnknownFilters | undefined> {
  const searchedMost = found ? 0 : SEARCHED_MAX;
  const unknown: UnknownFilter[] = [];
  for (const row of NAMED) {
    const values = wantedValues(filters, row) ?? [];
    if (found && values.length < 2) continue;
    const faults =
      row.values === 'region'
        ? findRegionFaults(withoutFormer(values), dataset)
        : await findUnknown(catalogue, row.values, values, searchedMost);
    // Codes of one name have one fault.
    const each = new Map(faults.map((fault) => [fault.message, fault]));
    unknown.push(...[...each.values()].map((fault) => ({ input: row.name, ...fault })));
  }
  return unknown.length > 0 ? unknown : undefined;
}

/** @param searchedMost how many unknown things are searched by name */
async function findUnknown(
  catalogue: Database,
  kind: ValueKind,
  values: readonly string[],
  searchedMost: number,
): Promise<Unknown[]> {
  if (kind === 'cpv') return findUnknownCpv(values);
  const thing = THINGS[kind];
  if (!thing) return [];
  const found = await Promise.all(values.map((one) => thing.find(catalogue, one)));
  const unknown = values.filter((_, at) => !found[at]);
  return Promise.all(
    unknown.map((one, at) => unknownThing(catalogue, at < searchedMost ? thing : { ...thing, near: undefined }, one)),
  );
}

/** For each kind of thing: how an id is looked up, and what is similar where it is unknown. */
interface Thing {
  name: string;
  find(catalogue: Database, given: string): Promise<unknown>;
  near?: ((catalogue: Database, given: string) => Promise<Nothing>) | undefined;
  way: string;
}

const THINGS: Partial<Record<ValueKind, Thing>> = {
  buyer: { name: 'buyer', find: lookUpBuyer, near: noBuyer, way: 'look a buyer up by its name for its id' },
  company: { name: 'company', find: lookUpCompany, near: noCompany, way: 'look a company up by its name for its id' },
  framework: { name: 'framework', find: lookUpFramework, way: 'search frameworks by words for its id' },
};

async function unknownThing(catalogue: Database, { name, near, way }: Thing, given: string): Promise<Unknown> {
  const { candidates } = (await near?.(catalogue, given)) ?? {};
  const what = candidates ? 'send the id of a candidate' : way;
  return { message: `no ${name} is known as ${given}; ${what}`, ...(candidates && { candidates }) };
}

/** A known region has been turned into its codes by now. */
function findRegionFaults(values: readonly string[], dataset: ExportDataset | undefined): Unknown[] {
  const narrow = dataset === 'companies' ? values.flatMap(findNarrow) : [];
  const unknown = [...new Set(values)].filter((one) => !regionOfCode(one) && !isRegionName(one));
  return [...narrow, ...unknown.map((one, at) => unknownRegion(one, at < SEARCHED_MAX))];
}

/** A company has only the level 1 region of its postcode. */
function findNarrow(given: string): Unknown[] {
  const region = regionOfCode(given);
  const wide = widerRegionOf(region?.code);
  if (!wide) return [];
  const message = `companies have only ITL level 1 regions, and ${region?.name} is within one; send the id of the candidate`;
  return [{ message, candidates: [toCandidate(wide)] }];
}

function unknownRegion(given: string, isSearched: boolean): Unknown {
  const candidates = isSearched ? regionsNear(given).map(toCandidate) : undefined;
  const what = candidates ? 'send the id of a candidate' : 'send the name or ITL code of one';
  return { message: `no region is known as ${given}; ${what}`, ...(candidates && { candidates }) };
}

function toCandidate({ code = '', name }: Region) {
  return { id: code.replace(/^UK/, 'TL'), name };
}

/** Regions with a word of the text, or a similar word, widest first; if there are none, the level 1 regions. */
function regionsNear(text: string) {
  const regions = listRegions();
  const words = text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  const near = findNear(
    text,
    regions.map(({ name }) => name),
  );
  const found = regions.filter(
    ({ name }) => name === near || words.some((word) => ` ${name.toLowerCase()}`.includes(` ${word}`)),
  );
  return found.length > 0 ? found.slice(0, NEAR_MAX) : regions.filter(({ code }) => code.length === WIDE);
}

/** One fault of all: each would list the divisions. */
function findUnknownCpv(given: readonly string[]): Unknown[] {
  const unknown = given.filter((one) => !divisionOf(one));
  const divisions = CPV_DIVISIONS.map(({ code }) => code).join(', ');
  if (unknown.length === 0) return [];
  return [{ message: `no CPV code begins with ${unknown.join(' or ')}; the divisions are ${divisions}` }];
}
