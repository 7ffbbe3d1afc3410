import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { URL_BYTES } from './body.ts';
import { admitRequest, boundConnections, closeUnused, cutStalled, isAnswering, PATIENCE } from './connections.ts';

/** How long running requests may take to end before their connections are closed. */
const DRAIN_MS = 10_000;
const SWEEP_MS = 50;
/** How long a client that has just connected may take to ask. */
const UNUSED_MS = 500;

/** Longer than the longest address that gets our own 414. */
const HEADER_BYTES = 32 * 1024;

/** How long a client may read nothing of an answer that waits for it. */
const STALLED_MS = 30_000;

/** The classes of a server's requests and responses, where they are not Node's own. */
export type ExchangeClasses = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

/** The public server. `headers` are those of every answer. */
export function makeServer(
  handle: RequestListener,
  headers: Readonly<Record<string, string>>,
  classes: ExchangeClasses = {},
  stalledMs = STALLED_MS,
): Server {
  const options = { maxHeaderSize: HEADER_BYTES, ...PATIENCE, ...classes, requireHostHeader: false };
  const server = createServer(options, (request, response) => {
    if (!admitRequest(request.socket, response)) return;
    if (!hasOneHost(request)) return refuseRequest(response, headers);
    response.setTimeout(stalledMs, () => cutStalled(request.socket));
    boundBody(request, response, (code) => answerClientError({ code } as ClientError, request.socket, headers));
    handle(request, response);
  });
  server.on('clientError', (error, socket) => answerClientError(error, socket as Socket, headers));
  // An expectation that is unknown may be ignored (RFC 9110, 10.1.1). Node refuses it without our headers and body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  boundConnections(server);
  return server;
}

/** Resolves when every request has been answered, or when their time is up. */
export async function closeServer(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  // A connection whose last answer was sent without a request to close becomes idle after the first sweep.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  // Browsers connect ahead of a request. Before Node 26 such a connection is not an idle one.
  const unused = setTimeout(() => closeUnused(server), UNUSED_MS);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(sweep);
  clearTimeout(unused);
  clearTimeout(timer);
}

/** A request that is not HTTP, or whose address or headers are far too long, never reaches a handler. */
function answerClientError(error: ClientError, socket: Socket, headers: Readonly<Record<string, string>>): void {
  if (!socket.writable || error.code === 'ECONNRESET' || isAnswering(socket)) {
    socket.destroy();
    return;
  }
  const refused = describeRefusal(nameClientError(error), headers);
  const head = Object.entries(refused.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${refused.status}\r\n${head.join('')}\r\n${refused.body}`);
  // Once it has had time to read this: a client may keep its own half open for as long as it likes.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/**
 * Any other request must be refused (RFC 9112, 3.2). Without a host Node would do so, but not with our headers and body; of
 * several it drops all but the first, where a proxy may have gone by the last.
 */
function hasOneHost({ httpVersion, headers, rawHeaders }: IncomingMessage): boolean {
  if (headers.host === undefined) return httpVersion !== '1.1';
  const isName = (text: string, at: number) => at % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host';
  return rawHeaders.filter(isName).length === 1;
}

function refuseRequest(response: ServerResponse, more: Readonly<Record<string, string>>): void {
  const { status, headers, body } = describeRefusal(BAD_REQUEST, more);
  response.writeHead(Number.parseInt(status, 10), headers).end(body);
}

/** An answer in the shape of every error, after which the connection is closed. */
function describeRefusal({ status, code, message }: ClientRefusal, more: Readonly<Record<string, string>>) {
  const requestId = randomUUID();
  const body = JSON.stringify({ error: code, message, request_id: requestId });
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': requestId,
    ...more,
    Connection: 'close',
  };
  return { status, headers, body };
}

interface ClientError extends NodeJS.ErrnoException {
  /** The bytes that had arrived when the parser gave up. */
  rawPacket?: Buffer;
}

const TOO_MANY_PARTS = 'TOO_MANY_PARTS';
const TOO_MANY_BYTES = 'TOO_MANY_BYTES';

interface ClientRefusal {
  /** With its reason. */
  status: string;
  code: string;
  message: string;
}

const BAD_REQUEST = { status: '400 Bad Request', code: 'bad_request', message: 'This is not a valid HTTP request.' };

function nameClientError({ code, rawPacket }: ClientError): ClientRefusal {
  if (code === TOO_MANY_PARTS || code === TOO_MANY_BYTES) {
    const inParts = `The body came in more than ${PARTS_MAX} parts. Send it in larger ones, or whole.`;
    const message = code === TOO_MANY_PARTS ? inParts : 'The body is larger than any address takes.';
    return { status: '413 Payload Too Large', code: 'body_too_large', message };
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { status: '408 Request Timeout', code: 'bad_request', message: 'The request did not come whole in time.' };
  }
  if (code !== 'HPE_HEADER_OVERFLOW') {
    return BAD_REQUEST;
  }
  const [line = ''] = (rawPacket ?? Buffer.alloc(0)).toString('latin1').split('\r\n', 1);
  return line.length > URL_BYTES
    ? { status: '414 URI Too Long', code: 'url_too_long', message: `The address is longer than ${URL_BYTES} bytes.` }
    : {
        status: '431 Request Header Fields Too Large',
        code: 'headers_too_large',
        message: 'The headers are too long.',
      };
}

/** Most parts in which a body may arrive: on a slow line each is hundreds of bytes. */
const PARTS_MAX = 1_000;
/** More than any address takes: code that reads a body stops far earlier, or reads it to its end. */
const BYTES_MAX = 512 * 1024;
/** An unread body is read up to this many bytes, so that its client receives the refusal. */
const DRAINED_BYTES = 16 * 1024 * 1024;
/** How long a connection is kept after the answer to an unread body, or to what is no request. */
const LINGER_MS = 500;

const BODILESS = new Set(['GET', 'HEAD']);

/**
 * Limits the cost of an unwanted body. One in very many parts is cut off, as each part costs a function call; when the answer
 * has been sent, the rest is not awaited. `refuse` is called instead of an answer.
 */
function boundBody(request: IncomingMessage, response: ServerResponse, refuse: (code: string) => void): void {
  if (!hasBody(request)) return;
  const push = request.push;
  let parts = 0;
  let bytes = 0;
  let isCut = false;
  request.push = (chunk: Buffer | null, encoding) => {
    parts += 1;
    bytes += chunk?.length ?? 0;
    const isBeyond = parts > PARTS_MAX || (bytes > BYTES_MAX && !response.headersSent);
    if (chunk === null || !isBeyond) return push.call(request, chunk, encoding);
    if (!isCut) cutOff(request, response, () => refuse(parts > PARTS_MAX ? TOO_MANY_PARTS : TOO_MANY_BYTES));
    isCut = true;
    return false;
  };
  response.once('finish', () => {
    if (!request.complete) endSoon(request);
  });
  // Nobody reads it, so its parts are not even counted.
  if (BODILESS.has(request.method ?? '')) response.setHeader('Connection', 'close');
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function cutOff({ socket }: IncomingMessage, { headersSent }: ServerResponse, refuse: () => void): void {
  if (headersSent) return void socket.destroy();
  refuse();
  setImmediate(() => socket.pause());
}

/** Leaves the client time to read the answer, and to send a short rest: then the connection stays. */
function endSoon(request: IncomingMessage): void {
  const { headers, socket } = request;
  // After the server's own attempt to read the rest.
  if (Number(headers['content-length'] ?? 0) > DRAINED_BYTES) setImmediate(() => socket.pause());
  const end = () => !request.complete && socket.destroy();
  setTimeout(end, LINGER_MS).unref();
}
