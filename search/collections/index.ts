import { memoiseByObject } from '../../schema/text/memoise.ts';
import { dayNumber } from '../documents/days.ts';
import type { AnyDocument, CollectionName, Scope, SearchQuery } from '../engine.ts';
import { BOUND_ROWS, fieldsOf, VALUE_ROWS, wantedBound } from '../filters/read.ts';
import type { BoundRow, ExactRow, FilterRow, FlagRow, PrefixRow } from '../filters/row.ts';
import { CONTRACTS } from './contracts.ts';
import { NOTICES } from './notices.ts';
import type { Collection, Comparison } from './shape.ts';

/** What is indexed: each collection has its own indexes in both engines. */
export const COLLECTIONS: Readonly<Record<CollectionName, Collection>> = {
  notices: NOTICES as Collection,
  contracts: CONTRACTS as Collection,
};

/** The collection that a scope is searched in. */
export function collectionOf({ scope }: { scope: Scope }): Collection {
  return scope === 'contracts' ? COLLECTIONS.contracts : COLLECTIONS.notices;
}

const filtersOf = <Row extends FilterRow>(rows: readonly Row[], { datasets }: Pick<Collection, 'datasets'>): Row[] =>
  rows.filter((row) => row.datasets.some((dataset) => datasets.includes(dataset)));

/** The rows of the filters table whose values are tokens, or attributes, of a collection's index. */
export const tokenRows = memoiseByObject((collection: Collection): readonly (ExactRow | PrefixRow | FlagRow)[] =>
  filtersOf(VALUE_ROWS, collection),
);

/** The values by which an exact filter finds a document; a flag is `true` or `false`. */
export function valuesOf(row: ExactRow | FlagRow, document: AnyDocument): readonly string[] {
  const fields = document as unknown as Readonly<Record<string, string | boolean | readonly string[] | null>>;
  return fieldsOf(row).flatMap((field) => {
    const value = fields[field] ?? [];
    return typeof value === 'object' ? value : [String(value)];
  });
}

/** The bounds of a query, each with what it sets. */
export function wantedBounds(query: SearchQuery): { row: BoundRow; bound: number | string }[] {
  return filtersOf(BOUND_ROWS, collectionOf(query)).flatMap((row) => {
    const bound = wantedBound(query.filters, row);
    return bound === undefined ? [] : [{ row, bound }];
  });
}

/** The conditions on a document's numbers: those that depend on the clock, and bounds other than those on its day. */
export function comparisonsOf(query: SearchQuery, without: readonly string[] = []): Comparison[] {
  const collection = collectionOf(query);
  const bounds = wantedBounds(query).flatMap(({ row, bound }) => {
    const column = collection.boundColumn(row.field, query.scope);
    if (column === null || without.includes(row.name)) return [];
    const value = typeof bound === 'number' ? bound : dayNumber(bound);
    return [{ column, operator: row.comparison, value }];
  });
  return [...bounds, ...collection.clock(query)];
}

/** The order of results: by a number, with documents that lack it last, or by day where the column is null. Equals are newest first. */
export interface Order {
  column: string | null;
  descending: boolean;
}

/** The requested order; null for relevance. Without words the newest come first. */
export function orderOf(query: Pick<SearchQuery, 'scope' | 'sort'>, hasWords: boolean): Order | null {
  const collection = collectionOf(query);
  const asked = query.sort === undefined || query.sort === 'relevance' ? null : query.sort;
  const named = asked ?? (hasWords ? null : collection.newest);
  if (named === null) return null;
  return { column: collection.sortColumn(named.replace('-', ''), query.scope), descending: named.startsWith('-') };
}

/** The numbers by which a document is sorted and compared, by name; null where the document lacks one. */
export function comparedOf(collection: Collection, document: AnyDocument): [name: string, value: number | null][] {
  return collection.compared.map(({ name, of }) => [name, of(document)]);
}
