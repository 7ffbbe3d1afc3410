import { z } from 'zod';
import { londonDate, londonInstant } from '../../../schema/clocks.ts';
import { type CoverageSpan, type CoverageSummary, isComplete } from '../../../schema/coverage.ts';
import type { RecentDay } from '../../reads/status.ts';

const DAY_MS = 86_400_000;
/** Days shown of each source. */
const RECENT_DAYS = 30;

const span = z.object({ from: z.string(), until: z.string() });
const count = z.int();

const year = z.object({
  lowest: count,
  highest: count,
  held: count,
  missing: count.describe('Numbers between held ones that are neither held nor known never to have been published'),
  never_published: count.describe('Numbers under which nothing was served on two days'),
});

const day = z.object({
  day: z.string().describe('London calendar day'),
  releases: count.describe('Releases held that are dated on it'),
  witnessed: count.optional().describe("What the source's own daily file lists"),
  covered: z.enum(['whole', 'part', 'not']).describe('How much of the day was asked for and read'),
});

/** What a source's status says of its completeness; null where it is a register in editions, or not yet reckoned. */
export const coverageShape = {
  lag_seconds: count.nullable().describe('From the instant up to which everything is held until now'),
  complete: z.boolean().nullable().describe('Whether nothing is known to be missing'),
  gaps: z
    .object({ count, seconds: count, spans: z.array(span).describe('The newest of them') })
    .nullable()
    .describe('Stretches of time that nothing was read for, though what is before and after them is held'),
  unproved_windows: count.nullable().describe('Stretches so full that what came of them proves nothing yet'),
  probes: z
    .object({ wanted: count, fetched: count, never_published: count, failed: count })
    .nullable()
    .describe('Notices asked for by their id because no stretch of time brought them'),
  sequence: z
    .record(z.string(), year)
    .nullable()
    .describe('Per year, where its run of notice numbers stands; null where a source has none'),
  recent_days: z.array(day).describe(`The last ${RECENT_DAYS} days, oldest first`),
};

type Shown = z.output<z.ZodObject<typeof coverageShape>>;

/** The first of the days that are shown, as of `now`. */
export function firstRecentDay(now: Date): string {
  return londonDate(new Date(noonOf(now) - (RECENT_DAYS - 1) * DAY_MS));
}

/** Answers the fields of `coverageShape`. */
export function describeCoverage(
  asOf: string | null,
  summary: CoverageSummary | undefined,
  days: readonly RecentDay[],
  now: Date,
): Shown {
  const lag_seconds = asOf ? Math.max(0, Math.floor((now.getTime() - Date.parse(asOf)) / 1_000)) : null;
  if (!summary) {
    const unknown = { complete: null, gaps: null, unproved_windows: null, probes: null, sequence: null };
    return { lag_seconds, ...unknown, recent_days: [] };
  }
  const { gaps, unproved, probes, sequence } = summary;
  return {
    lag_seconds,
    complete: isComplete(summary),
    gaps,
    unproved_windows: unproved,
    probes,
    sequence: sequence.length === 0 ? null : Object.fromEntries(sequence.map(({ year, ...rest }) => [year, rest])),
    recent_days: listDays(summary, days, now),
  };
}

function listDays({ covered, gaps }: CoverageSummary, days: readonly RecentDay[], now: Date): Shown['recent_days'] {
  const byDay = new Map(days.map((row) => [row.day, row]));
  return Array.from({ length: RECENT_DAYS }, (_, index) => {
    const day = londonDate(new Date(noonOf(now) - (RECENT_DAYS - 1 - index) * DAY_MS));
    const { releases = 0, witnessed = null } = byDay.get(day) ?? {};
    const counted = witnessed === null ? {} : { witnessed };
    return { day, releases, ...counted, covered: coverageOf(day, covered, gaps.spans) };
  });
}

/** Of a day that is still going on, what has passed of it. */
function coverageOf(
  day: string,
  covered: CoverageSpan | null,
  gaps: readonly CoverageSpan[],
): 'whole' | 'part' | 'not' {
  const from = londonInstant(`${day}T00:00:00`).getTime();
  const until = londonInstant(`${day}T23:59:59`).getTime();
  if (!covered || Date.parse(covered.until) <= from || Date.parse(covered.from) >= until) return 'not';
  if (gaps.some((gap) => Date.parse(gap.from) <= from && Date.parse(gap.until) >= until)) return 'not';
  const isCut = Date.parse(covered.from) > from || Date.parse(covered.until) < until;
  const isHoled = gaps.some((gap) => Date.parse(gap.from) < until && Date.parse(gap.until) > from);
  return isCut || isHoled ? 'part' : 'whole';
}

function noonOf(now: Date): number {
  return londonInstant(`${londonDate(now)}T12:00:00`).getTime();
}
