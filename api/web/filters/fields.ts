import type { FacetName } from '../../../search/filters/facets.ts';
import { ROWS } from '../../../search/filters/read.ts';
import type { BoundRow, FilterRow } from '../../../search/filters/row.ts';
import type { Scope } from '../queries/hits.ts';

/** A field of the search form: the values of one filter, or the two bounds of a pair. */
export interface FormField {
  /** The name of its values in the form; the name for counted bands of a bound. */
  name: string;
  heading: string;
  rows: readonly [FilterRow, ...FilterRow[]];
  /** The facet that counts its values; absent where they are not counted. */
  facet: FacetName | undefined;
}

/** The first fields of the form. Other filters follow in the order of their table, days last. */
const FIRST = [
  'status',
  'stage',
  'nation',
  'region',
  'cpv',
  'value',
  'buyer_id',
  'company_number',
  'procedure',
  'notice_type',
  'source',
];
/** Filters that a form leaves out: nearly every live tender is at the stage of tender. */
const LEFT_OUT: Readonly<Record<Scope, readonly string[]>> = {
  notices: [],
  tenders: ['stage'],
  contracts: [],
  frameworks: [],
};

const FIELDS: Readonly<Record<Scope, readonly FormField[]>> = {
  notices: makeFields('notices'),
  tenders: makeFields('tenders'),
  contracts: makeFields('contracts'),
  frameworks: makeFields('frameworks'),
};

/** The fields of a search form, in their order. */
export function formFields(scope: Scope): readonly FormField[] {
  return FIELDS[scope];
}

/** The facets that a result page counts, in the order of its form. */
export function pageFacets(scope: Scope): FacetName[] {
  return FIELDS[scope].flatMap(({ facet }) => facet ?? []);
}

/** The filters without a field; the form keeps those of the address. */
export function leftOut(scope: Scope): readonly string[] {
  return LEFT_OUT[scope];
}

/** Whether a filter is a bound, which a form shows with the other bound of its pair. */
export function isBound(row: FilterRow): row is BoundRow {
  return row.kind === 'range' || row.kind === 'date';
}

function makeFields(scope: Scope): FormField[] {
  const rows = ROWS.filter(({ name, datasets }) => datasets.includes(scope) && !LEFT_OUT[scope].includes(name));
  const fields = new Map<string, FormField>();
  for (const row of rows) {
    const key = isBound(row) ? row.field : row.name;
    const { heading = row.label } = row;
    // The bands of values are not those of ceilings.
    const facet = scope === 'frameworks' && isBound(row) ? undefined : row.facet;
    const [first, ...others] = fields.get(key)?.rows ?? [];
    const name = isBound(row) ? (facet ?? key) : key;
    fields.set(key, { name, heading, facet, rows: first ? [first, ...others, row] : [row] });
  }
  const place = (key: string, { rows: [row] }: FormField) => {
    if (row.kind === 'date') return FIRST.length + 1;
    return FIRST.includes(key) ? FIRST.indexOf(key) : FIRST.length;
  };
  return [...fields].toSorted(([a, one], [b, other]) => place(a, one) - place(b, other)).map(([, field]) => field);
}
