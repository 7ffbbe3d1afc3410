import { type CoverageSummary, SETTLED_WITHIN_DAYS, type SequenceYear } from '../../../schema/catalogue/coverage.ts';
import { countOf } from '../shared/table.ts';

export interface Facts {
  /** Its name on the command line. */
  source: string;
  title: string;
  releases: number;
  as_of: string | null;
  last_success_at: string | null;
  last_error: string | null;
  lag_seconds: number | null;
}

/** An id that is known of and neither held nor known not to be served. */
export interface MissingId {
  notice_id: string;
  reason: string;
  state: string;
  attempts: number;
  noticed_at: string;
  asked_at: string | null;
  error: string | null;
}

/** Ids and spans written out; the rest are counted. */
const MOST_SHOWN = 12;
const DAY_SECONDS = 86_400;

/** What is known of a source, one thing a line. */
export function describeFacts(facts: Facts, summary: CoverageSummary | null): string[] {
  const lines = [
    `${facts.title}: ${facts.releases} held, last good turn ${facts.last_success_at ?? 'never'}`,
    `  held up to       ${facts.as_of ? `${facts.as_of} (${describeSeconds(facts.lag_seconds ?? 0)} ago)` : 'nothing yet'}`,
  ];
  if (facts.last_error) lines.push(`  last fault       ${facts.last_error}`);
  return summary ? [...lines, ...describeSummary(summary)] : lines;
}

function describeSummary({ covered, gaps, unproved, probes, overdue, sequence, leaps }: CoverageSummary): string[] {
  if (!covered) return ['  asked whole      nothing yet'];
  const days = Math.round((Date.parse(covered.until) - Date.parse(covered.from)) / 1_000 / DAY_SECONDS);
  const { wanted, fetched, never_published: never, failed } = probes;
  return [
    `  asked whole      ${covered.from} to ${covered.until} (${countOf(days, 'day')})`,
    `  gaps in time     ${gaps.count === 0 ? 'none' : `${gaps.count}, together ${describeSeconds(gaps.seconds)}`}`,
    ...gaps.spans.slice(-MOST_SHOWN).map(({ from, until }) => `                   ${from} to ${until}`),
    ...sequence.map(describeYear),
    ...leaps.map(({ after, before }) => `  leap in numbers  ${after} to ${before}: none of it is asked for`),
    `  asked for by id  ${wanted} wanted, ${fetched} fetched, ${never} never published, ${failed} failed`,
    ...(overdue > 0
      ? [`  overdue          ${countOf(overdue, 'id')}, missing for more than ${SETTLED_WITHIN_DAYS} days`]
      : []),
    `  unproved windows ${unproved === 0 ? 'none' : unproved}`,
  ];
}

function describeYear({ year, lowest, highest, held, missing, never_published: never }: SequenceYear): string {
  return `  numbers of ${year}  ${lowest} to ${highest}: ${held} held, ${missing} missing, ${never} never published`;
}

/** What is missing, by its id, and what was said when it was asked for. */
export function describeMissing(missing: readonly MissingId[]): string[] {
  const lines = missing.slice(0, MOST_SHOWN).map(({ notice_id: id, reason, attempts, error }) => {
    const asked =
      attempts === 0 ? 'not asked for yet' : `asked ${attempts === 1 ? 'once' : `${attempts} times`}: ${error ?? ''}`;
    return `  missing          ${id} (${reason.replaceAll('_', ' ')}; ${asked})`;
  });
  const rest = missing.length - lines.length;
  return rest > 0 ? [...lines, `                   and ${rest} more`] : lines;
}

/** A length of time in its largest unit. */
function describeSeconds(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 2 * DAY_SECONDS ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / DAY_SECONDS)} days`;
}
