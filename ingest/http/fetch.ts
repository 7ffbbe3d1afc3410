import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BasicCrawler, Configuration, type Request } from '@crawlee/basic';
import { Log, LogLevel } from '@crawlee/core';

export interface Ask {
  url: string;
  headers?: Record<string, string>;
  /** Writes a good answer's body to this file instead of memory. */
  intoFile?: string;
  signal?: AbortSignal | undefined;
}

export interface Answer {
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

/**
 * Opens a crawler of its own for one run. `BasicCrawler` with our own fetch: `HttpCrawler` sends a browser's
 * User-Agent, decodes Latin-1 wrongly and repeats a 429 at once. Its session pool counts a 403 as blocked: off.
 */
export function openFetcher(options: { userAgent: string; timeoutMs: number }): Fetcher {
  const waiting = new Map<string, Waiting>();
  let started = false;
  const crawler = makeCrawler((request) => {
    started = true;
    return answerOne(waiting, request, options);
  });
  let ended: Promise<void> | undefined;
  let stopped: Error | undefined;
  const stop = (error: Error) => {
    stopped = error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  let asked = 0;
  return {
    async ask(ask) {
      if (stopped) throw stopped;
      const key = String(asked++);
      const answer = new Promise<Answer>((resolve, reject) => waiting.set(key, { ask, resolve, reject }));
      // The crawler's own `addRequests` is for thousands at once: for one it costs several times as much.
      await (await crawler.getRequestQueue()).addRequest({ url: ask.url, uniqueKey: key });
      ended ??= crawler.run().then(() => stop(new Error('the crawler was stopped')), stop);
      // A pool that is woken or ended before it has quite started never ends (measured on 3.18.1): it begins by itself.
      if (started) await crawler.autoscaledPool?.notify();
      return answer;
    },
    async close() {
      if (!ended) return;
      await crawler.autoscaledPool?.abort();
      await ended;
    },
  };
}

function makeCrawler(handle: (request: Request) => Promise<void>): BasicCrawler {
  return new BasicCrawler(
    {
      keepAlive: true,
      maxConcurrency: 1,
      maxRequestRetries: 0,
      useSessionPool: false,
      requestHandlerTimeoutSecs: HANDLER_SECONDS,
      autoscaledPoolOptions: { maybeRunIntervalSecs: 0.1 },
      log: new Log({ level: LogLevel.OFF }),
      requestHandler: ({ request }) => handle(request),
    },
    // With the default configuration a second run in one process fetches nothing.
    new Configuration({ persistStorage: false, purgeOnStart: false }),
  );
}

async function answerOne(
  waiting: Map<string, Waiting>,
  { uniqueKey }: Request,
  options: { userAgent: string; timeoutMs: number },
): Promise<void> {
  const item = waiting.get(uniqueKey);
  if (!item) return;
  waiting.delete(uniqueKey);
  await fetchOnce(item.ask, options).then(item.resolve, item.reject);
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
