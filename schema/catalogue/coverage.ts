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
  /** Numbers between held ones, of covered time, that are neither held nor known never to have been published. */
  missing: number;
  never_published: number;
}

/** How many ids stand in each state of `probe`. */
export interface ProbeCounts {
  wanted: number;
  fetched: number;
  never_published: number;
  failed: number;
}

/** How one notice type of a service stands that is asked by month and type. */
export interface TypeCoverage {
  type: string;
  title: string;
  /** `held`: every month is; `partly`: months are missing; `unknown`: its newest answers are not to be believed. */
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

/** What jobs reckon of one source's completeness and keep in `coverage_summary`. */
export interface CoverageSummary {
  /** First and last instant that a window covers; null where none was asked. */
  covered: CoverageSpan | null;
  /** Stretches inside it that no window covers. */
  gaps: { count: number; seconds: number; spans: CoverageSpan[] };
  /** Windows so full that what came of them proves nothing. */
  unproved: number;
  probes: ProbeCounts;
  /** Ids that are still not settled after `SETTLED_WITHIN_DAYS`: two nights of asking have not been enough. */
  overdue: number;
  /** Oldest year first; empty where a source has no sequence. */
  sequence: SequenceYear[];
  /** Jumps in the numbers too long to be lost notices: told, not asked for. */
  leaps: { after: string; before: string }[];
  /** Of a service asked by month and type, how each type stands. */
  types?: TypeCoverage[];
}

/** Gaps that a summary spells out, the newest: as many as a year has days. The rest are counted. */
export const MOST_SPANS = 366;

/** A number under which nothing is published takes two nights to be known as such. */
export const SETTLED_WITHIN_DAYS = 3;

/** Whether all is held, or known not to exist. Where the newest answer of a type is unusable, the type is not held. */
export function isComplete({ gaps, unproved, probes, sequence, types = [] }: CoverageSummary): boolean {
  const missing = sequence.reduce((sum, year) => sum + year.missing, 0);
  const isHeld = types.every(({ state }) => state === 'held');
  return isHeld && gaps.count + unproved + probes.wanted + probes.failed + missing === 0;
}
