import type { FilterRow } from '../../../search/filters/row.ts';
import { inputOf } from '../../validation/inputs.ts';
import type { PageContext } from '../components/source-title.ts';
import type { Query, Scope } from '../queries/hits.ts';
import { activeFilters } from './active.tsx';
import { Facet, FilterPanel, SEARCH_FORM } from './facet.tsx';
import { type FormField, formFields, isBound, leftOut } from './fields.ts';
import { countsAddress, type FacetGroup } from './groups.ts';
import { isValidValue, labelOf, splitValues } from './values.ts';

interface FiltersProps {
  scope: Scope;
  query: Query;
  groups: readonly FacetGroup[];
  /** Whether its values are counted; if not, a link counts them. */
  isCounted: boolean;
  /** Whether only the newest results were counted. */
  bounded: boolean;
  /** Names of fields that it leaves out. */
  without?: readonly string[] | undefined;
}

/** The filters of a search: counted values and bounds. */
export function Filters(props: FiltersProps) {
  const { scope, query, isCounted } = props;
  const chosen = activeFilters(scope, query).reduce((sum, [, values]) => sum + values.length, 0);
  return (
    <FilterPanel chosen={chosen}>
      {!isCounted && <Uncounted scope={scope} query={query} />}
      <Fields {...props} />
      {query.facets && <input type="hidden" name="facets" value={query.facets} form={SEARCH_FORM} />}
    </FilterPanel>
  );
}

const COUNTED = {
  notices: 'stage, region, subject, value and buyer',
  tenders: 'region, subject, value and buyer',
  contracts: 'region, subject, value, buyer, supplier and procedure',
  frameworks: 'region, subject and buyer',
} as const;

function Uncounted({ scope, query }: { scope: Scope; query: Query }) {
  return (
    <p class="facet small">
      <a href={countsAddress(scope, query)} rel="nofollow">
        Count these by {COUNTED[scope]}
      </a>
    </p>
  );
}

function Fields({ scope, query, groups, bounded, without = [] }: FiltersProps) {
  const fields = formFields(scope).filter(({ name }) => !without.includes(name));
  const each = (field: FormField) => (
    <Field key={field.name} field={field} query={query} group={groups.find(({ name }) => name === field.name)} />
  );
  return (
    <>
      {fields.filter(({ rows: [{ kind }] }) => kind !== 'date').map(each)}
      {bounded && groups.length > 0 && <p class="hint">Counted over the newest 10,000 of the results.</p>}
      {fields.filter(({ rows: [{ kind }] }) => kind === 'date').map(each)}
      {[...leftOut(scope), 'match'].map(
        (name) => query[name] && <input key={name} type="hidden" name={name} value={query[name]} form={SEARCH_FORM} />,
      )}
    </>
  );
}

interface FieldProps {
  field: FormField;
  /** The values that it offers; undefined if there are none to choose among. */
  group: FacetGroup | undefined;
  query: Query;
}

/** A field by the kind of its filter. Codes have a text field too, for those that are not offered. */
function Field({ field: { name, heading, facet, rows }, group, query }: FieldProps) {
  const [row] = rows;
  if (row.kind === 'clock') return <Choice row={row} query={query} />;
  if (row.kind === 'date') return <Days legend={heading} rows={rows} query={query} />;
  const shown = group ?? { name, label: heading, values: [] };
  if (row.kind === 'range') {
    return (
      <Facet group={shown}>
        <Pair rows={rows} query={query} />
      </Facet>
    );
  }
  const hasText = row.kind === 'prefix' || !(facet || row.choices || row.kind === 'flag');
  if (!group && !hasText) return null;
  return <Facet group={shown}>{hasText && <Another row={row} query={query} />}</Facet>;
}

interface RowProps {
  row: FilterRow;
  query: Query;
}

/** A text field for other values. Chosen values are ticked above; refused ones are repeated here. */
function Another({ row: { name, label, hint = label }, query }: RowProps) {
  const refused = splitValues(name, query[name]).filter((value) => !isValidValue(name, value));
  return (
    <div class="field">
      <label for={name} class="light">
        {hint}
      </label>
      <input id={name} name={name} form={SEARCH_FORM} value={refused.join(',') || undefined} maxLength={200} />
    </div>
  );
}

/** The choices of a filter by the clock. The usual one is what an empty field means. */
function Choice({ row, query }: RowProps, { titles }: PageContext) {
  const { name, label, choices = [] } = row;
  const usual = inputOf(row).safeParse(undefined).data;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name} form={SEARCH_FORM}>
        {choices.map((value) => (
          <option key={value} value={value === usual ? '' : value} selected={query[name] === value && value !== usual}>
            {labelOf(row, value, titles)}
          </option>
        ))}
      </select>
    </div>
  );
}

interface BoundsProps {
  rows: readonly FilterRow[];
  query: Query;
}
const endOf = (row: FilterRow) => (isBound(row) && row.comparison === '<=' ? 'To' : 'From');

function Pair({ rows, query }: BoundsProps) {
  return (
    <div class="pair">
      {rows.map((row) => (
        <div key={row.name}>
          <label for={row.name} class="light">
            {endOf(row)}
          </label>
          <input id={row.name} name={row.name} form={SEARCH_FORM} value={query[row.name]} inputMode="numeric" />
        </div>
      ))}
    </div>
  );
}

function Days({ legend, rows, query }: BoundsProps & { legend: string }) {
  return (
    <fieldset class="facet">
      <legend>{legend}</legend>
      <div class="pair days">
        {rows.map((row) => (
          <div key={row.name} class="day">
            <label for={row.name} class="light">
              {endOf(row)}
            </label>
            <input id={row.name} name={row.name} form={SEARCH_FORM} value={query[row.name]} type="date" />
          </div>
        ))}
      </div>
    </fieldset>
  );
}
