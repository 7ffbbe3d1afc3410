import type { z } from 'zod';
import type { getStatus } from '../../operations/get-status.ts';
import { formatCount, formatDay, formatInstant } from '../format.ts';
import { type Page, SITE_NAME } from '../layout.tsx';
import { Figures, SearchBox } from '../parts.tsx';

type Status = z.input<typeof getStatus.output>;

/** The front page: one question, and how much lies behind it. */
export function homePage(status: Status | null): Page {
  return {
    title: SITE_NAME,
    description: 'Search UK public tenders, contracts, suppliers and buyers. Free to browse, with an API and MCP.',
    body: (
      <>
        <div class="hero">
          <h1>What the public sector buys, and from whom</h1>
          <p class="lead">
            Tenders, awards and contracts of the United Kingdom from Contracts Finder and Find a Tender, joined with the
            companies that win them.
          </p>
          <SearchBox action="/tenders" label="What could you supply? Try cleaning, bridge repair, software" large />
        </div>
        {status && (
          <>
            <Figures
              figures={status.sources.map(({ source, title, releases, as_of }) => ({
                value: formatCount(releases),
                label:
                  source === 'companies_house'
                    ? [`companies from ${title}`, as_of && `, edition of ${formatDay(as_of)}`]
                    : [`releases from ${title}`, as_of && `, complete to ${formatInstant(as_of)}`],
              }))}
            />
            <p class="small">
              <a href="/status">How fresh and complete this is</a>
            </p>
          </>
        )}
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
              The same data as clean JSON over REST, and as tools for your agent over MCP. You pay only for answers;
              what is not found costs nothing.
            </p>
            <p>
              <a href="/docs">API reference</a> · <a href="/docs/agents">Connect your agent</a> ·{' '}
              <a href="/pricing">Prices</a> · <a href="/sign-up">Create an account</a>
            </p>
          </section>
        </div>
      </>
    ),
  };
}
