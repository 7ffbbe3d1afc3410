import type { Usage } from '../../../../schema/accounts/ledger/usage.ts';
import { UsageByDay, UsageRanked } from '../../charts/spending.tsx';
import { formatCount, formatDay } from '../../components/format.ts';
import type { Page } from '../../components/layout.tsx';
import { withQuery } from '../../components/links.ts';
import { Figures, Scroll } from '../../components/parts.tsx';
import { Frame, type Person } from '../frame.tsx';

type Parts = readonly (Usage & { part: string })[];

export interface UsageView {
  /** How many days are shown, and how many can be. */
  span: number;
  spans: readonly number[];
  /** Every day, the first first. */
  days: Parts;
  operations: Parts;
  keys: Parts;
  keyNames: ReadonlyMap<string, string>;
}

export function usagePage(person: Person, view: UsageView): Page {
  const calls = view.days.reduce((sum, day) => sum + day.calls, 0);
  const credits = view.days.reduce((sum, day) => sum + day.credits, 0);
  return {
    title: 'Usage',
    section: 'dashboard',
    personal: true,
    body: (
      <Frame tab="usage" title="Usage" {...person}>
        <Spans {...view} />
        <Figures
          figures={[
            { value: formatCount(credits), label: `credits spent in ${view.span} days` },
            { value: formatCount(calls), label: calls === 1 ? 'charged call' : 'charged calls' },
          ]}
        />
        {calls === 0 ? <Nothing /> : <Pictures {...view} />}
      </Frame>
    ),
  };
}

function Spans({ span, spans }: UsageView) {
  return (
    <nav class="spans" aria-label="Period">
      {spans.map((days) => (
        <a key={days} href={withQuery('/dashboard/usage', { days })} aria-current={days === span ? 'true' : undefined}>
          Last {days} days
        </a>
      ))}
    </nav>
  );
}

function Nothing() {
  return (
    <p>
      Nothing was charged in this period. What a call costs is in the <a href="/pricing">price list</a>, how to make one
      in the <a href="/docs">reference</a>.
    </p>
  );
}

function Pictures({ days, operations, keys, keyNames }: UsageView) {
  const nameKey = (id: string) => (id === '' ? 'without a key' : (keyNames.get(id) ?? id));
  return (
    <>
      <UsageByDay days={days} />
      <details>
        <summary>Day by day</summary>
        <Days days={days} />
      </details>
      <h2>By operation</h2>
      <UsageRanked of="Operation" rows={operations.map((row) => ({ ...row, name: <code>{row.part}</code> }))} />
      <h2>By key</h2>
      <UsageRanked of="Key" rows={keys.map((row) => ({ ...row, name: nameKey(row.part) }))} />
      <p class="muted small">
        Days begin at midnight UTC. A refund is deducted from the day of its charge. Every charge is in the{' '}
        <a href="/dashboard/ledger?kind=charge">ledger</a>.
      </p>
    </>
  );
}

function Days({ days }: Pick<UsageView, 'days'>) {
  const used = days.filter(({ calls }) => calls > 0).toReversed();
  return (
    <Scroll label="Days with charges, newest first" compact>
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col" class="number">
              Calls
            </th>
            <th scope="col" class="number">
              Credits
            </th>
          </tr>
        </thead>
        <tbody>
          {used.map((day) => (
            <tr key={day.part}>
              <th scope="row">{formatDay(day.part)}</th>
              <td class="number">{formatCount(day.calls)}</td>
              <td class="number">{formatCount(day.credits)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
