import type { IncomingMessage, ServerResponse } from 'node:http';

/** Parts that a body may come in: those of a slow line are hundreds of bytes each. */
export const PARTS_MOST = 1_000;
/** Beyond what any address takes: what reads a body stops far earlier, or reads it to its end. */
const BYTES_MOST = 512 * 1024;
/** An unread body is read up to this many bytes, so that its client receives the refusal. */
const DRAINED_BYTES = 16 * 1024 * 1024;
/** How long a connection with an unread body is kept after its answer. */
const LINGER_MS = 500;

const BODILESS = new Set(['GET', 'HEAD']);

/**
 * Bounds what a body costs that is not worth its bytes. One in very many parts is cut off, as each part costs as much as a
 * call of a function; what is left of one when the answer is out is not waited for. `refuse` is called instead of an answer.
 */
export function boundBody(request: IncomingMessage, response: ServerResponse, refuse: () => void): void {
  if (!hasBody(request)) return;
  const push = request.push;
  let parts = 0;
  let bytes = 0;
  let isCut = false;
  request.push = (chunk: Buffer | null, encoding) => {
    parts += 1;
    bytes += chunk?.length ?? 0;
    const isBeyond = parts > PARTS_MOST || (bytes > BYTES_MOST && !response.headersSent);
    if (chunk === null || !isBeyond) return push.call(request, chunk, encoding);
    if (!isCut) cutOff(request, response, refuse);
    isCut = true;
    return false;
  };
  response.once('finish', () => {
    if (!request.complete) endSoon(request);
  });
  // Nobody reads it: its parts are not even counted.
  if (BODILESS.has(request.method ?? '')) response.setHeader('Connection', 'close');
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function cutOff({ socket }: IncomingMessage, { headersSent }: ServerResponse, refuse: () => void): void {
  if (headersSent) return void socket.destroy();
  refuse();
  setImmediate(() => socket.pause());
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Leaves the client time to hear the answer, and to send the rest where that is little: then the connection stays. */
function endSoon(request: IncomingMessage): void {
  const { headers, socket } = request;
  // After the server's own wish to read the rest.
  if (Number(headers['content-length'] ?? 0) > DRAINED_BYTES) setImmediate(() => socket.pause());
  const end = () => !request.complete && socket.destroy();
  setTimeout(end, LINGER_MS).unref();
}
