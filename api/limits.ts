import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Refusal } from './errors.ts';

const MINUTE_SECONDS = 60;

export interface Limits {
  /** Takes one request from an allowance and says what is left of it. */
  take(id: string): Promise<Allowance>;
}

export interface Allowance {
  /** `RateLimit-Policy` and `RateLimit`, as structured fields (draft-ietf-httpapi-ratelimit-headers). */
  headers: Record<string, string>;
  exceeded: boolean;
  retryAfterSeconds: number;
}

type Policy = 'key' | 'address' | 'address-day';

/** `requests` in each window (default: a minute) for each id in this process; `policy` names the allowance in the headers. */
export function makeLimits(policy: Policy, requests: number, windowSeconds = MINUTE_SECONDS): Limits {
  const limiter = new RateLimiterMemory({ points: requests, duration: windowSeconds });
  const policyHeader = `"${policy}";q=${requests};w=${windowSeconds}`;
  return {
    async take(id) {
      const left = await limiter.consume(policy === 'key' ? id : addressKey(id)).catch((refused: unknown) => {
        if (refused instanceof RateLimiterRes) return refused;
        throw refused;
      });
      const seconds = Math.max(1, Math.ceil(left.msBeforeNext / 1000));
      const headers = {
        'RateLimit-Policy': policyHeader,
        RateLimit: `"${policy}";r=${left.remainingPoints};t=${seconds}`,
      };
      return { headers, exceeded: left.consumedPoints > requests, retryAfterSeconds: seconds };
    },
  };
}

/** @throws Refusal 429 where the allowance is used up. */
export function assertAllowed(allowance: Allowance): void {
  if (!allowance.exceeded) return;
  const message = `Too many requests. Try again in ${allowance.retryAfterSeconds} s; nothing was charged.`;
  const headers = { 'Retry-After': String(allowance.retryAfterSeconds) };
  throw new Refusal(429, 'rate_limited', message, { headers });
}

/** One customer's IPv6 network (/64) counts as one address. */
export function addressKey(address: string | undefined): string {
  if (!address) return 'unknown';
  const plain = address.replace(/^::ffff:/i, '');
  return plain.includes(':') ? expand(plain).slice(0, 4).join(':') : plain;
}

function expand(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const before = head.split(':').filter(Boolean);
  if (tail === undefined) return before;
  const after = tail.split(':').filter(Boolean);
  return [...before, ...Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0'), ...after];
}
