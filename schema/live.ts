import { londonInstant } from './clocks.ts';

/** Statuses of a process in which nobody can bid any more, whatever the deadline says (`closed`: published as complete). */
export const OVER_STATUSES: ReadonlySet<string> = new Set([
  'cancelled',
  'withdrawn',
  'closed',
  'complete',
  'awarded',
  'unsuccessful',
]);

/** The deadline is in the future now and the process has not come to an end. A date without a time ends 23:59:59 London. */
export function isLive(
  { deadline, deadline_at }: { deadline: string | null; deadline_at: string | null },
  status: string,
  now: Date,
): boolean {
  if (deadline === null || OVER_STATUSES.has(status)) return false;
  const until = deadline_at ? new Date(deadline_at) : londonInstant(`${deadline}T23:59:59`);
  return until > now;
}
