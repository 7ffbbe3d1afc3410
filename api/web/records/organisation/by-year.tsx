import type { z } from 'zod';
import type { totals, yearTotal } from '../../../../schema/answers/shapes.ts';
import { formatMoney } from '../../../../schema/text/money.ts';
import { type Bar, Bars } from '../../charts/bars.tsx';
import { formatCount, formatNumbered, formatShort } from '../../components/format.ts';
import { Table } from '../../components/parts.tsx';
import { poundsFirst } from '../../summary/tables.tsx';

type Totals = z.input<typeof totals>;
type Year = z.input<typeof yearTotal>;

/** For longer periods, only years with contracts are drawn. */
const YEARS_MAX = 40;

/** A contract counts whole in the year of its award, however many years it is paid in. */
const TITLE = 'Contracts by year of award';

/** So few years need no chart. */
const FEW = 2;

interface ByYearProps {
  years: readonly Year[];
  totals: Totals;
  /** The current year. */
  thisYear: string;
}

/** Contracts by year of award: a chart of values for each currency, one of their number, and the table. */
export function ByYear({ years, totals, thisYear }: ByYearProps) {
  if (years.length === 0) return null;
  if (years.length <= FEW) {
    return (
      <section>
        <h2>{TITLE}</h2>
        <YearTable years={years} />
      </section>
    );
  }
  const all = fillYears(years);
  const bar = (year: Year, words: Pick<Bar, 'amount' | 'short' | 'long'>): Bar => ({
    name: year.year,
    isPart: year.year === thisYear,
    ...words,
  });
  return (
    <section>
      <h2>{TITLE}</h2>
      <div class="charts">
        {byUse(totals).map(([currency, { count }]) => (
          <Bars
            key={currency}
            title={`Value in ${currency}`}
            bars={all.map((year) => bar(year, describeValue(year.sum[currency] ?? 0, currency)))}
          >
            of {formatNumbered(count, 'contract')} with a value of {count === 1 ? 'its' : 'their'} own
          </Bars>
        ))}
        <Bars title="Contracts" bars={all.map((year) => bar(year, describeCount(year.contract_count)))}>
          by the year of their award
        </Bars>
      </div>
      {years.some(({ year }) => year === thisYear) && <p class="muted small">{thisYear} is not over yet.</p>}
      <details class="behind">
        <summary>Show as a table</summary>
        <YearTable years={years} />
      </details>
    </section>
  );
}

/** Sorted by number of contracts. */
function byUse({ sum }: Totals): [string, Totals['sum'][string]][] {
  return Object.entries(sum).sort(([, one], [, other]) => other.count - one.count);
}

function describeValue(amount: number, currency: string): Pick<Bar, 'amount' | 'short' | 'long'> {
  return {
    amount,
    short: amount === 0 ? '' : formatShort(amount, currency),
    long: formatMoney(Math.round(amount), currency) ?? '',
  };
}

function describeCount(amount: number): Pick<Bar, 'amount' | 'short' | 'long'> {
  return { amount, short: amount === 0 ? '' : formatShort(amount), long: formatNumbered(amount, 'contract') };
}

/** Oldest first, including years without contracts, so that gaps are visible. */
export function fillYears(years: readonly Year[]): Year[] {
  const byYear = new Map(years.filter(({ year }) => /^\d{4}$/.test(year)).map((each) => [Number(each.year), each]));
  const known = [...byYear.keys()].sort((one, other) => one - other);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return [];
  const all = last - first < YEARS_MAX ? Array.from({ length: last - first + 1 }, (_, at) => first + at) : known;
  return all.map((year) => byYear.get(year) ?? { year: String(year), contract_count: 0, sum: {} });
}

function YearTable({ years }: { years: readonly Year[] }) {
  const havePlaces = years.some(({ framework_places: places = 0 }) => places > 0);
  const numbers = ['Contracts', ...(havePlaces ? ['Framework places'] : []), 'Total value'];
  return (
    <Table label={TITLE} compact columns={['Year', ...numbers]} numbers={numbers}>
      {years.map(({ year, contract_count, framework_places: places = 0, sum }) => (
        <tr key={year}>
          <th scope="row">{year}</th>
          <td class="number">{formatCount(contract_count)}</td>
          {havePlaces && <td class="number">{formatCount(places)}</td>}
          <td class="number">{formatSums(sum) || '–'}</td>
        </tr>
      ))}
    </Table>
  );
}

function formatSums(sum: Record<string, number>): string {
  return poundsFirst(sum)
    .map(([currency, value]) => formatMoney(Math.round(value), currency))
    .join(', ');
}
