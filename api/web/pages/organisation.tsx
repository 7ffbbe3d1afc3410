import type { z } from 'zod';
import type { counterparty, frameworkReference, totals } from '../../operations/shared/shapes.ts';
import { RankedBars } from '../charts/ranked-bars.tsx';
import { formatCount, formatMoney, formatNumbered } from '../format.ts';
import { labelClass } from '../labels.ts';
import { frameworkPath } from '../links.ts';
import { Figures } from '../parts.tsx';

/** What the pages of a company and of a buyer share. */

type Totals = z.input<typeof totals>;
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

interface CounterpartiesProps {
  title: string;
  parties: readonly Counterparty[];
  /** All contracts of whom the page is about: what each share is of. */
  count: number;
  path(id: string): string;
}

/** With whom it most often has contracts: the bars are their numbers, as values may not always be added up. */
export function Counterparties({ title, parties, count, path }: CounterpartiesProps) {
  if (parties.length === 0) return null;
  const rows = parties.map(({ id, name, contract_count, value, currency }) => ({
    key: id,
    name: <a href={path(id)}>{name}</a>,
    amount: contract_count,
    told: `in ${formatShare(contract_count, count)} of the contracts`,
    cells: [formatCount(contract_count), formatMoney(value === undefined ? null : Math.round(value), currency) ?? '–'],
  }));
  return (
    <section>
      <h2>{title}</h2>
      <RankedBars label={title} heads={['Name', 'Contracts', 'Value']} rows={rows} />
    </section>
  );
}

function formatShare(part: number, whole: number): string {
  const share = Math.round((part / Math.max(part, whole, 1)) * 100);
  return share < 1 ? 'less than 1%' : `${share}%`;
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
