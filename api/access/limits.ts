import type { Machine, Usage } from '../concurrency/machine.ts';
import { Refusal } from '../contract/errors.ts';

const MINUTE_SECONDS = 60;

export interface Limits {
  /** Counts one request and returns what is left of the allowance; a promise where another process has to be asked. */
  take(id: string): Allowance | Promise<Allowance>;
}

export interface Allowance {
  /** `RateLimit-Policy` and `RateLimit`, as structured fields (draft-ietf-httpapi-ratelimit-headers). */
  headers: Record<string, string>;
  exceeded: boolean;
  retryAfterSeconds: number;
}

type Policy = 'key' | 'account' | 'address' | 'address-day';

/** All keys of an account together may make this many times as many calls as one key. */
export const ACCOUNT_TIMES = 5;

interface Rule {
  /** For this allowance only. */
  name: string;
  /** Names the allowance in the headers. */
  policy: Policy;
  requests: number;
  /** Default: a minute. */
  windowSeconds?: number;
}

/** `requests` in each window for each id, over all API processes of the machine. */
export function makeLimits(machine: Machine, { name, policy, requests, windowSeconds = MINUTE_SECONDS }: Rule): Limits {
  const windows = machine.makeWindows(name, requests, windowSeconds);
  const policyHeader = `"${policy}";q=${requests};w=${windowSeconds}`;
  const isOfAddress = policy.startsWith('address');
  const toAllowance = ({ count, waitSeconds }: Usage): Allowance => ({
    headers: {
      'RateLimit-Policy': policyHeader,
      RateLimit: `"${policy}";r=${Math.max(0, requests - count)};t=${waitSeconds}`,
    },
    exceeded: count > requests,
    retryAfterSeconds: waitSeconds,
  });
  return {
    take(id) {
      const usage = windows.take(isOfAddress ? addressKey(id) : id);
      return usage instanceof Promise ? usage.then(toAllowance) : toAllowance(usage);
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

/** The network that usually belongs to the holder of an address: IPv4 /24, IPv6 /56. */
export function networkKey(address: string | undefined): string {
  const key = addressKey(address);
  if (!key.includes(':')) return key.split('.').slice(0, 3).join('.');
  const [a, b, c, d = '0'] = key.split(':').map((part) => Number.parseInt(part, 16));
  return [a, b, c, Number(d) >> 8].join(':');
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
