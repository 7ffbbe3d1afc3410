import type { Trade } from '../trades/types.ts';
import type { Buyer } from './buyers.ts';
import type { Company } from './companies.ts';

/** What the makers of deals draw from. */
export interface Market {
  seed: number;
  asOfMs: number;
  /** How many days back the first process begins. */
  spanDays: number;
  buyers: readonly Buyer[];
  companies: readonly Company[];
  suppliersOf(trade: Trade): readonly Company[];
}
