import type { KeyRow } from '../../../schema/accounts-store.ts';
import type { LedgerLine } from '../../../schema/ledger.ts';
import { formatCount, formatInstant } from '../format.ts';
import { labelPlain } from '../labels.ts';
import type { Page } from '../layout.tsx';
import { withQuery } from '../links.ts';
import { Figures, Scroll } from '../parts.tsx';
import { Fault, Frame, type Person } from './frame.tsx';
import { isInUse, Keys, NewKeyForm, type WantedKey } from './keys.tsx';

interface Overview {
  balance: number;
  keys: KeyRow[];
  recent: LedgerLine[];
  /** The instant of asking, ISO 8601 UTC. */
  now: string;
  /** Why a form was not taken, and what stood in it. */
  fault?: string | undefined;
  wanted?: WantedKey | undefined;
}

export function overviewPage(person: Person, { balance, keys, recent, now, fault, wanted }: Overview): Page {
  const inUse = keys.filter((key) => isInUse(key, now)).length;
  return {
    title: 'Your account',
    section: 'dashboard',
    personal: true,
    body: (
      <Frame tab="overview" title="Your account" {...person}>
        <Fault text={fault} />
        <Figures
          figures={[
            { value: formatCount(balance), label: 'credits left' },
            { value: formatCount(inUse), label: inUse === 1 ? 'key in use' : 'keys in use' },
          ]}
        />
        <h2 id="keys">API keys</h2>
        <Keys keys={keys} token={person.token} now={now} />
        <NewKeyForm token={person.token} wanted={wanted} />
        <h2>Latest entries</h2>
        <Ledger lines={recent} caption="The newest entries of the ledger" />
        <p>
          <a href="/dashboard/ledger">The whole ledger</a>
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
                {line.action && (
                  <span class="hint">
                    <code>{line.action}</code>
                  </span>
                )}
                {line.note && <span class="hint">{line.note}</span>}
              </td>
              <td class="number">{`${line.credits > 0 ? '+' : '−'}${formatCount(Math.abs(line.credits))}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
