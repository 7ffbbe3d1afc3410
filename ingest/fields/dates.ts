import { isoInstant, londonDate, londonInstant } from '../../schema/config/clocks.ts';
import { memoise } from '../../schema/text/memoise.ts';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(\.\d+)?$/;
const ZONED = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:?\d{2})$/;

/** A date as ISO 8601 spells it: with a capital `T`, where some write a space, and a capital `Z`. */
function spell(text: string): string {
  return text
    .trim()
    .toUpperCase()
    .replace(/^(\d{4}-\d{2}-\d{2}) +(?=\d)/, '$1T');
}

/** The instant that a text states, in London time if it has no zone; null if it is no date. A bare date is the start of its day. */
export function parseInstant(text: string | undefined): Date | null {
  if (!text) return null;
  const trimmed = spell(text);
  if (!isOnCalendar(trimmed.slice(0, 10))) return null;
  if (DATE.test(trimmed)) return inLondon(`${trimmed}T00:00:00`);
  if (LOCAL.test(trimmed)) return inLondon(trimmed.slice(0, 19).padEnd(19, ':00'));
  return ZONED.test(trimmed) ? real(new Date(trimmed)) : null;
}

/** The last minute of a day. Find a Tender writes it with `Z` in summer too (028961-2025), when London is already in the next day. */
const END_OF_DAY = /T23:59(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/;
const MIDNIGHT = /T00:00(:00(\.0+)?)?Z$/;

/** The London date of a text as `YYYY-MM-DD`, or null. A bare date, and one with the last minute of its day, stay as written. */
export function parseDay(text: string | undefined): string | null {
  return text ? readDay(text) : null;
}

/** Cached, as time zones are slow to look up. */
const readDay = memoise((text) => {
  const instant = parseInstant(text);
  const written = END_OF_DAY.test(spell(text)) ? text.trim().slice(0, 10) : null;
  return instant && isPlausible(instant) ? (written ?? londonDate(instant)) : null;
});

/** The warning for a published date that cannot be read or has an impossible year; otherwise none. */
export function warnOfDay(what: string, text: string | undefined): string[] {
  return text === undefined || parseDay(text) !== null
    ? []
    : [`the published ${what} is not a date: ${text.slice(0, 40)}`];
}

export interface Deadline {
  date: string;
  at: string;
}

/**
 * A deadline: its London date and its instant. A date without a time ends at 23:59:59 London time.
 * @param midnightIsDay whether midnight also means a date without a time, as on Contracts Finder before August 2020
 */
export function parseDeadline(text: string | undefined, midnightIsDay = false): Deadline | null {
  if (!text) return null;
  const bare = DATE.test(text.trim()) || (midnightIsDay && MIDNIGHT.test(spell(text)));
  const given = parseInstant(text);
  const instant = given && bare ? inLondon(`${text.trim().slice(0, 10)}T23:59:59`) : given;
  if (!instant || !isPlausible(instant)) return null;
  return { date: londonDate(instant), at: isoInstant(instant) };
}

/** Years that are plausible in a procurement. Any other is a typing error. */
const YEARS = { first: 1990, last: 2080 };

/** Whether an instant lies in the plausible years. */
export function isPlausible(instant: Date): boolean {
  const year = instant.getUTCFullYear();
  return year >= YEARS.first && year <= YEARS.last;
}

function inLondon(local: string): Date | null {
  return Number.isNaN(Date.parse(`${local}Z`)) ? null : londonInstant(local);
}

/** Whether the calendar has a day: JavaScript reads 30 February as 2 March. */
function isOnCalendar(day: string): boolean {
  const midnight = real(new Date(`${day}T00:00:00Z`));
  return midnight?.toISOString().slice(0, 10) === day;
}

function real(instant: Date): Date | null {
  return Number.isNaN(instant.getTime()) ? null : instant;
}
