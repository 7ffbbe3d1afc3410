import type { Logger } from 'pino';
import { sleepReally } from '../../schema/config/clocks.ts';
import type { Settings } from '../../schema/config/settings.ts';
import { type Database, isPassing } from '../../schema/db/interface.ts';
import type { IngestContext, Priority, Sleep } from '../context.ts';
import type { BudgetOf, Source } from '../source.ts';
import { type Fetcher, fetchTrusting, NotWritten, openFetcher, type UpstreamRequest } from './fetch.ts';
import { isLoopback, type Limiter, makeLimiter } from './limiter.ts';
import { type Closing, describeFault, judgeAttempt, looksLikeHtml, makeClosing, type Verdict } from './refusals.ts';

/** Faster requests than this (to this machine only) are recorded together. */
const NOTED_EACH_MS = 400;
const NOTE = 'UPDATE run SET requests = ?, refused = ?, waited_ms = ? WHERE id = ?';

export interface HttpResponse {
  bytes: Uint8Array;
  url: string;
  requests: number;
}

/** A request and the most times it is sent. Unless `htmlIsDue`, a web page is a refusal. */
type PatientRequest = UpstreamRequest & { htmlIsDue?: boolean; attempts?: number };

/** Fetches politely, again and again, until there is a usable response. */
export interface HttpClient {
  /**
   * The answer to one address, or null where nothing is there (404). @throws UpstreamUnavailable after the last attempt;
   * UpstreamRefused where asking again is pointless; UpstreamClosed where the service has forbidden it several times today;
   * NotWritten.
   */
  fetch(request: PatientRequest): Promise<HttpResponse | null>;
  /** Requests sent so far. */
  requests(): number;
  /** How many of them were refused because there had been too many. */
  refused(): number;
  /** How long it has waited for its turn and after faults, in milliseconds. */
  waitedMs(): number;
  close(): Promise<void>;
}

/** An upstream without a usable response after several attempts. `bytes` is its last response if that was a web page. */
export class UpstreamUnavailable extends Error {
  override name = 'UpstreamUnavailable';
  readonly url: string;
  readonly bytes: Uint8Array | null;
  constructor(url: string, attempts: number, reason: string, bytes: Uint8Array | null) {
    const times = attempts === 1 ? 'one attempt' : `${attempts} attempts`;
    super(`${new URL(url).host} gave no usable answer in ${times}: ${reason}`);
    this.url = url;
    this.bytes = bytes;
  }
}

