import { STAGES } from '../../../schema/details.ts';
import { FILTER_NAMES, labelStage } from '../labels.ts';
import { withQuery } from '../links.ts';

export const SEARCH_FORM = 'search';

export type Query = Readonly<Record<string, string>>;
export type Scope = 'notices' | 'tenders';

const SOURCES = [
  ['find_a_tender', 'Find a Tender'],
  ['contracts_finder', 'Contracts Finder'],
] as const;
const STATUSES = [
  ['closed', 'Closed'],
  ['any', 'Open or closed'],
] as const;

/** The filters of the API as fields of the search form; they unfold on a phone and stand beside the results elsewhere. */
export function Filters({ scope, query }: { scope: Scope; query: Query }) {
  return (
    <aside aria-label="Filters">
      <details class="filters">
        <summary>Filters</summary>
        <Field name="region" hint="Name or ITL code, such as London or TLI" query={query} />
        <Field name="cpv" hint="The first digits are enough: 45 is construction" query={query} numeric />
        <Choice name="source" options={SOURCES} all="Both sources" query={query} />
        {scope === 'notices' && (
          <Choice
            name="stage"
            options={STAGES.map((stage) => [stage, labelStage(stage)])}
            all="Any stage"
            query={query}
          />
        )}
        {scope === 'tenders' && <Choice name="status" options={STATUSES} all="Open for bids" query={query} />}
        <Pair legend="Value in pounds" names={['value_min', 'value_max']} labels={['From', 'To']} query={query} />
        <Pair legend="Published" names={['published_from', 'published_to']} labels={['From', 'To']} query={query} day />
        {scope === 'tenders' && (
          <Pair legend="Deadline" names={['deadline_from', 'deadline_to']} labels={['From', 'To']} query={query} day />
        )}
        {query.buyer_id && <input type="hidden" name="buyer_id" value={query.buyer_id} form={SEARCH_FORM} />}
        <button type="submit" form={SEARCH_FORM}>
          Apply filters
        </button>
      </details>
    </aside>
  );
}

function Field(props: { name: string; hint: string; query: Query; numeric?: boolean }) {
  const { name, hint, query, numeric } = props;
  return (
    <div class="field">
      <label for={name}>
        {FILTER_NAMES[name]} <span class="hint">{hint}</span>
      </label>
      <input
        id={name}
        name={name}
        form={SEARCH_FORM}
        value={query[name]}
        maxLength={60}
        inputMode={numeric ? 'numeric' : undefined}
      />
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

function activeFilters(query: Query): [name: string, value: string][] {
  return Object.entries(query).filter(([name, value]) => name in FILTER_NAMES && value !== '');
}

/** Each filter in force, as a link that takes it away. */
export function ActiveFilters({ path, query, buyer }: { path: string; query: Query; buyer?: string | undefined }) {
  const active = activeFilters(query);
  if (active.length === 0) return null;
  return (
    <ul class="chips" aria-label="Filters in force">
      {active.map(([name, value]) => {
        const { [name]: _, cursor: __, ...rest } = query;
        const words = valueWords(name, value, buyer);
        return (
          <li key={name}>
            <a
              class="chip"
              href={withQuery(path, rest)}
              aria-label={`Remove the filter ${FILTER_NAMES[name]}: ${words}`}
            >
              {FILTER_NAMES[name]}: {words} <span aria-hidden="true">×</span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}

/** The filters in force in one line, or an empty text. */
export function nameFilters(query: Query, buyer: string | undefined): string {
  return activeFilters(query)
    .map(([name, value]) => `${FILTER_NAMES[name]}: ${valueWords(name, value, buyer)}`)
    .join(', ');
}

/** @param buyer - the name behind `buyer_id`, where a result tells it. */
function valueWords(name: string, value: string, buyer: string | undefined): string {
  if (name === 'buyer_id') return buyer ?? value;
  if (name === 'stage') return labelStage(value);
  return [...SOURCES, ...STATUSES].find(([known]) => known === value)?.[1] ?? value;
}
