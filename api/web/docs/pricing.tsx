import { HOUR_MS } from '../../../schema/config/clocks.ts';
import type { Settings } from '../../../schema/config/settings.ts';
import { ACCOUNT_TIMES } from '../../access/limits.ts';
import { inputSchema } from '../../answer/published-schema.ts';
import { offerPacks, type Quote, quote } from '../../billing/price.ts';
import type { Operation } from '../../contract/operation.ts';
import { BODY_BYTES, URL_BYTES } from '../../http/body.ts';
import { REPLAY_MS } from '../../metering/idempotency.ts';
import { BLOCK_ROWS, bulkExport } from '../../operations/exports/bulk.ts';
import { searchNotices } from '../../operations/search/notices.ts';
import { formatCount, formatNumbered, formatPounds } from '../components/format.ts';
import { Heading, type Page } from '../components/layout.tsx';
import { Facts } from '../components/parts.tsx';
import { Endpoints } from './endpoints.tsx';
import type { Reference } from './reference.ts';

/** The price list and the limits, from the operations table and the settings. @param query - the estimator's fields */
export function pricingPage(entries: readonly Reference[], settings: Settings, query: Record<string, unknown>): Page {
  return {
    title: 'Prices and limits',
    description: 'What each call costs, what is free, and the limits',
    body: (
      <>
        <Heading title="Prices and limits">
          <p class="lead">
            Browsing these pages is free. A successful call of the API costs a few credits. A search that finds nothing,
            a refused call and an error on our side cost nothing.
          </p>
        </Heading>
        <Credits settings={settings} />
        <Bundles prices={settings} />
        <Example entries={entries} settings={settings} />
        <Estimator entries={entries} prices={settings} query={query} />
        <h2>What each call costs</h2>
        <Endpoints entries={entries} pencePerCredit={settings.PENCE_PER_CREDIT} />
        <Free />
        <h2>Limits</h2>
        <Limits settings={settings} />
      </>
    ),
  };
}

function Credits({ settings: { PENCE_PER_CREDIT, VAT_PERCENT, SIGNUP_CREDITS } }: { settings: Settings }) {
  const vat = VAT_PERCENT > 0 ? `; VAT of ${VAT_PERCENT}% is added when credits are bought` : '';
  return (
    <>
      <p>
        One credit is {formatPounds(PENCE_PER_CREDIT)} net{vat}. Credits do not expire.{' '}
        {SIGNUP_CREDITS > 0 && (
          <>
            A new account receives {formatCount(SIGNUP_CREDITS)} credits, once, without a card: it starts when you have
            confirmed your e-mail address.
          </>
        )}
      </p>
      <p>
        <a class="button" href="/sign-up">
          Create an account
        </a>
      </p>
    </>
  );
}

function countTimes(times: number): string {
  return ['never', 'once', 'twice'][times] ?? `${formatCount(times)} times`;
}

/** An example: the price of an afternoon's research. */
const AFTERNOON: readonly [times: number, id: string][] = [
  [10, 'search_tenders'],
  [5, 'get_notice'],
  [3, 'company_profile'],
  [1, 'buyer_profile'],
];

function Example({ entries, settings }: { entries: readonly Reference[]; settings: Settings }) {
  const lines = AFTERNOON.flatMap(([times, id]) => {
    const entry = entries.find((one) => one.id === id);
    return entry ? [{ times, entry, credits: times * entry.credits }] : [];
  });
  const total = lines.reduce((sum, { credits }) => sum + credits, 0);
  const times = Math.floor(settings.SIGNUP_CREDITS / total);
  return (
    <>
      <h2>For example</h2>
      <ul>
        {lines.map(({ times: count, entry, credits }) => (
          <li key={entry.id}>
            {count} × <a href={`/docs/${entry.id}`}>{entry.summary}</a>: {formatNumbered(credits, 'credit')}
          </li>
        ))}
      </ul>
      <p>
        Together {formatNumbered(total, 'credit')}, which is {formatPounds(total * settings.PENCE_PER_CREDIT)} net
        {times > 0 && `; the free credits of a new account pay for that ${countTimes(times)}`}.
      </p>
    </>
  );
}

function Free() {
  return (
    <>
      <h2>What is free</h2>
      <ul class="prose">
        <li>A search without hits, a look-up that finds nothing, a list or document set that is empty.</li>
        <li>Every refused call: a wrong key, invalid input, too many requests, too few credits.</li>
        <li>Every error on our side.</li>
        <li>
          The same call again with the same Idempotency-Key, and the further pages of a contract list for 24 hours.
        </li>
        <li>A quote for an export (dry_run), and the download of one that is paid.</li>
      </ul>
    </>
  );
}

/** The greatest valid value of an input. */
function mostOf(operation: Operation, input: string): string {
  return formatCount(Number(inputSchema(operation).properties?.[input]?.maximum));
}