/** An upstream that refused for good: the request or the key is wrong. */
export class UpstreamRefused extends Error {
  override name = 'UpstreamRefused';
  /** The HTTP status that refused it. */
  readonly status: number | null;
  constructor(message: string, status: number | null, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** How often an address is tried by default. */
const ATTEMPTS_MAX = 5;

interface HttpClientParts {
  fetcher: Fetcher;
  limiter: Limiter;
  sleep: Sleep;
  wallNow(): Date;
  log: Logger;
  forbiddenWaitSeconds?: number | undefined;
  /** Closes the source for the day after `times` 403 in a row. */
  closing?: (Closing & { times: number }) | undefined;
  /** Called before each request. */
  note?: ((counts: Counts) => Promise<void>) | undefined;
}

/** The counts of a client so far. */
interface Counts {
  requests: number;
  refused: number;
  waitedMs: number;
}

/**
 * Makes a client that spaces its requests, waits and retries. `fetch` returns null where there is no such page (404). It throws
 * UpstreamRefused where an answer is final, UpstreamUnavailable after the last attempt, and UpstreamClosed for a closed source.
 */
export function makeHttpClient(parts: HttpClientParts): HttpClient {
  const counts: Counts = { requests: 0, refused: 0, waitedMs: 0 };
  return {
    requests: () => counts.requests,
    refused: () => counts.refused,
    waitedMs: () => counts.waitedMs,
    close: () => parts.fetcher.close(),
    async fetch(request) {
      const onTrial = (await parts.closing?.beginTrial()) ?? false;
      let forbidden = 0;
      for (let number = 1; ; number++) {
        const { verdict, bytes, status } = await tryOnce(parts, counts, request, number);
        if (onTrial && (verdict.kind === 'take' || verdict.kind === 'missing')) await parts.closing?.open();
        if (verdict.kind === 'take') return { bytes, url: request.url, requests: number };
        if (verdict.kind === 'missing') return null;
        if (verdict.kind === 'final') throw new UpstreamRefused(`${request.url}: ${verdict.reason}`, status);
        forbidden = status === 403 ? forbidden + 1 : 0;
        if (parts.closing && forbidden >= (onTrial ? 1 : parts.closing.times)) await parts.closing.closeForToday();
        if (number === (request.attempts ?? ATTEMPTS_MAX)) {
          throw new UpstreamUnavailable(request.url, number, verdict.reason, looksLikeHtml(bytes) ? bytes : null);
        }
        await pause(parts, counts, verdict, request);
      }
    },
  };
}

interface Tried {
  verdict: Verdict;
  bytes: Uint8Array;
  status: number | null;
}

async function tryOnce(
  parts: HttpClientParts,
  counts: Counts,
  request: PatientRequest,
  number: number,
): Promise<Tried> {
  counts.waitedMs += await parts.limiter.acquire(request.signal);
  request.signal?.throwIfAborted();
  counts.requests++;
  await parts.note?.(counts);
  const tried = await fetchAndJudge(parts, request, number);
  if (tried.verdict.kind === 'wait' && tried.verdict.slower) counts.refused++;
  return tried;
}

async function fetchAndJudge(parts: HttpClientParts, request: PatientRequest, number: number): Promise<Tried> {
  const judge = (status: number | null, retryAfter: string | null, html: boolean, fault?: string) =>
    judgeAttempt(
      { status, retryAfter, html, number, ...(fault ? { fault } : {}) },
      parts.forbiddenWaitSeconds,
      parts.wallNow(),
    );
  try {
    const { status, retryAfter, bytes } = await parts.fetcher.fetch(request);
    return { verdict: judge(status, retryAfter, !request.htmlIsDue && looksLikeHtml(bytes)), bytes, status };
  } catch (error) {
    request.signal?.throwIfAborted();
    if (error instanceof NotWritten) throw error;
    return { verdict: judge(null, null, false, describeFault(error)), bytes: new Uint8Array(), status: null };
  }
}

async function pause(
  parts: HttpClientParts,
  counts: Counts,
  verdict: Extract<Verdict, { kind: 'wait' }>,
  request: UpstreamRequest,
): Promise<void> {
  parts.log.warn({ url: request.url, waitMs: verdict.waitMs }, `${verdict.reason}; waiting`);
  if (verdict.everyone) await parts.limiter.hold(verdict.waitMs, verdict.slower);
  await parts.sleep(verdict.waitMs, request.signal);
  counts.waitedMs += verdict.waitMs;
}

/** The User-Agent of every upstream request. @throws Error where a request to a live service would name no contact. */
function userAgent(settings: Settings, url: string): string {
  if (settings.CONTACT) return `uk-procurement-data/1.0 (+${settings.CONTACT})`;
  if (isLoopback(url)) return 'uk-procurement-data/1.0';
  throw new Error('CONTACT is not set: a live service is asked only with a contact address in the User-Agent');
}

export interface HttpClientOptions {
  /** The class of these requests: of those that wait, in any process, nightly work goes first, then probes, then backfill. */
  priority?: Priority;
  /** The budget in which the requests count, if not the source's own. */
  budget?: BudgetOf;
  /** The run whose row counts each request as it is sent. */
  runId?: string;
}

/**
 * A client for one run of a source; `url` is any address on the service's host. By default it is for nightly work within the
 * source's own budget. With `runId` the run's row counts each request before it is sent, so that it is right after a kill too.
 */
export function openHttpClient(
  context: IngestContext,
  source: Source,
  url: string,
  options: HttpClientOptions,
): HttpClient {
  const { settings, clocks, log, catalogue } = context;
  const { priority = 'nightly', budget = source.budget, runId } = options;
  const fetcher = openFetcher({
    userAgent: userAgent(settings, url),
    timeoutMs: settings.REQUEST_TIMEOUT_SECONDS * 1_000,
    fetch: fetchTrusting(source.certificates),
  });
  const { forbiddenWaitSeconds, forbiddenTimes } = source;
  const closing = { wallNow: clocks.wallNow, byHand: context.byHand ?? false };
  return makeHttpClient({
    fetcher,
    limiter: openLimiter(context, { budget, url, priority }),
    sleep: context.sleep ?? sleepReally,
    wallNow: clocks.wallNow,
    log,
    forbiddenWaitSeconds,
    note: runId === undefined ? undefined : makeNote(catalogue, runId),
    closing: forbiddenTimes ? { ...makeClosing(catalogue, closing, source), times: forbiddenTimes } : undefined,
  });
}

/** The limiter of one budget for requests of one class; requests to this machine need none. */
function openLimiter(
  context: IngestContext,
  { budget: budgetOf, url, priority }: { budget: BudgetOf; url: string; priority: Priority },
): Limiter {
  const budget = budgetOf(context.settings);
  return makeLimiter({
    ...budget,
    gapMs: isLoopback(url) ? 0 : budget.gapMs,
    catalogue: context.catalogue,
    wallNow: context.clocks.wallNow,
    sleep: context.sleep ?? sleepReally,
    priority,
  });
}

/** Updates the request counts in a run's row before each request, so that the row of a killed run is right. */
export function makeNote(catalogue: Database, runId: string) {
  let notedMs = Number.NEGATIVE_INFINITY;
  return async ({ requests, refused, waitedMs }: Counts) => {
    const nowMs = performance.now();
    if (nowMs - notedMs < NOTED_EACH_MS) return;
    notedMs = nowMs;
    try {
      await catalogue.write([{ sql: NOTE, args: [requests, refused, waitedMs, runId] }]);
    } catch (error) {
      // The next request records this one too.
      if (!isPassing(error)) throw error;
    }
  };
}
