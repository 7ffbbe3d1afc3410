import { open } from 'node:fs/promises';
import { request as requestOverTls } from 'node:https';
import { Readable } from 'node:stream';
import { rootCertificates } from 'node:tls';
import type { BasicCrawler, IRequestList, Request } from '@crawlee/basic';
import { abortWith } from '../../schema/config/clocks.ts';

/** One request to an upstream service. */
export interface UpstreamRequest {
  url: string;
  headers?: Record<string, string>;
  /** Writes the body of a good answer to this file instead of memory. */
  intoFile?: string;
  signal?: AbortSignal | undefined;
}

interface UpstreamResponse {
  status: number;
  retryAfter: string | null;
  /** Empty where the body was written to a file. */
  bytes: Uint8Array;
}

/** The service answered, and this machine has no room for the file, or may not write it. Asking again would not help. */
export class NotWritten extends Error {
  override name = 'NotWritten';
}

/** Fetches one address at a time, each once. The caller waits and retries. */
export interface Fetcher {
  /** @throws Error when no complete answer came (refused, reset, cut short, silent, or nearly so, for too long), NotWritten. */
  fetch(request: UpstreamRequest): Promise<UpstreamResponse>;
  close(): Promise<void>;
}

interface FetcherOptions {
  userAgent: string;
  timeoutMs: number;
  /** Most bytes of an answer; by default ten times the largest one known. */
  bytesMost?: number;
  /** Node's own by default. */
  fetch?: Fetch;
}

interface Waiting {
  request: UpstreamRequest;
  resolve(response: UpstreamResponse): void;
  reject(error: unknown): void;
}

/** A handler may take as long as the longest download; the limit here is on silence, not on the total. */
const HANDLER_SECONDS = 24 * 3_600;

/** A long process has 22 MB, a part of the register 80 MB: an answer without an end fills neither memory nor disk. */
const BYTES_MAX = { inMemory: 256 * 1024 ** 2, inFile: 1024 ** 3 };
/** Fewer than these within the time limit are silence: an answer that drips would hold its source for days. */
const BYTES_MIN = 10_000;

/**
 * Opens a separate crawler for one run. `BasicCrawler` with our own fetch: `HttpCrawler` sends a browser's User-Agent, decodes
 * Latin-1 wrongly and repeats a 429 at once. The session pool is off, as it counts a 403 as blocked.
 */
export function openFetcher(options: FetcherOptions): Fetcher {
  const waiting: Waiting[] = [];
  let started = false;
  let opened: Promise<BasicCrawler> | undefined;
  const runNext = async () => {
    started = true;
    const item = waiting.shift();
    if (item) await fetchOnce(item.request, options).then(item.resolve, item.reject);
  };
  let ended: Promise<void> | undefined;
  let stopped: Error | undefined;
  const stop = (error: Error) => {
    stopped = error;
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  return {
    async fetch(request) {
      if (stopped) throw stopped;
      opened ??= makeCrawler(waiting, runNext);
      const crawler = await opened;
      const response = new Promise<UpstreamResponse>((resolve, reject) => waiting.push({ request, resolve, reject }));
      ended ??= crawler.run().then(() => stop(new Error('the crawler was stopped')), stop);
      // A pool that is woken or ended before it has quite started never ends (measured on 3.18.1), so it is left to begin by itself.
      if (started) await crawler.autoscaledPool?.notify();
      return response;
    },
    async close() {
      if (!ended) return;
      await (await opened)?.autoscaledPool?.abort();
      await ended;
    },
  };
}

/**
 * Loads the crawler: with the first request, as it takes half the start of a command and most commands fetch nothing, or sooner.
 * Where a load fails (for want of files, for example), Node fails every later one in the same process.
 */
export const loadCrawler = async () => [await import('@crawlee/basic'), await import('@crawlee/core')] as const;

async function makeCrawler(waiting: readonly Waiting[], runNext: () => Promise<void>): Promise<BasicCrawler> {
  const [{ BasicCrawler, Configuration }, { EventManager, Log, LogLevel, Request }] = await loadCrawler();
  // With the default configuration a second run in one process fetches nothing. With a stated amount of memory, which nothing is
  // compared with, the crawler does not run `ps` to measure it.
  const configuration = new Configuration({ persistStorage: false, purgeOnStart: false, memoryMbytes: 1_024 });
  // The default one runs `ps` at every start and every second after, to judge how many requests may run at once: here only one does.
  configuration.useEventManager(new (class extends EventManager {})(configuration));
  const makeRequest = ({ request }: Waiting) => new Request({ url: request.url });
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
      requestHandler: runNext,
    },
    configuration,
  );
}

