import type { NoticeDetail, Stage } from '../../schema/catalogue/details.ts';
import { isOnCalendar, isoInstant, londonDate, londonInstant } from '../../schema/config/clocks.ts';
import type { OcdsPeriod, OcdsRelease, OcdsTender } from '../../schema/ocds/types.ts';
import { memoise } from '../../schema/text/memoise.ts';
import { quote } from './text/clean.ts';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(\.\d+)?$/;
const ZONED = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:?\d{2})$/;
/** 24:00 of a day is its last instant, and the next day's first; what ends then ends on that day. */
const TWENTY_FOUR = /T24:00(?::00(?:\.0+)?)?(?![\d:.])/;

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
const MONTH =
  '(JAN(?:UARY)?|FEB(?:RUARY)?|MAR(?:CH)?|APR(?:IL)?|MAY|JUNE?|JULY?|AUG(?:UST)?|SEP(?:T(?:EMBER)?)?|OCT(?:OBER)?|NOV(?:EMBER)?|DEC(?:EMBER)?)';
/** `27/02/2026`, `27.2.2026`. */
const DAY_FIRST = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?!\d)/;
/** `27 February 2026`, `27th Feb. 2026`, `27 February, 2026`, `27-Feb-2026`. */
const IN_WORDS = new RegExp(`^(\\d{1,2})(?:ST|ND|RD|TH)?[ -]${MONTH}\\.?,?[ -](\\d{4})(?!\\d)`);
/** `February 27, 2026`. */
const MONTH_FIRST = new RegExp(`^${MONTH}\\.? (\\d{1,2})(?:ST|ND|RD|TH)?,? (?=\\d{4}(?!\\d))`);
/** `Friday 27 February 2026`, `Fri, 27 Feb 2026`. */
const WEEKDAY = /^(?:MON|TUES?|WED(?:NES)?|THU(?:RS?)?|FRI|SAT(?:UR)?|SUN)(?:DAY)?[.,]? +(?=\w)/;
const YEAR_FIRST = /^(\d{4})([/.-])(\d{1,2})\2(\d{1,2})(?!\d)/;
/** As ISO 8601 spells it, which nearly every date is: nothing below would change it. */
const SPELT = /^\d{4}-\d{2}-\d{2}(?:T(?!24)\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})?)?$/;
/** A longer text is no date. */
const LENGTH_MAX = 60;

/**
 * A date as ISO 8601 spells it: the year first, where the British write `27/02/2026` or `27 February 2026`; with a capital `T`,
 * where some write a space, and a capital `Z` or an offset with its minutes right after the time, but never after a bare day.
 * A weekday is left out, as in `Fri, 27 Feb 2026 10:00:00 GMT` (RFC 2822), and so is `[Europe/London]` after an offset, as Java
 * writes it. 24:00 is written as the last second of its day.
 */
function spell(text: string): string {
  if (text.length > LENGTH_MAX) return '';
  if (SPELT.test(text)) return text;
  return text
    .trim()
    .toUpperCase()
    .replace(WEEKDAY, '')
    .replace(MONTH_FIRST, '$2 $1 ')
    .replace(/(?<=Z|[+-]\d{2}:?\d{2})\[[A-Z]+\/[A-Z_]+\]$/, '')
    .replace(/(?<=\d) ?(?:GMT|UTC)$/, 'Z')
    .replace(/(?<=\d) ?BST$/, '+01:00')
    .replace(DAY_FIRST, (_, day: string, _sign, month: string, year: string) => dayOf(year, month, day))
    .replace(IN_WORDS, (_, day: string, month: string, year: string) =>
      dayOf(year, String(MONTHS.indexOf(month.slice(0, 3)) + 1), day),
    )
    .replace(YEAR_FIRST, (_, year: string, _sign, month: string, day: string) => dayOf(year, month, day))
    .replace(/^(\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2})$/, '$1')
    .replace(/^(\d{4}-\d{2}-\d{2}) +(?=\d)/, '$1T')
    .replace(/(\d) +(?=Z$|[+-]\d{2}(?::?\d{2})?$)/, '$1')
    .replace(/(T.*[+-]\d{2})$/, '$1:00')
    .replace(TWENTY_FOUR, 'T23:59:59');
}

