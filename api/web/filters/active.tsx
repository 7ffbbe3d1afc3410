import { useContext } from 'preact/hooks';
import { rowOf, rowsOfKind, usualValues } from '../../../search/filters/read.ts';
import { FILTER_NAMES } from '../components/labels.ts';
import { withQuery } from '../components/links.ts';
import { PageTitles, type SourceTitles } from '../components/source-title.ts';
import type { Query } from '../queries/hits.ts';
import { labelValue, splitValues } from './values.ts';

/** Names of buyers, by what a search was narrowed with: an id, or another identifier. */
export type BuyerNames = ReadonlyMap<string, string>;

/** The most characters of filter links in a page: each link repeats all other filters. */
const CHIPS_CHARS = 6_000;
/** Default values, which are not shown. */
const PRESUMED: Readonly<Record<string, string>> = { ...usualValues('tenders'), match: 'all' };

/** The active filters of a search and their values, without defaults. */
export function activeFilters(query: Query): [name: string, values: string[]][] {
  const active = Object.entries(query).filter(([name, value]) => name in FILTER_NAMES && PRESUMED[name] !== value);
  return active.map(([name, value]) => [name, splitValues(name, value)]);
}

/** What a search is narrowed to by its buyer. */
export function chosenBuyers(query: Query): string[] {
  return rowsOfKind('buyer').flatMap(({ name }) => query[name] ?? []);
}

/** Links that remove one filter value each (of very many, the first ones), and one that removes all. */
export function ActiveFilters({ path, query, buyers }: { path: string; query: Query; buyers: BuyerNames }) {
  const titles = useContext(PageTitles);
  const chips = chipsOf(path, query);
  if (chips.length === 0) return null;
  const shown = chips.slice(0, Math.max(1, Math.floor(CHIPS_CHARS / withQuery(path, query).length)));
  const { cursor: _, ...rest } = query;
  const bare = Object.fromEntries(Object.entries(rest).filter(([name]) => !(name in FILTER_NAMES)));
  return (
    <ul class="chips" aria-label="Filters in force">
      {shown.map(({ name, value, href }) => {
        const words = valueWords(name, value, titles, buyers);
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
function chipsOf(path: string, { cursor: _, ...query }: Query) {
  return activeFilters(query).flatMap(([name, values]) =>
    values.map((value) => {
      const others = values.filter((other) => other !== value);
      return { name, value, href: withQuery(path, { ...query, [name]: others.join(',') }) };
    }),
  );
}

/** The active filters in one line, or an empty text. */
export function nameFilters(query: Query, titles: SourceTitles, buyers: BuyerNames): string {
  return activeFilters(query)
    .map(
      ([name, values]) =>
        `${FILTER_NAMES[name]}: ${values.map((value) => valueWords(name, value, titles, buyers)).join(', ')}`,
    )
    .join(', ');
}

function valueWords(name: string, value: string, titles: SourceTitles, buyers: BuyerNames): string {
  return rowOf(name)?.values === 'buyer' ? (buyers.get(value) ?? value) : labelValue(name, value, titles);
}
