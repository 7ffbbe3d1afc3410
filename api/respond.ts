import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from './errors.ts';

/** Metered answers belong to one caller and one moment. */
export const PRIVATE = { 'Cache-Control': 'private, no-store' };

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
