import type { KeyRow } from '../../../../schema/accounts/customer/account.ts';
import { formatInstant, formatNumbered } from '../../components/format.ts';
import type { Page } from '../../components/layout.tsx';
import { Facts } from '../../components/parts.tsx';
import { firstAddress, SNIPPET_SCRIPTS, Snippet } from '../../docs/snippet.tsx';
import { Frame, type Person, Token } from '../frame.tsx';
import { formatLastUsed } from './list.tsx';

interface ShownKey {
  name: string;
  key: string;
  /** Until when the old key works, if it was rolled. */
  formerUntil?: string;
}

/** The only page that shows a key in full. */
export function shownKeyPage(person: Person, { name, key, formerUntil }: ShownKey, baseUrl: string): Page {
  const title = formerUntil ? 'Your rolled key' : 'Your new key';
  const curl = `curl -H 'Authorization: Bearer ${key}' '${firstAddress(baseUrl)}'`;
  return {
    title,
    section: 'dashboard',
    personal: true,
    scripts: [...SNIPPET_SCRIPTS, 'shown-key.js'],
    body: (
      <Frame title={title} {...person}>
        <div class="note warn">
          <p>Copy it now. We keep only a fingerprint of it, so it cannot be shown again.</p>
          {formerUntil && <p>The old key works until {formatInstant(formerUntil)}.</p>}
        </div>
        <p>{name}</p>
        <div class="shown-key">
          <code class="key" id="new-key">
            {key}
          </code>
          <button type="button" data-copy="new-key" hidden>
            Copy<span class="unseen"> the key</span>
          </button>
        </div>
        <h2>Try it</h2>
        <Snippet id="first-call" text={curl} label="the call" />
        <p>
          The <a href="/docs">reference</a> lists every call, and how to <a href="/docs/agents">connect your agent</a>.
        </p>
        <p>
          <a class="button" href="/dashboard">
            I have copied it
          </a>
        </p>
      </Frame>
    ),
  };
}

/** Asks for confirmation before a key is rolled or revoked. */
export function revokeKeyPage(person: Person, key: KeyRow): Page {
  const title = `Revoke ${key.name}?`;
  return {
    title,
    section: 'dashboard',
    personal: true,
    body: (
      <Frame title={title} {...person}>
        <p>
          Calls with this key will be refused within 2 seconds. This cannot be undone. To replace the key while the old
          one keeps working for a time, roll it instead.
        </p>
        <Facts
          facts={[
            ['Key', <code>{key.hint}</code>],
            ['Last used', formatLastUsed(key)],
            ['Spent this month', formatNumbered(key.spent, 'credit')],
          ]}
        />
        <form method="post" action="/dashboard/keys/revoke" class="row">
          <Token token={person.token} />
          <input type="hidden" name="key" value={key.id} />
          <button type="submit" class="grave">
            Revoke {key.name}
          </button>
          <a href="/dashboard#keys">Keep it</a>
        </form>
      </Frame>
    ),
  };
}
