import type { z } from 'zod';
import type { ExportDataset } from '../../schema/accounts/exports/datasets.ts';
import type { Region } from '../../schema/reference/regions.ts';
import type { FacetName } from './facets.ts';

/** The library of schemas. A row is given it, as most processes that read the table check no input and need not load it. */
export type Zod = typeof z;

/** Where a document's codes are read from. */
interface Coded {
  readonly cpvs: readonly string[];
  readonly regions: readonly Region[];
}

/**
 * The kind of a filter's values. It decides how they are shown and how a known one is recognised. A `code` is shown as it is
 * sent.
 */
export type ValueKind =
  | (
      | 'buyer'
      | 'company'
      | 'framework'
      | 'cpv'
      | 'region'
      | 'nation'
      | 'source'
      | 'notice_type'
      | 'stage'
      | 'procedure'
      | 'direct_award_ground'
      | 'buyer_kind'
      | 'framework_kind'
      | 'suited'
      | 'special_regime'
      | 'reserved'
      | 'code'
    )
  | ('pounds' | 'day' | 'number' | 'flag' | 'bid_status' | 'contract_status');

/** The fields of every filter. */
interface Row {
  /** The input's name on every transport, and the key in `SearchFilters`. Rows with the same name filter different datasets. */
  name: string;
  /** Its name on a page. */
  label: string;
  /** The heading of its values in a form, where that differs; both bounds of a pair share it. */
  heading?: string;
  /** What to type, for people, where a form has a text field for it. */
  hint?: string;
  /** Values that a form offers without counts. */
  choices?: readonly string[];
  /** The facet whose counted values a form offers. */
  facet?: FacetName;
  values: ValueKind;
  /** Makes the input schema. Its description is for the tools. */
  input(z: Zod): z.ZodType;
  /** The description for readers of OpenAPI. How to write a day or several values is added. */
  words: string;
  /** An example for OpenAPI, where the input has none, as examples in the input take up space in the tools. */
  example?: unknown;
  /** Names that callers often use for it: each gets a hint. */
  aliases: readonly string[];
  /** The searches that it filters, and the exports of the same name. */
  datasets: readonly ExportDataset[];
  /** The names of its values, where these are codes: a hint turns a name into its code. */
  called?: Readonly<Record<string, string | readonly string[]>>;
  /** What its values mean, in plain words, for callers who request a list of them. */
  meanings?: Readonly<Record<string, string>>;
  /** The value that a text in an unusual form means, with its name where it has one, for a hint. */
  meant?(text: string): { code: string; name?: string } | undefined;
}

/** What an exact filter compares. In a list one equal value is enough. */
type ExactField =
  | ('buyer_id' | 'sources' | 'nation' | 'stage' | 'notice_type' | 'currency' | 'status')
  | ('suitable_for' | 'special_regimes' | 'reserved_for')
  | ('company_ids' | 'framework_id' | 'procedure' | 'direct_award_grounds' | 'buyer_kind')
  | ('kind' | 'scope' | 'framework_kind');

/** A filter by equality. */
export interface ExactRow extends Row {
  kind: 'exact';
  /** The document field, and the column of the catalogue's tables. */
  field: ExactField;
  /** A field of some documents with further values: one of either field is enough. */
  also?: 'joint_buyer_ids';
  /** Whether several values may be sent: one match is enough. */
  several: boolean;
  /** One letter or digit that marks its tokens in the embedded index; no two rows of a collection share one. */
  letter: string;
}

/** A filter by codes: each stands for everything below it. Several may be sent. */
export interface PrefixRow extends Row {
  kind: 'prefix';
  /** The document field, and where the SQL of a dataset reads the codes. */
  field: 'cpvs' | 'regions';
  several: true;
  letter: string;
  codes(document: Coded): readonly (string | null | undefined)[];
  /** Lengths at which the embedded index stores a code; other lengths are searched as a beginning, which is slower. */
  lengths: readonly number[];
  /** Set if names are searched as well as codes; `never` matches what cannot be a name. */
  names?: { letter: string; of(document: Coded): readonly string[]; never: RegExp };
  /** The values in their stored form. */
  parse(text: string): string[];
}

/** A filter by true or false; rows where it is unknown match neither. */
export interface FlagRow extends Row {
  kind: 'flag';
  field: 'sme' | 'vcse' | 'above_threshold';
  several: false;
  letter: string;
}

/** An inclusive bound: `range` a number (a value in pounds), `date` a London calendar date. */
export interface BoundRow extends Row {
  kind: 'range' | 'date';
  field: BoundField;
  comparison: '>=' | '<=';
  several: false;
}

/** What a bound compares. The value of a framework is its ceiling; `dated` is the day by which a contract sorts. */
export type BoundField =
  | 'value'
  | 'published'
  | 'deadline'
  | 'tender_expected'
  | 'dated'
  | 'starts'
  | 'ends'
  | 'standstill_until'
  | 'bids';

/** A filter by the clock: whether bids are accepted now, or the state of a contract today. */
interface ClockRow extends Row {
  kind: 'clock';
  several: false;
}

/** A filter only for a list of organisations: no document has it, and the list compares it. */
export interface ListedRow extends Row {
  kind: 'listed';
  several: boolean;
}

/** A filter that an index supports. */
export type FilterRow = ExactRow | PrefixRow | FlagRow | BoundRow | ClockRow;
export type AnyFilterRow = FilterRow | ListedRow;

/** The filter values of a document, according to a row's kind. */
type ValueOf<R extends FilterRow> = R extends ClockRow
  ? z.output<ReturnType<R['input']>>
  : R extends FlagRow
    ? boolean
    : R['several'] extends true
      ? readonly string[] | LoneValue<R>
      : R extends { kind: 'range' }
        ? number
        : string;

/** One supplier is a text, as in watches and cursors from before several could be sent. */
type LoneValue<R extends FilterRow> = R['values'] extends 'company' ? string : never;

/** The filters of a query, by name. */
export type FiltersOf<Rows extends readonly FilterRow[]> = { -readonly [R in Rows[number] as R['name']]?: ValueOf<R> };

/** The rows of the filters that a dataset takes. */
export type RowsFor<Rows extends readonly FilterRow[], Dataset extends ExportDataset> = {
  [At in keyof Rows]: Dataset extends Rows[At]['datasets'][number] ? Rows[At] : never;
}[number];

/** The inputs of some rows, by name. */
export type InputsOf<Row extends AnyFilterRow> = { -readonly [R in Row as R['name']]: ReturnType<R['input']> };
