import { z } from 'zod';
import { londonDate } from '../../schema/config/clocks.ts';

/** The months within which a contract ends, in a watch: the days that they mean move with the clock. */
export const endsWithin = z.int().min(1).max(120);

/** Filters in which months may replace days. */
interface Moving {
  readonly ends_within?: unknown;
}

/** Filters on the London day of `now`, with days instead of months. */
export function onDay<F extends object>(given: F & Moving, now: Date): Omit<F, 'ends_within'> {
  const { ends_within: months, ...filters } = given;
  const { data } = endsWithin.safeParse(Number(months));
  if (data === undefined) return filters;
  const today = londonDate(now);
  return { ...filters, ends_from: today, ends_to: addMonths(today, data) };
}

/** The same day some months later, or the last one of a shorter month. @param day - `YYYY-MM-DD` */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}
