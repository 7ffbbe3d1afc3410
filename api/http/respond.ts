import type { IncomingMessage, ServerResponse } from 'node:http';
import compression from 'compression';
import type { Settings } from '../../schema/config/settings.ts';
import type { Answer } from '../contract/errors.ts';

/** Metered answers belong to one caller and one moment. */
export const PRIVATE = { 'Cache-Control': 'private, no-store' };

/** Headers of every answer: no content sniffing and, where the service uses TLS, TLS only. */
export function commonHeaders({ BASE_URL, APP_URL }: Pick<Settings, 'BASE_URL' | 'APP_URL'>): Record<string, string> {
  const isSecure = [BASE_URL, APP_URL].every((url) => url.startsWith('https:'));
  return {
    'X-Content-Type-Options': 'nosniff',
    ...(isSecure && { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }),
  };
}

/** Writes a JSON answer whole. A metered one has no ETag and is never 304. */
export function send(response: ServerResponse, { status, body, bytes, headers, replayed }: Answer): void {
  if (status === 304) return void response.writeHead(status, headers).end();
  const sent = bytes ?? body;
  const type = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(sent) };
  const replay = replayed ? { 'Idempotent-Replayed': 'true' } : {};
  response.writeHead(status, { ...type, ...headers, ...replay });
  response.end(sent);
}

/** Whether an `If-None-Match` header names a tag, weak or strong (RFC 9110, 13.1.2). */
export function namesTag(header: string | undefined, tag: string): boolean {
  const plain = (one: string) => one.trim().replace(/^W\//, '');
  const named = header?.split(',').map(plain) ?? [];
  return named.includes(plain(tag)) || named.includes('*');
}

/** The path and the raw query of a request. */
export function splitUrl(request: IncomingMessage): { path: string; query: string } {
  const url = request.url ?? '/';
  const at = url.indexOf('?');
  return at < 0 ? { path: url, query: '' } : { path: url.slice(0, at), query: url.slice(at + 1) };
}

type Run = (request: IncomingMessage, response: ServerResponse, done: () => void) => void;

/** Excludes JSON Lines files, which are sent byte for byte or in ranges, and event streams. */
const JSON_TYPE = /^application\/(csvm\+)?json\b/;

const compress = compression({
  filter: (_request, response) => JSON_TYPE.test(String(response.getHeader('Content-Type'))),
}) as unknown as Run;

/** Compresses a JSON answer above 1 kB where the client accepts it. Other requests do no extra work. */
export function compressJson(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers['accept-encoding'] !== undefined) compress(request, response, () => undefined);
}

const ALLOWED_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, Accept, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID';
const EXPOSED_HEADERS =
  'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Idempotent-Replayed, WWW-Authenticate, Link';
const DAY_SECONDS = '86400';

/**
 * Lets the named origins read answers from a browser; `*` lets all. Keys travel in a header, never in a cookie, so credentials
 * are not allowed. Origins that are not named get no headers.
 */
export function allowOrigin(request: IncomingMessage, response: ServerResponse, origins: readonly string[]): void {
  if (origins.length === 0) return;
  response.setHeader('Vary', 'Origin');
  const { origin } = request.headers;
  if (!origin || !(origins.includes('*') || origins.includes(origin))) return;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
}

/** Answers OPTIONS: the methods of the address, and for an allowed origin what a browser may send. */
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
