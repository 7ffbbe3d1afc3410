/** A stretch of time, ISO 8601 UTC instants. */
interface CoverageSpan {
  from: string;
  until: string;
}

/** Where a source stands in one year's run of notice numbers. */
export interface SequenceYear {
  year: number;
  lowest: number;
  highest: number;
  held: number;
  /** Missing numbers between stored ones, in covered time, that are not known to be unpublished. */
  missing: number;
  never_published: number;
}

/** The number of ids in each state of `probe`. */
export interface ProbeCounts {
  wanted: number;
  fetched: number;
  never_published: number;
  failed: number;
}

/** The state of one notice type, for a service that is asked by month and type. */
export interface TypeCoverage {
  type: string;
  title: string;
  /** `held`: every month is stored; `partly`: months are missing; `unknown`: its newest answers are unusable. */
  state: 'held' | 'partly' | 'unknown';
  /** Releases in the last good answers of all months. */
  releases: number;
  /** How many months are unknown, and the newest of them (`YYYY-MM`). */
  unknown_months: number;
  newest_unknown: string | null;
  /** Instant of its last good answer. */
  last_good_at: string | null;
  /** What was wrong with its last answer. */
  error: string | null;
}

/** The completeness of one source, as jobs calculate it and keep it in `coverage_summary`. */
export interface CoverageSummary {
  /** First and last instant that a window covers; null where none was asked. */
  covered: CoverageSpan | null;
  /** Stretches between them that no window covers. */
  gaps: { count: number; seconds: number; spans: CoverageSpan[] };
  /** Windows too full to prove that they were read whole. */
  unproved: number;
  probes: ProbeCounts;
  /** Ids that are still not settled after `SETTLED_WITHIN_DAYS`: two nights of asking have not been enough. */
  overdue: number;
  /** Oldest year first; empty where a source has no sequence. */
  sequence: SequenceYear[];
  /** Jumps in the numbers too long to be lost notices: reported, not requested. */
  leaps: { after: string; before: string }[];
  /** The state of each type, for a service that is asked by month and type. */
  types?: TypeCoverage[];
}

/** Gaps that a summary spells out, the newest: as many as a year has days. The rest are counted. */
export const MOST_SPANS = 366;

/** It takes two nights to know that nothing is published under a number. */
export const SETTLED_WITHIN_DAYS = 3;

/** Whether everything is stored, or known not to exist. A type whose newest answer is unusable does not count as stored. */
export function isComplete({ gaps, unproved, probes, sequence, types = [] }: CoverageSummary): boolean {
  const missing = sequence.reduce((sum, year) => sum + year.missing, 0);
  const isHeld = types.every(({ state }) => state === 'held');
  return isHeld && gaps.count + unproved + probes.wanted + probes.failed + missing === 0;
}
