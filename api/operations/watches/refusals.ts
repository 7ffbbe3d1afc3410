import { HOUR_MS } from '../../../schema/config/clocks.ts';
import { Refusal } from '../../contract/errors.ts';

/** The account already has as many watches as allowed. */
export const tooManyWatches = (most: number): Refusal =>
  new Refusal(409, 'too_many_watches', `An account may have ${most} watches; delete one first.`);

/** A delivery cannot be sent again: it was dropped, or its content is no longer kept. */
export function notKept(days: number): Refusal {
  const message = `This delivery cannot be sent again: its content was dropped, or is older than the ${days === 1 ? 'day' : `${days} days`} for which it is kept.`;
  return new Refusal(409, 'not_kept', message);
}

/** An owner tries to resume a watch that the operator paused. */
export function pausedByOperator(): Refusal {
  const message = 'The operator of this service paused this watch, and only they can resume it; nothing was changed.';
  return new Refusal(409, 'paused_by_operator', message);
}

/** A delivery sent again after the account has used up its repeats for the hour. */
export function tooManyRepeats(perHour: number, waitSeconds: number): Refusal {
  const message = `An account sends ${perHour} deliveries again in an hour at most; try again in ${waitSeconds} s.`;
  return new Refusal(429, 'rate_limited', message, { headers: { 'Retry-After': String(waitSeconds) } });
}

/** A test after the account has used up its deliveries for the hour (UTC). */
export function tooManyDeliveries(perHour: number, now: Date): Refusal {
  const seconds = Math.ceil((HOUR_MS - (now.getTime() % HOUR_MS)) / 1_000);
  const message = `The watches of an account make ${perHour} deliveries an hour at most, tests among them; try again in the next.`;
  return new Refusal(429, 'rate_limited', message, { headers: { 'Retry-After': String(seconds) } });
}
