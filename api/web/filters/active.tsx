import { FILTER_NAMES } from '../components/labels.ts';
import { withQuery } from '../components/links.ts';
import type { Query } from '../queries/hits.ts';
import { sayValue, splitValues } from './values.ts';

/** The address of each chip holds all other filters: so many characters of them stand in a page. */
const CHIPS_CHARS = 6_000;
/** What is so anyway. */
const PRESUMED = ['status=open', 'match=all'];

export function activeFilters(query: Query): [name: string, values: string[]][] {
  const presumed = ([name, value]: [string, string]) => PRESUMED.includes(`${name}=${value}`);
  const held = Object.entries(query).filter((filter) => filter[0] in FILTER_NAMES && !presumed(filter));
  return held.map(([name, value]) => [name, splitValues(name, value)]);
}

/** Each value in force as a link that takes it away, of very many the first ones; and one that takes away all. */
export function ActiveFilters({ path, query, buyer }: { path: string; query: Query; buyer?: string | undefined }) {
  const chips = chipsOf(path, query);
  if (chips.length === 0) return null;
  const shown = chips.slice(0, Math.max(1, Math.floor(CHIPS_CHARS / withQuery(path, query).length)));
  const { cursor: _, ...rest } = query;
  const bare = Object.fromEntries(Object.entries(rest).filter(([name]) => !(name in FILTER_NAMES)));
  return (
    <ul class="chips" aria-label="Filters in force">
      {shown.map(({ name, value, href }) => {
        const words = valueWords(name, value, buyer);
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

/** Each value in force with the address of the search without it. */
function chipsOf(path: string, { cursor: _, ...query }: Query) {
  return activeFilters(query).flatMap(([name, values]) =>
    values.map((value) => {
      const others = values.filter((other) => other !== value);
      return { name, value, href: withQuery(path, { ...query, [name]: others.join(',') }) };
    }),
  );
}

/** The filters in force in one line, or an empty text. */
export function nameFilters(query: Query, buyer: string | undefined): string {
  return activeFilters(query)
    .map(
      ([name, values]) => `${FILTER_NAMES[name]}: ${values.map((value) => valueWords(name, value, buyer)).join(', ')}`,
    )
    .join(', ');
}

/** @param buyer - the name behind `buyer_id`, where it is known. */
function valueWords(name: string, value: string, buyer: string | undefined): string {
  return name === 'buyer_id' ? (buyer ?? value) : sayValue(name, value);
}
