import type { IncomingMessage, ServerResponse } from 'node:http';

const ALLOWED_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, Accept, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID';
const EXPOSED_HEADERS =
  'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Idempotent-Replayed, WWW-Authenticate, Link';
const DAY_SECONDS = '86400';

/**
 * Lets the named origins read answers from a browser; `*` among them lets all. Keys travel in a header, never in a
 * cookie, so credentials are not allowed. Nothing is said to an origin that is not named.
 */
export function allowOrigin(request: IncomingMessage, response: ServerResponse, origins: readonly string[]): void {
  if (origins.length === 0) return;
  response.setHeader('Vary', 'Origin');
  const { origin } = request.headers;
  if (!origin || !(origins.includes('*') || origins.includes(origin))) return;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
}

/** Answers OPTIONS: what the address allows, and to an allowed origin what a browser may send. */
export function answerOptions(response: ServerResponse, methods: readonly string[]): void {
  const allow = [...methods, 'OPTIONS'].join(', ');
  if (response.hasHeader('Access-Control-Allow-Origin')) {
    response.setHeader('Access-Control-Allow-Methods', allow);
    response.setHeader('Access-Control-Allow-Headers', ALLOWED_HEADERS);
    response.setHeader('Access-Control-Max-Age', DAY_SECONDS);
  }
  response.writeHead(204, { Allow: allow });
  response.end();
}
