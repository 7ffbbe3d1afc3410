import type { ValueClass } from '../../schema/catalogue/details.ts';
import { type Amounts, CLASSES } from './amounts.ts';
import { NONE } from './columns.ts';
import type { NameLists } from './pieces.ts';

/** What contracts come to. */
export interface Sums {
  contracts: number;
  /** Awards that set up a framework: places on it, which are not contracts. */
  places: number;
  /** The sums in each currency: how many values, and their whole pence. */
  added: Record<string, { count: number; pence: number }>;
  /** Contracts and places that add nothing, by the class of their value. */
  apart: Partial<Record<Exclude<ValueClass, 'sum'>, number>>;
}

/** Sums of many groups, by number. */
export interface Tally {
  /** `EACH` numbers for each group: awards by the class of their value, those that are places, and values in pounds. */
  counts: Int32Array;
  /** Whole pence: exact up to 90 million million pounds. */
  pence: Float64Array;
  /** Few values are in other currencies than pounds. */
  others: Map<number, Sums['added']>;
  currencies: readonly string[];
}

const EACH = 8;
const PLACES = CLASSES.length;
const IN_POUNDS = PLACES + 1;
const POUNDS = 'GBP';

/** A tally of this many empty groups. @param currencies names by number */
export function makeTally(groups: number, currencies: readonly string[]): Tally {
  return { counts: new Int32Array(groups * EACH), pence: new Float64Array(groups), others: new Map(), currencies };
}

/** Makes room for so many groups. */
export function growTally(tally: Tally, groups: number): void {
  if (groups <= tally.pence.length) return;
  const { counts, pence } = tally;
  const { counts: more, pence: morePence } = makeTally(2 * groups, tally.currencies);
  more.set(counts);
  morePence.set(pence);
  tally.counts = more;
  tally.pence = morePence;
}

/** Adds contracts to their groups. @param groups those of each amount */
export function addAmounts(tally: Tally, { classes, places, currencies, pence }: Amounts, groups: NameLists): void {
  const { counts, pence: sums } = tally;
  const pounds = tally.currencies.indexOf(POUNDS);
  const { ends, all } = groups;
  let at = 0;
  for (let index = 0; index < classes.length; index++) {
    const end = ends[index] as number;
    const currency = currencies[index] as number;
    for (; at < end; at++) {
      const group = all[at] as number;
      const first = group * EACH;
      (counts[first + (classes[index] as number)] as number)++;
      if (places[index] === 1) (counts[first + PLACES] as number)++;
      if (currency === NONE) continue;
      if (currency !== pounds) addOther(tally, group, currency, pence[index] as number);
      else {
        (counts[first + IN_POUNDS] as number)++;
        (sums[group] as number) += pence[index] as number;
      }
    }
  }
}

function addOther({ others, currencies }: Tally, group: number, currency: number, pence: number): void {
  const sums = others.get(group) ?? {};
  addSum(sums, currencies[currency] ?? '', { count: 1, pence });
  others.set(group, sums);
}

function addSum(sums: Sums['added'], currency: string, { count, pence }: { count: number; pence: number }): void {
  const before = sums[currency] ?? { count: 0, pence: 0 };
  sums[currency] = { count: before.count + count, pence: before.pence + pence };
}

/** How many contracts of each group there are; below zero for a group without a contract or a place. */
export function countContracts({ counts, pence }: Tally): Int32Array {
  const contracts = new Int32Array(pence.length);
  for (let group = 0; group < pence.length; group++) {
    let awards = 0;
    for (let what = 0; what < PLACES; what++) awards += counts[group * EACH + what] as number;
    contracts[group] = awards === 0 ? NONE : awards - (counts[group * EACH + PLACES] as number);
  }
  return contracts;
}

/** The sums of some groups together. */
export function sumsOf(tally: Tally, groups: Iterable<number>): Sums {
  const sums: Sums = { contracts: 0, places: 0, added: {}, apart: {} };
  const numbers = new Float64Array(EACH);
  let pence = 0;
  for (const group of groups) {
    for (let what = 0; what < EACH; what++) (numbers[what] as number) += tally.counts[group * EACH + what] as number;
    pence += tally.pence[group] as number;
    const other = tally.others.get(group);
    if (other) for (const currency of Object.keys(other)) addSum(sums.added, currency, other[currency] as never);
  }
  const [count = 0, places = 0] = [numbers[IN_POUNDS], numbers[PLACES]];
  if (count > 0) addSum(sums.added, POUNDS, { count, pence });
  CLASSES.forEach((name, valueClass) => {
    const awards = numbers[valueClass] as number;
    sums.contracts += awards;
    if (name !== 'sum' && awards > 0) sums.apart[name] = awards;
  });
  return { ...sums, contracts: sums.contracts - places, places };
}
