import { memoise } from './memoise.ts';

/** Major units with the currency's sign, and pence if there are any. Null without a value. */
export function formatMoney(value: number | null | undefined, currency: string | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  const decimals = Number.isInteger(value) ? 0 : 2;
  return formatterOf(currency, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(value);
}

/** A formatter of numbers, or of money if a currency is given. */
export function formatterOf(currency: string | null | undefined, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const money = currency && /^[A-Z]{3}$/.test(currency) ? ({ style: 'currency', currency } as const) : null;
  return readFormat(JSON.stringify([money, options]));
}

/** Kept, as building a formatter takes far longer than using it. */
const readFormat = memoise((options) => new Intl.NumberFormat('en-GB', Object.assign({}, ...JSON.parse(options))));
