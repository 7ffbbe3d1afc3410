import type { ParticipationFee } from '../../../schema/catalogue/bids.ts';
import type { ValueBasis, ValueClass } from '../../../schema/catalogue/details.ts';
import type { OcdsFee } from '../../../schema/ocds/bidding.ts';
import { relatedLots } from '../../../schema/ocds/terms.ts';
import type {
  OcdsAward,
  OcdsContract,
  OcdsLot,
  OcdsRelease,
  OcdsTender,
  OcdsValue,
} from '../../../schema/ocds/types.ts';
import { numberOf } from '../../../schema/text/json-values.ts';
import { isCurrency, isPlaceholder, type NoticeKind } from '../../fields/notice.ts';
import { cleanLine, cleanText, quote } from '../../fields/text/clean.ts';
import type { Money, ValueCandidate } from '../types.ts';
import { doubtCeiling, doubtValue, PLAUSIBLE } from './plausible.ts';

export interface Valuation {
  money: Money | null;
  basis: ValueBasis | null;
  /** The amounts considered, in order of preference. The first that is stated is the value. */
  candidates: ValueCandidate[];
  warnings: string[];
}

/** The net amount, or null if it is not stated. Contracts Finder writes 0 for "not stated". */
export const netOf = (value: OcdsValue | undefined): Money | null => moneyOf(value?.amount, value);

/** The amount including tax, or null if it is not stated. */
export const grossOf = (value: OcdsValue | undefined): Money | null => moneyOf(value?.amountGross, value);

function moneyOf(amount: number | undefined, value: OcdsValue | undefined): Money | null {
  const currency = value?.currency ?? 'GBP';
  if (amount === undefined || !(amount > 0) || !isCurrency(currency)) return null;
  return { value: Math.round(amount * 100) / 100, currency };
}

/** A stated amount, net before gross, and which of the two it is. */
export function readValue(value: OcdsValue | undefined): { money: Money; basis: 'net' | 'gross' } | null {
  const net = netOf(value);
  if (net) return { money: net, basis: 'net' };
  const gross = grossOf(value);
  return gross && { money: gross, basis: 'gross' };
}

/** Whether a value states an amount, net or gross, that is no placeholder. */
export function isPriced(value: OcdsValue | undefined): boolean {
  return isPrice(netOf(value), 'net') || isPrice(grossOf(value), 'gross');
}

function isPrice(money: Money | null, basis: ValueBasis | null): boolean {
  return money !== null && basis !== 'estimate' && !isPlaceholder(money.value, basis === 'gross');
}

/** The sum of the stated amounts; null if there are none, or if their currencies differ. */
export function sumMoney(amounts: readonly (Money | null)[]): Money | null {
  const stated = amounts.filter((money) => money !== null);
  const [first] = stated;
  if (!first || stated.some(({ currency }) => currency !== first.currency)) return null;
  const pence = stated.reduce((sum, { value }) => sum + Math.round(value * 100), 0);
  return { value: pence / 100, currency: first.currency };
}

/** The tender's estimate: its own value, net before gross, otherwise the sum of its lots, otherwise its lower bound; or null. */
export function estimateOf(tender: OcdsTender): Money | null {
  return netOf(tender.value) ?? grossOf(tender.value) ?? sumOfLots(tender.lots) ?? netOf(tender.minValue);
}

/** The least that it may be worth, where its value is the most of a published range. A value alone takes back an earlier range. */
export function rangeOf({ tender }: OcdsRelease, value: { money: Money; basis: ValueBasis } | null) {
  if (value?.basis !== 'estimate') return {};
  const [least, most] = [netOf(tender.minValue), value.money];
  return { value_min: least && least.currency === most.currency && least.value < most.value ? least.value : undefined };
}

/** The sum of lots; null unless each states its value, as those that do may be combinations of the rest. */
function sumOfLots(lots: readonly OcdsLot[]): Money | null {
  const values = lots.map((lot) => netOf(lot.value) ?? grossOf(lot.value));
  return values.includes(null) ? null : sumMoney(values);
}

interface ValuedBy {
  /** Whether the tender's estimate can be the value of this award alone. */
  isOnlyAward: boolean;
  /** The notice of the newest change that states a value, where there is one. */
  valueFrom: string | null;
  /** The values that the newest notices state, for warnings. */
  newest: readonly (OcdsValue | undefined)[];
}

