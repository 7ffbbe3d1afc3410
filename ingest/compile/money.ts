import type { ValueBasis, ValueClass } from '../../schema/details.ts';
import type { OcdsAward, OcdsContract, OcdsTender, OcdsValue } from '../../schema/ocds.ts';
import type { Money, ValueCandidate } from './types.ts';

/** A contract dearer than this in pounds is taken for a slip of the keyboard: said, and kept out of totals. */
export const ABSURD_ABOVE = 10_000_000_000;
/** At or below this a value is a placeholder (0.01, 1). */
export const PLACEHOLDER_UP_TO = 1;

export interface Valuation {
  money: Money | null;
  basis: ValueBasis | null;
  /** All that was looked at; the first with an amount is the value. */
  candidates: ValueCandidate[];
  warnings: string[];
}

/** The net amount; 0 means "not stated" (Contracts Finder writes it so). */
export function netOf(value: OcdsValue | undefined): Money | null {
  return moneyOf(value?.amount, value);
}

/** The amount including tax. */
export function grossOf(value: OcdsValue | undefined): Money | null {
  return moneyOf(value?.amountGross, value);
}

function moneyOf(amount: number | undefined, value: OcdsValue | undefined): Money | null {
  const currency = value?.currency?.trim().toUpperCase() || 'GBP';
  if (amount === undefined || !(amount > 0) || !CURRENCY.test(currency)) return null;
  return { value: Math.round(amount * 100) / 100, currency };
}

/** ISO 4217, such as `GBP`. */
const CURRENCY = /^[A-Z]{3}$/;

/** The sum of amounts in one currency, or null where there is none or more than one currency. */
export function sumMoney(amounts: readonly (Money | null)[]): Money | null {
  const stated = amounts.filter((money) => money !== null);
  const [first] = stated;
  if (!first || stated.some(({ currency }) => currency !== first.currency)) return null;
  const pence = stated.reduce((sum, { value }) => sum + Math.round(value * 100), 0);
  return { value: pence / 100, currency: first.currency };
}

/** What the tender was estimated at: its own value, net before gross, else its lots together, else its lower bound. */
export function estimateOf(tender: OcdsTender): Money | null {
  return (
    netOf(tender.value) ??
    grossOf(tender.value) ??
    sumMoney(tender.lots.map((lot) => netOf(lot.value) ?? grossOf(lot.value))) ??
    netOf(tender.minValue)
  );
}

/**
 * The value of an award: award net, contract net, award gross, contract gross, then the estimate of its lots or, where it
 * is the only award, of the tender. The basis says which.
 */
export function valueAward(
  award: OcdsAward | undefined,
  contracts: readonly OcdsContract[],
  tender: OcdsTender,
  isOnlyAward: boolean,
): Valuation {
  const candidates: ValueCandidate[] = [
    { from: 'award net', money: netOf(award?.value), basis: 'net' },
    { from: 'contract net', money: sumMoney(contracts.map(({ value }) => netOf(value))), basis: 'net' },
    { from: 'award gross', money: grossOf(award?.value), basis: 'gross' },
    { from: 'contract gross', money: sumMoney(contracts.map(({ value }) => grossOf(value))), basis: 'gross' },
    { from: 'estimate of its lots', money: estimateOfLots(award, tender), basis: 'estimate' },
    { from: 'estimate of the tender', money: isOnlyAward ? estimateOf(tender) : null, basis: 'estimate' },
  ];
  const { money, basis } = candidates.find((one) => one.money !== null) ?? { money: null, basis: null };
  return { money, basis, candidates, warnings: [...warnOf(money, award?.value, contracts), ...differing(candidates)] };
}

/** The award's value stays the contract's: what was signed, or changed since, is said beside it. */
function differing([award, contract]: readonly ValueCandidate[]): string[] {
  const [awarded, signed] = [award?.money, contract?.money];
  if (!awarded || !signed || (awarded.value === signed.value && awarded.currency === signed.currency)) return [];
  return [`the contract states ${signed.value} ${signed.currency}, its award ${awarded.value} ${awarded.currency}`];
}

/** Said of an amount that nobody should take for a fact. */
export function warnOfImplausible(money: Money | null | undefined): string[] {
  return money && isAbsurd(money) ? [`the published value ${money.value} ${money.currency} is not plausible`] : [];
}

function estimateOfLots(award: OcdsAward | undefined, tender: OcdsTender): Money | null {
  if (!award || award.relatedLots.length === 0) return null;
  const lots = tender.lots.filter((lot) => lot.id !== undefined && award.relatedLots.includes(lot.id));
  if (lots.length < award.relatedLots.length) return null;
  const values = lots.map((lot) => netOf(lot.value) ?? grossOf(lot.value));
  return values.includes(null) ? null : sumMoney(values);
}

function warnOf(money: Money | null, award: OcdsValue | undefined, contracts: readonly OcdsContract[]): string[] {
  const warnings = warnOfImplausible(money);
  const raw = [award, ...contracts.map(({ value }) => value)];
  if (raw.some((value) => value?.amount === 0)) warnings.push('a value of 0 was published: taken as not stated');
  if (raw.some((value) => (value?.amount ?? 0) < 0))
    warnings.push('a negative value was published: taken as not stated');
  if (raw.some((value) => value?.currency && !CURRENCY.test(value.currency.trim().toUpperCase())))
    warnings.push('a value in no known currency was published: taken as not stated');
  return warnings;
}

function isAbsurd({ value }: Money): boolean {
  return value > ABSURD_ABOVE || value <= PLACEHOLDER_UP_TO;
}

/** What totals may do with a value. */
export function classifyValue({ money, basis }: Valuation, setsUpFramework: boolean, suppliers: number): ValueClass {
  if (setsUpFramework) return 'framework_ceiling';
  if (!money) return 'unstated';
  if (isAbsurd(money)) return 'absurd';
  if (basis === 'estimate') return 'estimate';
  return suppliers > 1 ? 'shared' : 'sum';
}
