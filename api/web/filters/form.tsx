import { FILTER_NAMES } from '../components/labels.ts';
import type { Query, Scope } from '../queries/hits.ts';
import { activeFilters } from './active.tsx';
import { BAND_FIELD } from './bands.ts';
import { Facet, SEARCH_FORM } from './facet.tsx';
import { countsAddress, countsAtOnce, type FacetGroup } from './groups.ts';
import { isValidValue, type Several, STATUSES, splitValues } from './values.ts';

interface FiltersProps {
  scope: Scope;
  query: Query;
  groups: readonly FacetGroup[];
  /** Whether only the newest results were counted. */
  bounded: boolean;
}

/**
 * The filters as fields of the search form: counted values and bounds. They
 * unfold on a phone and are next to the results elsewhere.
 */
export function Filters(props: FiltersProps) {
  const { scope, query } = props;
  const chosen = activeFilters(query).reduce((sum, [, values]) => sum + values.length, 0);
  return (
    <aside aria-label="Filters">
      <details class="filters">
        <summary>Narrow these results{chosen > 0 && ` (${chosen} chosen)`}</summary>
        <Uncounted scope={scope} query={query} />
        <Fields {...props} />
        {query.facets && <input type="hidden" name="facets" value={query.facets} form={SEARCH_FORM} />}
        <div class="filters-send">
          <button type="submit" form={SEARCH_FORM}>
            Apply
          </button>
        </div>
      </details>
    </aside>
  );
}

function Uncounted({ scope, query }: { scope: Scope; query: Query }) {
  if (countsAtOnce(scope, query)) return null;
  return (
    <p class="facet small">
      <a href={countsAddress(scope, query)} rel="nofollow">
        Count these by{' '}
        {scope === 'notices' ? 'stage, region, subject, value and buyer' : 'region, subject, value and buyer'}
      </a>
    </p>
  );
}

function Fields({ scope, query, groups, bounded }: FiltersProps) {
  const groupOf = (name: string, label: string) =>
    groups.find((group) => group.name === name) ?? { name, label, values: [] };
  const named = (name: string) => {
    const group = groups.find((one) => one.name === name);
    return group && <Facet group={group} />;
  };
  return (
    <>
      {scope === 'tenders' && <Choice name="status" options={STATUSES} all="Open for bids" query={query} />}
      {named('stage')}
      <Facet group={groupOf('region', 'Region')}>
        <Another name="region" hint="Name or ITL code: London, TLI3" query={query} />
      </Facet>
      <Facet group={groupOf('cpv', 'What is bought')}>
        <Another name="cpv" hint="CPV code or its first digits: 45, 71000000" query={query} />
      </Facet>
      <Facet group={groupOf(BAND_FIELD, 'Value in pounds')}>
        <Pair names={['value_min', 'value_max']} query={query} />
      </Facet>
      {named('buyer_id')}
      {named('notice_type')}
      {named('source')}
      {bounded && groups.length > 0 && <p class="hint">Counted over the newest 10,000 of the results.</p>}
      <Days legend="Published" names={['published_from', 'published_to']} query={query} />
      {scope === 'tenders' && <Days legend="Deadline" names={['deadline_from', 'deadline_to']} query={query} />}
      {query.match && <input type="hidden" name="match" value={query.match} form={SEARCH_FORM} />}
    </>
  );
}

/** A text field for other values. Chosen values are ticked above; refused ones are repeated here. */
function Another({ name, hint, query }: { name: Several; hint: string; query: Query }) {
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

type Options = readonly (readonly [value: string, label: string])[];

function Choice(props: { name: string; options: Options; all: string; query: Query }) {
  const { name, options, all, query } = props;
  return (
    <div class="field">
      <label for={name}>{FILTER_NAMES[name]}</label>
      <select id={name} name={name} form={SEARCH_FORM}>
        <option value="">{all}</option>
        {options.map(([value, label]) => (
          <option key={value} value={value} selected={query[name] === value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}

interface BoundsProps {
  names: readonly [from: string, to: string];
  query: Query;
}
const ENDS = ['From', 'To'];

function Pair({ names, query }: BoundsProps) {
  return (
    <div class="pair">
      {names.map((name, at) => (
        <div key={name}>
          <label for={name} class="light">
            {ENDS[at]}
          </label>
          <input id={name} name={name} form={SEARCH_FORM} value={query[name]} inputMode="numeric" />
        </div>
      ))}
    </div>
  );
}

function Days({ legend, names, query }: BoundsProps & { legend: string }) {
  return (
    <fieldset class="facet">
      <legend>{legend}</legend>
      <div class="pair days">
        {names.map((name, at) => (
          <div key={name} class="day">
            <label for={name} class="light">
              {ENDS[at]}
            </label>
            <input id={name} name={name} form={SEARCH_FORM} value={query[name]} type="date" />
          </div>
        ))}
      </div>
    </fieldset>
  );
}