function dayOf(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** The instant that a text states, in London time if it has no zone; null if it is no date. A bare date is the start of its day. */
export const parseInstant = memoise((text) => {
  // Cached, as a release's date is read several times.
  const trimmed = spell(text);
  if (!isOnCalendar(trimmed.slice(0, 10))) return null;
  if (DATE.test(trimmed)) return inLondon(`${trimmed}T00:00:00`);
  if (LOCAL.test(trimmed)) return inLondon(trimmed.slice(0, 19).padEnd(19, ':00'));
  return ZONED.test(trimmed) ? real(new Date(trimmed)) : null;
});

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
  const spelled = spell(text);
  const written = END_OF_DAY.test(spelled) ? spelled.slice(0, 10) : null;
  return instant && isPlausible(instant) ? (written ?? londonDate(instant)) : null;
});

/** Warnings about one kind of day: a process may have thousands of lots. */
const WARNINGS_MAX = 5;

/** A warning for each of the first published texts that are not dates, or have an impossible year. */
export function warnOfDays(what: string, texts: readonly (string | undefined)[]): string[] {
  const unread = new Set(texts.flatMap((text) => (text === undefined || parseDay(text) !== null ? [] : text)));
  return [...unread].slice(0, WARNINGS_MAX).map((text) => `the published ${what} is not a date: ${quote(text)}`);
}

/**
 * A deadline: its London date and its instant. A date without a time ends at 23:59:59 London time.
 * @param midnightIsDay whether midnight also means a date without a time, as on Contracts Finder before August 2020
 */
export function parseDeadline(text: string | undefined, midnightIsDay = false): { date: string; at: string } | null {
  if (!text) return null;
  const spelled = spell(text);
  const bare = DATE.test(spelled) || (midnightIsDay && MIDNIGHT.test(spelled));
  const given = parseInstant(text);
  const instant = given && bare ? inLondon(`${spelled.slice(0, 10)}T23:59:59`) : given;
  if (!instant || !isPlausible(instant)) return null;
  return { date: londonDate(instant), at: isoInstant(instant) };
}

/** Years that are plausible in a procurement. Any other is a typing error. */
const YEARS = { first: 1990, last: 2080 };

/** Whether a text is a date in the plausible years. */
export function isDate(text: string | undefined): text is string {
  const instant = parseInstant(text ?? '');
  return instant !== null && isPlausible(instant);
}

/** Whether an instant lies in the plausible years. */
function isPlausible(instant: Date): boolean {
  const year = instant.getUTCFullYear();
  return year >= YEARS.first && year <= YEARS.last;
}

function inLondon(local: string): Date | null {
  return Number.isNaN(Date.parse(`${local}Z`)) ? null : londonInstant(local);
}

function real(instant: Date): Date | null {
  return Number.isNaN(instant.getTime()) ? null : instant;
}

/** A notice's deadline, and the field that states it. */
interface Due {
  from: string;
  deadline: ReturnType<typeof parseDeadline>;
  warnings: string[];
}

/**
 * The first deadline that can be read: of the notice, otherwise of its process. A short update omits it or says `TBC`.
 * @param stating the notice's own release, then its merged process
 */
export function deadlineOf(stating: readonly OcdsRelease[], published: string, midnightIsDay: boolean): Due {
  const texts = stating.flatMap(({ tender }) => [
    { from: 'tender.tenderPeriod', text: tender.tenderPeriod?.endDate },
    { from: 'tender.expressionOfInterestDeadline', text: tender.expressionOfInterestDeadline },
  ]);
  const read = texts.map(({ from, text }) => ({ from, text, deadline: parseDeadline(text, midnightIsDay) }));
  const place = read.findIndex(({ deadline }) => deadline !== null);
  const { from = '', deadline = null } = read[place] ?? {};
  const unread = new Set(read.slice(0, place === -1 ? read.length : place).flatMap(({ text }) => text ?? []));
  const warnings = [...unread].map((text) => `the published deadline is not a date: ${quote(text)}`);
  if (deadline && deadline.date < published) warnings.push('the deadline lies before the publication');
  return { from, deadline, warnings };
}

/** Whether the deadline of a tender had not passed on a day. */
export function takesBids({ tenderPeriod, expressionOfInterestDeadline }: OcdsTender, day: string): boolean {
  const until = parseDay(tenderPeriod?.endDate) ?? parseDay(expressionOfInterestDeadline);
  return until !== null && until >= day;
}

/**
 * The days that a release states. Of several contracts, awards or lots, the first start and the last end; of all else, the first
 * day that can be read. After a termination nothing is extended. For questions also the instant, where a time is stated.
 */
