import { LRUCache } from 'lru-cache';
import { Refusal } from '../contract/errors.ts';

/** Ids counted at once, about 20 MB. Beyond these, the id that called longest ago is forgotten. */
const IDS_MOST = 100_000;

/** What an id has used in its window. */
export interface Usage {
  count: number;
  /** Whole seconds until its window ends, at least one. */
  waitSeconds: number;
}

/** Counts the requests of each id in fixed windows, which begin with its first request. */
export interface Windows {
  take(id: string): Usage;
}

/** Windows in this process, with bounded memory. */
export function makeWindows(windowSeconds: number, idsMost = IDS_MOST): Windows {
  const windows = new LRUCache<string, { count: number; endsMs: number }>({ max: idsMost });
  return {
    take(id) {
      const nowMs = Date.now();
      const held = windows.get(id);
      const window = held && held.endsMs > nowMs ? held : { count: 0, endsMs: nowMs + windowSeconds * 1_000 };
      window.count += 1;
      windows.set(id, window);
      return { count: window.count, waitSeconds: Math.max(1, Math.ceil((window.endsMs - nowMs) / 1_000)) };
    },
  };
}

const MINUTE_SECONDS = 60;

export interface Limits {
  /** Counts one request and answers what is left of the allowance. */
  take(id: string): Allowance;
}

export interface Allowance {
  /** `RateLimit-Policy` and `RateLimit`, as structured fields (draft-ietf-httpapi-ratelimit-headers). */
  headers: Record<string, string>;
  exceeded: boolean;
  retryAfterSeconds: number;
}

type Policy = 'key' | 'account' | 'address' | 'address-day';

/** All keys of an account together may call this many times as often as one key. */
export const ACCOUNT_TIMES = 5;

/** `requests` in each window (default: a minute) for each id in this process; `policy` names the allowance in the headers. */
export function makeLimits(policy: Policy, requests: number, windowSeconds = MINUTE_SECONDS): Limits {
  const windows = makeWindows(windowSeconds);
  const policyHeader = `"${policy}";q=${requests};w=${windowSeconds}`;
  return {
    take(id) {
      const { count, waitSeconds } = windows.take(policy.startsWith('address') ? addressKey(id) : id);
      const headers = {
        'RateLimit-Policy': policyHeader,
        RateLimit: `"${policy}";r=${Math.max(0, requests - count)};t=${waitSeconds}`,
      };
      return { headers, exceeded: count > requests, retryAfterSeconds: waitSeconds };
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

/** The network of an address that one holder usually has whole: IPv4 /24, IPv6 /56. */
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
