import type { z } from 'zod';
import type { ExportDataset } from '../../schema/accounts/exports/datasets.ts';
import type { Region } from '../../schema/reference/regions.ts';
import type { FacetName } from './facets.ts';

/** What the codes of a document are read from. */
interface Coded {
  readonly cpvs: readonly string[];
  readonly regions: readonly Region[];
}

/**
 * What the values of a filter are. It decides how people read them and whether one is known.
 * A `code` is shown as it is sent.
 */
export type ValueKind =
  | ('buyer' | 'cpv' | 'region' | 'source' | 'notice_type' | 'stage' | 'code')
  | ('pounds' | 'day' | 'bid_status');

/** What every filter states. */
interface Row {
  /** The input's name on every transport, and the key in `SearchFilters`. */
  name: string;
  /** What it is called on a page. */
  label: string;
  /** What its values are called above them in a form, where that differs; both bounds of a pair have the same. */
  heading?: string;
  /** What to type, for people, where a form has a text field for it. */
  hint?: string;
  /** Values that a form offers without having counted any. */
  choices?: readonly string[];
  /** What results are counted by to offer its values with their numbers. */
  facet?: FacetName;
  values: ValueKind;
  /** What a caller sends. Its description is for the tools. */
  input: z.ZodType;
  /** What it is, for people who read OpenAPI. How a day or several values are written is added. */
  words: string;
  /** An example for OpenAPI, where the input has none: each of those costs the tools some of their room. */
  example?: unknown;
  /** Names that callers use for it by habit: each gets a hint. */
  aliases: readonly string[];
  /** What it filters: the searches, and the exports of the same name. */
  datasets: readonly ExportDataset[];
  /** What its values are called, where they are codes: a hint takes a name for its code. */
  called?: Readonly<Record<string, string | readonly string[]>>;
  /** What its values mean, in plain words, for those who ask for a list of them. */
  meanings?: Readonly<Record<string, string>>;
  /** The value that a text in no usual form means, with its name where it has one, for a hint. */
  meant?(text: string): { code: string; name?: string } | undefined;
}

/** A filter by equal values. */
export interface ExactRow extends Row {
  kind: 'exact';
  /** The document field, and the column of the catalogue's tables. */
  field: 'buyer_id' | 'source' | 'stage' | 'notice_type' | 'currency' | 'status';
  /** Whether several values may be sent: one that matches is enough. */
  several: boolean;
  /** One letter that tells its tokens apart in the embedded index; no two rows share one. */
  letter: string;
}

/** A filter by codes: each stands for everything below it. Several may be sent. */
export interface PrefixRow extends Row {
  kind: 'prefix';
  /** The document field, and what the SQL of a dataset reads the codes from. */
  field: 'cpvs' | 'regions';
  several: true;
  letter: string;
  codes(document: Coded): readonly (string | null | undefined)[];
  /** Lengths at which the embedded index stores a code; other lengths are read as a beginning, which is slower. */
  lengths: readonly number[];
  /** Set if names are looked for as well as codes; `never` matches what cannot be a name. */
  names?: { letter: string; of(document: Coded): readonly string[]; never: RegExp };
  /** The values in their stored form. */
  parse(text: string): string[];
}

/** An inclusive bound: `range` in pounds, `date` as a London calendar date. */
export interface BoundRow extends Row {
  kind: 'range' | 'date';
  field: BoundField;
  comparison: '>=' | '<=';
  several: false;
}

/** What a bound compares. The value of a framework is its ceiling. */
export type BoundField = 'value' | 'published' | 'deadline';

/** A filter by the clock: whether bids are taken now. */
export interface ClockRow extends Row {
  kind: 'clock';
  several: false;
}

export type FilterRow = ExactRow | PrefixRow | BoundRow | ClockRow;

/** The values by which documents are filtered, of a row's kind. */
type ValueOf<R extends FilterRow> = R extends ClockRow
  ? 'open' | 'closed' | 'any'
  : R['several'] extends true
    ? readonly string[]
    : R extends { kind: 'range' }
      ? number
      : string;

/** The filters of a query, by name. */
export type FiltersOf<Rows extends readonly FilterRow[]> = { -readonly [R in Rows[number] as R['name']]?: ValueOf<R> };

/** The names of the filters that a dataset takes. */
export type NamesOf<Rows extends readonly FilterRow[], Dataset extends ExportDataset> = {
  [R in Rows[number] as R['name']]: Dataset extends R['datasets'][number] ? R['name'] : never;
}[Rows[number]['name']];

/** The inputs of some rows, by name. */
export type InputsOf<Rows extends readonly FilterRow[]> = { -readonly [R in Rows[number] as R['name']]: R['input'] };