/**
 * The value of an award: award net, contract net, award gross, contract gross, then an estimate. That is the estimate of its
 * lots or, for an only award of all lots, of the tender. A later change notice comes before all of these, and a placeholder after
 * every price, as one notice may state what another leaves open. The basis names the source.
 */
export function valueAward(
  award: OcdsAward | undefined,
  contracts: readonly OcdsContract[],
  tender: OcdsTender,
  { isOnlyAward, valueFrom, newest }: ValuedBy,
): Valuation {
  const priced = contracts.filter(({ value }) => isPriced(value));
  const signed = priced.length > 0 ? priced : contracts;
  const contractNet = sumMoney(signed.map(({ value }) => netOf(value)));
  const contractGross = sumMoney(signed.map(({ value }) => grossOf(value)));
  const { length } = tender.lots;
  const isOfAll = !award?.relatedLots.length || length < 2 || relatedLots(award, tender).length === length;
  const changed: ValueCandidate[] = [
    { from: `contract net, as changed by ${valueFrom}`, money: contractNet, basis: 'net' },
    { from: `contract gross, as changed by ${valueFrom}`, money: contractGross, basis: 'gross' },
  ];
  const published: ValueCandidate[] = [
    { from: 'award net', money: netOf(award?.value), basis: 'net' },
    { from: 'contract net', money: contractNet, basis: 'net' },
    { from: 'award gross', money: grossOf(award?.value), basis: 'gross' },
    { from: 'contract gross', money: contractGross, basis: 'gross' },
    { from: 'estimate of its lots', money: estimateOfLots(award, tender), basis: 'estimate' },
    { from: 'estimate of the tender', money: isOnlyAward && isOfAll ? estimateOf(tender) : null, basis: 'estimate' },
  ];
  // A change of one of several contracts is no value of them all while the others state none.
  const isWhole = valueFrom !== null && contracts.every(({ value }) => readValue(value) !== null);
  const candidates = placeholdersLast(isWhole ? [...changed, ...published] : published);
  const { money, basis } = candidates.find((one) => one.money !== null) ?? { money: null, basis: null };
  const values = [award?.value, ...contracts.map(({ value }) => value), ...newest];
  const fillers = isPrice(money, basis) ? warnOfPlaceholders(values) : [];
  const differences = valueFrom === null ? warnOfDifference(published) : [];
  return { money, basis, candidates, warnings: [...warnOf(values), ...fillers, ...differences] };
}

