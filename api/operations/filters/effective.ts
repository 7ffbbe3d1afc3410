import type { Database } from '../../../schema/db/interface.ts';
import type { FILTERS, SearchFilters } from '../../../search/filters/index.ts';
import { rowsOfKind, TOKEN_ROWS } from '../../../search/filters/read.ts';
import { splitList } from '../../../search/filters/shapes.ts';
import { lookUpBuyer } from '../find/organisation.ts';

type Undefinable<T> = { [K in keyof T]?: T[K] | undefined };
type Several = Extract<(typeof FILTERS)[number], { several: true }>['name'];

const LIST_ROWS = TOKEN_ROWS.filter(({ several }) => several);

/** Filters as a caller gives them: several values are one text with commas between. */
export type GivenFilters = Undefinable<Omit<SearchFilters, Several> & Record<Several, string>>;

/**
 * Filters as they are applied: any identifier of a buyer becomes its buyer_id, a region takes the form in which it is kept, and a
 * CPV code stands for its branch.
 */
export async function effectiveFilters(catalogue: Database, given: GivenFilters): Promise<SearchFilters> {
  const all: Record<string, unknown> = { ...given };
  for (const { name } of rowsOfKind('buyer')) {
    if (all[name] !== undefined) all[name] = (await lookUpBuyer(catalogue, String(all[name])))?.id ?? all[name];
  }
  const names = new Set([...TOKEN_ROWS.map(({ name }) => name).filter((name) => name in all), ...Object.keys(all)]);
  const wanted = [...names]
    .map((name) => [name, all[name]] as const)
    .filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(wanted.map(([name, value]) => [name, readValues(name, value)]));
}

/** Filters as an answer tells them: several values with commas between. */
export function sayFilters(filters: SearchFilters): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  ) as Record<string, string | number>;
}

function readValues(name: string, value: unknown): unknown {
  const row = LIST_ROWS.find((one) => one.name === name);
  if (!row) return value;
  return unique(row.kind === 'prefix' ? row.parse(String(value)) : splitList(String(value)));
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}
