import type { Line } from '../../concurrency/machine.ts';
import { Refusal } from '../../contract/errors.ts';

/** Calls of one account that may wait for the previous one. */
const WAITING_MAX = 4;

/**
 * A line for long work: an account has one call at a time, so that it does not take the time of the others. @param what - how
 * a refusal begins: `Summaries are made`
 */
export function lineOfAccounts(name: string, what: string): Line {
  const message = `${what} one after another, and ${WAITING_MAX} of this account wait. Nothing was charged.`;
  return {
    name,
    waitingMost: WAITING_MAX,
    refuse: () => new Refusal(429, 'rate_limited', message, { headers: { 'Retry-After': '1' } }),
  };
}
