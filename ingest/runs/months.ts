import { londonDate, londonInstant } from '../../schema/config/clocks.ts';

/** The London month of an instant, `YYYY-MM`. */
export function monthOf(instant: Date): string {
  return londonDate(instant).slice(0, 7);
}

/** The month this many months later, or earlier where `count` is negative. */
export function shiftMonth(month: string, count: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const months = year * 12 + number - 1 + count;
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}`;
}

/** The months from one to another, both included, oldest first. */
export function listMonths(from: string, until: string): string[] {
  const months: string[] = [];
  for (let month = from; month <= until; month = shiftMonth(month, 1)) months.push(month);
  return months;
}

/** The instant at which a month begins in London. */
export function startOf(month: string): Date {
  return londonInstant(`${month}-01T00:00:00`);
}

/** The instant at which a month is over in London. */
export function endOf(month: string): Date {
  return startOf(shiftMonth(month, 1));
}
