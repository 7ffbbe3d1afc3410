import type { z } from 'zod';
import { fromJson, type OmitEmpty, omitEmpty } from '../../../schema/answers/omit-empty.ts';
import type { counterparty, frameworkReference, totals, yearTotal } from '../../../schema/answers/shapes.ts';
import type { Totals, ValueBasis, ValueClass } from '../../../schema/catalogue/details.ts';
import { COUNTED_AS, type CountedAs, NO_VALUE } from '../../../schema/catalogue/enums.ts';
import { compareText } from '../../../schema/text/ids.ts';
import type { ContractRow } from '../../reads/contracts.ts';

/** A contract's value; a ceiling or an amount that is not believed goes into `stated_value` instead. */
export function moneyOf({ value, currency, value_basis, value_class }: ContractRow) {
  const isNone = NO_VALUE.has(value_class);
  return {
    value: isNone ? null : value,
    ...(omitEmpty({
      stated_value: isNone ? value : null,
      currency,
      value_basis: value_basis as ValueBasis | null,
      value_class: value_class as ValueClass,
      counted_as: COUNTED_AS[value_class as ValueClass],
    }) satisfies Money),
  };
}

type Money = OmitEmpty<{
  stated_value: number | null;
  currency: string | null;
  value_basis: ValueBasis | null;
  value_class: ValueClass | null;
  counted_as: CountedAs | null;
}>;

/** Awards whose amounts are not in the value of their notice, by class; the amount where there is one award. */
type ValueApart = Partial<Record<ValueClass, { count: number; value?: number; currency?: string }>>;

/**
 * The value of a notice with several awards: the plain sum of those with a value of their own, if these are in one currency,
 * otherwise null. Ceilings, shared, estimated, unstated and unbelievable amounts are counted separately.
 */
export function sumAwards(rows: readonly ContractRow[]) {
  const alike = same(rows.map((row) => row.value_class as ValueClass));
  const ordinary = rows.filter((row) => row.value_class === 'sum');
  const others = rows.filter((row) => row.value_class !== 'sum');
  const decisive = ordinary.length > 0 ? ordinary : others;
  const currency = same(decisive.map((row) => row.currency));
  const pence = ordinary.reduce((sum, row) => sum + Math.round((row.value ?? 0) * 100), 0);
  return {
    value: currency === null || ordinary.length === 0 ? null : pence / 100,
    ...omitEmpty({
      currency,
      value_basis: same(decisive.map((row) => row.value_basis as ValueBasis | null)),
      value_class: alike,
      counted_as: alike && COUNTED_AS[alike],
      value_apart: others.length > 0 ? countApart(others) : null,
    }),
  };
}

/** States which awards the value covers. */
export function warnOfSum(rows: readonly ContractRow[]): string[] {
  if (rows.length === 1) return [];
  const ordinary = rows.filter((row) => row.value_class === 'sum');
  const isOne = same(ordinary.map((row) => row.currency)) !== null;
  if (ordinary.length > 0 && !isOne) return ['its awards are in several currencies: no sum is given'];
  if (ordinary.length === rows.length) return [];
  const others = 'state none, an estimate, a ceiling or a value that suppliers share';
  if (ordinary.length === 0) return [`no value is given: its awards ${others}`];
  return [`the value is the sum of ${ordinary.length} of ${rows.length} awards: the others ${others}`];
}

function countApart(rows: readonly ContractRow[]): ValueApart {
  const apart: ValueApart = {};
  for (const { value, currency, value_class } of rows) {
    const of = value_class as ValueClass;
    const count = (apart[of]?.count ?? 0) + 1;
    apart[of] = { count, ...(count === 1 && value !== null && currency ? { value, currency } : {}) };
  }
  return apart;
}

/** The value that all of these share, or null. */
export function same<T>(values: readonly T[]): T | null {
  const [first] = values;
  return first !== undefined && values.every((value) => value === first) ? first : null;
}

/** A profile's figures for all contracts together. */
interface ProfileTotals {
  totals: z.input<typeof totals>;
  by_year: z.input<typeof yearTotal>[];
  top: z.input<typeof counterparty>[];
  frameworks: z.input<typeof frameworkReference>[];
}

/** A `totals` column as profiles serve it; an organisation without contracts has `{}`. Newest year first. */
export function toProfileTotals(column: string): ProfileTotals {
  const stored = fromJson<Partial<Totals>>(column);
  return {
    totals: { sum: stored.sum ?? {}, not_in_total: stored.apart ?? {} },
    by_year: Object.entries(stored.by_year ?? {})
      .map(([year, { count, places, sum }]) => ({
        year,
        contract_count: count,
        ...(places && { framework_places: places }),
        sum,
      }))
      .sort((one, other) => compareText(other.year, one.year)),
    top: (stored.top ?? []).map(({ count, places, ...rest }) => ({
      ...rest,
      contract_count: count,
      ...(places && { framework_places: places }),
    })),
    frameworks: stored.frameworks ?? [],
  };
}
