import { Refusal } from './errors.ts';

/** Pieces of work of one account that may wait for the one before; more are refused. */
const WAITING_MOST = 4;

/**
 * Lets each account have one piece of heavy work under way, the next ones in their order.
 * @throws Refusal 429 where too many wait already; what the work throws.
 */
export type OneAtATime = <T>(accountId: string, work: () => Promise<T>) => Promise<T>;

/** One line for each account that has work; an account without any takes no room. */
export function makeOneAtATime(what: string): OneAtATime {
  const lines = new Map<string, { last: Promise<unknown>; length: number }>();
  return async (accountId, work) => {
    const line = lines.get(accountId) ?? { last: Promise.resolve(), length: 0 };
    if (line.length > WAITING_MOST) throw tooMany(what);
    lines.set(accountId, line);
    line.length += 1;
    const next = () => work();
    // What became of the one before is told to its own caller.
    const mine = line.last.then(next, next);
    line.last = mine;
    try {
      return await mine;
    } finally {
      line.length -= 1;
      if (line.length === 0) lines.delete(accountId);
    }
  };
}

function tooMany(what: string): Refusal {
  const message = `${what} are made one after another, and ${WAITING_MOST} of this account wait. Nothing was charged.`;
  return new Refusal(429, 'rate_limited', message, { headers: { 'Retry-After': '1' } });
}
