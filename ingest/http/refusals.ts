import { addHours, isoInstant, londonDate, londonInstant } from '../../schema/config/clocks.ts';
import type { Database } from '../../schema/db/interface.ts';

/** The outcome of one request, for deciding whether to wait. */
export interface Attempt {
  /** HTTP status, or null where no answer came (reset, refused, timed out, cut short). */
  status: number | null;
  /** The `Retry-After` header, as sent. */
  retryAfter: string | null;
  /** Whether the body is a web page instead of data. */
  html: boolean;
  /** 1 for the first attempt at this address. */
  number: number;
  /** Why there was no answer: a time limit, a broken connection. */
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
const WAIT_SECONDS_MAX = 3_600;

/**
 * What to do after an attempt: accept the answer, wait and try again, or give up. The waits are those that the services
 * state. A 429 sends `Retry-After: 120`, and a 503 may name a time, but a 504 names none. Contracts Finder's documentation
 * asks for five minutes after a 403.
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
  if (html) return { ...wait(REFUSED_WAIT_SECONDS, 'a web page came instead of data'), everyone: true };
  return { kind: 'take' };
}

const refusal = { everyone: true, slower: true } as const;

function wait(waitSeconds: number, reason: string): Extract<Verdict, { kind: 'wait' }> {
  const waitMs = Math.min(waitSeconds, WAIT_SECONDS_MAX) * 1_000;
  return { kind: 'wait', waitMs, reason, everyone: false, slower: false };
}

function backoffSeconds(attempt: number): number {
  return Math.min(BACKOFF_SECONDS.most, BACKOFF_SECONDS.first * 2 ** (attempt - 1));
}

/** Seconds that a `Retry-After` asks for (a number of seconds, or an HTTP date), or null where it says nothing usable. */
export function readRetryAfter(header: string | null, now: Date): number | null {
  if (header === null) return null;
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Number(header);
  // `Date.parse` finds a year in nearly any text with a number: "-5" would be a date long past, and not waited for.
  const atMs = / GMT$/.test(header.trim()) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, (atMs - now.getTime()) / 1_000);
}

/** Whether bytes begin like a web page: with "<", as no data does. A byte order mark may come first. */
export function looksLikeHtml(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes.subarray(0, 256)).trimStart().startsWith('<');
}

/** Whether a service that forbids requests, or gives no useful answer, may be asked today. */
export interface Closing {
  /**
   * Begins the trial of a closed source that a person may make, once for each closing; false where it is open and needs none.
   * @throws UpstreamClosed where it is closed and may not be tried
   */
  beginTrial(): Promise<boolean>;
  /** Stops requests until the next London midnight, in every process. @throws UpstreamClosed always. */
  closeForToday(): Promise<never>;
  /** It answered, so it may be asked again. */
  open(): Promise<void>;
}

/** A service that answered 403 several times, or gave no useful answer; more requests would only make it worse. */
class UpstreamClosed extends Error {
  override name = 'UpstreamClosed';
}

const CLOSED_UNTIL = 'SELECT next_at FROM limiter WHERE name = ? AND set_at <= ? AND next_at > ?';
const CLOSE = `INSERT INTO limiter (name, set_at, next_at) VALUES (?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET set_at = excluded.set_at, next_at = excluded.next_at`;
const OPEN = 'DELETE FROM limiter WHERE name = ?';

const nameOf = (sourceId: string) => `closed:${sourceId}`;

/** Until when a source is not asked, or null where it is open. */
export async function readClosedUntil(catalogue: Database, sourceId: string, now: Date): Promise<Date | null> {
  const args = [nameOf(sourceId), now.getTime(), now.getTime()];
  const [row] = await catalogue.read<{ next_at: number }>({ sql: CLOSED_UNTIL, args });
  return row ? new Date(row.next_at) : null;
}

/** Opens a closed source again. */
export async function reopen(catalogue: Database, sourceId: string): Promise<void> {
  await catalogue.write([{ sql: OPEN, args: [nameOf(sourceId)] }]);
}

/** Whether a source was closed and has not answered since: a single request tests it first. */
export async function wasClosed(catalogue: Database, sourceId: string): Promise<boolean> {
  return (await catalogue.read({ sql: 'SELECT 1 FROM limiter WHERE name = ?', args: [nameOf(sourceId)] })).length > 0;
}

interface ClosingOptions {
  wallNow(): Date;
  /** Whether a person started this: a person may try a closed source once. */
  byHand: boolean;
  /** Why the source was closed. */
  why?: string;
}

/**
 * The closing of one source: a row in the limiters' table, which every process and every later run obeys. Its methods throw
 * UpstreamClosed where nothing may be requested now.
 */
export function makeClosing(
  catalogue: Database,
  { wallNow, byHand, why = 'forbade it again and again (403)' }: ClosingOptions,
  source: { id: string; cliName: string; title: string },
): Closing {
  let isTried = false;
  const refuse = (until: Date): never => {
    throw new UpstreamClosed(
      `${source.title} ${why}: nothing more is asked before ${isoInstant(until)}, ` +
        `unless \`cli reopen ${source.cliName}\` opens it`,
    );
  };
  return {
    async beginTrial() {
      const until = await readClosedUntil(catalogue, source.id, wallNow());
      if (!until) return false;
      if (!byHand || isTried) refuse(until);
      isTried = true;
      return true;
    },
    async closeForToday() {
      const now = wallNow();
      const until = nextLondonMidnight(now);
      await catalogue.write([{ sql: CLOSE, args: [nameOf(source.id), now.getTime(), until.getTime()] }]);
      return refuse(until);
    },
    open: () => reopen(catalogue, source.id),
  };
}

function nextLondonMidnight(now: Date): Date {
  const noon = londonInstant(`${londonDate(now)}T12:00:00`);
  return londonInstant(`${londonDate(addHours(noon, 24))}T00:00:00`);
}

/** What the codes of a failed handshake mean. The service has to renew an expired certificate; we can complete an incomplete chain. */
const TLS_FAULTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "the service's certificate has expired",
  CERT_NOT_YET_VALID: "the service's certificate is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "the service's certificate is for another host",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'an intermediate certificate is missing from the chain that the service sends',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the chain of certificates ends at an issuer that is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'the chain of certificates ends at a root that is not trusted',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is signed by itself',
};

/** Why a request failed, in a few words: `fetch` keeps the reason in `cause`. */
export function describeFault(error: unknown): string {
  type Coded = { message?: string; code?: string };
  const { message, code, cause } = error as Coded & { cause?: Coded };
  const meaning = TLS_FAULTS[cause?.code ?? code ?? ''];
  if (meaning) return `${meaning} (${cause?.code ?? code})`;
  return [message, cause?.code ?? cause?.message].filter(Boolean).join(': ');
}
