import type { ComponentChildren } from 'preact';
import type { KeyRow } from '../../../../schema/accounts/customer/account.ts';
import { formatCount, formatDay, formatInstant, formatNumbered } from '../../components/format.ts';
import { Table } from '../../components/parts.tsx';
import { toLine } from '../form-answers.ts';
import { Once, Token } from '../frame.tsx';

const NAME_CHARS = 80;

/** Whether a key works at `now` (ISO 8601, UTC). */
export function isInUse({ revoked_at, expires_at }: KeyRow, now: string): boolean {
  return revoked_at === null && (expires_at === null || expires_at > now);
}

/** Whether a key has reached its monthly cap. */
export function isAtCap({ monthly_cap, spent }: KeyRow): boolean {
  return monthly_cap !== null && spent >= monthly_cap;
}

/** The fields of the form for a new key. */
export interface WantedKey {
  name: string;
  expires: string;
  cap: string;
}

/** The fields of the form for a new key among those that were sent. */
export function readWanted(sent: Readonly<Record<string, unknown>>): WantedKey {
  const text = (name: string) => (typeof sent[name] === 'string' ? sent[name].trim() : '');
  return { name: toLine(text('name'), NAME_CHARS), expires: text('expires'), cap: text('cap') };
}

/** The form for a new key. @param wanted - what was typed before */
export function NewKeyForm({ token, wanted }: { token: string; wanted?: Partial<WantedKey> | undefined }) {
  return (
    <form method="post" action="/dashboard/keys" class="row">
      <Token token={token} />
      <Once />
      <div class="field narrow">
        <label for="key-name">
          Name of a new key <span class="hint">Where it will be used, so that you recognise it.</span>
        </label>
        <input id="key-name" name="name" required maxLength={NAME_CHARS} value={wanted?.name} />
      </div>
      <div class="field">
        <label for="key-expires">
          Last day <span class="hint">Leave empty for no end.</span>
        </label>
        <input id="key-expires" name="expires" type="date" value={wanted?.expires} />
      </div>
      <div class="field">
        <label for="key-cap">
          Monthly limit in credits <span class="hint">Leave empty for no limit.</span>
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

/** Active keys, and collapsed below them the inactive ones. */
export function Keys({ keys, token, now }: KeysProps) {
  const working = keys.filter((key) => isInUse(key, now));
  const ended = keys.filter((key) => !isInUse(key, now));
  return (
    <>
      {working.length === 0 ? (
        <p>No key {ended.length > 0 ? 'in use' : 'yet'}. A key is what the API and your agent sign in with.</p>
      ) : (
        <Table label="API keys" columns={['Key', 'This month', 'Works']}>
          {working.map((key) => (
            <Row key={key.id} of={key}>
              <Working of={key} token={token} now={now} />
            </Row>
          ))}
        </Table>
      )}
      {ended.length > 0 && <Ended keys={ended} />}
    </>
  );
}

function Ended({ keys }: { keys: readonly KeyRow[] }) {
  return (
    <details>
      <summary>{formatNumbered(keys.length, 'key that no longer works', 'keys that no longer work')}</summary>
      <Table label="Keys that no longer work" columns={['Key', 'This month', 'Ended']}>
        {keys.map((key) => (
          <Row key={key.id} of={key}>
            {key.revoked_at ? `revoked ${formatInstant(key.revoked_at)}` : `expired ${formatInstant(key.expires_at)}`}
          </Row>
        ))}
      </Table>
    </details>
  );
}

function Row({ of, children }: { of: KeyRow; children: ComponentChildren }) {
  return (
    <tr>
      <th scope="row">
        {of.name}
        <span class="hint">
          <code>{of.hint}</code>
        </span>
        <span class="hint">created {formatDay(of.created_at)}</span>
        <span class="hint">last used: {formatLastUsed(of)}</span>
      </th>
      <td>
        <Spent {...of} />
      </td>
      <td>{children}</td>
    </tr>
  );
}

/** Calls are stored every half minute, spending at once. A key that only pays for exports and watches makes no calls. */
export function formatLastUsed({ last_used_at, spent }: KeyRow): string {
  return formatInstant(last_used_at) ?? (spent > 0 ? 'this month' : 'not yet');
}

function Spent({ name, spent, monthly_cap }: KeyRow) {
  if (monthly_cap === null) return <>{formatNumbered(spent, 'credit')}</>;
  const said = `${formatCount(spent)} of ${formatNumbered(monthly_cap, 'credit')}`;
  return (
    <>
      {said}
      <meter class="cap" max={monthly_cap} value={spent} aria-label={`${name}: ${said} this month`} />
    </>
  );
}

function Working({ of, token, now }: { of: KeyRow; token: string; now: string }) {
  return (
    <>
      {of.expires_at ? `until ${formatInstant(of.expires_at)}` : 'until it is revoked'}
      {of.former_until && of.former_until > now && (
        <span class="hint">
          the old key works until {formatInstant(of.former_until)}; rolling again ends it at once
        </span>
      )}
      <div class="row">
        <form method="post" action="/dashboard/keys/roll">
          <Token token={token} />
          <input type="hidden" name="key" value={of.id} />
          <input type="hidden" name="hint" value={of.hint} />
          <button type="submit" class="quiet" aria-label={`Roll ${of.name}`}>
            Roll
          </button>
        </form>
        <a class="button quiet" href={revokePath(of)} aria-label={`Revoke ${of.name}`}>
          Revoke
        </a>
      </div>
    </>
  );
}

const revokePath = ({ id }: KeyRow) => `/dashboard/keys/${encodeURIComponent(id)}/revoke`;
