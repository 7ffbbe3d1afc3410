import type { Settings } from '../../../schema/config/settings.ts';
import { offerPacks, quote } from '../../billing/price.ts';
import { formatNumbered, formatPounds } from '../components/format.ts';
import type { Reference } from './reference.ts';

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
const ROWS_A_BLOCK = 1_000;

/** A number of credits at current prices. */
export function Bundles({ prices }: { prices: Prices }) {
  const packs = offerPacks(prices);
  if (packs.length === 0) return null;
  return (
    <>
      <h2>Bundles</h2>
      <ul class="plain">
        {packs.map(({ credits, net, total }) => (
          <li key={credits}>
            <strong>{formatNumbered(credits, 'credit')}</strong>: {pounds(net)} net, {pounds(total)} with VAT
          </li>
        ))}
      </ul>
      <p class="muted small">A credit costs the same in every bundle. Any other number can be bought too.</p>
    </>
  );
}

const pounds = (pence: number) => formatPounds(pence, 1);

/**
 * Estimates the price of a month. @param query - the form's fields: how often each call is made; absent ones have their
 * defaults
 */
export function Estimator(props: { entries: readonly Reference[]; prices: Prices; query: Record<string, unknown> }) {
  const { entries, prices, query } = props;
  const lines = ASKED.flatMap(([id, usual]) => {
    const entry = entries.find((one) => one.id === id);
    return entry ? [{ id, label: entry.summary, text: textOf(query[id], String(usual)), credits: entry.credits }] : [];
  });
  const exportCredits = entries.find(({ id }) => id === 'bulk_export')?.credits ?? 0;
  const rows = textOf(query[ROWS], '0');
  const isRight = [...lines.map(({ text }) => text), rows].every((text) => TIMES.test(text));
  const calls = lines.reduce((sum, { text, credits }) => sum + Number(text) * credits, 0);
  const total = calls + Math.ceil(Number(rows) / ROWS_A_BLOCK) * exportCredits;
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
  const { net, total, vatPercent } = quote(credits, prices);
  const vat = vatPercent > 0 ? `, ${pounds(total)} with VAT` : '';
  return `${formatNumbered(credits, 'credit')} a month: ${pounds(net)} net${vat}. Calls that find nothing cost nothing.`;
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
