import type { CompiledContract, CompiledNotice, Money } from '../types.ts';

/**
 * The limits of plausible amounts. In the recordings (291 contracts) the highest amount to one supplier is 60 million. All
 * six of a thousand million or more went to several suppliers, and each has an estimate of that size. No award to one
 * supplier is more than five times its estimate. An implausible amount goes into a warning and into no total.
 */
export const PLAUSIBLE = {
  /** At or below this an amount is a placeholder (0.01, 1). */
  placeholderUpTo: 1,
  /** Above this a value is believed only where the process's own estimate is of the same size. */
  needsEstimateAbove: 1_000_000_000,
  /** An estimate is of the same size from this part of the value on. */
  sameSizeFrom: 0.1,
  /** Above this no award to one or two suppliers is believed. */
  valueUpTo: 5_000_000_000,
  /** An award to as many is as large as a framework: its value is what all of them may earn. */
  manySuppliers: 3,
  /** Above this no ceiling or value for many suppliers is. */
  ceilingUpTo: 100_000_000_000,
  /** Above this no estimate is where no framework is set up. In the recordings the dearest is 543 million. */
  estimateUpTo: 20_000_000_000,
  /** A value as many times its estimate as this is a slip (pence for pounds), from `slipFrom` on: small estimates are often mere fillers. */
  timesEstimate: 100,
  slipFrom: 10_000_000,
} as const;

/** Why a contract's value is not believed, or null where it is. `estimate`: what its process was estimated at. */
export function doubtValue(money: Money, estimate: Money | null): string | null {
  const { value } = money;
  const own = comparable(money, estimate);
  if (isPlaceholder(money)) return say(money, 'a placeholder');
  if (value > PLAUSIBLE.valueUpTo) return say(money, 'more than any single award');
  if (own !== null && value >= PLAUSIBLE.slipFrom && value >= own * PLAUSIBLE.timesEstimate)
    return say(money, `${Math.round(value / own)} times its estimate`);
  if (value > PLAUSIBLE.needsEstimateAbove && (own === null || own < value * PLAUSIBLE.sameSizeFrom))
    return say(money, 'no estimate of its process bears it out');
  return null;
}

/** Why the estimate of a plan or a tender that sets up no framework is not believed, or null where it is. */
export function doubtEstimate(money: Money): string | null {
  return doubtCeiling(money) ?? (money.value > PLAUSIBLE.estimateUpTo ? say(money, 'more than any estimate') : null);
}

/** Why a ceiling is not believed, or null where it is. */
export function doubtCeiling(money: Money): string | null {
  if (isPlaceholder(money)) return say(money, 'a placeholder');
  return money.value > PLAUSIBLE.ceilingUpTo ? say(money, 'more than any framework') : null;
}

/** Next to nothing, or as many nines as a field takes. */
function isPlaceholder({ value }: Money): boolean {
  return value <= PLAUSIBLE.placeholderUpTo || NINES.test(String(value));
}
const NINES = /^9{8,}(?:\.9+)?$/;

/** Award number -> its contract's value basis, of contracts whose value is not believed. */
export type Doubted = ReadonlyMap<string, CompiledContract['valueBasis']>;

/** The awards whose value is not believed. A placeholder adds nothing to a sum, so it spoils none. */
export function doubtedAwards(contracts: readonly CompiledContract[]): Doubted {
  return new Map(
    contracts.flatMap(({ awardIds, value, valueBasis, valueClass }) => {
      const isDoubted = valueClass === 'absurd' && value !== null && value > PLAUSIBLE.placeholderUpTo;
      return isDoubted ? awardIds.map((id) => [id, valueBasis] as const) : [];
    }),
  );
}

/**
 * The notice without its value where it states, or adds up, one that is not believed of its contract: what no total holds
 * leads no ranking. Of a plan or a tender only an estimate that its contract shows to be a slip goes.
 */
export function withoutDoubted(
  notice: CompiledNotice,
  doubted: Doubted,
  contracts: readonly CompiledContract[],
): CompiledNotice {
  const { value, currency, valueBasis, stage, awardIds, detail } = notice;
  if (value === null || currency === null) return notice;
  const isPlan = stage === 'planning' || stage === 'tender';
  const isEstimate = valueBasis === 'estimate';
  const doubt = isPlan
    ? isSlippedEstimate({ value, currency }, contracts) && 'its contract is worth a hundredth of it at most'
    : awardIds.some((id) => doubted.has(id) && (doubted.get(id) === 'estimate') === isEstimate) &&
      'that of its contract is not believed';
  if (!doubt) return notice;
  const warning = say({ value, currency }, doubt);
  const none = { value: null, currency: null, valueBasis: null };
  return { ...notice, ...none, detail: { ...detail, warnings: [...detail.warnings, warning] } };
}

/** Whether an estimate is the value of the only contract with its decimal point in another place, or far beyond any. */
function isSlippedEstimate(estimate: Money, [only, ...more]: readonly CompiledContract[]): boolean {
  const { value = null, currency = null, valueClass } = only ?? {};
  if (more.length > 0 || valueClass !== 'sum' || value === null || currency !== estimate.currency) return false;
  const isFar = estimate.value >= PLAUSIBLE.slipFrom && estimate.value >= value * PLAUSIBLE.timesEstimate;
  return isFar && (estimate.value > PLAUSIBLE.needsEstimateAbove || isSlip(estimate, { value, currency }));
}

/** A later notice may correct an earlier one within so many days; after that it is about another award. */
const CORRECTION_DAYS = 30;
const DAY_MS = 86_400_000;

/** Whether a notice came soon enough after another to correct it; both in milliseconds. */
export function isSoonAfter(earlierMs: number, laterMs: number): boolean {
  return laterMs - earlierMs <= CORRECTION_DAYS * DAY_MS;
}

/** Rounded to the pound, amounts are a power of ten apart but for so much. */
const ROUNDED_BY = 0.01;

/** Whether one amount is the other with its decimal point in another place. */
export function isSlip(one: Money, other: Money): boolean {
  if (one.currency !== other.currency) return false;
  const times = Math.max(one.value, other.value) / Math.min(one.value, other.value);
  const power = 10 ** Math.round(Math.log10(times));
  return power > 1 && Math.abs(times / power - 1) < ROUNDED_BY;
}

/** Why none of the values is believed that were published of one award, the oldest first; null where they may be. */
export function doubtSlip(published: readonly Money[]): string | null {
  const last = published.at(-1);
  const other = last && published.find((one) => isSlip(one, last));
  if (!other) return null;
  const both = `${other.value} and ${last.value} ${last.currency}`;
  return `values a power of ten apart were published (${both}): none is believed`;
}

/** The estimate's amount where it is one in the same currency. */
function comparable(money: Money, estimate: Money | null): number | null {
  if (!estimate || estimate.currency !== money.currency) return null;
  return estimate.value > PLAUSIBLE.placeholderUpTo ? estimate.value : null;
}

function say({ value, currency }: Money, why: string): string {
  return `the published value ${value} ${currency} is not plausible: ${why}`;
}
