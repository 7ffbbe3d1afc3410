import type { Money } from './types.ts';

/**
 * Which amounts are not taken for facts. In the recordings (291 contracts) the dearest to a single supplier is 60 million;
 * all six of a thousand million and more went to several suppliers, with an estimate of the same size beside each. No award
 * to one supplier is more than five times its estimate. What is not believed is told in a warning and added to nothing.
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
  /** Above this no ceiling, estimate or value for many suppliers is. */
  ceilingUpTo: 100_000_000_000,
  /** A value as many times its estimate as this is a slip (pence for pounds), from `slipFrom` on: small estimates are often mere fillers. */
  timesEstimate: 100,
  slipFrom: 10_000_000,
} as const;

/** Why a contract's value is not believed, or null where it is. `estimate`: what its process was estimated at. */
export function doubtValue(money: Money, estimate: Money | null): string | null {
  const { value } = money;
  const own = comparable(money, estimate);
  if (value <= PLAUSIBLE.placeholderUpTo) return say(money, 'a placeholder');
  if (value > PLAUSIBLE.valueUpTo) return say(money, 'more than any single award');
  if (own !== null && value >= PLAUSIBLE.slipFrom && value >= own * PLAUSIBLE.timesEstimate)
    return say(money, `${Math.round(value / own)} times its estimate`);
  if (value > PLAUSIBLE.needsEstimateAbove && (own === null || own < value * PLAUSIBLE.sameSizeFrom))
    return say(money, 'no estimate of its process bears it out');
  return null;
}

/** Why a ceiling or an estimate is not believed, or null where it is. */
export function doubtCeiling(money: Money): string | null {
  if (money.value <= PLAUSIBLE.placeholderUpTo) return say(money, 'a placeholder');
  return money.value > PLAUSIBLE.ceilingUpTo ? say(money, 'more than any framework') : null;
}

/** The estimate's amount where it is one in the same currency. */
function comparable(money: Money, estimate: Money | null): number | null {
  if (!estimate || estimate.currency !== money.currency) return null;
  return estimate.value > PLAUSIBLE.placeholderUpTo ? estimate.value : null;
}

function say({ value, currency }: Money, why: string): string {
  return `the published value ${value} ${currency} is not plausible: ${why}`;
}
