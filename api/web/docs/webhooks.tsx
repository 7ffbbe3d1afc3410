import type { Settings } from '../../../schema/config/settings.ts';
import { formatNumbered } from '../components/format.ts';
import { Heading, type Page } from '../components/layout.tsx';
import { Table } from '../components/parts.tsx';
import { RECEIVERS, type Receiver } from './receivers.ts';
import { SNIPPET_SCRIPTS, Snippet } from './snippet.tsx';

const PATH = '/docs/webhooks';
const STANDARD = 'https://www.standardwebhooks.com';

const BODY = {
  type: 'watch.delivery',
  timestamp: '2026-11-21T07:00:00Z',
  data: {
    watch_id: 'wat_3fgxxJ44JzVJKUPlA3bU01',
    name: 'Maintenance in London',
    on: 'notices',
    delivery_id: 'wd_0VbnyhgeMfjg8VG6kUV6Yf',
    items: [{ kind: 'notice', id: '…', change: 'new', at: '2026-11-21T06:58:12Z', changed: [], item: { title: '…' } }],
  },
};

const HEADERS = [
  ['webhook-id', 'The id of the delivery. It is the same in every attempt.'],
  ['webhook-timestamp', 'When this attempt was sent, in seconds since 1970 (UTC).'],
  ['webhook-signature', 'One or two signatures with a space between: v1, a comma, and HMAC-SHA256 in base64.'],
] as const;

/** What a watch sends and how a receiver proves that it is ours, or a whole receiver. */
export function webhooksPage(settings: Settings, receiver?: Receiver): Page {
  const title = receiver ? `Receiving webhooks in ${receiver.language}` : 'Receiving webhooks';
  const pages = [{ id: '', language: 'How it works' }, ...RECEIVERS];
  return {
    title,
    description: 'What a watch sends by webhook, and how its receiver verifies the signature',
    section: 'docs',
    scripts: SNIPPET_SCRIPTS,
    body: (
      <>
        <p class="kind">
          <a href="/docs">API reference</a>
        </p>
        <Heading title={title}>
          <p class="lead">
            A <a href="/dashboard/watches">watch</a> calls your address with what is new and what changed, signed as{' '}
            <a href={STANDARD} rel="noopener">
              Standard Webhooks
            </a>{' '}
            describes.
          </p>
        </Heading>
        <nav class="tabs" aria-label="Languages">
          {pages.map(({ id, language }) => (
            <a
              key={id}
              class="tab"
              href={id ? `${PATH}/${id}` : PATH}
              aria-current={id === (receiver?.id ?? '') ? 'page' : undefined}
            >
              {language}
            </a>
          ))}
        </nav>
        {receiver ? <Example {...receiver} /> : <Rules settings={settings} />}
      </>
    ),
  };
}

function Example({ text, needs }: Receiver) {
  return (
    <>
      <p>
        A whole receiver, without any package: it needs {needs}. Start it with the secret of your watch in{' '}
        <code>WEBHOOK_SECRET</code>, put https in front of it, and send a test from the page of your watch. Your own
        service only needs <code>verify</code>.
      </p>
      <Snippet id="receiver" text={text} label="the receiver" />
    </>
  );
}

function Rules({ settings: { SMTP_URL, WATCH_BODY_DAYS } }: { settings: Settings }) {
  return (
    <>
      <section class="prose">
        <h2>Verify each one</h2>
        <p>
          The signed text is <code>webhook-id</code>, <code>webhook-timestamp</code> and the body, with a full stop
          between, byte for byte as they came. The key is what follows <code>whsec_</code> in the secret, decoded from
          base64. Compare in constant time, and refuse a timestamp more than five minutes away.
        </p>
      </section>
      <Table label="Headers" columns={['Header', 'What it is']}>
        {HEADERS.map(([name, words]) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>{words}</td>
          </tr>
        ))}
      </Table>
      <section class="prose">
        <h2>Answer soon, and expect repeats</h2>
        <ul>
          <li>Any status from 200 to 299 within 15 seconds means that you have it. Redirects are not followed.</li>
          <li>
            Anything else is sent again, for three days with growing pauses; then, or at once after a 410, the watch is
            paused{SMTP_URL && ' and you get a mail'}. Once resumed, it continues from where it stood. What failed is
            kept for {formatNumbered(WATCH_BODY_DAYS, 'day')}.
          </li>
          <li>
            Deliveries of one watch come in order, one at a time. One may come twice: its <code>webhook-id</code> is the
            same, and it is charged once.
          </li>
          <li>
            With a new secret both secrets sign for a day. Your receiver needs one match, so you can change it without
            haste.
          </li>
          <li>
            Your address must be https on the public internet. A test has the type <code>watch.test</code> and no items.
          </li>
        </ul>
        <h2>The body</h2>
        <p>
          The items are those of <a href="/docs/list_changes">/v1/changes</a>: <code>change</code> is <code>new</code>,{' '}
          <code>updated</code>, <code>left</code> (it no longer matches) or <code>gone</code>. Fields may be added.
        </p>
      </section>
      <Snippet id="body" text={JSON.stringify(BODY, null, 2)} label="the body" />
    </>
  );
}
