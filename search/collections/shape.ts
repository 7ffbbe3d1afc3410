import type { ExportDataset } from '../../schema/accounts/exports/datasets.ts';
import type { AnyDocument, CollectionName, Scope, SearchQuery } from '../engine.ts';
import type { FacetName } from '../filters/facets.ts';
import type { BoundField } from '../filters/row.ts';

/** A number by which documents are compared or sorted, under its name in both engines. */
export interface Compared<Document> {
  name: string;
  /** Null for a document that lacks it. */
  of(document: Document): number | null;
  /** Whether results are sorted by it. */
  sorts?: boolean;
}

/** What must hold of a number of a document. Without it, nothing holds unless `orNone`. */
export interface Comparison {
  column: string;
  operator: '>' | '>=' | '<' | '<=';
  value: number;
  orNone?: boolean;
}

/** A word of the embedded index that is no filter by value: its letter and value; `isBeginning` of every word that begins so. */
export interface Mark {
  letter: string;
  value: string;
  isBeginning?: boolean;
}

/** The rows that an index drains, as documents. */
export interface Drained {
  table: 'notice' | 'contract';
  /** What is read of a row, named `n`, with `seq` and `gone`; and what it is joined to. */
  columns: string;
  join: string;
  /** Conditions on rows that have no document, each with an index of its `seq`; no row meets two. */
  absent: readonly string[];
  /**
   * Rows that change documents without being part of them. `changed` reads the ids of those numbered above the first argument up
   * to the second and behind an id, the third, in order; `concerns` is a condition on `n` that takes such ids as a JSON list.
   */
  others: { changed: string; concerns: string };
  toDocument(row: never): AnyDocument;
}

/**
 * What an engine has to know of a kind of document. The engines and the sync hold for every collection; all that is true of
 * one alone stands here.
 */
export interface Collection<Document extends AnyDocument = AnyDocument> {
  name: CollectionName;
  /** How the names of its files begin. */
  stem: string;
  /** What filters it: the datasets of the filters table. */
  datasets: readonly ExportDataset[];
  drained: Drained;
  /** The day by which a document sorts, and the bounds that go by it. */
  day: { of(document: Document): string; field: BoundField };
  facets: readonly FacetName[];
  facetValues(document: Document): Partial<Record<FacetName, string[]>>;
  /** What is shown of a hit next to its extract, in the order in which the embedded engine keeps it. */
  shown: readonly string[];
  compared: readonly Compared<Document>[];
  /** The number that a bound compares, and the one that a sort goes by; null where it is the day. */
  boundColumn(field: BoundField, scope: Scope): string | null;
  sortColumn(field: string, scope: Scope): string | null;
  /** The sort where nothing is sought by words. */
  newest: '-published' | '-awarded';
  /** What the clock decides of a query. */
  clock(query: SearchQuery): Comparison[];
  /** What a document is besides, and which of these a query wants; null where any will do. */
  standings(document: Document): string[];
  wantedStanding(query: SearchQuery): string | null;
  /** Further words of a document in the embedded index, and what a query wants of them: one of each group. They save comparisons. */
  marks(document: Document): Mark[];
  wantedMarks(query: SearchQuery): Mark[][];
}
