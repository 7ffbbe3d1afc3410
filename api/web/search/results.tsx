import { formatNumbered } from '../components/format.ts';
import { Heading, joinTitle, type Page } from '../components/layout.tsx';
import { withQuery } from '../components/links.ts';
import { ApiCall, Pages, Refused } from '../components/parts.tsx';
import { WORDS_CHARS } from '../components/repeat-in-part.ts';
import type { SourceTitles } from '../components/source-title.ts';
import { ActiveFilters, activeFilters, nameFilters, type PartyNames } from '../filters/active.tsx';
import { SEARCH_FORM } from '../filters/facet.tsx';
import { Filters } from '../filters/form.tsx';
import type { FacetGroup } from '../filters/groups.ts';
import { isMultiValue, splitValues } from '../filters/values.ts';
import {
  type ContractHit,
  type FrameworkHit,
  type Hit,
  type Query,
  type Results,
  type Scope,
  shortestQuery,
} from '../queries/hits.ts';
import { apiAddress, canWatch, exportAddress, feedAddress, matchesAll, watchAddress } from './addresses.ts';
import { ContractHits } from './contract-hits.tsx';
import { FrameworkList, HitList } from './hit-list.tsx';
import { EndsWithin, readMonths, watchedBy } from './periods.tsx';
import { SomeWords } from './some-words.tsx';
import type { View } from './views.ts';

type AnyHit = Hit | ContractHit | FrameworkHit;

interface SearchPage {
  view: View;
  /** The fields of the form, and the search that they stand for. */
  query: Query;
  searched: Query;
  results: Results<AnyHit> | null;
  groups: readonly FacetGroup[];
  /** Whether its values are counted. */
  isCounted: boolean;
  /** Why the search was refused. */
  faults: readonly string[];
  /** Of the services that publish notices. */
  titles: SourceTitles;
  parties: PartyNames;
  /** The catalogue's current instant. */
  now: Date;
  /** The URLs of the web app and of the API. */
  appUrl: string;
  baseUrl: string;
}

/** The page of notices, tenders, contracts or frameworks. Its address contains the whole search, to keep and share. */
export function searchPage(search: SearchPage): Page {
  const { view, query, results, groups, isCounted, faults, titles, parties, now } = search;
  const { scope, path, title, lead } = view;
  const words = query.query && query.query !== '*' ? query.query : '';
  return {
    title: results
      ? joinTitle(
          words,
          title,
          view.isRolling && `within ${readMonths(query.months)} months`,
          nameFilters(scope, query, { titles, parties }),
          query.cursor && 'further results',
        )
      : title,
    section: scope,
    ...(results && { links: linksOf(search) }),
    ...((query.cursor || hasSeveral(query)) && { robots: 'noindex, follow' }),
    body: (
      <>
        <Heading title={title}>{lead && !words && <p class="lead">{lead}</p>}</Heading>
        <SearchForm view={view} query={query} words={words} />
        {results && scope === 'contracts' && <EndsWithin view={view} query={query} now={now} />}
        <div class="search">
          <Filters
            scope={scope}
            query={query}
            groups={groups}
            isCounted={isCounted}
            bounded={results?.exact === false}
            without={view.without}
          />
          <section aria-label="Results">
            <Refused faults={faults} />
            {(results || isShort(scope, query)) && (
              <ActiveFilters scope={scope} path={path} query={query} parties={parties} />
            )}
            {results && <ResultList search={search} results={results} />}
          </section>
        </div>
      </>
    ),
  };
}

/** Every filter link repeats the others, so a refused search shows them only if they are short. */
function isShort(scope: Scope, query: Query): boolean {
  const values = activeFilters(scope, query).flatMap(([, each]) => each);
  return values.length <= 8 && Object.values(query).join('').length <= 100;
}

/** Search engines do not index combinations of values: there are too many. */
function hasSeveral(query: Query): boolean {
  return Object.entries(query).some(([name, value]) => isMultiValue(name) && splitValues(name, value).length > 1);
}

const ATOM = 'application/atom+xml';

/** The canonical address of the page, and its feed. */
function linksOf({ view, query, appUrl }: SearchPage): NonNullable<Page['links']> {
  const { scope, path, title, hasFeed } = view;
  const feed = { href: feedAddress(view, query), type: ATOM, title: `${title} of this search` };
  return [
    { rel: 'canonical', href: appUrl + withQuery(path, shortestQuery(scope, query)) },
    ...(hasFeed && matchesAll(query) ? [{ rel: 'alternate' as const, ...feed }] : []),
  ];
}

