import { z } from 'zod';
import { day, instant } from '../../../schema/answers/shapes.ts';
import { type CoverageSummary, isComplete, type TypeCoverage } from '../../../schema/catalogue/coverage.ts';
import { DAY_MS, londonDate, londonInstant } from '../../../schema/config/clocks.ts';
import type { RecentDay } from '../../reads/status.ts';

/** Days shown for each source by default; at most a year on request. */
const RECENT_DAYS = 30;
const DAYS_MAX = 366;
/** Gaps listed in an answer. */
const SPANS_MAX = 20;

export const recentDays = z.int().min(1).max(DAYS_MAX).default(RECENT_DAYS).describe('Of recent_days');

export const span = z.object({ from: instant, until: instant });
const count = z.int();

export const noticeNumbers = z.object({
  lowest: count,
  highest: count,
  held: count,
  missing: count.describe('Numbers between held ones that are neither held nor known never to have been published'),
  never_published: count.describe('Numbers under which nothing was served on two days'),
});

export const coverageDay = z.object({
  day: day.describe('London calendar day'),
  releases: count.describe('Releases held that are dated on it'),
  witnessed: count.optional().describe("What the source's own daily file lists"),
  covered: z.enum(['whole', 'part', 'not']).describe('How much of the day was asked for and read'),
});

export const unknownType = z.object({
  type: z.string(),
  title: z.string(),
  state: z.enum(['partly', 'unknown']).describe('unknown: its newest answers cannot be believed'),
  unknown_months: count,
  newest_unknown: z.string().nullable().describe('Month'),
  last_good_at: instant.nullable(),
});

export const gaps = z.object({ count, seconds: count, spans: z.array(span).describe('The newest of them') });
export const probes = z.object({ wanted: count, fetched: count, never_published: count, failed: count });

/** The completeness of a source, for its status; null where it is a register in editions, or not calculated yet. */
export const coverageShape = {
  lag_seconds: count.nullable().describe('From the instant up to which everything is held until now'),
  complete: z.boolean().nullable().describe('Whether nothing is known to be missing'),
  gaps: gaps
    .nullable()
    .describe('Stretches of time that nothing was read for, though what is before and after them is held'),
  unproved_windows: count.nullable().describe('Stretches so full that what came of them proves nothing yet'),
  probes: probes.nullable().describe('Notices requested by id because no stretch of time brought them'),
  sequence: z
    .record(z.string(), noticeNumbers)
    .nullable()
    .describe('Per year, where its run of notice numbers stands; null where a source has none'),
  unknown_types: z
    .array(unknownType)
    .optional()
    .describe('Notice types with unknown months, where the source is asked month by month; unknown is not none'),
  recent_days: z.array(coverageDay).describe(`The last ${RECENT_DAYS} days or as many as asked for, oldest first`),
};

type Shown = z.output<z.ZodObject<typeof coverageShape>>;

/** The most recent London days, oldest first, as of `now`. */
export function listRecentDays(now: Date, days: number): string[] {
  const noon = londonInstant(`${londonDate(now)}T12:00:00`).getTime();
  return Array.from({ length: days }, (_, index) => londonDate(new Date(noon - (days - 1 - index) * DAY_MS)));
}

/** Fills the fields of `coverageShape`. @param days - the days to show @param counted - the stored counts for them */
export function describeCoverage(
  asOf: string | null,
  summary: CoverageSummary | undefined,
  days: readonly string[],
  counted: readonly RecentDay[],
  now: Date,
): Shown {
  const lag_seconds = asOf ? Math.max(0, Math.floor((now.getTime() - Date.parse(asOf)) / 1_000)) : null;
  if (!summary) {
    const unknown = { complete: null, gaps: null, unproved_windows: null, probes: null, sequence: null };
    return { lag_seconds, ...unknown, recent_days: [] };
  }
  const { gaps, unproved, probes, sequence, types } = summary;
  return {
    lag_seconds,
    complete: isComplete(summary),
    gaps: { ...gaps, spans: gaps.spans.slice(-SPANS_MAX) },
    unproved_windows: unproved,
    probes,
    sequence: sequence.length === 0 ? null : Object.fromEntries(sequence.map(({ year, ...rest }) => [year, rest])),
    ...(types ? { unknown_types: types.flatMap(pickUnknown) } : {}),
    recent_days: describeDays(summary, days, counted),
  };
}

function pickUnknown({ type, title, state, unknown_months, newest_unknown, last_good_at }: TypeCoverage) {
  return state === 'held' ? [] : [{ type, title, state, unknown_months, newest_unknown, last_good_at }];
}

function describeDays(
  { covered, gaps }: CoverageSummary,
  days: readonly string[],
  counted: readonly RecentDay[],
): Shown['recent_days'] {
  const byDay = new Map(counted.map((row) => [row.day, row]));
  const spans = gaps.spans.map(({ from, until }) => ({ from: Date.parse(from), until: Date.parse(until) }));
  const whole = covered && { from: Date.parse(covered.from), until: Date.parse(covered.until) };
  // Where gaps are counted but no longer listed, their positions are unknown.
  const listedFrom = gaps.count > spans.length ? (spans[0]?.from ?? Number.POSITIVE_INFINITY) : 0;
  return days.map((day) => {
    const { releases = 0, witnessed = null } = byDay.get(day) ?? {};
    const asked = coverageOf(day, whole, spans, listedFrom);
    return { day, releases, ...(witnessed === null ? {} : { witnessed }), covered: asked };
  });
}

interface Stretch {
  from: number;
  until: number;
}

/** How much of a day was asked for. Of the current day it is a part at most, as the rest has not passed. */
function coverageOf(day: string, covered: Stretch | null, gaps: readonly Stretch[], listedFrom: number) {
  const from = londonInstant(`${day}T00:00:00`).getTime();
  const until = londonInstant(`${day}T23:59:59`).getTime();
  if (!covered || covered.until <= from || covered.from >= until) return 'not';
  if (gaps.some((gap) => gap.from <= from && gap.until >= until)) return 'not';
  const isCut = covered.from > from || covered.until < until;
  const isHoled = gaps.some((gap) => gap.from < until && gap.until > from);
  return isCut || isHoled || until < listedFrom ? 'part' : 'whole';
}
