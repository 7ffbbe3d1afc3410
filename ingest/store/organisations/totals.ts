import type { Totals, ValueClass } from '../../../schema/catalogue/details.ts';
import { compareText } from '../../merge/uk.ts';

/** Raised whenever organisations' contracts are counted or totalled otherwise than before: `cli rebuild` brings stored counts to it. */
export const COUNTING = 1;

/** What totals need of one contract. */
export interface CountedContract {
  id: string;
  value: number | null;
  currency: string | null;
  valueClass: ValueClass;
  sortDate: string;
  /** The notice that last spoke of it. */
  noticeId: string;
  /** Counterparties: the buyer of a company's contract, the suppliers of a buyer's. */
  others: { id: string; name: string }[];
  /** The framework it sets up, where it does: then it is places on a framework, and no contract. */
  framework: string | null;
}

const TOP_MOST = 10;

/**
 * Totals of one organisation. Only values of class `sum` are added, per currency and in pence; shared values, framework
 * ceilings, estimates, absurd and unstated ones are counted apart and added to nothing, not even to one another. Awards that
 * set up a framework are places on it, counted for themselves.
 */
export function computeTotals(
  contracts: readonly CountedContract[],
  frameworkTitle: (id: string) => string | undefined,
): Totals {
  const totals: Totals = { sum: {}, apart: {}, by_year: {}, top: [], frameworks: [] };
  const others = new Map<string, { name: string; count: number; places: number; pence: Map<string, number> }>();
  for (const contract of contracts.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    addValue(totals, contract);
    for (const { id, name } of contract.others) {
      const other = others.get(id) ?? { name, count: 0, places: 0, pence: new Map() };
      other.name = name;
      if (contract.framework) other.places += 1;
      else other.count += 1;
      const { currency, value } = contract;
      if (contract.valueClass === 'sum' && currency && value)
        other.pence.set(currency, (other.pence.get(currency) ?? 0) + Math.round(value * 100));
      others.set(id, other);
    }
  }
  totals.top = [...others]
    .toSorted(
      ([a, one], [b, two]) =>
        two.count - one.count || penceOf(two) - penceOf(one) || two.places - one.places || (a < b ? -1 : 1),
    )
    .slice(0, TOP_MOST)
    .map(([id, { name, count, places, pence }]) => ({
      id,
      name,
      count,
      ...(places > 0 ? { places } : {}),
      ...singleCurrency(pence),
    }));
  const frameworks = [...new Set(contracts.flatMap(({ framework }) => framework ?? []))].toSorted();
  totals.frameworks = frameworks.map((id) => ({ framework_id: id, title: frameworkTitle(id) ?? id }));
  return totals;
}

/** What orders those of one count: pounds, as most contracts are in them. */
function penceOf({ pence }: { pence: ReadonlyMap<string, number> }): number {
  return pence.get('GBP') ?? 0;
}

/** What an organisation's contracts come to, as its row holds it. */
export interface ContractTally {
  contract_count: number;
  framework_places: number;
  /** `Totals` as JSON. */
  totals: string;
  /** Of the newest contracts, which lead to all of them; none where it has no contract. */
  notice_ids: string[];
}

const NOTICES_MOST = 5;

/** Counts and totals of one organisation's contracts. */
export function tallyContracts(
  contracts: readonly CountedContract[],
  frameworkTitle: (id: string) => string | undefined,
): ContractTally {
  const totals = JSON.stringify(computeTotals(contracts, frameworkTitle));
  return { ...countAwards(contracts), totals, notice_ids: newestNotices(contracts) };
}

/** Of an organisation that has won and issued nothing. */
export const NO_CONTRACTS = tallyContracts([], () => undefined);

function newestNotices(contracts: readonly CountedContract[]): string[] {
  const newest = contracts.toSorted((a, b) => compareText(b.sortDate, a.sortDate) || compareText(a.id, b.id));
  return [...new Set(newest.map(({ noticeId }) => noticeId))].slice(0, NOTICES_MOST);
}

/** How many of an organisation's awards are contracts, and how many are places on frameworks. */
export function countAwards(contracts: readonly CountedContract[]): {
  contract_count: number;
  framework_places: number;
} {
  const places = contracts.filter(({ framework }) => framework !== null).length;
  return { contract_count: contracts.length - places, framework_places: places };
}

function addValue(totals: Totals, { value, currency, valueClass, sortDate, framework }: CountedContract): void {
  const year = sortDate.slice(0, 4);
  const ofYear = totals.by_year[year] ?? { count: 0, sum: {} };
  totals.by_year[year] = ofYear;
  if (framework) ofYear.places = (ofYear.places ?? 0) + 1;
  else ofYear.count += 1;
  if (valueClass === 'sum' && value !== null && currency) {
    const sum = totals.sum[currency] ?? { count: 0, value: 0 };
    totals.sum[currency] = { count: sum.count + 1, value: addPence(sum.value, value) };
    ofYear.sum[currency] = addPence(ofYear.sum[currency] ?? 0, value);
    return;
  }
  const apart = valueClass === 'sum' ? 'unstated' : valueClass;
  const held = totals.apart[apart] ?? { count: 0 };
  held.count += 1;
  totals.apart[apart] = held;
}

function addPence(a: number, b: number): number {
  return (Math.round(a * 100) + Math.round(b * 100)) / 100;
}

function singleCurrency(pence: ReadonlyMap<string, number>): { value?: number; currency?: string } {
  const [entry, ...more] = [...pence];
  return entry && more.length === 0 ? { value: entry[1] / 100, currency: entry[0] } : {};
}
