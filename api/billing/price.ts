import type { Settings } from '../../schema/config/settings.ts';

export type Prices = Pick<Settings, 'PENCE_PER_CREDIT' | 'VAT_PERCENT'>;

export const CURRENCY = 'gbp';
/** Amounts of credits that one click orders. */
const PACKS: readonly number[] = [1_000, 5_000, 20_000, 100_000];
/** Stripe takes no less than 30 pence and no more than eight digits of pence (docs.stripe.com/currencies). */
const PENCE = { least: 30, most: 99_999_999 };

/** The price of credits in pence. */
export interface Quote {
  credits: number;
  net: number;
  vat: number;
  vatPercent: number;
  total: number;
}

/** The price of some credits in pence, with its VAT. */
export function quote(credits: number, { PENCE_PER_CREDIT, VAT_PERCENT }: Prices): Quote {
  const net = credits * PENCE_PER_CREDIT;
  // Hundredths of a percent are integers, so that no penny depends on a binary fraction.
  const vat = Math.round((net * Math.round(VAT_PERCENT * 100)) / 10_000);
  return { credits, net, vat, vatPercent: VAT_PERCENT, total: net + vat };
}

/** Fewest and most credits that one payment may buy. */
export function creditBounds(prices: Prices): { least: number; most: number } {
  const least = Math.max(100, Math.ceil(PENCE.least / prices.PENCE_PER_CREDIT));
  const most = Math.floor(PENCE.most / (prices.PENCE_PER_CREDIT * (1 + prices.VAT_PERCENT / 100)));
  return { least, most: Math.min(most, 10_000_000) };
}

/** Packs that one payment may buy at these prices. */
export function offerPacks(prices: Prices): Quote[] {
  const { least, most } = creditBounds(prices);
  return PACKS.filter((credits) => credits >= least && credits <= most).map((credits) => quote(credits, prices));
}

/** A number of credits as typed into a form (`5,000` too), or null where one payment cannot buy it. */
export function parseCredits(text: string, prices: Prices): number | null {
  const plain = text.replaceAll(/[, ]/g, '');
  if (!/^\d{1,9}$/.test(plain)) return null;
  const { least, most } = creditBounds(prices);
  const credits = Number(plain);
  return credits >= least && credits <= most ? credits : null;
}
