import type { Logger } from 'pino';
import type { Settings } from '../schema/env.ts';
import { type Ask, type Fetcher, openFetcher } from './fetch.ts';
import { type Limiter, openLimiter } from './limiter.ts';
import { isLoopback, type Source } from './source.ts';
import { type IngestTools, type Sleep, sleepReally } from './tools.ts';
import { judgeAttempt, looksLikeHtml, type Verdict } from './wait.ts';

export interface Taken {
  bytes: Uint8Array;
  url: string;
  requests: number;
}

/** Asks politely until an answer can be taken. */
export interface Asker {
  /**
   * The answer to one address, or null where nothing is there (404).
   * @throws UpstreamUnavailable when it was asked often enough; UpstreamRefused when asking again is pointless.
   */
  ask(ask: Ask & { htmlIsDue?: boolean }): Promise<Taken | null>;
  /** Requests sent so far. */
  requests(): number;
  /** How many of them were refused because there had been too many. */
  refused(): number;
  close(): Promise<void>;
}

/** An upstream that gave no usable answer after several attempts; `bytes` where its last answer was a web page. */
export class UpstreamUnavailable extends Error {
  override name = 'UpstreamUnavailable';
  readonly url: string;
  readonly bytes: Uint8Array | null;
  constructor(url: string, attempts: number, reason: string, bytes: Uint8Array | null) {
    super(`${new URL(url).host} gave no usable answer in ${attempts} attempts: ${reason}`);
    this.url = url;
    this.bytes = bytes;
  }
}

/** An upstream that refused for good: the request or the key is wrong. */
export class UpstreamRefused extends Error {
  override name = 'UpstreamRefused';
}

const MOST_ATTEMPTS = 5;

export interface AskerParts {
  fetcher: Fetcher;
  limiter: Limiter;
  sleep: Sleep;
  wallNow(): Date;
  log: Logger;
  forbiddenWaitSeconds?: number | undefined;
}

/** Joins fetching, spacing and waiting into one way of asking. */
export function makeAsker(parts: AskerParts): Asker {
  let requests = 0;
  let refused = 0;
  return {
    requests: () => requests,
    refused: () => refused,
    close: () => parts.fetcher.close(),
    async ask(ask) {
      for (let number = 1; ; number++) {
        await parts.limiter.acquire(ask.signal);
        ask.signal?.throwIfAborted();
        requests++;
        const { verdict, bytes } = await tryOnce(parts, ask, number);
        if (verdict.kind === 'wait' && verdict.slower) refused++;
        if (verdict.kind === 'take') return { bytes, url: ask.url, requests: number };
        if (verdict.kind === 'missing') return null;
        if (verdict.kind === 'final') throw new UpstreamRefused(`${ask.url}: ${verdict.reason}`);
        if (number === MOST_ATTEMPTS) {
          throw new UpstreamUnavailable(ask.url, number, verdict.reason, looksLikeHtml(bytes) ? bytes : null);
        }
        await pause(parts, verdict, ask);
      }
    },
  };
}

async function tryOnce(parts: AskerParts, ask: Ask & { htmlIsDue?: boolean }, number: number) {
  const judge = (status: number | null, retryAfter: string | null, html: boolean, fault?: string) =>
    judgeAttempt(
      { status, retryAfter, html, number, ...(fault ? { fault } : {}) },
      parts.forbiddenWaitSeconds,
      parts.wallNow(),
    );
  try {
    const { status, retryAfter, bytes } = await parts.fetcher.ask(ask);
    return { verdict: judge(status, retryAfter, !ask.htmlIsDue && looksLikeHtml(bytes)), bytes };
  } catch (error) {
    ask.signal?.throwIfAborted();
    return { verdict: judge(null, null, false, describeFault(error)), bytes: new Uint8Array() };
  }
}

async function pause(parts: AskerParts, verdict: Extract<Verdict, { kind: 'wait' }>, ask: Ask): Promise<void> {
  parts.log.warn({ url: ask.url, waitMs: verdict.waitMs }, `${verdict.reason}; waiting`);
  if (verdict.everyone) await parts.limiter.hold(verdict.waitMs, verdict.slower);
  await parts.sleep(verdict.waitMs, ask.signal);
}

/** What went wrong on the wire, in a few words: `fetch` keeps the reason in `cause`. */
function describeFault(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  return [message, cause?.code ?? cause?.message].filter(Boolean).join(': ');
}

/** The User-Agent of every upstream request. @throws Error where a live service would be asked without a contact. */
export function userAgent(settings: Settings, url: string): string {
  if (settings.CONTACT) return `uk-procurement-data/1.0 (+${settings.CONTACT})`;
  if (isLoopback(url)) return 'uk-procurement-data/1.0';
  throw new Error('CONTACT is not set: a live service is asked only with a contact address in the User-Agent');
}

/** An asker for one run of a source, with a crawler of its own. */
export function openAsker(tools: IngestTools, source: Source, url: string): Asker {
  const { settings, clocks, log } = tools;
  const fetcher = openFetcher({
    userAgent: userAgent(settings, url),
    timeoutMs: settings.REQUEST_TIMEOUT_SECONDS * 1_000,
  });
  return makeAsker({
    fetcher,
    limiter: openLimiter(tools, source.limiter, url),
    sleep: tools.sleep ?? sleepReally,
    wallNow: clocks.wallNow,
    log,
    forbiddenWaitSeconds: source.forbiddenWaitSeconds,
  });
}
