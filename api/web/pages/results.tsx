import { readMarks } from '../../../search/marks.ts';
import { daysUntil, formatCount, formatDay, formatMoney } from '../format.ts';
import { labelSource, labelStage } from '../labels.ts';
import { Heading, joinTitle, type Page } from '../layout.tsx';
import { buyerPath, noticePath } from '../links.ts';
import { Pages } from './contract-list.tsx';
import { ActiveFilters, Filters, nameFilters, type Query, type Scope, SEARCH_FORM } from './filters.tsx';

/** One line of a search answer: what a reader needs to choose. */
export interface Hit {
  notice_id: string;
  title: string;
  buyer?: string | null | undefined;
  buyer_id?: string | undefined;
  published?: string | undefined;
  deadline?: string | null | undefined;
  value?: number | null | undefined;
  currency?: string | undefined;
  region?: string | undefined;
  stage?: string | undefined;
  source?: string | undefined;
  extract?: string | undefined;
  highlight?: string | undefined;
}

export interface Results {
  items: readonly Hit[];
  total: number;
  /** False where there may be more than `total`. */
  exact: boolean;
  next: string | null | undefined;
  /** Typing mistakes that were forgiven. */
  corrections: readonly { from: string; to: string }[];
}

export interface SearchPage {
  scope: Scope;
  /** The fields of the form as they came. */
  query: Query;
  results: Results | null;
  /** Why the search was not run. */
  faults: readonly string[];
  /** The catalogue's now. */
  now: Date;
}

const WORDS = {
  notices: { title: 'Notices', label: 'Words in a notice, a buyer, a supplier' },
  tenders: { title: 'Live tenders', label: 'What could you supply?' },
} as const;

const SORTS = [
  ['relevance', 'Best match'],
  ['-published', 'Newest first'],
  ['deadline', 'Deadline, soonest first'],
  ['-value', 'Value, largest first'],
] as const;

/** The page of both searches. Its address is the whole search: it can be kept and shared. */
export function searchPage(search: SearchPage): Page {
  const { scope, query, results, faults } = search;
  const { title } = WORDS[scope];
  const path = `/${scope}`;
  const buyer = results?.items[0]?.buyer ?? undefined;
  const words = query.query && query.query !== '*' ? query.query : '';
  return {
    title: joinTitle(words, title, nameFilters(query, buyer), query.cursor && 'further results'),
    section: scope,
    body: (
      <>
        <Heading title={title} />
        <SearchForm scope={scope} query={query} words={words} />
        <div class="search">
          <Filters scope={scope} query={query} />
          <section aria-label="Results">
            {faults.map((fault) => (
              <p key={fault} class="note bad" role="alert">
                {fault}
              </p>
            ))}
            <ActiveFilters path={path} query={query} buyer={buyer} />
            {results && <ResultList search={search} results={results} path={path} />}
          </section>
        </div>
      </>
    ),
  };
}

function SearchForm({ scope, query, words }: { scope: Scope; query: Query; words: string }) {
  const { label } = WORDS[scope];
  return (
    <search>
      <form class="ask" id={SEARCH_FORM} action={`/${scope}`}>
        <input type="search" name="query" value={words} aria-label={label} placeholder={label} maxLength={300} />
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
  if (results.items.length === 0) return <Nothing scope={scope} />;
  return (
    <>
      <p class="muted">
        {results.exact ? '' : 'At least '}
        {formatCount(results.total)} {what}
        {results.total === 1 ? '' : 's'}
        {results.corrections.map(({ from, to }) => ` · “${from}” read as “${to}”`)}
      </p>
      <ul class="results">
        {results.items.map((hit) => (
          <HitLine key={hit.notice_id + hit.title} hit={hit} scope={scope} now={now} />
        ))}
      </ul>
      <Pages path={path} query={query} next={results.next} />
    </>
  );
}

function HitLine({ hit, scope, now }: { hit: Hit; scope: Scope; now: Date }) {
  return (
    <li>
      <h2>
        <a href={noticePath(hit.notice_id)}>{hit.title}</a>
      </h2>
      {hit.buyer && <p>{hit.buyer_id ? <a href={buyerPath(hit.buyer_id)}>{hit.buyer}</a> : hit.buyer}</p>}
      <Extract hit={hit} />
      <div class="meta">
        {scope === 'notices' && hit.stage && <span class="tag">{labelStage(hit.stage)}</span>}
        {hit.deadline && <Deadline day={hit.deadline} now={now} />}
        {hit.value !== undefined && hit.value !== null && <span>{formatMoney(hit.value, hit.currency)}</span>}
        {hit.region && <span>{hit.region}</span>}
        {hit.published && <span>published {formatDay(hit.published)}</span>}
        {hit.source && <span>{labelSource(hit.source)}</span>}
      </div>
    </li>
  );
}

/** Where the text holds what was asked, the piece around it; else its beginning. */
function Extract({ hit }: { hit: Hit }) {
  const pieces = readMarks(hit.highlight ?? '');
  const isTitle = pieces.map(({ text }) => text).join('') === hit.title.replace(/\s+/g, ' ').trim();
  if (pieces.length === 0 || isTitle) return hit.extract ? <p class="muted small">{hit.extract}</p> : null;
  return <p class="muted small">{pieces.map(({ text, isHit }) => (isHit ? <mark key={text}>{text}</mark> : text))}</p>;
}

function Deadline({ day, now }: { day: string; now: Date }) {
  const days = daysUntil(day, now);
  if (days < 0) return <span>closed {formatDay(day)}</span>;
  return <span class={days <= 7 ? 'tag warn' : 'tag good'}>closes {formatDay(day)}</span>;
}

function Nothing({ scope }: { scope: Scope }) {
  return (
    <div class="note">
      <p>Nothing was found. Fewer words or filters find more.</p>
      {scope === 'tenders' && (
        <p>
          Only tenders that are open now are shown; <a href="/notices">all notices</a> hold the rest.
        </p>
      )}
    </div>
  );
}
