import { countsAddress, countsAtOnce, type FacetGroup } from '../facets.ts';
import type { Query, Scope } from '../find-hits.ts';
import { FILTER_NAMES } from '../labels.ts';
import { STATUSES } from './active-filters.tsx';
import { Facets } from './facet-list.tsx';

export const SEARCH_FORM = 'search';

/** The filters that have no field of their own in the form: it hands them on. */
const HANDED_ON = ['buyer_id', 'source', 'stage', 'notice_type', 'facets'];

/**
 * What narrows a search: counted values to choose from, and the filters of the API as fields of the search form. Both
 * unfold on a phone and stand beside the results elsewhere.
 */
export function Filters(props: { scope: Scope; query: Query; groups: readonly FacetGroup[]; bounded: boolean }) {
  const { scope, query, groups, bounded } = props;
  return (
    <aside aria-label="Filters">
      <details class="filters">
        <summary>Narrow these results</summary>
        {countsAtOnce(scope, query) ? (
          <Facets groups={groups} bounded={bounded} />
        ) : (
          <p class="facet small">
            <a href={countsAddress(scope, query)} rel="nofollow">
              Count these by{' '}
              {scope === 'notices' ? 'stage, region, subject, value and buyer' : 'region, subject, value and buyer'}
            </a>
          </p>
        )}
        <section class="facet" aria-label="Other filters">
          {groups.length > 0 && <h2>Or give bounds</h2>}
          <Fields scope={scope} query={query} />
        </section>
      </details>
    </aside>
  );
}

function Fields({ scope, query }: { scope: Scope; query: Query }) {
  return (
    <>
      {scope === 'tenders' && <Choice name="status" options={STATUSES} all="Open for bids" query={query} />}
      <Pair legend="Value in pounds" names={['value_min', 'value_max']} labels={['From', 'To']} query={query} />
      <Pair legend="Published" names={['published_from', 'published_to']} labels={['From', 'To']} query={query} day />
      {scope === 'tenders' && (
        <Pair legend="Deadline" names={['deadline_from', 'deadline_to']} labels={['From', 'To']} query={query} day />
      )}
      <Field name="region" hint="Names or ITL codes: London, TLI3" query={query} />
      <Field name="cpv" hint="Codes or first digits: 45, 71000000" query={query} />
      {HANDED_ON.filter((name) => query[name]).map((name) => (
        <input key={name} type="hidden" name={name} value={query[name]} form={SEARCH_FORM} />
      ))}
      <button type="submit" class="quiet" form={SEARCH_FORM}>
        Apply
      </button>
    </>
  );
}

function Field({ name, hint, query }: { name: string; hint: string; query: Query }) {
  return (
    <div class="field">
      <label for={name}>
        {FILTER_NAMES[name]} <span class="hint">{hint}</span>
      </label>
      <input id={name} name={name} form={SEARCH_FORM} value={query[name]} maxLength={200} />
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

function Pair(props: {
  legend: string;
  names: readonly [string, string];
  labels: readonly [string, string];
  query: Query;
  day?: boolean;
}) {
  return (
    <fieldset class="field">
      <legend>{props.legend}</legend>
      <div class={props.day ? 'pair days' : 'pair'}>
        {props.names.map((name, at) => (
          <div key={name} class={props.day ? 'day' : undefined}>
            <label for={name} class="light">
              {props.labels[at]}
            </label>
            <Bound name={name} value={props.query[name]} day={props.day === true} />
          </div>
        ))}
      </div>
    </fieldset>
  );
}

function Bound({ name, value, day }: { name: string; value: string | undefined; day: boolean }) {
  if (day) return <input id={name} name={name} form={SEARCH_FORM} value={value} type="date" />;
  return <input id={name} name={name} form={SEARCH_FORM} value={value} inputMode="numeric" />;
}
