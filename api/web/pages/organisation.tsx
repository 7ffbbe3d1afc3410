import type { z } from 'zod';
import type { counterparty, frameworkReference, totals, yearTotal } from '../../operations/shared/shapes.ts';
import { formatCount, formatMoney, formatNumbered } from '../format.ts';
import { labelClass } from '../labels.ts';
import { frameworkPath } from '../links.ts';
import { Figures, Scroll } from '../parts.tsx';

/** What the pages of a company and of a buyer share. */

type Totals = z.input<typeof totals>;
type Year = z.input<typeof yearTotal>;
type Counterparty = z.input<typeof counterparty>;

/** @param verb - `won` or `issued`. */
export function TotalFigures({ count, totals, verb }: { count: number; totals: Totals; verb: string }) {
  const sums = Object.entries(totals.sum).map(([currency, sum]) => ({
    value: formatMoney(Math.round(sum.value), currency),
    label: `added up over ${formatNumbered(sum.count, 'contract')} with a value of ${sum.count === 1 ? 'its' : 'their'} own`,
  }));
  return (
    <>
      <Figures
        figures={[{ value: formatCount(count), label: `${count === 1 ? 'contract' : 'contracts'} ${verb}` }, ...sums]}
      />
      <Apart totals={totals} />
    </>
  );
}

function Apart({ totals }: { totals: Totals }) {
  const classes = Object.entries(totals.apart).filter(([, { count }]) => count > 0);
  if (classes.length === 0) return null;
  const words = classes.map(([name, { count }]) => `${labelClass(name).toLowerCase()}: ${formatCount(count)}`);
  return <p class="muted small">Counted apart, never in the sum: {words.join(' · ')}.</p>;
}

export function ByYear({ years, caption }: { years: readonly Year[]; caption: string }) {
  if (years.length === 0) return null;
  return (
    <section>
      <h2>{caption}</h2>
      <Scroll label={caption} compact>
        <table>
          <thead>
            <tr>
              <th scope="col">Year</th>
              <th scope="col" class="number">
                Contracts
              </th>
              <th scope="col" class="number">
                Value added up
              </th>
            </tr>
          </thead>
          <tbody>
            {years.map(({ year, contract_count, sum }) => (
              <tr key={year}>
                <th scope="row">{year}</th>
                <td class="number">{formatCount(contract_count)}</td>
                <td class="number">{formatSums(sum) || '-'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

function formatSums(sum: Record<string, number>): string {
  return Object.entries(sum)
    .map(([currency, value]) => formatMoney(Math.round(value), currency))
    .join(', ');
}

export function Counterparties(props: { title: string; parties: readonly Counterparty[]; path(id: string): string }) {
  const { title, parties, path } = props;
  if (parties.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <Scroll label={title} compact>
        <table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col" class="number">
                Contracts
              </th>
              <th scope="col" class="number">
                Value
              </th>
            </tr>
          </thead>
          <tbody>
            {parties.map(({ id, name, contract_count, value, currency }) => (
              <tr key={id}>
                <th scope="row">
                  <a href={path(id)}>{name}</a>
                </th>
                <td class="number">{formatCount(contract_count)}</td>
                <td class="number">{formatMoney(value === undefined ? null : Math.round(value), currency) ?? '-'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

export function FrameworkList({ frameworks }: { frameworks: readonly z.input<typeof frameworkReference>[] }) {
  if (frameworks.length === 0) return null;
  return (
    <section>
      <h2>Frameworks</h2>
      <ul class="plain">
        {frameworks.map(({ framework_id, title }) => (
          <li key={framework_id}>
            <a href={frameworkPath(framework_id)}>{title}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Further names, without those that differ from the first in capitals alone. */
export function otherNames(name: string, others: readonly string[] | undefined): string | null {
  const shown = others?.filter((other) => other.toLowerCase() !== name.toLowerCase()) ?? [];
  return shown.length > 0 ? shown.join('; ') : null;
}
