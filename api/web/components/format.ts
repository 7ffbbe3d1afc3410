import { daysBetween, londonDate } from '../../../schema/config/clocks.ts';
import { formatterOf } from '../../../schema/text/money.ts';

const LONDON = 'Europe/London';
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const DAY_SHORT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const INSTANT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: LONDON,
});
const makeShort = (timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone });
const INSTANT_SHORT = { london: makeShort(LONDON), utc: makeShort('UTC') };
/** The clocks that pages tell the time by. */
export type Zone = keyof typeof INSTANT_SHORT;
const LIST = new Intl.ListFormat('en-GB');
const WHOLE = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });

/** `2026-03-12` as `12 March 2026`; other text unchanged; null for none. */
export function formatDay(day: string | null | undefined): string | null {
  if (!day) return null;
  const time = Date.parse(`${day.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(time) ? day : DAY.format(time);
}

/** `from 12 March 2026 to 11 March 2027`, or the one known day; null if neither is known. */
export function formatPeriod(starts: string | null | undefined, ends: string | null | undefined): string | null {
  const [from, to] = [formatDay(starts), formatDay(ends)];
  return [from && `from ${from}`, to && `${from ? 'to' : 'until'} ${to}`].filter(Boolean).join(' ') || null;
}

/** `ends 11 March 2027`, or `ended` where the day has passed. @param today - the London day */
export const formatEnd = (day: string, today: string): string => `${day < today ? 'ended' : 'ends'} ${formatDay(day)}`;

/** `starts 11 March 2027`, or `started` where the day has come. @param today - the London day */
export const formatStart = (day: string, today: string): string =>
  `${day > today ? 'starts' : 'started'} ${formatDay(day)}`;

/** A day by itself; a reference that holds one is left as it was published. */
const DAY_IN_WORDS = /(?<![\w/.-])\d{4}-\d\d-\d\d(?![\w/-])/g;

/** Evidence in one line, with its days as the page writes them. */
export function formatEvidence(evidence: readonly string[]): string {
  return evidence.join('; ').replace(DAY_IN_WORDS, (day) => formatDay(day) ?? day);
}

/** `2026-03-12` as `12 Mar`. */
export function formatDayShort(day: string): string {
  return DAY_SHORT.format(Date.parse(`${day}T00:00:00Z`));
}

/** `2026-03` as `March 2026`. */
export function formatMonth(month: string): string {
  return MONTH.format(Date.parse(`${month}-01T00:00:00Z`));
}

/** An ISO instant in London time, to the minute. */
export function formatInstant(instant: string | null | undefined): string | null {
  if (!instant) return null;
  const time = Date.parse(instant);
  return Number.isNaN(time) ? instant : INSTANT.format(time);
}

/** An ISO instant as `21 Nov 2026` and `23:27`. */
export function formatInstantShort(instant: string, zone: Zone): [day: string, time: string] {
  const [day = instant, time = ''] = INSTANT_SHORT[zone].format(Date.parse(instant)).split(', ');
  return [day, time];
}

/** `1234.5` as `1,235`. */
export function formatCount(count: number): string {
  return WHOLE.format(count);
}

/** `1 contract`, `2,300 contracts`. */
export function formatNumbered(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Pence in pounds: `£1,234.50`. */
export function formatPounds(pence: number): string {
  return `£${(pence / 100).toLocaleString('en-GB', { minimumFractionDigits: 2 })}`;
}

/** A short amount: `£1.2m`, `640`. Money if a currency is given. */
export function formatShort(amount: number, currency?: string): string {
  const maximumSignificantDigits = amount < 1_000 ? 3 : 2;
  return formatterOf(currency, { notation: 'compact', maximumSignificantDigits }).format(amount);
}

/** A span of time in its largest unit: `5 minutes`, `3 hours`, `19 days`. */
export function formatSpan(spanMs: number): string {
  const minutes = Math.round(spanMs / 60_000);
  if (minutes < 120) return formatNumbered(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 48 ? formatNumbered(hours, 'hour') : formatNumbered(Math.round(hours / 24), 'day');
}

/** How long to wait: `1 second`, `90 seconds`, `14 minutes`. */
export const formatWait = (seconds: number): string =>
  seconds < 120 ? formatNumbered(seconds, 'second') : formatSpan(seconds * 1_000);

const MONTH_DAYS = 30.44;
/** A short period is only said in months if it differs from them by so few days: 46 days are not two months. */
const NEAR_DAYS = 2.5;
const SHORT_MONTHS = 6;

/** The length of a period, both days included: `3 years`, `18 months`, `2 years 1 month`, `20 days`. */
export function formatDays(first: string, last: string): string {
  const days = daysBetween(first.slice(0, 10), last.slice(0, 10)) + 1;
  const months = Math.round(days / MONTH_DAYS);
  const isNear = months >= SHORT_MONTHS || Math.abs(days - months * MONTH_DAYS) < NEAR_DAYS;
  if (months < 2 || !isNear) return formatNumbered(days, 'day');
  const [years, rest] = [Math.floor(months / 12), months % 12];
  if (rest === 0) return formatNumbered(years, 'year');
  return years < 2
    ? formatNumbered(months, 'month')
    : `${formatNumbered(years, 'year')} ${formatNumbered(rest, 'month')}`;
}

/** Paragraphs of a published text, split at blank lines. */
export function splitParagraphs(text: string): string[] {
  return text
    .split(/\n\s*\n|\r\n\s*\r\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean);
}

/** Calendar days in London from `now` to a day; negative if it has passed. */
export function daysUntil(day: string, now: Date): number {
  return daysBetween(londonDate(now), day);
}

/** A file's size: `812 bytes`, `4.2 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB'];
  // As rounded: a thousand of a unit is one of the next.
  const at = units.findIndex((unit, power) => unit === 'GB' || Math.round(bytes / 1_000 ** power) < 1_000);
  const value = bytes / 1_000 ** at;
  return `${at === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${units[at]}`;
}

/** Names in one line: `one`, `one and two`, `one, two and three`. */
export function formatList(names: readonly string[]): string {
  return LIST.format(names);
}

/** Characters that neither XML 1.0 nor HTML can contain, and lone surrogates. */
const UNWRITABLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** A text whose characters can all stand in a page or a feed, escaped: a blank for any other. */
export const toWritable = (text: string): string => text.replace(UNWRITABLE, ' ');