function SearchForm({ view, query, words }: { view: View; query: Query; words: string }) {
  const { path, label, hint, sorts, usualSort } = view;
  return (
    <search>
      <form class="ask" id={SEARCH_FORM} action={path}>
        <input type="search" name="query" value={words} aria-label={label} placeholder={hint} maxLength={WORDS_CHARS} />
        <select name="sort" aria-label="Order">
          <option value="">{usualSort ?? (words ? 'Best match' : 'Usual order')}</option>
          {sorts.map(([value, name]) => (
            <option key={value} value={value} selected={query.sort === value}>
              {name}
            </option>
          ))}
        </select>
        {query.months && <input type="hidden" name="months" value={query.months} />}
        <button type="submit">Search</button>
      </form>
    </search>
  );
}

function ResultList({ search, results }: { search: SearchPage; results: Results<AnyHit> }) {
  const { view, query, now } = search;
  const { path, what, many } = view;
  if (results.some) {
    return (
      <>
        {canWatch(view.scope) && (
          <p>
            <AlertMe view={view} query={search.query} searched={search.searched} />
          </p>
        )}
        <SomeWords path={path} query={query} what={what} some={results.some}>
          <Hits scope={view.scope} items={results.some.items} now={now} />
        </SomeWords>
      </>
    );
  }
  if (results.items.length === 0) return <Nothing view={view} query={query} searched={search.searched} />;
  return (
    <>
      <div class="found-bar">
        <p class="muted">
          {results.exact ? '' : 'At least '}
          {formatNumbered(results.total, what, many)}
          {results.corrections.map(({ from, to }) => ` · “${from}” read as “${to}”`)}
        </p>
        <Actions search={search} />
      </div>
      <Hits scope={view.scope} items={results.items} now={now} />
      <Pages path={path} query={query} next={results.next} />
    </>
  );
}

/** The results as the list of what they are. @param level - of their headings */
export function Hits(props: { scope: Scope; items: readonly AnyHit[]; now: Date; level?: 2 | 3 }) {
  const { scope, items, now, level = 2 } = props;
  if (scope === 'contracts') return <ContractHits hits={items as readonly ContractHit[]} now={now} level={level} />;
  if (scope === 'frameworks') return <FrameworkList items={items as readonly FrameworkHit[]} now={now} level={level} />;
  return <HitList hits={items as readonly Hit[]} scope={scope} now={now} level={level} />;
}

/** Links: a watch, the feed, an export and the API call of the search. */
function Actions({ search: { view, query, searched, baseUrl } }: { search: SearchPage }) {
  const { scope, hasFeed } = view;
  return (
    <>
      <ul>
        {canWatch(scope) && (
          <li>
            <a href={watchAddress(scope, watchedBy(view, query, searched))} rel="nofollow">
              Alert me
            </a>
          </li>
        )}
        {hasFeed && matchesAll(query) && (
          <li>
            <a href={feedAddress(view, query)} type={ATOM} title="An Atom feed of the newest fifty that match">
              Feed
            </a>
          </li>
        )}
        {matchesAll(query) && (
          <li>
            <a href={exportAddress(scope, searched)} rel="nofollow">
              Download
            </a>
          </li>
        )}
      </ul>
      <ApiCall url={baseUrl + apiAddress(scope, searched)} />
    </>
  );
}

/** A watch of what does not exist yet. */
function AlertMe({ view, query, searched }: Pick<SearchPage, 'view' | 'query' | 'searched'>) {
  const { scope, what } = view;
  return (
    <>
      <a href={watchAddress(scope, watchedBy(view, query, searched))} rel="nofollow">
        Alert me
      </a>{' '}
      when there is such a {what}.
    </>
  );
}

function Nothing({ view, query, searched }: Pick<SearchPage, 'view' | 'query' | 'searched'>) {
  const { elsewhere } = view;
  return (
    <div class="note">
      <p>
        Nothing was found. Fewer words or filters find more.{' '}
        {canWatch(view.scope) && <AlertMe view={view} query={query} searched={searched} />}
      </p>
      {elsewhere && (
        <p>
          {elsewhere.words} <a href={elsewhere.path}>{elsewhere.name}</a>.
        </p>
      )}
    </div>
  );
}
