import { rowOf, rowsOfKind } from '../../../search/filters/read.ts';
import { FILTER_NAMES } from '../components/labels.ts';
import { withQuery } from '../components/links.ts';
import type { PageContext, SourceTitles } from '../components/source-title.ts';
import { type Query, type Scope, shortestQuery } from '../queries/hits.ts';
import { isParty, labelValue, splitValues } from './values.ts';

/** Names of buyers and suppliers, by the id or other identifier in the search. */
export type PartyNames = ReadonlyMap<string, string>;

/** Names for values that are not our own codes. */
interface Names {
  titles: SourceTitles;
  parties: PartyNames;
}

/** The most characters of filter links in a page: each link repeats all other filters. */
const CHIPS_CHARS = 6_000;

/** The active filters of a search and their values, without defaults. */
export function activeFilters(scope: Scope, query: Query): [name: string, values: string[]][] {
  const active = Object.entries(shortestQuery(scope, query)).filter(([name]) => name in FILTER_NAMES);
  return active.map(([name, value]) => [name, splitValues(name, value)]);
}

/** The buyer, or the suppliers, to which a search is narrowed. */
export function chosenParties(kind: 'buyer' | 'company', query: Query): string[] {
  return rowsOfKind(kind).flatMap(({ name }) => splitValues(name, query[name]));
}

/** Links that remove one filter value each (of very many, the first ones), and one that removes all. */
export function ActiveFilters(
  props: { scope: Scope; path: string; query: Query; parties: PartyNames },
  { titles }: PageContext,
) {
  const { scope, path, query, parties } = props;
  const chips = chipsOf(scope, path, query);
  if (chips.length === 0) return null;
  const shown = chips.slice(0, Math.max(1, Math.floor(CHIPS_CHARS / withQuery(path, query).length)));
  const { cursor: _, ...rest } = query;
  const bare = Object.fromEntries(Object.entries(rest).filter(([name]) => !(name in FILTER_NAMES)));
  return (
    <ul class="chips" aria-label="Filters in force">
      {shown.map(({ name, value, href }) => {
        const words = valueWords(scope, name, value, { titles, parties });
        const label = `Remove the filter ${FILTER_NAMES[name]}: ${words}`;
        return (
          <li key={`${name}=${value}`}>
            <a class="chip" href={href} rel="nofollow" aria-label={label}>
              {FILTER_NAMES[name]}: {words} <span aria-hidden="true">×</span>
            </a>
          </li>
        );
      })}
      {shown.length < chips.length && <li>and {chips.length - shown.length} more</li>}
      {chips.length > 1 && (
        <li>
          <a class="chip clear" href={withQuery(path, bare)} rel="nofollow">
            Remove all filters
          </a>
        </li>
      )}
    </ul>
  );
}

/** Each filter value with the address of the search without it. */
function chipsOf(scope: Scope, path: string, { cursor: _, ...query }: Query) {
  return activeFilters(scope, query).flatMap(([name, values]) =>
    values.map((value) => {
      const others = values.filter((other) => other !== value);
      return { name, value, href: withQuery(path, { ...query, [name]: others.join(',') }) };
    }),
  );
}

/** The active filters in one line, or an empty text. */
export function nameFilters(scope: Scope, query: Query, { titles, parties }: Names): string {
  return activeFilters(scope, query)
    .map(
      ([name, values]) =>
        `${FILTER_NAMES[name]}: ${values.map((value) => valueWords(scope, name, value, { titles, parties })).join(', ')}`,
    )
    .join(', ');
}

function valueWords(scope: Scope, name: string, value: string, { titles, parties }: Names): string {
  return isParty(rowOf(name)) ? (parties.get(value) ?? value) : labelValue(name, value, titles, scope);
}
