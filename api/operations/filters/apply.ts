import { idOf } from '../../../schema/answers/known-company.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { FACETS, type FacetName } from '../../../search/filters/facets.ts';
import type { FILTERS, SearchFilters } from '../../../search/filters/index.ts';
import { BOUND_ROWS, rowsOfKind, VALUE_ROWS } from '../../../search/filters/read.ts';
import type { ValueKind } from '../../../search/filters/row.ts';
import { splitList } from '../../../search/filters/shapes.ts';
import { InvalidInput } from '../../contract/errors.ts';
import { lookUpFramework } from '../../find/framework.ts';
import { lookUpBuyer, lookUpCompany, numberIn } from '../../find/organisation.ts';
import { sayUnknown } from '../../validation/words.ts';

type Undefinable<T> = { [K in keyof T]?: T[K] | undefined };
type Several = Extract<(typeof FILTERS)[number], { several: true }>['name'];

const LIST_ROWS = VALUE_ROWS.filter(({ several }) => several);

/** Filters as a caller sends them: several values are one text, separated by commas. */
export type GivenFilters = Undefinable<Omit<SearchFilters, Several> & Record<Several, string>>;

/** How to find the id of a thing that a filter or a cursor may give by another identifier. */
export const ID_OF = {
  buyer: async (catalogue: Database, given: string) => (await lookUpBuyer(catalogue, given))?.id,
  company: async (catalogue: Database, given: string) => {
    const known = await lookUpCompany(catalogue, given);
    if (known) return idOf(known);
    // The id that it has once it is known: a watch may wait for its first contract.
    const number = numberIn(given);
    return number === null ? undefined : `GB-COH-${number}`;
  },
  framework: async (catalogue: Database, given: string) => (await lookUpFramework(catalogue, given))?.id,
};

/** Names of the filters with an id: since it was given, it may have become another's. */
export const ID_FILTERS: readonly string[] = VALUE_ROWS.filter(({ values = '' }) => values in ID_OF).map(
  ({ name }) => name,
);

/**
 * Filters as they are applied. Any identifier of a buyer, supplier or framework becomes its id, a region gets its stored
 * form, and a CPV code stands for its branch.
 */
export async function effectiveFilters(catalogue: Database, given: GivenFilters): Promise<SearchFilters> {
  const all: Record<string, unknown> = { ...given };
  for (const [kind, findId] of Object.entries(ID_OF)) {
    for (const { name, several } of rowsOfKind(kind as ValueKind)) {
      if (all[name] === undefined) continue;
      const given = several ? await separate(catalogue, String(all[name])) : [String(all[name])];
      const ids = await Promise.all(given.map(async (one) => (await findId(catalogue, one)) ?? one));
      all[name] = ids.join(',');
    }
  }
  const names = new Set([...VALUE_ROWS.map(({ name }) => name).filter((name) => name in all), ...Object.keys(all)]);
  const wanted = [...names]
    .map((name) => [name, all[name]] as const)
    .filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(wanted.map(([name, value]) => [name, readValues(name, value)]));
}

/** Filters as an answer shows them: several values separated by commas. */
export function sayFilters(filters: SearchFilters): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  ) as Record<string, string | number | boolean>;
}

/** The number of one company with commas between thousands. */
const ONE_NUMBER = /^(?:GB-COH-)?[A-Z]{0,2}\d{1,3}(?:,\d{3})+$/i;

/** The identifiers of companies in a list. Digits of two numbers must not be read as those of a third company. */
async function separate(catalogue: Database, given: string): Promise<string[]> {
  return ONE_NUMBER.test(given) && (await lookUpCompany(catalogue, given)) ? [given] : splitList(given);
}

/** The values of a filter, from the text that holds them. A single id stays a text. */
export function readValues(name: string, value: unknown): unknown {
  const row = LIST_ROWS.find((one) => one.name === name);
  if (!row) return value;
  const values = [...new Set(row.kind === 'prefix' ? row.parse(String(value)) : splitList(String(value)))];
  return values.length === 1 && ID_FILTERS.includes(name) ? values[0] : values;
}

/** Refuses a lower bound above its upper one. `at` is the input that holds them, if they are not inputs themselves. @throws InvalidInput */
export function checkBounds(input: object, at: readonly string[] = []): void {
  const given = input as Readonly<Record<string, string | number | undefined>>;
  for (const least of BOUND_ROWS.filter(({ comparison }) => comparison === '>=')) {
    for (const most of BOUND_ROWS.filter(({ field, comparison }) => field === least.field && comparison === '<=')) {
      checkPair([...at, least.name], given[least.name], most.name, given[most.name]);
    }
  }
}

/** Faults of a search that no single input shows. @throws InvalidInput */
export function checkSearch(input: { facets?: string | undefined }, known?: readonly FacetName[]): void {
  checkBounds(input);
  parseFacets(input.facets, known);
}

/** Facet names in a comma-separated list. @throws InvalidInput with the available ones. */
export function parseFacets(list: string | undefined, known: readonly FacetName[] = FACETS): FacetName[] {
  const names = splitList(list ?? '').map((name) => name.toLowerCase() as FacetName);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return [...new Set(names)];
  const expected = known.join(', ');
  throw new InvalidInput({
    path: ['facets'],
    msg: sayUnknown(unknown, known),
    type: 'literal_error',
    input: list,
    ctx: { expected },
  });
}

/** Refuses one pair of bounds. `least`: the path of the lower one. @throws InvalidInput */
export function checkPair<T extends number | string>(
  least: string[],
  from: T | undefined,
  most: string,
  to: T | undefined,
): void {
  if (from === undefined || to === undefined || from <= to) return;
  const msg = `${least.at(-1)} is ${typeof from === 'number' ? 'above' : 'later than'} ${most}`;
  throw new InvalidInput({ path: least, msg, type: 'value_error', input: from });
}
