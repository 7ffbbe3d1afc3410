import { formatWait } from './format.ts';
import { Heading, type Page } from './layout.tsx';
import { buyerPath, companyPath, frameworkPath, noticePath } from './links.ts';
import { SearchBox } from './parts.tsx';

interface ErrorWords {
  title: string;
  text: string;
}

const WORDS: Record<number, ErrorWords> = {
  400: { title: 'This address cannot be read', text: 'Part of it is not valid. Check the address, or search below.' },
  405: {
    title: 'This cannot be done here',
    text: 'There is a page at this address, but it does not accept this kind of request.',
  },
  413: { title: 'Request too large', text: 'The form is larger than we accept.' },
  414: { title: 'This address is too long', text: 'A few words find more than a whole page of text. Search below.' },
  429: {
    title: 'A little slower, please',
    text: 'There were too many requests from your network address.',
  },
  500: { title: 'Something went wrong on our side', text: 'It has been noted. Try again in a moment.' },
  503: { title: 'Not available for a moment', text: 'Part of the service is not answering. Try again in a minute.' },
};

interface Particulars {
  requestId?: string;
  /** Seconds to wait before another try. */
  waitSeconds?: number | null;
  /** Replaces the usual text. */
  text?: string | undefined;
}

/** An error page. It contains no internal message. */
export function errorPage(status: number, { requestId, waitSeconds, text }: Particulars): Page {
  const words = WORDS[status] ?? (status < 500 ? WORDS[400] : WORDS[500]);
  const title = words?.title ?? 'Something went wrong';
  return {
    title,
    personal: true,
    body: (
      <>
        <Heading title={title}>
          <p class="lead">{text ?? words?.text}</p>
        </Heading>
        {status === 429 && !text && <Patience waitSeconds={waitSeconds ?? 60} />}
        {requestId && status >= 500 && <p class="muted small">If you report this, quote {requestId}.</p>}
        <SearchBox action="/search" label="Search everything" />
      </>
    ),
  };
}

function Patience({ waitSeconds }: { waitSeconds: number }) {
  return (
    <p>
      Try again in {formatWait(waitSeconds)}. If you need many pages, use the <a href="/docs">API</a>, which serves
      whole searches and exports.
    </p>
  );
}

/** For each kind of record: the address of its pages, and where to search for others. */
const THINGS = {
  notice: { path: noticePath, search: '/notices', label: 'Search notices' },
  contract: { path: noticePath, search: '/notices', label: 'Search notices' },
  company: { path: companyPath, search: '/companies', label: 'Search companies' },
  buyer: { path: buyerPath, search: '/buyers', label: 'Search buyers' },
  framework: { path: frameworkPath, search: '/frameworks', label: 'Search frameworks' },
} as const;
/** For addresses of no known kind. */
const ANYTHING = { search: '/search', label: 'Search everything' };
const ID_MAX = 200;

export type Thing = keyof typeof THINGS;
export interface Candidate {
  id: string;
  name: string;
}

interface Missing {
  what: Thing;
  id: string;
  /** Links to related pages. */
  candidates: readonly Candidate[];
}

/** The 404 page. For a record it names the missing id, related pages and where to search. */
export function notFoundPage(missing?: Missing): Page {
  const title = `No such ${missing?.what ?? 'page'}`;
  const { search, label } = missing ? THINGS[missing.what] : ANYTHING;
  return {
    title,
    body: (
      <>
        <Heading title={title}>
          <p class="lead">{missing ? <NotStored missing={missing} /> : 'There is no page at this address.'}</p>
        </Heading>
        {missing && <Near missing={missing} />}
        <p>
          {missing
            ? 'The address may be incomplete, or it was never published. A search may find it:'
            : 'A search may find what you are looking for:'}
        </p>
        <SearchBox action={search} label={label} />
        <Elsewhere />
      </>
    ),
  };
}

/** Why a record was removed, as far as is known. */
const REASONS: Readonly<Record<Thing, string>> = {
  notice: 'Its publisher withdrew it, or it was taken down at somebody’s request.',
  contract: 'The notices about it were withdrawn, corrected or taken down.',
  company: 'No stored notice names it any more, or it is now part of another record.',
  buyer: 'No stored notice names it any more, or it is now part of another record.',
  framework: 'The notices that set it up were withdrawn, corrected or taken down.',
};

/** The page of a removed record. */
export function gonePage({ what, id }: Pick<Missing, 'what' | 'id'>): Page {
  const title = `This ${what} was removed`;
  const { search, label } = THINGS[what];
  return {
    title,
    robots: 'noindex',
    body: (
      <>
        <Heading title={title}>
          <p class="lead">
            We no longer have the {what} <code>{id.slice(0, ID_MAX)}</code>. {REASONS[what]}
          </p>
        </Heading>
        <p>
          The page about <a href="/removal">removal</a> describes how records are taken down. A search may find
          something similar:
        </p>
        <SearchBox action={search} label={label} />
        <Elsewhere />
      </>
    ),
  };
}

function Elsewhere() {
  return (
    <ul class="plain">
      <li>
        <a href="/tenders">Live tenders</a>
      </li>
      <li>
        <a href="/companies">Companies by name or number</a>
      </li>
      <li>
        <a href="/buyers">Buyers by name</a>
      </li>
      <li>
        <a href="/frameworks">Frameworks</a>
      </li>
    </ul>
  );
}

function NotStored({ missing: { what, id } }: { missing: Missing }) {
  return (
    <>
      We have no {what} called <code>{id.slice(0, ID_MAX)}</code>.
    </>
  );
}

function Near({ missing: { what, candidates } }: { missing: Missing }) {
  if (candidates.length === 0) return null;
  const { path } = THINGS[what];
  return (
    <section>
      <h2>Did you mean</h2>
      <ul class="plain">
        {candidates.map(({ id, name }) => (
          <li key={id}>
            <a href={path(id)}>{name}</a> <span class="muted small">{id}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
