import { sayValue, splitValues } from '../filters/values.ts';
import type { Query } from '../find-hits.ts';
import { FILTER_NAMES } from '../labels.ts';
import { withQuery } from '../links.ts';

/** What is so anyway. */
const PRESUMED = ['status=open', 'match=all'];

export function activeFilters(query: Query): [name: string, values: string[]][] {
  const presumed = ([name, value]: [string, string]) => PRESUMED.includes(`${name}=${value}`);
  const held = Object.entries(query).filter((filter) => filter[0] in FILTER_NAMES && !presumed(filter));
  return held.map(([name, value]) => [name, splitValues(name, value)]);
}

/** Each value in force as a link that takes it away, and one that takes away all. */
export function ActiveFilters({ path, query, buyer }: { path: string; query: Query; buyer?: string | undefined }) {
  const active = activeFilters(query);
  const chips = active.flatMap(([name, values]) => values.map((value) => ({ name, value, values })));
  if (chips.length === 0) return null;
  const { cursor: _, ...rest } = query;
  const without = (name: string, values: string[]) => withQuery(path, { ...rest, [name]: values.join(',') });
  const bare = Object.fromEntries(Object.entries(rest).filter(([name]) => !(name in FILTER_NAMES)));
  return (
    <ul class="chips" aria-label="Filters in force">
      {chips.map(({ name, value, values }) => {
        const others = values.filter((other) => other !== value);
        const words = valueWords(name, value, buyer);
        const label = `Remove the filter ${FILTER_NAMES[name]}: ${words}`;
        return (
          <li key={`${name}=${value}`}>
            <a class="chip" href={without(name, others)} rel="nofollow" aria-label={label}>
              {FILTER_NAMES[name]}: {words} <span aria-hidden="true">×</span>
            </a>
          </li>
        );
      })}
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
