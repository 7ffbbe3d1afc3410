import type { Totals, ValueClass } from '../../../schema/catalogue/details.ts';
import { compareText } from '../../../schema/text/ids.ts';

/** Raised whenever organisations' contracts are counted or totalled differently: `cli rebuild` updates stored counts. */
export const COUNTING = 3;

/** The data of one contract for totals. */
export interface CountedContract {
  id: string;
  value: number | null;
  currency: string | null;
  valueClass: ValueClass;
  sortDate: string;
  /** The last notice about it. */
  noticeId: string;
  /** Counterparties: the buyer of a company's contract, the suppliers of a buyer's. */
  others: { id: string; name: string }[];
  /** The framework that it sets up, if any: then it is places on a framework rather than a contract. */
  framework: string | null;
  /** The same while its suppliers are on it: none once they have left it. */
  onFramework: string | null;
}

/** An organisation's figures with one counterparty: contracts, framework places, and pence of class `sum` by currency. */
export interface Dealings {
  count: number;
  places: number;
  /** Currencies without a sum are absent. */
  pence: Map<string, number>;
}

/** The most counterparties that are listed. */
export const TOP_MAX = 10;

/**
 * Totals of one organisation. Only values of class `sum` are added, per currency and in pence. Shared values, framework
 * ceilings, estimates, absurd and unstated ones are counted separately and never added. Awards that set up a framework are
 * places on it, counted separately.
 */
export function computeTotals(
  contracts: readonly CountedContract[],
  frameworkTitle: (id: string) => string | undefined,
): Totals {
  const totals: Totals = { sum: {}, apart: {}, by_year: {}, top: [], frameworks: [] };
  const others = new Map<string, Dealings & { name: string }>();
  for (const contract of contracts.toSorted((a, b) => compareText(a.id, b.id))) {
    addContract(totals, contract, 1);
    for (const { id, name } of contract.others) {
      const other = others.get(id) ?? { name, count: 0, places: 0, pence: new Map() };
      other.name = name;
      if (contract.framework) other.places += 1;
      else other.count += 1;
      const { currency, pence } = penceOf(contract);
      if (currency) other.pence.set(currency, (other.pence.get(currency) ?? 0) + pence);
      others.set(id, other);
    }
  }
  totals.top = rankDealings([...others].map(([id, other]) => ({ id, ...other }))).map(listDealings);
  totals.frameworks = frameworksOf(contracts, frameworkTitle);
  return inOrder(totals);
}

/** The counterparties that totals list, those with most contracts first. */
export function rankDealings<T extends Dealings & { id: string }>(others: readonly T[]): T[] {
  return others
    .toSorted(
      (a, b) => b.count - a.count || poundsOf(b) - poundsOf(a) || b.places - a.places || compareText(a.id, b.id),
    )
    .slice(0, TOP_MAX);
}

/** A counterparty as totals list it; with a value only where all of it is in one currency. */
export function listDealings({
  id,
  name,
  count,
  places,
  pence,
}: Dealings & { id: string; name: string }): Totals['top'][number] {
  return { id, name, count, ...(places > 0 ? { places } : {}), ...singleCurrency(pence) };
}

/** The frameworks that these contracts give places on, by id. */
export function frameworksOf(
  contracts: readonly CountedContract[],
  frameworkTitle: (id: string) => string | undefined,
): Totals['frameworks'] {
  const ids = [...new Set(contracts.flatMap(({ onFramework }) => onFramework ?? []))].toSorted();
  return ids.map((id) => ({ framework_id: id, title: frameworkTitle(id) ?? id }));
}

/** The order among equal counts: by pounds, as most contracts are in them. */
function poundsOf({ pence }: { pence: ReadonlyMap<string, number> }): number {
  return pence.get('GBP') ?? 0;
}

/** A contract's part of the sums, in pence; no currency where it adds nothing. */
export function penceOf({ value, currency, valueClass }: Pick<CountedContract, 'value' | 'currency' | 'valueClass'>): {
  currency: string | null;
  pence: number;
} {
  if (valueClass !== 'sum' || !currency || !value) return { currency: null, pence: 0 };
  return { currency, pence: Math.round(value * 100) };
}

/** The figures of an organisation's contracts, in the form of its row. */
export interface ContractTally {
  contract_count: number;
  framework_places: number;
  /** `Totals` as JSON. */
  totals: string;
  /** Of the newest contracts, which lead to all of them; none where it has no contract. */
  notice_ids: string[];
}

/** Of the newest contracts so many are looked at: an award to hundreds is as many contracts of one notice. */
export const NEWEST_MAX = 10;
const NOTICES_MAX = 5;

