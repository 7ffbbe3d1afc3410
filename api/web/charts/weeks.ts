/** The days of a week, Monday first; null where a day lies outside of what is shown. */
export type Week<T> = { monday: string; days: readonly (T | null)[] };

const DAY_MS = 86_400_000;
/** Weeks in a quarter of a year. */
const QUARTER = 13;

/** Days in a row, oldest first, as weeks. A day is `YYYY-MM-DD`. */
export function splitWeeks<T extends { day: string }>(days: readonly T[]): Week<T>[] {
  const weeks = new Map<string, (T | null)[]>();
  for (const day of days) {
    const time = Date.parse(`${day.day}T00:00:00Z`);
    const place = (new Date(time).getUTCDay() + 6) % 7;
    const monday = new Date(time - place * DAY_MS).toISOString().slice(0, 10);
    const week = weeks.get(monday) ?? Array<T | null>(7).fill(null);
    week[place] = day;
    weeks.set(monday, week);
  }
  return [...weeks].map(([monday, days]) => ({ monday, days }));
}

/** Weeks in quarters, the last of them full; a first one of a week or two joins the next. */
export function foldQuarters<W>(weeks: readonly W[]): W[][] {
  const count = Math.max(1, Math.round(weeks.length / QUARTER));
  const first = weeks.length - (count - 1) * QUARTER;
  return Array.from({ length: count }, (_, at) =>
    weeks.slice(at === 0 ? 0 : first + (at - 1) * QUARTER, first + at * QUARTER),
  );
}
