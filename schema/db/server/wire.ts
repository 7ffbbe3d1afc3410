import type { HttpStream, Sql, WsStream } from '@libsql/hrana-client';

/** One of the two ways to a server: HTTP requests or WebSockets. */
export interface Transport {
  /** Opens a stream. @throws ServerUnreached */
  open(): Promise<Wire>;
  /** Whether the server has run nothing of a request, as the stream had ended before. */
  isUnsent(error: unknown): boolean;
  /** Ends the connections that it holds, and later those that are still in use. Undefined where it holds none. */
  end?(): void;
}

/** A connection to the database that a server keeps for one request after another. */
export interface Wire {
  stream: HttpStream | WsStream;
  /** Statements that the server has stored for it, and how many it stores. */
  texts: Map<string, Sql>;
  mostTexts: number;
  store(sql: string): Sql;
  /** The answer to a request. @throws DOMException named `TimeoutError` where it does not come in time */
  inTime<T>(answer: Promise<T>): Promise<T>;
  /** To be called once its stream has ended and all its requests are answered. Undefined where nothing else can use its connection. */
  release?(): void;
}
