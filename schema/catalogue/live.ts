import { londonDate, londonInstant } from '../config/clocks.ts';

/** Statuses of a process in which nobody can bid any more, whatever the deadline says (`closed`: published as complete). */
export const OVER_STATUSES: ReadonlySet<string> = new Set([
  'cancelled',
  'withdrawn',
  'closed',
  'complete',
  'awarded',
  'unsuccessful',
]);

/** The same, as a list in SQL. */
export const OVER_STATUSES_SQL = [...OVER_STATUSES].map((status) => `'${status}'`).join(', ');

/** Whether the deadline is still in the future and the process has not ended. A date without a time ends at 23:59:59 London time. */
export function isLive(
  { deadline, deadline_at }: { deadline: string | null; deadline_at: string | null },
  status: string,
  now: Date,
): boolean {
  if (deadline === null || OVER_STATUSES.has(status)) return false;
  const until = deadline_at ? new Date(deadline_at) : londonInstant(`${deadline}T23:59:59`);
  return until > now;
}

/** The values of a notice's `status`, in the order of a procurement's life. */
export const NOTICE_STATUSES = ['planned', 'open', 'closed', 'awarded', 'complete', 'cancelled', 'withdrawn'] as const;
type NoticeStatus = (typeof NOTICE_STATUSES)[number];

/** The parts of a stored notice that say until when bids are accepted. */
interface BidsRow {
  deadline: string | null;
  deadline_at: string | null;
  /** `notice.detail.bids_until`: for a notice whose process takes bids until a day other than the one it states. */
  bids_until?: string | null | undefined;
}

/**
 * The status of a notice now, from all its releases. An open one is closed once its deadline has passed. One that came to
 * nothing counts as closed.
 * @param status the stored one, which does not depend on the clock
 */
export function statusNow(status: string, notice: BidsRow, now: Date): NoticeStatus {
  const known = NOTICE_STATUSES.find((one) => one === status) ?? 'closed';
  if (known !== 'open') return known;
  const until = notice.bids_until ?? notice.deadline_at ?? (notice.deadline && `${notice.deadline}T23:59:59`);
  if (!until) return 'open';
  const ends = until.endsWith('Z') ? new Date(until) : londonInstant(until);
  return ends > now ? 'open' : 'closed';
}

/** The rule of `statusNow` in SQL over the notice table; `now` is an expression whose value is an instant as text. */
export function statusNowSql(now: string): string {
  const until = "coalesce(detail ->> '$.bids_until', deadline_at, deadline || 'T23:59:59Z')";
  const known = NOTICE_STATUSES.map((status) => `'${status}'`).join(', ');
  return `CASE WHEN status NOT IN (${known}) THEN 'closed' WHEN status = 'open' AND ${until} <= ${now} THEN 'closed' ELSE status END`;
}

/** The state of a contract today, as its search filters it. */
export const CURRENT_CONTRACT_STATUSES = ['active', 'ended', 'terminated'] as const;

/**
 * The state of a contract on the London day of `now`: it runs to the end of its last day, unless a notice ended it earlier.
 * Undefined where its end is not known.
 */
export function contractStatusNow(
  { status, ends }: { status: string; ends: string | null },
  now: Date,
): (typeof CURRENT_CONTRACT_STATUSES)[number] | undefined {
  if (status === 'terminated') return 'terminated';
  if (ends === null) return undefined;
  return ends >= londonDate(now) ? 'active' : 'ended';
}

/** The rule of `contractStatusNow` in SQL over the contract table; `today` is an expression whose value is a London day as text. */
export function contractStatusNowSql(today: string): string {
  return `CASE WHEN status = 'terminated' THEN status WHEN ends >= ${today} THEN 'active' WHEN ends < ${today} THEN 'ended' END`;
}

/** What a status means where the word alone would mislead, as for a transparency notice (UK5); otherwise undefined. */
export function sayStatus(status: string, stage: string): string | undefined {
  return status === 'planned' && stage === 'award' ? INTENDED : undefined;
}

const INTENDED = 'an award is intended; it is not made yet';
