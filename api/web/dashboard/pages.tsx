import type { KeyRow } from '../../../schema/accounts-store.ts';
import type { LedgerLine } from '../../../schema/ledger.ts';
import { firstAddress } from '../docs/first-call.ts';
import { formatCount, formatDay, formatInstant, formatNumbered } from '../format.ts';
import { labelPlain } from '../labels.ts';
import type { Page } from '../layout.tsx';
import { withQuery } from '../links.ts';
import { Figures, Scroll } from '../parts.tsx';
import { Frame, Token } from './frame.tsx';

export interface Person {
  name: string;
  token: string;
}

export function overviewPage(person: Person, balance: number, keys: KeyRow[], recent: LedgerLine[]): Page {
  const inUse = keys.filter((key) => !key.revoked_at).length;
  return {
    title: 'Your account',
    section: 'dashboard',
    personal: true,
    body: (
      <Frame tab="overview" title="Your account" {...person}>
        <Figures
          figures={[
            { value: formatCount(balance), label: 'credits left' },
            { value: formatCount(inUse), label: inUse === 1 ? 'key in use' : 'keys in use' },
          ]}
        />
        <h2 id="keys">API keys</h2>
        <Keys keys={keys} token={person.token} />
        <form method="post" action="/dashboard/keys" class="row">
          <Token token={person.token} />
          <div class="field narrow">
            <label for="key-name">
              Name of a new key <span class="hint">Where it will be used, so that you know it again.</span>
            </label>
            <input id="key-name" name="name" required maxLength={80} />
          </div>
          <button type="submit">Create key</button>
        </form>
        <h2>Latest entries</h2>
        <Ledger lines={recent} caption="The newest entries of the ledger" />
        <p>
          <a href="/dashboard/ledger">The whole ledger</a>
        </p>
      </Frame>
    ),
  };
}

function Keys({ keys, token }: { keys: KeyRow[]; token: string }) {
  if (keys.length === 0) return <p>No key yet. A key is what the API and your agent sign in with.</p>;
  return (
    <Scroll label="API keys">
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Last used</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <th scope="row">
                {key.name}
                <span class="hint">
                  <code>{key.hint}</code>, created {formatDay(key.created_at)}
                </span>
              </th>
              <td>{formatInstant(key.last_used_at) ?? 'not yet'}</td>
              <td>{key.revoked_at ? `revoked ${formatInstant(key.revoked_at)}` : <Revoke of={key} token={token} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Revoke({ of, token }: { of: KeyRow; token: string }) {
  return (
    <form method="post" action="/dashboard/keys/revoke">
      <Token token={token} />
      <input type="hidden" name="key" value={of.id} />
      <button type="submit" class="quiet" aria-label={`Revoke ${of.name}`}>
        Revoke
      </button>
    </form>
  );
}

/** The only page that ever holds a key in full. */
export function createdKeyPage(person: Person, key: { name: string; key: string }, baseUrl: string): Page {
  const curl = `curl -H 'Authorization: Bearer ${key.key}' '${firstAddress(baseUrl)}'`;
  return {
    title: 'Your new key',
    section: 'dashboard',
    personal: true,
    body: (
      <Frame title="Your new key" {...person}>
        <div class="note warn">
          <p>Copy it now. It is kept only as a fingerprint and cannot be shown again.</p>
        </div>
        <p>
          <label for="new-key">{key.name}</label>
          <code class="key" id="new-key">
            {key.key}
          </code>
        </p>
        <h2>Try it</h2>
        <pre>
          <code>{curl}</code>
        </pre>
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

export function ledgerPage(person: Person, lines: LedgerLine[], next: number | null): Page {
  return {
    title: 'Ledger',
    section: 'dashboard',
    personal: true,
    body: (
      <Frame tab="ledger" title="Ledger" {...person}>
        <p>Every credit that came in or was spent, newest first. The balance is the sum of these lines.</p>
        <Ledger lines={lines} caption="Entries, newest first" />
        {next && (
          <nav class="pages" aria-label="Pages">
            <a href={withQuery('/dashboard/ledger', { before: next })} rel="next">
              Older entries
            </a>
          </nav>
        )}
      </Frame>
    ),
  };
}

function Ledger({ lines, caption }: { lines: LedgerLine[]; caption: string }) {
  if (lines.length === 0) return <p>Nothing here yet.</p>;
  return (
    <Scroll label={caption}>
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">What</th>
            <th scope="col" class="number">
              Credits
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id}>
              <td>{formatInstant(line.created_at)}</td>
              <td>
                {labelPlain(line.kind)}
                <span class="hint">{line.action ? <code>{line.action}</code> : line.note}</span>
              </td>
              <td class="number">{`${line.credits > 0 ? '+' : '−'}${formatCount(Math.abs(line.credits))}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

export function billingPage(person: Person, balance: number, pencePerCredit: number, accountId: string): Page {
  const pounds = (pencePerCredit / 100).toFixed(2);
  return {
    title: 'Billing',
    section: 'dashboard',
    personal: true,
    body: (
      <Frame tab="billing" title="Billing" {...person}>
        <Figures
          figures={[
            { value: formatCount(balance), label: 'credits left' },
            { value: `£${pounds}`, label: 'net price of one credit' },
          ]}
        />
        <h2>Top up</h2>
        <p>
          Cards are not taken here. Ask the operator of this service for credits, by invoice, and quote your account:{' '}
          <code>{accountId}</code>. {formatNumbered(1000, 'credit')} cost £{(pencePerCredit * 10).toFixed(2)} net. They
          appear in your <a href="/dashboard/ledger">ledger</a> as soon as they are granted.
        </p>
        <p>
          What a call costs is in the <a href="/pricing">price list</a>.
        </p>
      </Frame>
    ),
  };
}
