import type { ComponentChildren } from 'preact';
import { formatCount, formatDay, formatInstant, formatList, formatNumbered } from '../components/format.ts';
import { type Page, SITE_NAME } from '../components/layout.tsx';
import { withQuery } from '../components/links.ts';
import { Figures, SearchBox } from '../components/parts.tsx';
import type { Results } from '../queries/hits.ts';
import { EVERYTHING } from '../search/everything.tsx';
import { BriefList } from '../search/hit-list.tsx';
import type { Status } from './sources-table.tsx';

/** The changing parts; null if no search engine answers. */
export interface Fresh {
  /** The catalogue's current instant. */
  now: Date;
  closing: Results | null;
  newest: Results | null;
}

const EXAMPLES = ['cleaning', 'road works', 'HR system'];

/** The front page: a search box, what is new, and how much data there is. */
export function homePage({ status, fresh, freeCredits }: { status: Status; fresh: Fresh; freeCredits: number }): Page {
  return {
    title: SITE_NAME,
    description: 'Search UK public tenders, contracts, suppliers and buyers. Free to browse, with an API and MCP.',
    body: (
      <>
        <div class="hero">
          <h1>What the public sector buys, and from whom</h1>
          <p class="lead">
            Tenders, awards and contracts of the United Kingdom{sayFrom(status)}, joined with the companies that win
            them.
          </p>
          <SearchBox action="/search" label={EVERYTHING} hint="Words, name or number" large />
          <p class="small muted">
            For example{' '}
            {EXAMPLES.map((words, at) => [
              at > 0 && ', ',
              <a key={words} href={withQuery('/search', { query: words })}>
                {words}
              </a>,
            ])}
          </p>
        </div>
        <Moving fresh={fresh} />
        <StoredCounts status={status} />
        <Ways freeCredits={freeCredits} />
      </>
    ),
  };
}

/** The services that the notices are from, in words. */
function sayFrom({ sources }: Status): string {
  const titles = sources.filter(({ isRegister }) => !isRegister).map(({ title }) => title);
  return titles.length > 0 ? ` from ${formatList(titles)}` : '';
}

function Moving({ fresh: { now, closing, newest } }: { fresh: Fresh }) {
  const hasClosing = closing !== null && closing.items.length > 0;
  const hasNewest = newest !== null && newest.items.length > 0;
  if (!hasClosing && !hasNewest) return null;
  return (
    <div class="ways">
      {hasClosing && (
        <Now title="Closing soonest" href="/tenders?sort=deadline" all={sayOpen(closing)}>
          <BriefList hits={closing.items} now={now} by="deadline" />
        </Now>
      )}
      {hasNewest && (
        <Now title="Just published" href="/notices" all="All notices">
          <BriefList hits={newest.items} now={now} by="published" />
        </Now>
      )}
    </div>
  );
}

function sayOpen({ total, exact }: Results): string {
  return `All ${exact ? '' : 'of at least '}${formatCount(total)} open for bids`;
}

function Now(props: { title: string; href: string; all: string; children: ComponentChildren }) {
  return (
    <section>
      <h2>{props.title}</h2>
      {props.children}
      <p class="more">
        <a href={props.href}>{props.all}</a>
      </p>
    </section>
  );
}

function StoredCounts({ status }: { status: Status }) {
  return (
    <section>
      <h2>What is here</h2>
      <Figures
        figures={status.sources.map(({ isRegister, title, releases, as_of }) => ({
          value: formatCount(releases),
          label: isRegister
            ? [`companies from ${title}`, as_of && `, edition of ${formatDay(as_of)}`]
            : [`releases from ${title}`, as_of && `, up to date to ${formatInstant(as_of)}`],
        }))}
      />
      <p class="more">
        <a href="/status">How fresh and complete this is, day by day</a>
      </p>
    </section>
  );
}

function Ways({ freeCredits }: { freeCredits: number }) {
  return (
    <div class="ways">
      <section>
        <h2>Look</h2>
        <ul class="plain">
          <li>
            <a href="/tenders">Live tenders</a>, open for bids now
          </li>
          <li>
            <a href="/notices">Every notice</a>, from first plan to last change
          </li>
          <li>
            <a href="/contracts">Contracts</a>, their suppliers, values and ends, and{' '}
            <a href="/renewals">what runs out next</a>
          </li>
          <li>
            <a href="/categories">What is bought</a>, by category and region
          </li>
          <li>
            <a href="/companies">A company</a> and what it has won
          </li>
          <li>
            <a href="/buyers">A public body</a> and what it buys
          </li>
          <li>
            <a href="/frameworks">Frameworks</a>, their lots and suppliers
          </li>
        </ul>
      </section>
      <section>
        <h2>Build</h2>
        <p>
          The same data as clean JSON over REST, and as tools for your agent over MCP. You pay only for answers; a
          search that finds nothing is free.
        </p>
        <p>
          <a class="button" href="/sign-up">
            Create an account
          </a>{' '}
          {freeCredits > 0 && <>with {formatNumbered(freeCredits, 'credit')}, free and without a card</>}
        </p>
        <p>
          <a href="/docs">API reference</a> · <a href="/docs/agents">Connect your agent</a> ·{' '}
          <a href="/pricing">Prices</a>
        </p>
      </section>
    </div>
  );
}
