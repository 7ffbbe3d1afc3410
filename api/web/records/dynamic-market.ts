import { daysUntil, formatDay } from '../components/format.ts';

/** Until when suppliers can apply to join a dynamic market that has not ceased. @param until - its last day, where one is published. */
export function sayMarket(until: string | null | undefined, now: Date): string {
  if (!until) return 'Open to applications, no end date is stated';
  return daysUntil(until, now) < 0 ? `Closed since ${formatDay(until)}` : `Open, apply until ${formatDay(until)}`;
}
