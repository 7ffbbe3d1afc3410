import type { Line } from '../../concurrency/machine.ts';
import { Refusal } from '../../contract/errors.ts';

/** Calls of one account that may wait for the previous one. */
const WAITING_MOST = 4;

/**
 * Long work that an account does one call at a time, so that no account takes the time of the others. `what` says what is done so,
 * as a refusal begins.
 */
export function lineOfAccounts(name: string, what: string): Line {
  const message = `${what} one after another, and ${WAITING_MOST} of this account wait. Nothing was charged.`;
  return {
    name,
    waitingMost: WAITING_MOST,
    refuse: () => new Refusal(429, 'rate_limited', message, { headers: { 'Retry-After': '1' } }),
  };
}
