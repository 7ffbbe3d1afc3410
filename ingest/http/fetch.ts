import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BasicCrawler, IRequestList, Request } from '@crawlee/basic';

export interface Ask {
  url: string;
  headers?: Record<string, string>;
  /** Writes a good answer's body to this file instead of memory. */
  intoFile?: string;
  signal?: AbortSignal | undefined;
}

interface Answer {
  status: number;
  retryAfter: string | null;
  /** Empty where the body went to a file. */
  bytes: Uint8Array;
}

/** Fetches one address at a time, each once. The caller waits and retries. */
export interface Fetcher {
  /** @throws Error when no whole answer came (refused, reset, cut short, silent for too long). */
  ask(ask: Ask): Promise<Answer>;
  close(): Promise<void>;
}

interface Waiting {
  ask: Ask;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** A handler may take as long as the longest download; its own watch is on silence, not on the total. */
const HANDLER_SECONDS = 24 * 3_600;

/** An amount of memory that is given is not measured, for which the crawler would run `ps`. No figure is held against it. */
const UNMEASURED = { memoryMbytes: 1_024 };

/**
 * Opens a crawler of its own for one run. `BasicCrawler` with our own fetch: `HttpCrawler` sends a browser's
 * User-Agent, decodes Latin-1 wrongly and repeats a 429 at once. Its session pool counts a 403 as blocked: off.
 */
export function openFetcher(options: { userAgent: string; timeoutMs: number }): Fetcher {
  const waiting: Waiting[] = [];
  let started = false;
  let opened: Promise<BasicCrawler> | undefined;
  const answerNext = async () => {
    started = true;
    const item = waiting.shift();
    if (item) await fetchOnce(item.ask, options).then(item.resolve, item.reject);
  };
  let ended: Promise<void> | undefined;
  let stopped: Error | undefined;
  const stop = (error: Error) => {
    stopped = error;
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  return {
    async ask(ask) {
      if (stopped) throw stopped;
      opened ??= makeCrawler(waiting, answerNext);
      const crawler = await opened;
      const answer = new Promise<Answer>((resolve, reject) => waiting.push({ ask, resolve, reject }));
      ended ??= crawler.run().then(() => stop(new Error('the crawler was stopped')), stop);
      // A pool that is woken or ended before it has quite started never ends (measured on 3.18.1): it begins by itself.
      if (started) await crawler.autoscaledPool?.notify();
      return answer;
    },
    async close() {
      if (!ended) return;
      await (await opened)?.autoscaledPool?.abort();
      await ended;
    },
  };
}

/** Loads the crawler with the first request: it takes half the start of a command, and most commands fetch nothing. */
async function makeCrawler(waiting: readonly Waiting[], answerNext: () => Promise<void>): Promise<BasicCrawler> {
  const { BasicCrawler, Configuration } = await import('@crawlee/basic');
  const { EventManager, Log, LogLevel, Request } = await import('@crawlee/core');
  // With the default configuration a second run in one process fetches nothing.
  const configuration = new Configuration({ persistStorage: false, purgeOnStart: false, ...UNMEASURED });
  // The usual one runs `ps` at every start and every second after, to judge how many requests may run at once: here it is one.
  configuration.useEventManager(new (class extends EventManager {})(configuration));
  const makeRequest = ({ ask }: Waiting) => new Request({ url: ask.url });
  return new BasicCrawler(
    {
      requestList: listRequests(waiting, makeRequest),
      keepAlive: true,
      maxConcurrency: 1,
      maxRequestRetries: 0,
      useSessionPool: false,
      requestHandlerTimeoutSecs: HANDLER_SECONDS,
      autoscaledPoolOptions: { maybeRunIntervalSecs: 0.1 },
      log: new Log({ level: LogLevel.OFF }),
      requestHandler: answerNext,
    },
    configuration,
  );
}

/**
 * What waits, as the crawler reads it; nothing is tried again. A queue of the crawler's own takes 16 MB and 30 ms of each run,
 * and milliseconds of each request.
 */
function listRequests(waiting: readonly Waiting[], makeRequest: (item: Waiting) => Request): IRequestList {
  const done = async () => undefined;
  return {
    isEmpty: async () => waiting.length === 0,
    isFinished: async () => false,
    // One runs at a time, and the first keeps its place until it does.
    fetchNextRequest: async () => (waiting[0] ? makeRequest(waiting[0]) : null),
    markRequestHandled: done,
    reclaimRequest: done,
    persistState: done,
    length: () => waiting.length,
    handledCount: () => 0,
    inProgress: new Set(),
    async *[Symbol.asyncIterator]() {
      yield* waiting.map(makeRequest);
    },
  };
}

async function fetchOnce(ask: Ask, options: { userAgent: string; timeoutMs: number }): Promise<Answer> {
  const silence = watchSilence(options.timeoutMs);
  const signal = ask.signal ? AbortSignal.any([silence.signal, ask.signal]) : silence.signal;
  try {
    const headers = { accept: 'application/json', ...ask.headers, 'user-agent': options.userAgent };
    // A redirect would be a request that no limiter has counted.
    const response = await fetch(ask.url, { headers, signal, redirect: 'manual' });
    const bytes = await readBody(response, ask, silence.heard);
    return { status: response.status, retryAfter: response.headers.get('retry-after'), bytes };
  } finally {
    silence.stop();
  }
}

async function readBody(response: Response, ask: Ask, heard: () => void): Promise<Uint8Array> {
  if (!response.body) return new Uint8Array();
  const chunks = listen(response.body, heard);
  if (ask.intoFile && response.ok) {
    await pipeline(Readable.from(chunks), createWriteStream(ask.intoFile));
    return new Uint8Array();
  }
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

async function* listen(body: ReadableStream<Uint8Array>, heard: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    heard();
    yield chunk;
  }
}

/** Aborts after `timeoutMs` without a byte. That suits a small page and a download of an hour. */
function watchSilence(timeoutMs: number): { signal: AbortSignal; heard(): void; stop(): void } {
  const controller = new AbortController();
  const give = () => controller.abort(new Error(`nothing was heard for ${timeoutMs / 1_000} s`));
  let timer = setTimeout(give, timeoutMs);
  return {
    signal: controller.signal,
    heard() {
      clearTimeout(timer);
      timer = setTimeout(give, timeoutMs);
    },
    stop: () => clearTimeout(timer),
  };
}

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