export function datesOf(ocds: OcdsRelease, stage: Stage): NoticeDetail['dates'] {
  const found = statedDates(ocds, stage);
  const days: Record<string, string> = {};
  for (const name in found) {
    const day = found[name]?.map(parseDay).find((one) => one !== null);
    if (day) days[name] = day;
  }
  const at = timeOf(ocds.tender.enquiryPeriod?.endDate);
  return { ...days, ...(at ? { enquiries_until_at: at } : {}) };
}

/** The instant that a text states; null where it is a day alone, as is one with the first or the last minute of its day. */
function timeOf(text = ''): string | null {
  const until = END_OF_DAY.test(spell(text)) ? null : parseDeadline(text);
  return until && parseInstant(text)?.getTime() !== parseInstant(until.date)?.getTime() ? until.at : null;
}

function statedDates(ocds: OcdsRelease, stage: Stage): Record<string, (string | undefined)[]> {
  const { tender, awards, contracts, engagementEnds } = ocds;
  const spans = contractPeriods(ocds).map(spanOfPeriods);
  return {
    starts: spans.slice(0, -1).map(({ starts }) => starts),
    ends: [...contracts.map(({ endedOn }) => endedOn), ...spans.map(({ ends }) => ends)],
    extends_to: stage === 'termination' ? [] : spans.map(({ extendsTo }) => extendsTo),
    engagement_until: [engagementEnds],
    enquiries_until: [tender.enquiryPeriod?.endDate],
    expressions_until: [tender.expressionOfInterestDeadline],
    invitations_expected: [tender.invitationDate],
    award_expected: [tender.awardPeriod?.endDate],
    tender_expected: [tender.futureNoticeDate],
    bids_expected: stage === 'planning' ? [tender.tenderPeriod?.endDate] : [],
    recurs_expected: tender.recurrenceDates.map((day) => parseDay(day) ?? undefined).toSorted(),
    awarded: awards.map(({ date }) => date),
    signature_expected: awards.map(({ signatureDue }) => signatureDue),
    signed: contracts.map(({ dateSigned }) => dateSigned),
    standstill_until: awards.map(({ standstillPeriods }) => spanOfPeriods(standstillPeriods).ends),
  };
}

/** The periods of contracts, of awards, of the tender and of its lots; last those proposed, which start when the change does. */
function contractPeriods({ tender, awards, contracts }: OcdsRelease): (OcdsPeriod | undefined)[][] {
  const ofEach = (ones: readonly { contractPeriod?: OcdsPeriod }[]) => ones.map(({ contractPeriod }) => contractPeriod);
  const proposed = contracts.flatMap(({ proposedAmendments }) => proposedAmendments.map(({ period }) => period));
  return [contracts.map(({ period }) => period), ofEach(awards), ofEach([tender]), ofEach(tender.lots), proposed];
}

/** From the first start to the last end; where any can be extended, to the last day on which one may still run. */
export function spanOfPeriods(periods: readonly (OcdsPeriod | undefined)[]) {
  const sorted = (texts: (string | undefined)[]) => texts.flatMap((text) => parseDay(text) ?? []).toSorted();
  const ends = sorted(periods.map((period) => period?.endDate));
  const extended = sorted(periods.map((period) => period?.maxExtentDate));
  return {
    starts: sorted(periods.map((period) => period?.startDate))[0],
    ends: ends.at(-1),
    extendsTo: extended.length > 0 ? [...extended, ...ends].toSorted().at(-1) : undefined,
  };
}

/** Warnings for what a release states of its periods that cannot be read. */
export function warnOfAllPeriods(ocds: OcdsRelease): string[] {
  const { tender, awards } = ocds;
  const others = [tender.techniques?.period, tender.enquiryPeriod, tender.awardPeriod, tender.bidValidity];
  return warnOfPeriods([...contractPeriods(ocds).flat(), ...others, ...awards.flatMap((one) => one.standstillPeriods)]);
}

/** Warnings for the first period in words that is neither two days nor a length, and for each start and end that is not a date. */
export function warnOfPeriods(periods: readonly (OcdsPeriod | undefined)[]): string[] {
  const text = periods.find((period) => period?.unreadable)?.unreadable;
  const starts = periods.map((period) => period?.startDate);
  const ends = periods.map((period) => period?.endDate);
  return [
    ...(text ? [`the published period is neither two days nor a length: ${quote(text)}`] : []),
    ...warnOfDays('start', starts),
    ...warnOfDays('end', ends),
  ];
}
