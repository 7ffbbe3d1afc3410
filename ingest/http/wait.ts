/** What one request came to, as far as waiting is concerned. */
export interface Attempt {
  /** HTTP status, or null where no answer came (reset, refused, timed out, cut short). */
  status: number | null;
  /** The `Retry-After` header, as sent. */
  retryAfter: string | null;
  /** Whether the body is a web page where data was due. */
  html: boolean;
  /** 1 for the first attempt at this address. */
  number: number;
  /** What went wrong where no answer came. */
  fault?: string;
}

export type Verdict =
  | { kind: 'take' }
  | { kind: 'missing' }
  /** `everyone`: the refusal counts for the whole budget, not for this request alone; `slower`: keep a longer gap afterwards. */
  | { kind: 'wait'; waitMs: number; reason: string; everyone: boolean; slower: boolean }
  | { kind: 'final'; reason: string };

const REFUSED_WAIT_SECONDS = 120;
const UNAVAILABLE_WAIT_SECONDS = 30;
const BACKOFF_SECONDS = { first: 5, most: 120 };
const MOST_WAIT_SECONDS = 3_600;

/**
 * What to do after an attempt: take the answer, wait and ask the same again, or give up.
 * The figures are the services' own where they state any: 429 sends `Retry-After: 120`, Contracts Finder's
 * documentation asks for five minutes after a 403, 503 may name a time, 504 names none.
 */
export function judgeAttempt(attempt: Attempt, forbiddenWaitSeconds: number | undefined, now: Date): Verdict {
  const { status, html } = attempt;
  const stated = readRetryAfter(attempt.retryAfter, now);
  if (status === null) return wait(backoffSeconds(attempt.number), attempt.fault ?? 'no answer');
  if (status === 429) return { ...wait(stated ?? REFUSED_WAIT_SECONDS, 'asked to slow down (429)'), ...refusal };
  if (status === 403 && forbiddenWaitSeconds !== undefined) {
    return { ...wait(stated ?? forbiddenWaitSeconds, 'forbidden for now (403)'), ...refusal };
  }
  if (status === 503) return { ...wait(stated ?? UNAVAILABLE_WAIT_SECONDS, 'unavailable (503)'), everyone: true };
  if (status === 504) return wait(stated ?? UNAVAILABLE_WAIT_SECONDS, 'gateway timed out (504)');
  if (status === 408 || status >= 500)
    return wait(stated ?? backoffSeconds(attempt.number), `fault upstream (${status})`);
  if (status === 404) return { kind: 'missing' };
  if (status >= 300 && status < 400)
    return { kind: 'final', reason: `moved elsewhere (${status}); its address is a setting` };
  if (status >= 300) return { kind: 'final', reason: `refused (${status})` };
  // A web page with status 200 is how these services say "too much" or "closed for maintenance".
  if (html) return { ...wait(REFUSED_WAIT_SECONDS, 'a web page came where data was due'), everyone: true };
  return { kind: 'take' };
}

const refusal = { everyone: true, slower: true } as const;

function wait(waitSeconds: number, reason: string): Extract<Verdict, { kind: 'wait' }> {
  const waitMs = Math.min(waitSeconds, MOST_WAIT_SECONDS) * 1_000;
  return { kind: 'wait', waitMs, reason, everyone: false, slower: false };
}

function backoffSeconds(attempt: number): number {
  return Math.min(BACKOFF_SECONDS.most, BACKOFF_SECONDS.first * 2 ** (attempt - 1));
}

/** Seconds that a `Retry-After` asks for (a number of seconds, or an HTTP date), or null where it says nothing usable. */
export function readRetryAfter(header: string | null, now: Date): number | null {
  if (header === null) return null;
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Number(header);
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, (atMs - now.getTime()) / 1_000);
}

/** Whether bytes begin like a web page. */
export function looksLikeHtml(bytes: Uint8Array): boolean {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 256)).trimStart().toLowerCase();
  return start.startsWith('<!doctype html') || start.startsWith('<html') || start.startsWith('<head');
}
