import type { ExportDataset } from '../../schema/accounts/exports/datasets.ts';
import type { AnyDocument, CollectionName, Scope, SearchQuery } from '../engine.ts';
import type { FacetName } from '../filters/facets.ts';
import type { BoundField } from '../filters/row.ts';

/** A number by which documents are compared or sorted, with the same name in both engines. */
interface Compared<Document> {
  name: string;
  /** Null for a document that lacks it. */
  of(document: Document): number | null;
  /** Whether results are sorted by it. */
  sorts?: boolean;
}

/** A condition on a number of a document. A document without the number fails unless `orNone`. */
export interface Comparison {
  column: string;
  operator: '>' | '>=' | '<' | '<=';
  value: number;
  orNone?: boolean;
}

/** A token of the embedded index that is not a filter value. */
export interface IndexToken {
  letter: string;
  value: string;
}

/** The rows that an index drains, as documents. */
interface Drained {
  table: 'notice' | 'contract';
  /** What is read of a row, named `n`, with `seq` and `gone`, and its joins. */
  columns: string;
  join: string;
  /** Conditions on rows that have no document, each with an index by `seq`; no row meets two of them. */
  absent: readonly string[];
  /**
   * Rows that change documents without being part of them. `changed` reads, in order, the ids of those numbered above the first
   * argument and up to the second, after the id in the third. `concerns` is a condition on `n` that takes such ids as a JSON
   * list.
   */
  others: { changed: string; concerns: string };
  toDocument(row: never): AnyDocument;
  /** The columns of a row that a hit needs, and how they become what it shows. */
  shown: { columns: Columns; toShown(row: never): ShownDocument };
}

/** Names of columns, with the SQL of each. */
type Columns = Readonly<Record<string, string>>;

/** Columns of the row itself, under their own names. */
export function namesAsColumns(names: readonly string[]): Columns {
  return Object.fromEntries(names.map((name) => [name, `n.${name}`]));
}

/** Columns as SQL after `SELECT`. */
export function selectColumns(columns: Columns): string {
  return Object.entries(columns)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(', ');
}

/** The parts of a document that a hit shows, with the text from which its extract and highlights come. */
export type ShownDocument = Pick<AnyDocument, 'id' | 'title' | 'description'>;

/**
 * What an engine needs to know about a kind of document. The engines and the sync serve every collection; everything specific to
 * one is defined here.
 */
export interface Collection<Document extends AnyDocument = AnyDocument> {
  name: CollectionName;
  /** How the names of its files begin. */
  stem: string;
  /** The datasets in the filters table whose filters apply. */
  datasets: readonly ExportDataset[];
  drained: Drained;
  /** The day by which a document sorts, the instant that orders those of one day where there is one, and the bounds on that day. */
  day: { of(document: Document): string; at?(document: Document): string; field: BoundField };
  facets: readonly FacetName[];
  facetValues(document: Document): Partial<Record<FacetName, string[]>>;
  /** Fields of a hit shown next to its extract. */
  shown: readonly string[];
  compared: readonly Compared<Document>[];
  /** The number that a bound compares, and the one that a sort uses; null where it is the day. */
  boundColumn(field: BoundField, scope: Scope): string | null;
  sortColumn(field: string, scope: Scope): string | null;
  /** The sort where the query has no words. */
  newest: '-published' | '-awarded';
  /** What the clock decides of a query. */
  clock(query: SearchQuery): Comparison[];
  /** Further properties of a document in one word each, and the one that a query requires; null where it requires none. */
  flags(document: Document): string[];
  wantedFlag(query: SearchQuery): string | null;
  /** Further tokens of a document in the embedded index, and which of them a query requires: one from each group. They save comparisons. */
  tokens(document: Document): IndexToken[];
  wantedTokens(query: SearchQuery): IndexToken[][];
}
