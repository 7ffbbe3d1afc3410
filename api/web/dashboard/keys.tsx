import type { KeyRow } from '../../../schema/accounts-store.ts';
import { firstAddress } from '../docs/first-call.ts';
import { formatDay, formatInstant, formatNumbered } from '../format.ts';
import type { Page } from '../layout.tsx';
import { Scroll } from '../parts.tsx';
import { Frame, type Person, Token } from './frame.tsx';

/** Whether a key works at `now` (ISO 8601, UTC). */
export function isInUse({ revoked_at, expires_at }: KeyRow, now: string): boolean {
  return revoked_at === null && (expires_at === null || expires_at > now);
}

/** What somebody wrote into the form of a new key. */
export interface WantedKey {
  name: string;
  expires: string;
  cap: string;
}

export function NewKeyForm({ token, wanted }: { token: string; wanted?: WantedKey | undefined }) {
  return (
    <form method="post" action="/dashboard/keys" class="row">
      <Token token={token} />
      <div class="field narrow">
        <label for="key-name">
          Name of a new key <span class="hint">Where it will be used, so that you know it again.</span>
        </label>
        <input id="key-name" name="name" required maxLength={80} value={wanted?.name} />
      </div>
      <div class="field">
        <label for="key-expires">
          Last day <span class="hint">Empty: it never expires.</span>
        </label>
        <input id="key-expires" name="expires" type="date" value={wanted?.expires} />
      </div>
      <div class="field">
        <label for="key-cap">
          Credits a month at most <span class="hint">Empty: no cap.</span>
        </label>
        <input
          id="key-cap"
          name="cap"
          inputMode="numeric"
          pattern="[1-9][0-9]{0,8}"
          maxLength={9}
          value={wanted?.cap}
        />
      </div>
      <button type="submit">Create key</button>
    </form>
  );
}

interface KeysProps {
  keys: KeyRow[];
  token: string;
  /** ISO 8601 instant, UTC. */
  now: string;
}

export function Keys({ keys, token, now }: KeysProps) {
  if (keys.length === 0) return <p>No key yet. A key is what the API and your agent sign in with.</p>;
  return (
    <Scroll label="API keys">
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Last used</th>
            <th scope="col">This month</th>
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
              <td>
                {formatNumbered(key.spent, 'credit')}
                {key.monthly_cap !== null && <span class="hint">of {formatNumbered(key.monthly_cap, 'credit')}</span>}
              </td>
              <td>
                <State of={key} token={token} now={now} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function State({ of, token, now }: { of: KeyRow; token: string; now: string }) {
  if (of.revoked_at) return <>revoked {formatInstant(of.revoked_at)}</>;
  if (!isInUse(of, now)) return <>expired {formatInstant(of.expires_at)}</>;
  return (
    <>
      {of.expires_at && <span class="hint">works until {formatInstant(of.expires_at)}</span>}
      {of.former_until && of.former_until > now && (
        <span class="hint">its old text works until {formatInstant(of.former_until)}</span>
      )}
      <div class="row">
        <Change of={of} token={token} action="roll" label="Roll" />
        <Change of={of} token={token} action="revoke" label="Revoke" />
      </div>
    </>
  );
}

interface ChangeProps {
  of: KeyRow;
  token: string;
  action: 'roll' | 'revoke';
  label: string;
}

function Change({ of, token, action, label }: ChangeProps) {
  return (
    <form method="post" action={`/dashboard/keys/${action}`}>
      <Token token={token} />
      <input type="hidden" name="key" value={of.id} />
      <button type="submit" class="quiet" aria-label={`${label} ${of.name}`}>
        {label}
      </button>
    </form>
  );
}

interface ShownKey {
  name: string;
  key: string;
  /** Until when its old text works on, where it was rolled. */
  formerUntil?: string;
}

/** The only page that ever holds a key in full. */
export function shownKeyPage(person: Person, { name, key, formerUntil }: ShownKey, baseUrl: string): Page {
  const title = formerUntil ? 'Your rolled key' : 'Your new key';
  const curl = `curl -H 'Authorization: Bearer ${key}' '${firstAddress(baseUrl)}'`;
  return {
    title,
    section: 'dashboard',
    personal: true,
    body: (
      <Frame title={title} {...person}>
        <div class="note warn">
          <p>Copy it now. It is kept only as a fingerprint and cannot be shown again.</p>
          {formerUntil && <p>The old text works until {formatInstant(formerUntil)}.</p>}
        </div>
        <p>
          <label for="new-key">{name}</label>
          <code class="key" id="new-key">
            {key}
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
