import type { ExportDataset } from '../../schema/accounts/exports/datasets.ts';
import { FILTERS, type SearchFilters } from './index.ts';
import type { BoundRow, ExactRow, FilterRow, InputsOf, PrefixRow, ValueKind } from './row.ts';

/** Every row of the table, whatever its kind. */
export const ROWS: readonly FilterRow[] = FILTERS;
/** The rows that want some values, and neither a bound nor the clock. */
export const VALUE_ROWS = ROWS.filter((row) => row.kind === 'exact' || row.kind === 'prefix') as (
  | ExactRow
  | PrefixRow
)[];
/** What the index knows. Contracts, companies and buyers are only in the catalogue. */
const INDEXED: readonly ExportDataset[] = ['notices', 'tenders', 'frameworks'];
/** The rows whose values are tokens of the index. */
export const TOKEN_ROWS = VALUE_ROWS.filter(({ datasets }) => datasets.some((dataset) => INDEXED.includes(dataset)));
/** The rows that bound a number or a day. */
export const BOUND_ROWS = ROWS.filter((row) => row.kind === 'range' || row.kind === 'date') as BoundRow[];

/** The row of a filter, of a dataset where several bear the name; undefined where no filter has it. */
export function rowOf(name: string, dataset?: ExportDataset): FilterRow | undefined {
  return ROWS.find((row) => row.name === name && (dataset === undefined || row.datasets.includes(dataset)));
}

/** The rows of the filters that a dataset takes, in the order of the table. */
export function rowsOf(dataset: ExportDataset): readonly FilterRow[] {
  return ROWS.filter(({ datasets }) => datasets.includes(dataset));
}

/** The values that the filters of a dataset have where none is sent, by name. */
export function usualValues(dataset: ExportDataset): Readonly<Record<string, string>> {
  return Object.fromEntries(
    rowsOf(dataset).flatMap(({ name, input }): [string, string][] => {
      const usual = input.safeParse(undefined).data;
      return typeof usual === 'string' ? [[name, usual]] : [];
    }),
  );
}

/** The filters whose values are of a kind, in the order of the table. */
export function rowsOfKind(kind: ValueKind): FilterRow[] {
  return ROWS.filter(({ values }) => values === kind);
}

/** The values that a query wants of a list filter; undefined if it does not use the filter. */
export function wantedValues(filters: SearchFilters, { name }: Pick<FilterRow, 'name'>): readonly string[] | undefined {
  const value = (filters as Readonly<Record<string, string | readonly string[] | undefined>>)[name];
  return typeof value === 'string' ? [value] : value;
}

/** The bound that a query sets: pounds, or a London calendar date; undefined if it sets none. */
export function wantedBound(filters: SearchFilters, { name }: BoundRow): number | string | undefined {
  return (filters as Readonly<Record<string, number | string | undefined>>)[name];
}

/** The names of the filters that a dataset takes, in the order of the table. */
export function filterNames(dataset: ExportDataset): (keyof SearchFilters)[] {
  return rowsOf(dataset).map(({ name }) => name as keyof SearchFilters);
}

/** The inputs of some rows, by name. */
export function inputsOf<R extends FilterRow>(rows: readonly R[]): InputsOf<R> {
  return Object.fromEntries(rows.map(({ name, input }) => [name, input])) as InputsOf<R>;
}
