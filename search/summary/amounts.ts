import type { ValueClass } from '../../schema/catalogue/details.ts';
import { NO_VALUE } from '../../schema/catalogue/enums.ts';
import { type ColumnName, NONE } from './columns.ts';
import { type ColumnFile, readNames } from './file.ts';
import type { Pieces } from './pieces.ts';

/** Classes of values; only the first is added up. A class is identified by its place here. */
export const CLASSES = [
  'sum',
  'unstated',
  'shared',
  'framework_ceiling',
  'estimate',
  'absurd',
] as const satisfies readonly ValueClass[];
const [SUM, UNSTATED] = [0, 1];

/** The amounts of a run of contracts, for those that are wanted. */
export interface Amounts {
  classes: Uint8Array;
  /** 1 for an award that sets up a framework: a place on it, rather than a contract. */
  places: Uint8Array;
  /** The number of the currency of the value; `NONE` where nothing is added. */
  currencies: Int32Array;
  pence: Float64Array;
}

/** The columns with the data for amounts. */
export const OF_AMOUNTS = ['counted', 'value'] as const satisfies readonly ColumnName[];

/** Decides whether a value is added, by the number of its name. */
interface Words {
  /** Places in `CLASSES`. */
  classes: Uint8Array;
  /** The number of its currency; `NONE` where nothing is added. */
  currencies: Int32Array;
  /** 1 for an award that sets up a framework. */
  places: Uint8Array;
  /** Currencies by number. */
  names: string[];
}

type Counted = [valueClass: string, currency: string | null, role: string | null];

/** The meaning of the names that decide whether a value is added. */
export async function readWords(file: Pick<ColumnFile, 'database'>): Promise<Words> {
  const known = await readNames(file, 'counted');
  const all = Array.from({ length: known.size }, (_, number) => JSON.parse(known.get(number) ?? '[]') as Counted);
  const classes: readonly string[] = CLASSES;
  const names = [...new Set(all.flatMap(([valueClass, currency]) => (valueClass === 'sum' && currency) || []))];
  const isAdded = ([valueClass, currency]: Counted) => valueClass === 'sum' && currency !== null;
  return {
    classes: Uint8Array.from(all, (one) => (isAdded(one) ? SUM : Math.max(UNSTATED, classes.indexOf(one[0])))),
    currencies: Int32Array.from(all, (one) => (isAdded(one) ? names.indexOf(one[1] ?? '') : NONE)),
    places: Uint8Array.from(all, ([, , role]) => Number(role === 'establishes')),
    names,
  };
}

/** The numbers of names for an accepted contract value in pounds. */
export async function readPounds(file: Pick<ColumnFile, 'database'>): Promise<Set<number>> {
  const isOne = ([valueClass, currency]: Counted) => currency === 'GBP' && !NO_VALUE.has(valueClass);
  const known = await readNames(file, 'counted');
  return new Set([...known].flatMap(([number, text]) => (isOne(JSON.parse(text) as Counted) ? number : [])));
}

/** The contracts among a run of rows that meet every condition: only a stated value of class `sum` is added. */
export function amountsOf(pieces: Pieces, rows: Int32Array, words: Words): Amounts {
  const [ofCounted, values] = [pieces.counted as Int32Array, pieces.value as Float64Array];
  const amounts: Amounts = {
    classes: new Uint8Array(rows.length),
    places: new Uint8Array(rows.length),
    currencies: new Int32Array(rows.length).fill(NONE),
    pence: new Float64Array(rows.length),
  };
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] as number;
    const counted = ofCounted[row] as number;
    const value = values[row] as number;
    const currency = words.currencies[counted] as number;
    const isStated = value !== 0 && !Number.isNaN(value);
    amounts.classes[index] = isStated
      ? (words.classes[counted] as number)
      : Math.max(UNSTATED, words.classes[counted] as number);
    amounts.places[index] = words.places[counted] as number;
    if (!isStated || currency === NONE) continue;
    amounts.currencies[index] = currency;
    amounts.pence[index] = Math.round(value * 100);
  }
  return amounts;
}
