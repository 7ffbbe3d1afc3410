import { formatNumbered } from '../components/format.ts';
import { Heading, joinTitle, type Page } from '../components/layout.tsx';
import { withQuery } from '../components/links.ts';
import { Pages } from '../components/parts.tsx';
import { WORDS_CHARS } from '../components/repeat-in-part.ts';
import type { SourceTitles } from '../components/source-title.ts';
import { ActiveFilters, activeFilters, type BuyerNames, nameFilters } from '../filters/active.tsx';
import { SEARCH_FORM } from '../filters/facet.tsx';
import { Filters } from '../filters/form.tsx';
import type { FacetGroup } from '../filters/groups.ts';
import { isMultiValue, splitValues } from '../filters/values.ts';
import { type Query, type Results, type Scope, shortestQuery } from '../queries/hits.ts';
import { HitList } from './hit-list.tsx';
import { SomeWords } from './some-words.tsx';

interface SearchPage {
  scope: Scope;
  /** The fields of the form. */
  query: Query;
  results: Results | null;
  groups: readonly FacetGroup[];
  /** Why the search was refused. */
  faults: readonly string[];
  /** Of the services that publish notices. */
  titles: SourceTitles;
  buyers: BuyerNames;
  /** The catalogue's current instant. */
  now: Date;
  /** The URLs of the web app and of the API. */
  appUrl: string;
  baseUrl: string;
}

const WORDS = {
  notices: { title: 'Notices', label: 'Words in a notice, a buyer, a supplier', hint: 'Words, buyer or supplier' },
  tenders: { title: 'Live tenders', label: 'What could you supply?', hint: 'What could you supply?' },
} as const;

const SORTS = [
  ['relevance', 'Best match'],
  ['-published', 'Newest first'],
  ['deadline', 'Deadline, soonest first'],
  ['-value', 'Value, largest first'],
] as const;

/** The page of tenders and notices. Its address contains the whole search, to keep and share. */
export function searchPage(search: SearchPage): Page {
  const { scope, query, results, groups, faults, titles, buyers } = search;
  const { title } = WORDS[scope];
  const path = `/${scope}`;
  const words = query.query && query.query !== '*' ? query.query : '';
  return {
    title: results
      ? joinTitle(words, title, nameFilters(query, titles, buyers), query.cursor && 'further results')
      : title,
    section: scope,
    ...(results && { links: linksOf(search) }),
    ...((query.cursor || hasSeveral(query)) && { robots: 'noindex, follow' }),
    body: (
      <>
        <Heading title={title} />
        <SearchForm scope={scope} query={query} words={words} />
        <div class="search">
          <Filters scope={scope} query={query} groups={groups} bounded={results?.exact === false} />
          <section aria-label="Results">
            {faults.map((fault) => (
              <p key={fault} class="note bad" role="alert">
                {fault}
              </p>
            ))}
            {(results || isShort(query)) && <ActiveFilters path={path} query={query} buyers={buyers} />}
            {results && <ResultList search={search} results={results} path={path} />}
          </section>
        </div>
      </>
    ),
  };
}

/** Every filter link repeats the others, so a refused search shows them only if they are short. */
function isShort(query: Query): boolean {
  const values = activeFilters(query).flatMap(([, each]) => each);
  return values.length <= 8 && Object.values(query).join('').length <= 100;
}

/** Search engines do not index combinations of values: there are too many. */
function hasSeveral(query: Query): boolean {
  return Object.entries(query).some(([name, value]) => isMultiValue(name) && splitValues(name, value).length > 1);
}

const ATOM = 'application/atom+xml';

/** The feed of the same search: newest first, matching all words. */
function feedAddress(scope: Scope, query: Query): string {
  const { sort: _, cursor: __, match: ___, ...given } = shortestQuery(query);
  return withQuery(`/${scope}.atom`, given);
}

/** The canonical address of the page, and its feed. */
function linksOf({ scope, query, appUrl }: SearchPage): NonNullable<Page['links']> {
  return [
    { rel: 'canonical', href: appUrl + withQuery(`/${scope}`, shortestQuery(query)) },
    { rel: 'alternate', href: feedAddress(scope, query), type: ATOM, title: `${WORDS[scope].title} of this search` },
  ];
}

function SearchForm({ scope, query, words }: { scope: Scope; query: Query; words: string }) {
  const { label, hint } = WORDS[scope];
  return (
    <search>
      <form class="ask" id={SEARCH_FORM} action={`/${scope}`}>
        <input type="search" name="query" value={words} aria-label={label} placeholder={hint} maxLength={WORDS_CHARS} />
        <select name="sort" aria-label="Order">
          <option value="">{words ? 'Best match' : 'Usual order'}</option>
          {SORTS.slice(1).map(([value, name]) => (
            <option key={value} value={value} selected={query.sort === value}>
              {name}
            </option>
          ))}
        </select>
        <button type="submit">Search</button>
      </form>
    </search>
  );
}

function ResultList({ search, results, path }: { search: SearchPage; results: Results; path: string }) {
  const { scope, query, now } = search;
  const what = scope === 'tenders' ? 'tender' : 'notice';
  if (results.some) {
    return (
      <SomeWords path={path} query={query} what={what} some={results.some}>
        <HitList hits={results.some.items} scope={scope} now={now} />
      </SomeWords>
    );
  }
  if (results.items.length === 0) return <Nothing scope={scope} />;
  return (
    <>
      <div class="found-bar">
        <p class="muted">
          {results.exact ? '' : 'At least '}
          {formatNumbered(results.total, what)}
          {results.corrections.map(({ from, to }) => ` · “${from}” read as “${to}”`)}
        </p>
        <Actions search={search} />
      </div>
      <HitList hits={results.items} scope={scope} now={now} />
      <Pages path={path} query={query} next={results.next} />
    </>
  );
}

/** Links: the feed, an export and the API call of the search. */
function Actions({ search: { scope, query, baseUrl } }: { search: SearchPage }) {
  return (
    <>
      <ul>
        <li>
          <a href={feedAddress(scope, query)} type={ATOM} title="An Atom feed of the newest fifty that match">
            Alert me
          </a>
        </li>
        <li>
          <a href={exportAddress(scope, query)} rel="nofollow">
            Download
          </a>
        </li>
      </ul>
      <details class="call">
        <summary>As an API call</summary>
        <pre>
          <code>{`curl -H "Authorization: Bearer $API_KEY" \\\n  '${baseUrl}${apiAddress(scope, query)}'`}</code>
        </pre>
        <p class="small">
          It needs a <a href="/dashboard#keys">key</a>; <a href="/pricing">what it costs</a>.
        </p>
      </details>
    </>
  );
}

/** The address of an export of the results; their order does not matter. */
function exportAddress(scope: Scope, query: Query): string {
  const { sort: _, cursor: __, match: ___, facets: ____, ...given } = shortestQuery(query);
  return withQuery('/dashboard/exports/new', { dataset: scope, ...given });
}

/** The API path of the same search, first page. */
function apiAddress(scope: Scope, query: Query): string {
  const { facets: _, cursor: __, ...given } = shortestQuery(query);
  const words = scope === 'tenders' ? { query: '*' } : {};
  return withQuery(`/v1/${scope}/search`, { ...words, ...given }).replaceAll("'", '%27');
}

function Nothing({ scope }: { scope: Scope }) {
  return (
    <div class="note">
      <p>Nothing was found. Fewer words or filters find more.</p>
      {scope === 'tenders' && (
        <p>
          Only tenders that are open now are shown here; the rest are among <a href="/notices">all notices</a>.
        </p>
      )}
    </div>
  );
}
