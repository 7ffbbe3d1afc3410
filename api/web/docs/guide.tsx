import type { Settings } from '../../../schema/config/settings.ts';
import { ACCOUNT_TIMES } from '../../access/limits.ts';
import { formatCount, formatNumbered } from '../components/format.ts';
import { Heading, type Page } from '../components/layout.tsx';
import { SearchBox } from '../components/parts.tsx';
import { Endpoints } from './endpoints.tsx';
import { findEntries, type Reference } from './reference.ts';
import { firstAddress, SNIPPET_SCRIPTS, Snippet } from './snippet.tsx';

/** The API reference: its first call, every endpoint and the rules. @param words - of a search for endpoints; empty for none */
export function guidePage(entries: readonly Reference[], settings: Settings, words: string): Page {
  return {
    title: words ? `${words} - API reference` : 'API reference',
    description: 'REST and MCP over UK procurement data',
    section: 'docs',
    links: [{ rel: 'canonical', href: '/docs' }],
    scripts: SNIPPET_SCRIPTS,
    body: (
      <>
        <Heading title="API reference">
          <p class="lead">
            Tenders, contracts, companies, buyers and frameworks as JSON over REST, and the same data as tools for an
            agent over <a href="/docs/agents">MCP</a>.
          </p>
        </Heading>
        <SearchBox
          action="/docs"
          value={words}
          label="Search calls, inputs and answer fields"
          hint="Search the reference"
        />
        {words ? <Found entries={findEntries(entries, words)} /> : <Guide entries={entries} settings={settings} />}
      </>
    ),
  };
}

function Found({ entries }: { entries: readonly Reference[] }) {
  return (
    <>
      <h2>{formatNumbered(entries.length, 'matching call')}</h2>
      {entries.length > 0 && <Endpoints entries={entries} />}
      <p>
        <a href="/docs">The whole reference</a>
      </p>
    </>
  );
}

function Guide({ entries, settings }: { entries: readonly Reference[]; settings: Settings }) {
  return (
    <>
      <h2>First call</h2>
      <p>
        <a href="/sign-up">Create an account</a>, create a key under <a href="/dashboard">Account</a>, and send it with
        every request:
      </p>
      <Snippet
        text={`curl -H "Authorization: Bearer $API_KEY" '${firstAddress(settings.BASE_URL)}'`}
        label="the first call"
      />
      <p>The page of each call has this line too, and a form that sends the call with your key.</p>
      <h2>Endpoints</h2>
      <Endpoints entries={entries} />
      <Metering settings={settings} />
      <Exports />
      <section class="prose">
        <h2>Watches</h2>
        <p>
          A watch delivers what is new and what changed, {settings.SMTP_URL && 'by e-mail or '}by webhook: how to{' '}
          <a href="/docs/webhooks">receive and verify webhooks</a>, with receivers in{' '}
          <a href="/docs/webhooks/typescript">TypeScript</a> and <a href="/docs/webhooks/python">Python</a>.
        </p>
      </section>
      <h2>The contract</h2>
      <p>
        What each <a href="/docs/notice-types">notice type</a> means, which stage it is, and what the forms of each
        portal become. The machine-readable contract is <a href="/openapi.json">OpenAPI 3.1</a>. Fields may be added to
        answers; none is renamed or removed: see how <a href="/deprecation">versions and changes</a> are handled. For a
        model to read there is <a href="/llms.txt">llms.txt</a>.
      </p>
    </>
  );
}

function Exports() {
  return (
    <section class="prose">
      <h2>Exports</h2>
      <ul>
        <li>
          A CSV or JSON Lines file contains only rows. The licence and the attribution of each publisher are in the
          export's <code>licence</code> and <code>attribution</code>, next to a CSV file and in the metadata of a
          Parquet file; a download's <code>Link</code> header names the licence. Each row names its <code>source</code>,
          whose own attribution is in <code>/v1/status</code>.
        </li>
        <li>
          The types of a CSV file's columns are in a file next to it: <code>download_url</code> with{' '}
          <code>download.csv-metadata.json</code> in place of <code>download</code> (CSV on the Web). Read codes and ids
          as text: some begin with zeros.
        </li>
        <li>
          A CSV cell that a spreadsheet would run as a formula begins with an apostrophe, which is not part of the
          value.
        </li>
        <li>
          A CSV file is UTF-8 and has no byte order mark, so that programs read its first column by its name. For Excel,
          ask for one with <code>excel: true</code>.
        </li>
      </ul>
    </section>
  );
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
        <li>
          Only a successful answer is charged. Nothing found, no hits, a refused call and an error on our side are free.
        </li>
        <li>
          Send an <code>Idempotency-Key</code> header of your own: the same key is never billed twice, and for 24 hours
          the first answer is given again, byte for byte.
        </li>
        <li>
          A call is charged before its answer leaves: one whose connection breaks off on the way is charged too. Ask
          again with the same <code>Idempotency-Key</code> and the answer comes free; without a key it is a new call.
        </li>
        <li>
          At most {formatCount(settings.KEY_REQUESTS_PER_MINUTE)} requests a minute per key, and{' '}
          {formatCount(ACCOUNT_TIMES * settings.KEY_REQUESTS_PER_MINUTE)} per account; <code>429</code> says when to
          come back. All <a href="/pricing">prices and limits</a>.
        </li>
        <li>
          A refusal says what was wrong: all <a href="/docs/errors">errors</a>, with what to do.
        </li>
      </ul>
    </section>
  );
}
