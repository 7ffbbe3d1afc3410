import pLimit from 'p-limit';
import type { OpenOptions, Outcome, Statement } from '../interface.ts';
import { placeOfServer } from './place.ts';
import { nameServerError } from './refusal.ts';
import { openRequests } from './requests.ts';
import { openSockets } from './sockets.ts';
import { runStatement, runTransaction } from './transaction.ts';
import type { Wire } from './wire.ts';

/** A libSQL server to which each call is one request. */
export interface ServerStreams {
  /** Runs one statement outside a transaction. @throws as `runBatch` */
  run(statement: Statement): Promise<Outcome>;
  /**
   * Runs all statements in one transaction, or none. @param begin the statement that begins it @throws ServerError where the
   * server refused; ServerUnreached where nothing was sent; TypeError with a cause where the connection was cut; a DOMException
   * named `TimeoutError`; SyntaxError for an answer that is not JSON
   */
  runBatch(begin: string, statements: readonly Statement[]): Promise<Outcome[]>;
  /** Tells the server to end what it holds for this process; by itself it does so after ten idle seconds (libSQL server 0.24). */
  close(): void;
}

/** Requests at once; more wait. A server has 128 connections for all of its clients, unless it is set otherwise. */
const AT_ONCE_MAX = 20;

/**
 * How long a stream is used. It has the settings and files that its database had when it was opened, even if a server has
 * replaced them since. One that is idle for as long is ended, as it takes up a connection.
 */
const KEPT_MS = 1_000;

interface Stream {
  wire: Wire;
  openedMs: number;
  usedMs: number;
}

/**
 * For a new stream a server opens a connection and reads the whole schema, which takes longer than most statements. The client of
 * `@libsql/client` opens one for each request; here they are kept from one request to the next, for a second.
 * @param deadlineMs how long the server may take for each request
 */
export function openStreams(
  { url, authToken }: Pick<OpenOptions, 'url' | 'authToken'>,
  deadlineMs: number,
): ServerStreams {
  const openTransport = /^wss?:/.test(url) ? openSockets : openRequests;
  const transport = openTransport(placeOfServer(url), authToken, deadlineMs);
  const limit = pLimit(AT_ONCE_MAX);
  const free = makeFree();

  const open = async (): Promise<Stream> => {
    const wire = await transport.open();
    const nowMs = performance.now();
    return { wire, openedMs: nowMs, usedMs: nowMs };
  };
  const on = async <T>(stream: Stream, request: (wire: Wire) => Promise<T>): Promise<T> => {
    const { wire } = stream;
    try {
      const answer = wire.inTime(request(wire));
      // The end goes with the request.
      const isLast = performance.now() - stream.openedMs > KEPT_MS;
      if (isLast) wire.stream.closeGracefully();
      const done = await answer;
      stream.usedMs = performance.now();
      if (isLast) wire.release?.();
      else free.keep(stream);
      return done;
    } catch (error) {
      // Its transaction may still be open.
      endStream(stream);
      throw error;
    }
  };
  const ask = <T>(request: (wire: Wire) => Promise<T>): Promise<T> =>
    limit(async () => {
      const kept = free.take();
      try {
        return await on(kept ?? (await open()), request);
      } catch (error) {
        if (kept && transport.isUnsent(error)) return await on(await open(), request);
        throw error;
      }
    }).catch((error: unknown) => {
      throw nameServerError(error);
    });

  return {
    run: (statement) => ask((wire) => runStatement(wire, statement)),
    runBatch: (begin, statements) => ask((wire) => runTransaction(wire, begin, statements)),
    close() {
      free.end();
      transport.end?.();
    },
  };
}

function endStream({ wire }: Stream): void {
  wire.stream.close();
  wire.release?.();
}

/** The streams that no request is on. */
function makeFree() {
  /** In the order of their last requests. */
  let streams: Stream[] = [];
  let ending: NodeJS.Timeout | undefined;
  const isIdle = ({ usedMs }: Stream) => performance.now() - usedMs >= KEPT_MS;
  const endIdle = () => {
    const all = streams;
    streams = [];
    // Each is judged once. If it were judged twice, one could be neither ended nor kept, and would hold its connection and this process for good.
    for (const stream of all) {
      if (isIdle(stream)) endStream(stream);
      else streams.push(stream);
    }
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
    end(): void {
      clearTimeout(ending);
      ending = undefined;
      for (const stream of streams.splice(0)) endStream(stream);
    },
  };
}