/** Prices, then placeholders for one, then estimates. */
function placeholdersLast(candidates: readonly ValueCandidate[]): ValueCandidate[] {
  const rankOf = ({ money, basis }: ValueCandidate) =>
    basis === 'estimate' ? 2 : Number(money !== null && !isPrice(money, basis));
  return candidates.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Warnings about placeholders that are not the value. */
function warnOfPlaceholders(values: readonly (OcdsValue | undefined)[]): string[] {
  const [found] = values.filter((value) => !isPriced(value)).flatMap((value) => readValue(value)?.money ?? []);
  return found ? [`a placeholder was published, ${found.value} ${found.currency}: taken as not stated`] : [];
}

/** The contract has the value of its award. A different price in the signed contract is only a warning. */
function warnOfDifference(published: readonly ValueCandidate[]): string[] {
  const [awarded, signed] = published.map(({ money, basis }) => (isPrice(money, basis) ? money : null));
  if (!awarded || !signed || (awarded.value === signed.value && awarded.currency === signed.currency)) return [];
  return [`the contract states ${signed.value} ${signed.currency}, its award ${awarded.value} ${awarded.currency}`];
}

function estimateOfLots(award: OcdsAward | undefined, tender: OcdsTender): Money | null {
  if (!award || award.relatedLots.length === 0) return null;
  const lots = relatedLots(award, tender);
  return lots.length < award.relatedLots.length ? null : sumOfLots(lots);
}

function warnOf(values: readonly (OcdsValue | undefined)[]): string[] {
  const warnings: string[] = [];
  const amounts = values.map((value) => value?.amount ?? value?.amountGross);
  if (amounts.includes(0)) warnings.push('a value of 0 was published: taken as not stated');
  if (amounts.some((amount) => amount !== undefined && amount < 0))
    warnings.push('a negative value was published: taken as not stated');
  if (values.some((value) => (grossOf(value)?.value ?? Infinity) < (netOf(value)?.value ?? 0)))
    warnings.push('a value was published that is less with tax than without');
  return [...warnings, ...warnOfUnread(values)];
}

/** Warnings about values with an amount or a currency that cannot be read. */
export function warnOfUnread(values: readonly (OcdsValue | undefined)[]): string[] {
  const text = values.find((value) => value?.unreadable)?.unreadable;
  const isUnknown = values.some((value) => value?.currency && !isCurrency(value.currency));
  return [
    ...(text ? [`a value that is no number was published: ${quote(text)}`] : []),
    ...(isUnknown ? ['a value in no known currency was published: taken as not stated'] : []),
  ];
}

/**
 * The fees that bidders pay. One that states no share, amount or words is none: the forms under the directives have it where only
 * access to the documents is restricted (EU profile, I.3).
 */
export function readFees(fees: readonly OcdsFee[]): { participation_fees?: ParticipationFee[] } {
  const stated = fees.flatMap((fee): ParticipationFee[] => {
    const { types, description, proportion, of } = fee;
    const percent = percentOf(proportion);
    const words = cleanText(description);
    const money = netOf(fee) ?? grossOf(fee);
    if (percent === undefined && !words && !money) return [];
    return [
      {
        ...(types.length > 0 ? { types: types.map(cleanLine) } : {}),
        ...(percent === undefined ? {} : { percent, ...(of ? { of: cleanLine(of) } : {}) }),
        ...money,
        ...(words ? { description: words } : {}),
      },
    ];
  });
  return stated.length > 0 ? { participation_fees: stated } : {};
}

/** A share as published, `0.02` or `2%`, in per cent. A number from 1 is none: it may be a slip for a per cent, or for less. */
function percentOf(share = ''): number | undefined {
  const number = numberOf(share.replace(/ ?%$/, '')) ?? Number.NaN;
  const percent = share.endsWith('%') ? number : number * 100;
  return percent >= 0 && percent < 100 ? Number(percent.toFixed(4)) : undefined;
}

/** The warnings about fees that are not believed or cannot be read; otherwise none. */
export function warnOfFees(fees: readonly OcdsFee[]): string[] {
  const unread = fees.find(({ proportion }) => proportion && percentOf(proportion) === undefined)?.proportion;
  return [
    ...warnOfUnread(fees),
    ...(unread ? [`a fee that is no part of the whole was published: ${quote(unread)}`] : []),
  ];
}

interface ClassedBy {
  /** Whether the award sets up a framework. */
  isCeiling: boolean;
  /** The number of different suppliers. */
  suppliers: number;
  /** Whether it has several suppliers, even if one name stands for all of them. */
  isShared: boolean;
  /** The process's estimate, with which a large value is compared. */
  estimate: Money | null;
}

/** How totals may use a value, and warnings about it. */
export function classifyValue(
  { money, basis }: Pick<Valuation, 'money' | 'basis'>,
  { isCeiling, suppliers, isShared, estimate }: ClassedBy,
): { valueClass: ValueClass; warnings: string[] } {
  const as = (valueClass: ValueClass) => ({ valueClass, warnings: [] });
  if (!money) return as(isCeiling ? 'framework_ceiling' : 'unstated');
  const isForMany = isCeiling || suppliers >= PLAUSIBLE.manySuppliers;
  const doubt = isForMany ? doubtCeiling(money) : doubtValue(money, basis === 'estimate' ? null : estimate);
  if (doubt) return { valueClass: 'absurd', warnings: [doubt] };
  if (isCeiling) return as('framework_ceiling');
  if (basis === 'estimate') return as('estimate');
  return as(isShared ? 'shared' : 'sum');
}

/**
 * Whether only awards and what followed them were published, with a value. The value is that of contracts, even where the form
 * ticks the box of a dynamic market: nothing is awarded to set one up (EU profile, F03).
 */
export function isPricedAlone({ awards, contracts }: OcdsRelease, kinds: readonly NoticeKind[]): boolean {
  const isAlone = !kinds.some(({ stage }) => /^(?:planning|tender|market)$/.test(stage));
  return isAlone && [...awards, ...contracts].some(({ value }) => readValue(value) !== null);
}
