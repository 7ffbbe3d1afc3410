import type { ExportDataset } from '../../schema/accounts/exports/datasets.ts';
import { FILTERS, type SearchFilters } from './index.ts';
import type { BoundRow, ExactRow, FilterRow, FlagRow, PrefixRow, ValueKind } from './row.ts';

/** Every row of the table, whatever its kind. */
export const ROWS: readonly FilterRow[] = FILTERS;
/** The rows that compare values, rather than a bound or the clock. */
export const VALUE_ROWS = ROWS.filter(({ kind }) => kind === 'exact' || kind === 'prefix' || kind === 'flag') as (
  | ExactRow
  | PrefixRow
  | FlagRow
)[];
/** The rows that set a bound on a number or a day. */
export const BOUND_ROWS = ROWS.filter((row) => row.kind === 'range' || row.kind === 'date') as BoundRow[];

/** The row of a filter, for a given dataset where several rows share the name; undefined where no filter has it. */
export function rowOf(name: string, dataset?: ExportDataset): FilterRow | undefined {
  return ROWS.find((row) => row.name === name && (dataset === undefined || row.datasets.includes(dataset)));
}

/** The rows of the filters that a dataset takes, in the order of the table. */
export function rowsOf(dataset: ExportDataset): readonly FilterRow[] {
  return ROWS.filter(({ datasets }) => datasets.includes(dataset));
}

/** The filters whose values are of a kind, in the order of the table. */
export function rowsOfKind(kind: ValueKind): FilterRow[] {
  return ROWS.filter(({ values }) => values === kind);
}

/** The values that a query requires from an exact filter; undefined if it does not use the filter. A flag is `true` or `false`. */
export function wantedValues(filters: SearchFilters, { name }: Pick<FilterRow, 'name'>): readonly string[] | undefined {
  const value = (filters as Readonly<Record<string, string | boolean | readonly string[] | undefined>>)[name];
  return typeof value === 'object' || value === undefined ? value : [String(value)];
}

/** The fields that a filter by equality compares; a value of one of them is enough. */
export function fieldsOf({ field, also }: { readonly field: string; readonly also?: string }): readonly string[] {
  return also === undefined ? [field] : [field, also];
}

/** The bound that a query sets: pounds, or a London calendar date; undefined if it sets none. */
export function wantedBound(filters: SearchFilters, { name }: BoundRow): number | string | undefined {
  return (filters as Readonly<Record<string, number | string | undefined>>)[name];
}

/** The names of the filters that a dataset takes, in the order of the table. */
export function filterNames(dataset: ExportDataset): (keyof SearchFilters)[] {
  return rowsOf(dataset).map(({ name }) => name as keyof SearchFilters);
}
