import { formatMoney } from '../../../schema/text/money.ts';
import { formatDay, formatNumbered } from '../components/format.ts';
import { labelPlain } from '../components/labels.ts';
import { Heading, joinTitle, type Page } from '../components/layout.tsx';
import { buyerPath, companyPath, withQuery } from '../components/links.ts';
import { ApiCall, Pages, Refused, SearchBox } from '../components/parts.tsx';
import { SEARCH_FORM } from '../filters/facet.tsx';
import type { DirectoryEntry, DirectoryPage } from '../queries/directories.ts';
import type { Query } from '../queries/hits.ts';
import type { NameSearch } from '../queries/names.ts';
import { ActiveFields, activeFields, Fields } from './fields.tsx';
import { Matches } from './name-list.tsx';
import type { Directory } from './views.ts';

interface Listing {
  directory: Directory;
  query: Query;
  /** Null if the filters were refused. */
  found: DirectoryPage | null;
  /** Names like the query's, if none has its words. */
  near: NameSearch | null;
  /** Why the filters were refused. */
  faults: readonly string[];
  /** The URLs of the API and of the web app. */
  baseUrl: string;
  appUrl: string;
}

/** A page of the companies, or of the buyers. Its address contains all its filters, to keep and share. */
export function directoryPage(listing: Listing): Page {
  const { directory, query, found, faults, appUrl } = listing;
  const { title, lead, section, path, label, hint } = directory;
  const active = activeFields(directory, query);
  const { cursor: _, ...first } = query;
  return {
    title: found
      ? joinTitle(
          query.query,
          title,
          active.map(({ label, words }) => `${label}: ${words}`).join(', '),
          query.cursor && 'further results',
        )
      : title,
    section,
    links: [{ rel: 'canonical', href: appUrl + withQuery(path, found ? first : {}) }],
    ...(query.cursor && { robots: 'noindex, follow' }),
    body: (
      <>
        <Heading title={title}>{Object.keys(query).length === 0 && <p class="lead">{lead}</p>}</Heading>
        <SearchBox id={SEARCH_FORM} action={path} value={query.query} label={label} hint={hint} />
        <div class="search">
          <Fields directory={directory} query={query} chosen={active.length} />
          <section aria-label="Results">
            <Refused faults={faults} />
            <ActiveFields path={path} query={query} active={active} />
            {found && <Found listing={listing} found={found} />}
          </section>
        </div>
      </>
    ),
  };
}

function Found({ listing, found }: { listing: Listing; found: DirectoryPage }) {
  const { directory, query, near, baseUrl } = listing;
  const { path, what, valueWords } = directory;
  const { cursor: _, ...call } = query;
  if (found.entries.length === 0) {
    return near ? <Matches search={near} /> : <p class="note">Nothing was found. Fewer words or filters find more.</p>;
  }
  return (
    <>
      <div class="found-bar">
        <p class="muted">
          {found.exact ? '' : 'At least '}
          {formatNumbered(found.total, ...what)}
        </p>
        <ApiCall url={baseUrl + withQuery(`/v1${path}`, call)} />
      </div>
      <ul class="results">
        {found.entries.map((entry) => (
          <Line key={entry.id} entry={entry} kind={directory.kind} valueWords={valueWords} />
        ))}
      </ul>
      <Pages path={path} query={query} next={found.next} />
    </>
  );
}

interface LineProps {
  entry: DirectoryEntry;
  kind: Directory['kind'];
  valueWords: string;
}

function Line({ entry, kind, valueWords }: LineProps) {
  const { id, name, facts, status, contractCount, frameworkPlaces, value, lastAward, openTenders = 0 } = entry;
  return (
    <li class="hit">
      <div>
        <h2>
          <a href={kind === 'company' ? companyPath(id) : buyerPath(id)}>{name}</a>
        </h2>
      </div>
      <div class="hit-facts">
        {contractCount > 0 && <strong>{formatNumbered(contractCount, 'contract')}</strong>}
        {value !== undefined && (
          <span class="hint">
            {formatMoney(Math.round(value), 'GBP')} {valueWords}
          </span>
        )}
        {openTenders > 0 && (
          <a href={withQuery('/tenders', { buyer_id: id })} rel="nofollow">
            {formatNumbered(openTenders, 'open tender')}
          </a>
        )}
      </div>
      <div class="meta">
        {status && <span class={status === 'active' ? 'tag good' : 'tag warn'}>{labelPlain(status)}</span>}
        {facts.filter(Boolean).map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
        {frameworkPlaces > 0 && <span>{formatNumbered(frameworkPlaces, 'framework place')}</span>}
        {lastAward && <span>last award {formatDay(lastAward)}</span>}
      </div>
    </li>
  );
}
