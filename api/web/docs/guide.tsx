import type { Settings } from '../../../schema/env.ts';
import { formatCount } from '../format.ts';
import { Heading, type Page } from '../layout.tsx';
import { Endpoints } from './endpoints.tsx';
import { firstAddress } from './first-call.ts';
import type { Reference } from './reference.ts';

/** How the API is used, and every address of it. */
export function guidePage(entries: readonly Reference[], settings: Settings): Page {
  return {
    title: 'API reference',
    description: 'REST and MCP over UK procurement data',
    section: 'docs',
    body: (
      <>
        <Heading title="API reference">
          <p class="lead">
            Tenders, contracts, companies, buyers and frameworks as JSON over REST, and the same as tools for an agent
            over <a href="/docs/agents">MCP</a>.
          </p>
        </Heading>
        <h2>First call</h2>
        <p>
          <a href="/sign-up">Create an account</a>, create a key under <a href="/dashboard">Account</a>, and send it
          with every request:
        </p>
        <pre>
          <code>{`curl -H "Authorization: Bearer $API_KEY" '${firstAddress(settings.BASE_URL)}'`}</code>
        </pre>
        <h2>Endpoints</h2>
        <Endpoints entries={entries} />
        <Metering settings={settings} />
        <Errors />
        <h2>The contract</h2>
        <p>
          The machine-readable contract is <a href="/openapi.json">OpenAPI 3.1</a>. Fields may be added to answers; none
          is renamed or removed.
        </p>
      </>
    ),
  };
}

function Metering({ settings }: { settings: Settings }) {
  return (
    <section class="prose">
      <h2>Credits</h2>
      <ul>
        <li>
          Every metered answer says what it cost and what is left: <code>credits_charged</code> and{' '}
          <code>credits_remaining</code>.
        </li>
        <li>Only success is charged. Not found, no hits, a refusal and a fault of ours are free.</li>
        <li>
          Send an <code>Idempotency-Key</code> header of your own: the same key is never billed twice, and for 24 hours
          the first answer is given again, byte for byte.
        </li>
        <li>
          At most {formatCount(settings.KEY_REQUESTS_PER_MINUTE)} requests a minute and key; <code>429</code> says when
          to come back.
        </li>
      </ul>
    </section>
  );
}

const ERRORS: readonly [string, string][] = [
  ['401', 'No key, or an unknown or revoked one. error is missing_api_key or invalid_api_key.'],
  ['402', 'Not enough credits for the full price. Says action, required, balance and top_up_url.'],
  ['404', 'Nothing found, and nothing charged. A name that fits none well comes with candidates.'],
  ['409', 'The first call with this Idempotency-Key is still running.'],
  ['422', 'The request is not valid. detail[] says where (loc), what (msg) and of which kind (type).'],
  ['429', 'Too many requests. Retry-After says how long to wait.'],
  ['500, 503', 'A fault of ours, or part of the service is away. Quote the request_id.'],
];

function Errors() {
  return (
    <section>
      <h2>Errors</h2>
      <dl class="facts">
        {ERRORS.map(([status, words]) => (
          <div key={status}>
            <dt>
              <code>{status}</code>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
