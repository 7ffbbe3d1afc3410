import type { z } from 'zod';
import type { Totals } from '../../../schema/catalogue/details.ts';
import { fromJson } from '../shared/omit-empty.ts';
import type { counterparty, frameworkReference, totals, yearTotal } from '../shared/shapes.ts';

/** What a profile says of all contracts together. */
export interface ProfileTotals {
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
      .sort((one, other) => other.year.localeCompare(one.year)),
    top: (stored.top ?? []).map(({ count, places, ...rest }) => ({
      ...rest,
      contract_count: count,
      ...(places && { framework_places: places }),
    })),
    frameworks: stored.frameworks ?? [],
  };
}