/** Counts and totals of one organisation's contracts. */
export function tallyContracts(
  contracts: readonly CountedContract[],
  frameworkTitle: (id: string) => string | undefined,
): ContractTally {
  const totals = JSON.stringify(computeTotals(contracts, frameworkTitle));
  return { ...countAwards(contracts), totals, notice_ids: newestNotices(contracts) };
}

/** For an organisation that has neither won nor issued anything. */
export const NO_CONTRACTS = tallyContracts([], () => undefined);

/** The sort key of a contract among an organisation's newest ones. */
export type DatedContract = Pick<CountedContract, 'id' | 'sortDate' | 'noticeId'>;

/** The notices of an organisation's newest contracts, latest first. */
export function newestNotices(contracts: readonly DatedContract[]): string[] {
  const newest = contracts
    .toSorted((a, b) => compareText(b.sortDate, a.sortDate) || compareText(b.id, a.id))
    .slice(0, NEWEST_MAX);
  return [...new Set(newest.map(({ noticeId }) => noticeId))].slice(0, NOTICES_MAX);
}

/** How many of an organisation's awards are contracts, and how many are places on frameworks. */
export function countAwards(contracts: readonly CountedContract[]): {
  contract_count: number;
  framework_places: number;
} {
  const places = contracts.filter(({ framework }) => framework !== null).length;
  return { contract_count: contracts.length - places, framework_places: places };
}

/** Adds a contract to an organisation's sums and counts, or subtracts it with a `sign` of -1. Entries that reach zero are removed. */
export function addContract(totals: Totals, contract: CountedContract, sign: 1 | -1): void {
  const { valueClass, sortDate, framework } = contract;
  const year = sortDate.slice(0, 4);
  const ofYear = totals.by_year[year] ?? { count: 0, sum: {} };
  if (framework) ofYear.places = (ofYear.places ?? 0) + sign;
  else ofYear.count += sign;
  totals.by_year[year] = ofYear;
  const { currency, pence } = penceOf(contract);
  if (currency) {
    const sum = totals.sum[currency] ?? { count: 0, value: 0 };
    totals.sum[currency] = { count: sum.count + sign, value: addPence(sum.value, sign * pence) };
    ofYear.sum[currency] = addPence(ofYear.sum[currency] ?? 0, sign * pence);
    if (totals.sum[currency].count === 0) delete totals.sum[currency];
    if (ofYear.sum[currency] === 0) delete ofYear.sum[currency];
  } else {
    const apart = valueClass === 'sum' ? 'unstated' : valueClass;
    const count = (totals.apart[apart]?.count ?? 0) + sign;
    if (count === 0) delete totals.apart[apart];
    else totals.apart[apart] = { count };
  }
  if (ofYear.places === 0) delete ofYear.places;
  if (ofYear.count + (ofYear.places ?? 0) === 0) delete totals.by_year[year];
}

/** The same totals with sorted keys, whichever contract came first: rows are compared as text. */
export function inOrder({ sum, apart, by_year, top, frameworks }: Totals): Totals {
  const years = Object.entries(by_year).map(([year, { count, places, sum: ofYear }]) => {
    const counted = { count, ...(places ? { places } : {}), sum: byKey(ofYear) };
    return [year, counted] as const;
  });
  return { sum: byKey(sum), apart: byKey(apart), by_year: byKey(Object.fromEntries(years)), top, frameworks };
}

function byKey<T extends object>(values: T): T {
  const entries = Object.entries(values);
  if (entries.length < 2) return values;
  return Object.fromEntries(entries.toSorted(([a], [b]) => compareText(a, b))) as T;
}

/** Adds pounds and pence without binary rounding errors. */
function addPence(amount: number, pence: number): number {
  return (Math.round(amount * 100) + pence) / 100;
}

function singleCurrency(pence: ReadonlyMap<string, number>): { value?: number; currency?: string } {
  const [entry, ...more] = [...pence];
  return entry && more.length === 0 ? { value: entry[1] / 100, currency: entry[0] } : {};
}

/** All places on a framework are of one process, and so in one batch: `now` is complete for those that any of them left. */
export function differFrameworks(
  stored: Totals['frameworks'],
  gone: readonly CountedContract[],
  now: Totals['frameworks'],
): Totals['frameworks'] {
  const replaced = new Set([...gone.map(({ framework }) => framework), ...now.map(({ framework_id }) => framework_id)]);
  const kept = stored.filter(({ framework_id }) => !replaced.has(framework_id));
  return [...kept, ...now].toSorted((a, b) => compareText(a.framework_id, b.framework_id));
}
