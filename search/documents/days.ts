import { DAY_MS, isoInstant, londonInstant } from '../../schema/config/clocks.ts';

export const DAY_SECONDS = DAY_MS / 1_000;

/** Days since 1970 of a calendar date; a date before then, or a text that is no date, counts as the first day. */
export function dayNumber(date: string): number {
  const day = Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
  return Number.isFinite(day) ? Math.max(0, day) : 0;
}

/** The same where there may be no date; null without one. */
export function knownDayNumber(date: string | null): number | null {
  return date ? dayNumber(date) : null;
}

/** Seconds since 1970 of an instant; 0 where the text is not one. */
export function secondsOf(instant: string): number {
  const milliseconds = Date.parse(instant);
  return Number.isFinite(milliseconds) ? Math.floor(milliseconds / 1_000) : 0;
}

/** The last second of a London day as an instant; null without a day. */
export function endOfDay(date: string | null): string | null {
  return date ? isoInstant(londonInstant(`${date}T23:59:59`)) : null;
}
