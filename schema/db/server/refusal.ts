import { ClientError, HttpServerError, ResponseError, WebSocketError } from '@libsql/hrana-client';

/** The answer of a database that refuses, or an answer that is none of a database. */
export class ServerError extends Error {
  override name = 'ServerError';
  /** `SQLITE_…` or another code of the server; `SERVER_ERROR` and `HRANA_ERROR` where the database itself did not answer. */
  readonly code: string;
  /** Which statement of a batch was refused, the commit being the one after the last; undefined where that was none of them. */
  readonly statementIndex: number | undefined;

  constructor(message: string, code: string, { index, cause }: { index?: number | undefined; cause?: unknown } = {}) {
    super(`${code}: ${message}`, { cause });
    this.code = code;
    this.statementIndex = index;
  }
}

/** No connection was made, so nothing was sent. */
export class ServerUnreached extends TypeError {
  override name = 'ServerUnreached';

  constructor(cause: unknown) {
    super('no connection was made', { cause });
  }
}

/** No answer by the deadline: the error that the built-in `fetch` throws. */
export const makeTimeout = () => new DOMException('The operation was aborted due to timeout', 'TimeoutError');

/** How a server says over a WebSocket, before it runs anything, that a token is missing, wrong or expired; over HTTP it is 401. */
const NOT_LET_IN = /^AUTH_/;

/** The server's own refusals, and answers that are not a database's. Errors of the network are unchanged. */
export function nameServerError(error: unknown, index?: number): unknown {
  if (error instanceof ResponseError) {
    const { code = 'UNKNOWN' } = error;
    return NOT_LET_IN.test(code)
      ? new ServerUnreached(error)
      : new ServerError(error.message, code, { index, cause: error });
  }
  if (error instanceof HttpServerError) return new ServerError(cutPage(error.message), 'SERVER_ERROR');
  if (error instanceof WebSocketError) return new TypeError('the connection was cut', { cause: error });
  if (error instanceof ClientError) return new ServerError(error.message, 'HRANA_ERROR', { cause: error });
  return error;
}

/** A message without the web page that may follow it: the package quotes the whole body, and each call would log it again. */
function cutPage(message: string): string {
  return message.replace(/: *<.*/s, '').slice(0, 300);
}
