import {
  BatchCond,
  ClientError,
  HttpServerError,
  openHttp,
  ResponseError,
  type RowsResult,
  type Sql,
  Stmt,
  type HttpStream as WireStream,
} from '@libsql/hrana-client';
import pLimit from 'p-limit';
import type { OpenOptions, Outcome, SqlValue, Statement } from '../interface.ts';
import { makeServerFetch } from './fetch.ts';
import { headersOf, placeOfServer } from './place.ts';

/** A libSQL server to which each call is one request. */
export interface ServerStreams {
  /** Runs one statement outside a transaction. @throws as `runBatch` */
  run(statement: Statement): Promise<Outcome>;
  /**
   * Runs all statements in one transaction, or none. @param begin the statement that begins it @throws ServerError where the
   * server refused; TypeError with a cause where the connection was cut; a DOMException named `TimeoutError`; SyntaxError for an
   * answer that is not JSON
   */
  runBatch(begin: string, statements: readonly Statement[]): Promise<Outcome[]>;
  /** Tells the server to end what it holds for this process; by itself it does so after ten idle seconds (libSQL server 0.24). */
  close(): void;
}

/** The answer of a database that refuses, or an answer that is none of a database. */
export class ServerError extends Error {
  override name = 'ServerError';
  /** `SQLITE_…` or another code of the server; `SERVER_ERROR` and `HRANA_ERROR` where the database itself did not answer. */
  readonly code: string;
  /** Which statement of a batch was refused; undefined where that was none of them. */
  readonly statementIndex: number | undefined;

  constructor(message: string, code: string, { index, cause }: { index?: number | undefined; cause?: unknown } = {}) {
    super(`${code}: ${message}`, { cause });
    this.code = code;
    this.statementIndex = index;
  }
}

/** A connection to the database that the server keeps for one request after another. */
interface Stream {
  wire: WireStream;
  openedMs: number;
  usedMs: number;
  /** Statements that the server has stored for it. */
  texts: Map<string, Sql>;
}

/** Requests at once; more wait. A server has 128 connections for all of its clients, unless it is set otherwise. */
const MOST_AT_ONCE = 20;
/**
 * How long a stream is used. It has the settings and files that its database had when it was opened, even if a server has
 * replaced them since. One that is idle for as long is ended, as it takes up a connection.
 */
const KEPT_MS = 1_000;
/** How a server says, before it runs anything, that it does not know a stream: after a restart (libSQL server 0.24) or an idle time (Turso). */
const FORGOTTEN = new Set([400, 404]);
/** A server stores 50 statements of 5 kB for a stream (libSQL server 0.24). */
const STORED = { most: 40, length: 4_000 };

/**
 * For a new stream a server opens a connection and reads the whole schema, which takes longer than most statements. The client of
 * `@libsql/client` opens one for each request; here they are kept from one request to the next, for a second.
 * @param deadlineMs how long the server may take for each request
 */
export function openStreams(
  { url, authToken }: Pick<OpenOptions, 'url' | 'authToken'>,
  deadlineMs: number,
): ServerStreams {
  const place = placeOfServer(url);
  const fetchInTime = makeServerFetch(deadlineMs, headersOf(place));
  const client = openHttp(`${place.base}${place.namespace ? `/dev/${place.namespace}` : ''}/`, authToken, fetchInTime);
  const limit = pLimit(MOST_AT_ONCE);
  const free = makeFree();

  const on = async <T>(stream: Stream, work: (stream: Stream) => Promise<T>): Promise<T> => {
    try {
      const working = work(stream);
      // The end goes with the request.
      const isLast = performance.now() - stream.openedMs > KEPT_MS;
      if (isLast) stream.wire.closeGracefully();
      const done = await working;
      stream.usedMs = performance.now();
      if (!isLast) free.keep(stream);
      return done;
    } catch (error) {
      // Its transaction may still be open.
      stream.wire.close();
      throw error;
    }
  };
  const open = (): Stream => {
    const nowMs = performance.now();
    return { wire: client.openStream(), openedMs: nowMs, usedMs: nowMs, texts: new Map() };
  };
  const ask = <T>(work: (stream: Stream) => Promise<T>): Promise<T> =>
    limit(async () => {
      const kept = free.take();
      try {
        return await on(kept ?? open(), work);
      } catch (error) {
        if (kept && error instanceof HttpServerError && FORGOTTEN.has(error.status)) return await on(open(), work);
        throw error;
      }
    }).catch((error: unknown) => {
      throw nameServerError(error);
    });

  return {
    run: (statement) => ask(async ({ wire }) => toOutcome(await wire.query(bind(statement)))),
    runBatch: (begin, statements) => ask((stream) => runTransaction(stream, begin, statements)),
    close: () => free.end(),
  };
}

