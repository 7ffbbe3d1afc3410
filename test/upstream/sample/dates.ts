const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const summers = new Map<number, readonly [number, number]>();

/** British Summer Time of a year: from and to in ms. Reckoned here because a million notices ask often. */
function summerOf(year: number): readonly [number, number] {
  const known = summers.get(year);
  if (known) return known;
  const lastSunday = (month: number) => {
    const end = new Date(Date.UTC(year, month + 1, 0, 1));
    return end.getTime() - end.getUTCDay() * DAY_MS;
  };
  const summer = [lastSunday(2), lastSunday(9)] as const;
  summers.set(year, summer);
  return summer;
}

function isSummer(ms: number): boolean {
  const [from, to] = summerOf(new Date(ms).getUTCFullYear());
  return ms >= from && ms < to;
}

/** An instant as the services write it: UK wall-clock with its offset, `+01:00` or `Z`. */
export function instantText(ms: number): string {
  const summer = isSummer(ms);
  return `${new Date(ms + (summer ? HOUR_MS : 0)).toISOString().slice(0, 19)}${summer ? '+01:00' : 'Z'}`;
}

/** The UK calendar day of an instant, `YYYY-MM-DD`. */
export function dayOf(ms: number): string {
  return instantText(ms).slice(0, 10);
}

/** The instant at which the UK's clocks show a time on a day (`HH:MM:SS`). */
export function atTime(day: string, time: string): number {
  const utc = Date.parse(`${day}T${time}Z`);
  return isSummer(utc - HOUR_MS) ? utc - HOUR_MS : utc;
}

/** First and last second of a day as the services write them. */
export const dayStart = (day: string) => instantText(atTime(day, '00:00:00'));
export const dayEnd = (day: string) => instantText(atTime(day, '23:59:59'));

/** A day some days later (or earlier). */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** A day some months later, at most the 28th. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, 28))).toISOString().slice(0, 10);
}

/** The day itself, or the Monday after a weekend. */
export function workingDay(day: string): string {
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
  if (weekday === 6) return addDays(day, 2);
  return weekday === 0 ? addDays(day, 1) : day;
}
