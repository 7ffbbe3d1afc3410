import type { Router } from 'express';
import type { ComponentChildren } from 'preact';
import { readKeys } from '../../../../schema/accounts/customer/account.ts';
import { readUsage, type Usage, type UsagePart } from '../../../../schema/accounts/ledger/pages.ts';
import { DAY_MS, isoInstant } from '../../../../schema/config/clocks.ts';
import { type Bar, Bars } from '../../charts/bars.tsx';
import { RankedBars, type RankedRow } from '../../charts/ranked-bars.tsx';
import { formatCount, formatDay, formatDayShort, formatNumbered, formatShort } from '../../components/format.ts';
import type { Page } from '../../components/layout.tsx';
import { withQuery } from '../../components/links.ts';
import { Figures, Table } from '../../components/parts.tsx';
import type { Web } from '../../context.ts';
import { makeRouter } from '../../serving/router.ts';
import { dashboardPage, type Person } from '../frame.tsx';
import type { MakeSigned, SignedHandler } from '../signed-in.ts';

const SPANS = [30, 90];

/** Credits spent, by day, operation and key. */
export function makeUsageRoutes(web: Web, signed: MakeSigned): Router {
  const router = makeRouter();
  router.get('/dashboard/usage', signed(showUsage(web), 'usage'));
  return router;
}

function showUsage({ services, send }: Web): SignedHandler {
  return async ({ account, person }, request, response) => {
    const { accounts, clocks } = services;
    const now = clocks.wallNow();
    const span = SPANS.find((days) => String(days) === request.query.days) ?? 30;
    const all = listDays(now, span);
    const [from = '', to = ''] = [all[0], all.at(-1)];
    const read = (by: UsagePart) => readUsage(accounts, { accountId: account.id, from, to, by });
    const [days, operations, keys] = await Promise.all([read('day'), read('action'), read('key_id')]);
    const keyNames = new Map((await readKeys(accounts, account.id, isoInstant(now))).map(({ id, name }) => [id, name]));
    await send(response, usagePage(person, { span, spans: SPANS, days: fill(all, days), operations, keys, keyNames }));
  };
}

/** Days (`YYYY-MM-DD`, UTC) up to today. */
function listDays(now: Date, count: number): string[] {
  const dayOf = (at: number) => new Date(now.getTime() - (count - 1 - at) * DAY_MS).toISOString().slice(0, 10);
  return Array.from({ length: count }, (_, at) => dayOf(at));
}

type Parts = readonly (Usage & { part: string })[];

/** Every day, including those without charges. */
function fill(days: readonly string[], used: Parts): Parts {
  const byDay = new Map(used.map((day) => [day.part, day]));
  return days.map((part) => byDay.get(part) ?? { part, calls: 0, credits: 0 });
}

interface UsageView {
  /** Days shown, and the choices. */
  span: number;
  spans: readonly number[];
  /** Every day, oldest first. */
  days: Parts;
  operations: Parts;
  keys: Parts;
  keyNames: ReadonlyMap<string, string>;
}

/** The page of credits spent by day, operation and key. */
function usagePage(person: Person, view: UsageView): Page {
  const calls = view.days.reduce((sum, day) => sum + day.calls, 0);
  const credits = view.days.reduce((sum, day) => sum + day.credits, 0);
  return dashboardPage(
    person,
    { title: 'Usage', tab: 'usage' },
    <>
      <Spans {...view} />
      <Figures
        figures={[
          { value: formatCount(credits), label: `credits spent in ${view.span} days` },
          { value: formatCount(calls), label: calls === 1 ? 'charged call' : 'charged calls' },
        ]}
      />
      {calls === 0 ? <Nothing /> : <Pictures {...view} />}
    </>,
  );
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
    <Table
      label="Days with charges, newest first"
      compact
      columns={['Day', 'Calls', 'Credits']}
      numbers={['Calls', 'Credits']}
    >
      {used.map((day) => (
        <tr key={day.part}>
          <th scope="row">{formatDay(day.part)}</th>
          <td class="number">{formatCount(day.calls)}</td>
          <td class="number">{formatCount(day.credits)}</td>
        </tr>
      ))}
    </Table>
  );
}

/** Credits spent by day, including days without any. */
function UsageByDay({ days }: Pick<UsageView, 'days'>) {
  return <Bars title="Credits by day" bars={days.map(toBar)} />;
}

function toBar({ part, calls, credits }: Parts[number]): Bar {
  return {
    name: formatDayShort(part),
    amount: credits,
    short: credits === 0 ? '' : formatShort(credits),
    long: sayUsage({ calls, credits }),
  };
}

interface UsageRankedProps {
  /** The heading of the rows: `Operation`. */
  of: string;
  /** Most expensive first. */
  rows: readonly (Parts[number] & { name: ComponentChildren })[];
}

/** Credits by operation or key, each with its share as a bar. */
function UsageRanked({ of, rows }: UsageRankedProps) {
  const whole = rows.reduce((sum, { credits }) => sum + credits, 0);
  const toRow = ({ part, name, calls, credits }: UsageRankedProps['rows'][number]): RankedRow => ({
    key: part,
    name,
    amount: credits,
    meaning: `${sharePercent(credits, whole)} of the credits spent`,
    cells: [formatCount(calls), formatCount(credits)],
  });
  return (
    <RankedBars label={`Credits by ${of.toLowerCase()}`} heads={[of, 'Calls', 'Credits']} rows={rows.map(toRow)} />
  );
}

function sharePercent(part: number, whole: number): string {
  return `${whole > 0 ? Math.round((100 * part) / whole) : 0}%`;
}

/** `12 credits in 4 calls`. */
function sayUsage({ calls, credits }: Usage): string {
  return `${formatNumbered(credits, 'credit')} in ${formatNumbered(calls, 'call')}`;
}
