import type { Settings } from '../../../schema/config/settings.ts';
import { ERRORS, exampleOf, type KnownError } from '../../contract/error-list.ts';
import { topUpUrl } from '../../contract/errors.ts';
import { Heading, type Page } from '../components/layout.tsx';

/** Every error: what it means, what to do, and an example. */
export function errorsPage(settings: Settings): Page {
  return {
    title: 'Errors',
    description: 'Every refusal of the API, what it means and what to do',
    section: 'docs',
    body: (
      <>
        <p class="kind">
          <a href="/docs">API reference</a>
        </p>
        <Heading title="Errors">
          <p class="lead">
            A refusal is free. It says in words what was wrong, and names the case in <code>error</code>.
          </p>
        </Heading>
        <p>
          Every error has a <code>message</code> for a person and a <code>request_id</code> for us; 422 has{' '}
          <code>detail</code> instead, a list of every fault at once. They are checked in this order: 401, 429, 422,
          409, 402, then the work itself.
        </p>
        <p>
          Over MCP the same body is the text of a tool result with <code>isError</code>. There <code>loc</code> begins
          with <code>arguments</code>; a missing or wrong key is HTTP 401, a page of another site 403{' '}
          <code>origin_not_allowed</code>, an <code>Accept</code> for neither JSON nor event streams 406{' '}
          <code>not_acceptable</code>, and a tool that does not exist is an error of JSON-RPC.
        </p>
        <nav aria-label="Errors">
          <ul class="short-list">
            {ERRORS.map(({ code, status }) => (
              <li key={code}>
                {status} <a href={`#${code}`}>{code}</a>
              </li>
            ))}
          </ul>
        </nav>
        {ERRORS.map((known) => (
          <OneError key={known.code} known={known} topUp={topUpUrl(settings)} />
        ))}
      </>
    ),
  };
}

function OneError({ known, topUp }: { known: KnownError; topUp: string }) {
  return (
    <section aria-labelledby={known.code}>
      <h2 id={known.code}>
        {known.status} <code>{known.code}</code>
      </h2>
      <p>{known.meaning}</p>
      <p>{known.remedy}</p>
      <pre>
        <code>{JSON.stringify(exampleOf(known, topUp), null, 2)}</code>
      </pre>
    </section>
  );
}
