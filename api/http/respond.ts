import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Settings } from '../../schema/config/settings.ts';
import type { Answer } from '../contract/errors.ts';

/** Metered answers belong to one caller and one moment. */
export const PRIVATE = { 'Cache-Control': 'private, no-store' };

/** What every answer of every door says: it is what its type says, and, where the house speaks TLS, nothing else is spoken. */
export function commonHeaders({ BASE_URL, APP_URL }: Pick<Settings, 'BASE_URL' | 'APP_URL'>): Record<string, string> {
  const isSecure = [BASE_URL, APP_URL].every((url) => url.startsWith('https:'));
  return {
    'X-Content-Type-Options': 'nosniff',
    ...(isSecure && { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }),
  };
}

/** Writes a JSON answer whole. No ETag: a metered answer is never 304. */
export function send(response: ServerResponse, { status, body, headers, replayed }: Answer): void {
  const type = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(body) };
  const replay = replayed ? { 'Idempotent-Replayed': 'true' } : {};
  response.writeHead(status, { ...type, ...headers, ...replay });
  response.end(body);
}

/** The path and the raw query of a request. */
export function splitUrl(request: IncomingMessage): { path: string; query: string } {
  const url = request.url ?? '/';
  const at = url.indexOf('?');
  return at < 0 ? { path: url, query: '' } : { path: url.slice(0, at), query: url.slice(at + 1) };
}