function Limits({ settings }: { settings: Settings }) {
  const { KEY_REQUESTS_PER_MINUTE, WEB_REQUESTS_PER_MINUTE, WEB_PAGES_PER_DAY, EXPORT_DAYS } = settings;
  return (
    <>
      <Facts
        facts={[
          [
            'API and MCP',
            `${formatCount(KEY_REQUESTS_PER_MINUTE)} requests a minute per key, ${formatCount(ACCOUNT_TIMES * KEY_REQUESTS_PER_MINUTE)} per account`,
          ],
          ['These pages', `${formatCount(WEB_REQUESTS_PER_MINUTE)} a minute per network address`],
          ['Pages of data', `${formatCount(WEB_PAGES_PER_DAY)} a day per network address`],
          ['One search', `${mostOf(searchNotices, 'limit')} results a page`],
          ['One export', `${mostOf(bulkExport, 'max_rows')} rows`],
          ['A request body', `${formatCount(BODY_BYTES / 1024)} kB`],
          ['A URL', `${formatCount(URL_BYTES / 1024)} kB`],
          ['A finished export', `can be downloaded for ${formatNumbered(EXPORT_DAYS, 'day')}`],
          ['An Idempotency-Key', `gives the same answer again for ${formatNumbered(REPLAY_MS / HOUR_MS, 'hour')}`],
          ['A revoked key', 'stops within 2 seconds'],
        ]}
      />
      <p>
        Every answer says in <code>RateLimit</code> what is left; beyond it comes{' '}
        <a href="/docs/errors#rate_limited">429</a> with <code>Retry-After</code>, free.
      </p>
    </>
  );
}

type Prices = Pick<Settings, 'PENCE_PER_CREDIT' | 'VAT_PERCENT'>;

/** The calls of the estimator and their default numbers. */
const ASKED: readonly [id: string, times: number][] = [
  ['search_tenders', 200],
  ['search_notices', 100],
  ['get_notice', 50],
  ['company_profile', 20],
  ['buyer_profile', 10],
];
const TIMES = /^\d{1,7}$/;
const ROWS = 'export_rows';

/** A number of credits at current prices. */
function Bundles({ prices }: { prices: Prices }) {
  const packs = offerPacks(prices);
  if (packs.length === 0) return null;
  return (
    <>
      <h2>Bundles</h2>
      <ul class="plain">
        {packs.map((pack) => (
          <li key={pack.credits}>
            <strong>{formatNumbered(pack.credits, 'credit')}</strong>: {sayPrice(pack)}
          </li>
        ))}
      </ul>
      <p class="muted small">A credit costs the same in every bundle. Any other number can be bought too.</p>
    </>
  );
}

function sayPrice({ net, total, vatPercent }: Quote): string {
  return `${formatPounds(net)} net${vatPercent > 0 ? `, ${formatPounds(total)} with VAT` : ''}`;
}

/**
 * Estimates the price of a month. @param query - the form's fields: how often each call is made; absent ones have their
 * defaults
 */
function Estimator(props: { entries: readonly Reference[]; prices: Prices; query: Record<string, unknown> }) {
  const { entries, prices, query } = props;
  const lines = ASKED.flatMap(([id, usual]) => {
    const entry = entries.find((one) => one.id === id);
    return entry ? [{ id, label: entry.summary, text: textOf(query[id], String(usual)), credits: entry.credits }] : [];
  });
  const exportCredits = entries.find(({ id }) => id === 'bulk_export')?.credits ?? 0;
  const rows = textOf(query[ROWS], '0');
  const isRight = [...lines.map(({ text }) => text), rows].every((text) => TIMES.test(text));
  const calls = lines.reduce((sum, { text, credits }) => sum + Number(text) * credits, 0);
  const total = calls + Math.ceil(Number(rows) / BLOCK_ROWS) * exportCredits;
  return (
    <section id="estimate">
      <h2>Estimate a month</h2>
      <form action="/pricing#estimate" class="narrow">
        {lines.map(({ id, label, text, credits }) => (
          <Times key={id} id={id} label={label} hint={`calls, ${formatNumbered(credits, 'credit')} each`} text={text} />
        ))}
        <Times
          id={ROWS}
          label="Rows exported"
          hint={`in one export; ${formatNumbered(exportCredits, 'credit')} for each started 1,000`}
          text={rows}
        />
        <button type="submit">Estimate</button>
      </form>
      <p role="status">{isRight ? sayTotal(total, prices) : 'Enter whole numbers of at most seven digits.'}</p>
    </section>
  );
}

const textOf = (sent: unknown, usual: string): string =>
  typeof sent === 'string' && sent.trim() !== '' ? sent.trim().replaceAll(',', '').slice(0, 20) : usual;

function sayTotal(credits: number, prices: Prices): string {
  const price = sayPrice(quote(credits, prices));
  return `${formatNumbered(credits, 'credit')} a month: ${price}. Calls that find nothing cost nothing.`;
}

function Times({ id, label, hint, text }: { id: string; label: string; hint: string; text: string }) {
  return (
    <div class="field">
      <label for={id}>
        {label} <span class="hint">{hint}</span>
      </label>
      <input id={id} name={id} inputMode="numeric" maxLength={9} value={text} />
    </div>
  );
}