/**
 * The waiting request, as the crawler reads it; nothing is retried. The crawler's own queue takes 16 MB and 30 ms for each run,
 * and milliseconds for each request.
 */
function listRequests(waiting: readonly Waiting[], makeRequest: (item: Waiting) => Request): IRequestList {
  const done = async () => undefined;
  return {
    isEmpty: async () => waiting.length === 0,
    isFinished: async () => false,
    // One runs at a time, and the first stays in place until it does.
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

async function fetchOnce(request: UpstreamRequest, options: FetcherOptions): Promise<UpstreamResponse> {
  const most = options.bytesMost ?? (request.intoFile ? BYTES_MAX.inFile : BYTES_MAX.inMemory);
  const body = watchBody(options.timeoutMs, most);
  const { signal } = body.controller;
  const endAborting = abortWith(body.controller, request.signal);
  try {
    const headers = { accept: 'application/json', ...request.headers, 'user-agent': options.userAgent };
    // Following a redirect would send a request that no limiter has counted.
    const response = await (options.fetch ?? fetch)(request.url, { headers, signal, redirect: 'manual' });
    const bytes = await readBody(response, body.received, request.intoFile);
    return { status: response.status, retryAfter: response.headers.get('retry-after'), bytes };
  } finally {
    body.stop();
    endAborting();
  }
}

type OnReceived = (bytes: number) => void;

/** The body, or nothing where it is written to a file. */
async function readBody(response: Response, onReceived: OnReceived, intoFile?: string): Promise<Uint8Array> {
  if (!response.body) return new Uint8Array();
  const chunks = listen(response.body, onReceived);
  if (intoFile && response.ok) {
    await writeInto(intoFile, chunks);
    return new Uint8Array();
  }
  return Buffer.concat(await Readable.from(chunks).toArray());
}

async function writeInto(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const fail = (error: Error) => {
    throw new NotWritten(`${path} cannot be written (${error.message})`, { cause: error });
  };
  const file = await open(path, 'w').catch(fail);
  try {
    for await (const chunk of chunks) await file.writeFile(chunk).catch(fail);
  } finally {
    await file.close().catch(fail);
  }
}

async function* listen(body: ReadableStream<Uint8Array>, onReceived: OnReceived) {
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    onReceived(chunk.length);
    yield chunk;
  }
}

/** Aborts after `timeoutMs` with hardly a byte, which suits a small page and a download of an hour, or after too many bytes. */
function watchBody(timeoutMs: number, bytesMost: number) {
  const controller = new AbortController();
  const give = () => controller.abort(new Error(`hardly anything was received for ${timeoutMs / 1_000} s`));
  const timer = setTimeout(give, timeoutMs);
  let [left, due] = [bytesMost, bytesMost];
  return {
    controller,
    received(bytes: number) {
      left -= bytes;
      if (left < 0) controller.abort(new Error(`the answer is longer than ${bytesMost} bytes`));
      // The first bytes end the time for thinking.
      if (left > due) return;
      due = left - BYTES_MIN;
      timer.refresh();
    },
    stop: () => clearTimeout(timer),
  };
}

type FetchOptions = { headers: Record<string, string>; signal: AbortSignal; redirect: 'manual' };

/** The part of `fetch` that is used here. */
type Fetch = (url: string, options: FetchOptions) => Promise<Response>;

/**
 * A `fetch` that also trusts these certificates (PEM) next to Node's roots, for a service that leaves an intermediate out of its
 * chain. Everything else is verified as usual. Without certificates it is `fetch` itself, which takes none.
 */
export function fetchTrusting(certificates: readonly string[] = []): Fetch {
  if (certificates.length === 0) return fetch;
  // Node replaces its roots with the given ones.
  const ca = [...rootCertificates, ...certificates];
  return (url, options) => (new URL(url).protocol === 'https:' ? fetchOverTls(url, options, ca) : fetch(url, options));
}

/** Statuses that allow no body, according to `Response`; the answer is read all the same, or its connection is not used again. */
const BODILESS = new Set([101, 204, 205, 304]);

function fetchOverTls(url: string, { headers, signal }: FetchOptions, ca: readonly string[]): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = requestOverTls(url, { headers, signal, ca: [...ca] }, (message) => {
      const status = message.statusCode ?? 0;
      const body = BODILESS.has(status) ? null : (Readable.toWeb(message) as ReadableStream<Uint8Array>);
      if (!body) message.resume();
      const retryAfter = message.headers['retry-after'];
      resolve(new Response(body, { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } }));
    });
    sent.on('error', reject);
    sent.end();
  });
}