/** Each statement runs only after the one before, and all are rolled back unless they were committed. */
async function runTransaction(stream: Stream, begin: string, statements: readonly Statement[]): Promise<Outcome[]> {
  storeRepeated(stream, statements);
  const batch = stream.wire.batch(false);
  let last = batch.step();
  const steps: Promise<RowsResult | undefined>[] = [last.query(begin)];
  for (const statement of [...statements.map((each) => bind(each, stream.texts)), new Stmt('COMMIT')]) {
    last = batch.step().condition(BatchCond.ok(last));
    steps.push(last.query(statement));
  }
  const rollback = batch.step().condition(BatchCond.not(BatchCond.ok(last)));
  const all = Promise.allSettled([...steps, rollback.run('ROLLBACK')]);
  await batch.execute();
  const ended = (await all).slice(0, steps.length) as PromiseSettledResult<RowsResult | undefined>[];
  const outcomes = ended.map((step, place) => {
    const index = place > 0 && place <= statements.length ? place - 1 : undefined;
    if (step.status === 'rejected') throw nameServerError(step.reason, index);
    if (!step.value)
      throw new ServerError('the transaction ended before this statement', 'TRANSACTION_CLOSED', { index });
    return toOutcome(step.value);
  });
  return outcomes.slice(1, -1);
}

/** Lets the server store the statements which a batch has more than once. */
function storeRepeated({ wire, texts }: Stream, statements: readonly Statement[]): void {
  const seen = new Set<string>();
  for (const { sql } of statements) {
    const isRepeated = seen.has(sql);
    seen.add(sql);
    if (isRepeated && !texts.has(sql) && texts.size < STORED.most && sql.length <= STORED.length)
      texts.set(sql, wire.storeSql(sql));
  }
}

/** A whole number is sent as a bigint: the client sends every number as a float, which text columns store as `5.0`. */
function bind({ sql, args = [] }: Statement, texts?: ReadonlyMap<string, Sql>): Stmt {
  const values = args.map((value) => (Number.isSafeInteger(value) ? BigInt(value as number) : value));
  return new Stmt(texts?.get(sql) ?? sql).bindIndexes(values);
}

/** A statement that returns columns counts its rows, as on a file; the server's count of changes applies to the others. */
function toOutcome({ columnNames, rows: lines, affectedRowCount }: RowsResult): Outcome {
  if (columnNames.length === 0) return { rows: [], changes: affectedRowCount };
  const rows = lines.map((line) => {
    const row: Record<string, SqlValue> = {};
    for (const [index, name] of columnNames.entries()) {
      const value = line[index];
      row[name ?? ''] = value instanceof ArrayBuffer ? new Uint8Array(value) : ((value ?? null) as SqlValue);
    }
    return row;
  });
  return { rows, changes: rows.length };
}

/** The server's own refusals, and answers that are not a database's. Errors of the network are unchanged. */
function nameServerError(error: unknown, index?: number): unknown {
  if (error instanceof ResponseError)
    return new ServerError(error.message, error.code ?? 'UNKNOWN', { index, cause: error });
  if (error instanceof HttpServerError) return new ServerError(error.message, 'SERVER_ERROR', { cause: error });
  if (error instanceof ClientError) return new ServerError(error.message, 'HRANA_ERROR', { cause: error });
  return error;
}

/** The streams that no request is on. */
function makeFree() {
  /** In the order of their last requests. */
  let streams: Stream[] = [];
  let ending: NodeJS.Timeout | undefined;
  const isIdle = ({ usedMs }: Stream) => performance.now() - usedMs >= KEPT_MS;
  const end = (ended: readonly Stream[]) => {
    for (const { wire } of ended) wire.close();
  };
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
    end(): void {
      clearTimeout(ending);
      ending = undefined;
      end(streams.splice(0));
    },
  };
}
