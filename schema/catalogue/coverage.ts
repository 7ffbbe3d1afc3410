/** A stretch of time, ISO 8601 UTC instants. */
interface CoverageSpan {
  from: string;
  until: string;
}

/** The position of a source in one year's sequence of notice numbers. */
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
  /** In the last good answers for its months. */
  releases: number;
  /** How many months are unknown, and the newest of them (`YYYY-MM`). */
  unknown_months: number;
  newest_unknown: string | null;
  /** Instant of its last good answer. */
  last_good_at: string | null;
  /** The fault of its last answer. */
  error: string | null;
}

/** How complete one source is, as jobs calculate it and store it in `coverage_summary`. */
export interface CoverageSummary {
  /** First and last instant that a window covers; null where no window exists. */
  covered: CoverageSpan | null;
  /** Gaps between them that no window covers. */
  gaps: { count: number; seconds: number; spans: CoverageSpan[] };
  /** Windows too full to prove that they were read completely. */
  unproved: number;
  probes: ProbeCounts;
  /** Ids still unresolved after `RESOLVED_WITHIN_DAYS`, in which two nightly requests should have resolved them. */
  overdue: number;
  /** Oldest year first; empty where a source has no sequence. */
  sequence: SequenceYear[];
  /** Jumps in the numbers too long to be missing notices: reported, not requested. */
  leaps: { after: string; before: string }[];
  /** The state of each type, for a service that is asked by month and type. */
  types?: TypeCoverage[];
}

/** How many gaps a summary lists, newest first: one for each day of a year. The rest are only counted. */
export const SPANS_MAX = 366;

/** It takes two nights to establish that nothing is published under a number. */
export const RESOLVED_WITHIN_DAYS = 3;

/** Days after its last sighting for which the bytes of what could not be read are kept. */
export const QUARANTINE_DAYS = 30;

/** Whether everything is stored, or known not to exist. A type whose newest answer is unusable does not count as stored. */
export function isComplete({ gaps, unproved, probes, sequence, types = [] }: CoverageSummary): boolean {
  const missing = sequence.reduce((sum, year) => sum + year.missing, 0);
  const areTypesStored = types.every(({ state }) => state === 'held');
  return areTypesStored && gaps.count + unproved + probes.wanted + probes.failed + missing === 0;
}
