import type { OpenOptions, Outcome, Statement } from '../interface.ts';
import { makeServerRequest, type ServerAnswer } from './fetch.ts';
import { headersOf, placeOfServer } from './place.ts';
import {
  type PipelineRequest,
  type PipelineResult,
  readBatch,
  readExecute,
  readPipeline,
  toBatch,
  toExecute,
} from './protocol.ts';

/** A libSQL server to which each call is one request. */
export interface ServerStreams {
  /** Runs one statement outside a transaction. @throws as `runBatch` */
  run(statement: Statement): Promise<Outcome>;
  /**
   * Runs all statements in one transaction, or none. @param begin the statement that begins it @throws ServerError where the server refused; TypeError with a cause where
   * the connection was cut; a DOMException named `TimeoutError`; SyntaxError for an answer that is not JSON
   */
  runBatch(begin: string, statements: readonly Statement[]): Promise<Outcome[]>;
  /** Ends what the server holds for this process. */
  close(): Promise<void>;
}

/** A connection to the database that the server holds for one request after another. */
interface Stream {
  /** Shown by the next request; null before its first. */
  baton: string | null;
  base: string;
  openedMs: number;
  usedMs: number;
  /** Statements that the server has stored for it, by their numbers. */
  texts: Map<string, number>;
}

/** Requests at once; more wait. A server has 128 connections for all of its clients, unless it is set otherwise. */
const MOST_AT_ONCE = 20;
/**
 * How long a stream is used: it has the settings and the files that its database had when it was opened, even where a server has
 * replaced them since. One that is idle for as long is ended, as it takes up a connection.
 */
const KEPT_MS = 1_000;
/** How long the server may take to end a stream; by itself it does so after ten idle seconds (libSQL server 0.24). */
const END_MS = 1_000;
/** How a server says, before it runs anything, that it does not know a stream: after a restart (libSQL server 0.24) or an idle time (Turso). */
const FORGOTTEN = new Set([400, 404]);
/** A server stores 50 statements of 5 kB for a stream (libSQL server 0.24). */
const STORED = { most: 40, length: 4_000 };

/**
 * For a new stream a server opens a connection and reads the whole schema, which takes longer than most statements. So streams
 * are kept from one request to the next, for some seconds. @param deadlineMs how long the server may take for each request
 */
export function openStreams(options: Pick<OpenOptions, 'url' | 'authToken'>, deadlineMs: number): ServerStreams {
  const post = makePost(options);
  const inTurn = makeTurns(MOST_AT_ONCE);
  const end = (streams: readonly Stream[]) =>
    Promise.allSettled(streams.map((stream) => post(stream, [{ type: 'close' }], END_MS)));
  const free = makeFree(end);

  const settle = <T>(stream: Stream, answer: ServerAnswer, read: (results: PipelineResult[]) => T): T => {
    try {
      const { baton, base_url: base, results } = readPipeline(answer);
      Object.assign(stream, { baton, base: base ?? stream.base, usedMs: performance.now() });
      const value = read(results);
      if (baton) free.keep(stream);
      return value;
    } catch (error) {
      // Its transaction may be open still. Where this request fails too, the server ends the stream.
      if (stream.baton) void end([stream]);
      throw error;
    }
  };
  const ask = <T>(toRequests: Requests, read: (result: PipelineResult | undefined) => T): Promise<T> =>
    inTurn(async () => {
      const kept = free.take();
      if (kept) {
        const requests = toRequests(kept);
        const isLast = performance.now() - kept.openedMs > KEPT_MS;
        const answer = await post(kept, isLast ? [...requests, { type: 'close' }] : requests, deadlineMs);
        if (!FORGOTTEN.has(answer.status)) return settle(kept, answer, (results) => read(results[requests.length - 1]));
      }
      const stream = openStream(options.url);
      const requests = toRequests(stream);
      const answer = await post(stream, requests, deadlineMs);
      return settle(stream, answer, (results) => read(results[requests.length - 1]));
    });

  return {
    run: (statement) => ask(() => [toExecute(statement)], readExecute),
    runBatch: (begin, statements) =>
      ask(
        ({ texts }) => [...storeRepeated(texts, statements), toBatch(begin, statements, texts)],
        (result) => readBatch(result, statements.length),
      ),
    async close() {
      await end(free.empty());
    },
  };
}

/** The requests of a call on a stream; the last one has its answer. */
type Requests = (stream: Stream) => PipelineRequest[];

function openStream(url: string): Stream {
  const nowMs = performance.now();
  const { base, namespace } = placeOfServer(url);
  const place = namespace ? `${base}/dev/${namespace}` : base;
  return { baton: null, base: place, openedMs: nowMs, usedMs: nowMs, texts: new Map() };
}

/** The streams that no request is on. @param end ends those that were idle for too long */
function makeFree(end: (streams: readonly Stream[]) => void) {
  /** In the order of their last requests. */
  let streams: Stream[] = [];
  let ending: NodeJS.Timeout | undefined;
  const isIdle = ({ usedMs }: Stream) => performance.now() - usedMs >= KEPT_MS;
  const endIdle = () => {
    end(streams.filter(isIdle));
    streams = streams.filter((stream) => !isIdle(stream));
    ending = streams.length > 0 ? setTimeout(endIdle, KEPT_MS).unref() : undefined;
  };
  return {
    keep(stream: Stream): void {
      streams.push(stream);
      ending ??= setTimeout(endIdle, KEPT_MS).unref();
    },
    /** The one that was used last. */
    take(): Stream | undefined {
      const last = streams.at(-1);
      return last && !isIdle(last) ? streams.pop() : undefined;
    },
    empty(): Stream[] {
      clearTimeout(ending);
      ending = undefined;
      return streams.splice(0);
    },
  };
}

function makePost(options: Pick<OpenOptions, 'url' | 'authToken'>) {
  const { authToken } = options;
  const send = makeServerRequest();
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    ...(authToken ? { authorization: `Bearer ${authToken}` } : {}),
    ...headersOf(placeOfServer(options.url)),
  };
  return ({ base, baton }: Stream, requests: readonly PipelineRequest[], deadlineMs: number): Promise<ServerAnswer> => {
    const url = new URL(`${base.replace(/\/*$/, '')}/v2/pipeline`);
    return send(url, { method: 'POST', headers, body: JSON.stringify({ baton, requests }), deadlineMs });
  };
}

/** Requests that store the statements which a batch has more than once. */
function storeRepeated(texts: Map<string, number>, statements: readonly Statement[]): PipelineRequest[] {
  const seen = new Set<string>();
  const stored: PipelineRequest[] = [];
  for (const { sql } of statements) {
    const isRepeated = seen.has(sql);
    seen.add(sql);
    if (!isRepeated || texts.has(sql) || texts.size >= STORED.most || sql.length > STORED.length) continue;
    stored.push({ type: 'store_sql', sql, sql_id: texts.size });
    texts.set(sql, texts.size);
  }
  return stored;
}

/** Runs so many pieces of work at once, the others in the order in which they came. */
function makeTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
