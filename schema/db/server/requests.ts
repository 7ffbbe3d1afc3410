import { Agent, request as requestPlainly } from 'node:http';
import { request as requestSafely, Agent as SafeAgent } from 'node:https';
import { HttpServerError, openHttp } from '@libsql/hrana-client';
import { headersOf, httpAddressOf, type ServerPlace } from './place.ts';
import { makeTimeout } from './refusal.ts';
import type { Transport } from './wire.ts';

/** What the client of a database server reads of an answer. */
type Answered = Pick<Response, 'ok' | 'status' | 'text' | 'json'> & { headers: Pick<Headers, 'get'> };

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** How long an idle connection is kept, as with the built-in `fetch`: network equipment may drop one silently. */
const IDLE_MS = 4_000;

/** How a server says, before it runs anything, that it does not know a stream: after a restart (libSQL server 0.24) or an idle time (Turso). */
const FORGOTTEN = new Set([400, 404]);
/** What Node throws, before anything is sent, for a text that is not an address, or for an address of another scheme. */
const NO_ADDRESS = new Set(['ERR_INVALID_URL', 'ERR_INVALID_PROTOCOL']);
/** A server stores 50 statements for a stream (libSQL server 0.24). */
const STORED_MAX = 40;

/** Streams over HTTP: each request names its stream by a token that the answer before gave. @param deadlineMs for each request */
export function openRequests(place: ServerPlace, authToken: string | undefined, deadlineMs: number): Transport {
  const fetchInTime = makeServerFetch(deadlineMs, headersOf(place));
  const client = openHttp(httpAddressOf(place), authToken, fetchInTime);
  return {
    async open() {
      const stream = client.openStream();
      const store = (sql: string) => stream.storeSql(sql);
      return { stream, texts: new Map(), mostTexts: STORED_MAX, store, inTime: (answer) => answer };
    },
    isUnsent: (error) => (error instanceof HttpServerError ? FORGOTTEN.has(error.status) : hasNoAddress(error)),
  };
}

/** Whether the `base_url` that the server named for the next request is useless. Another stream begins at the configured address. */
function hasNoAddress(error: unknown): boolean {
  return error instanceof TypeError && NO_ADDRESS.has((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * A `fetch` for the client of a database server: requests over kept connections, each complete by a deadline in milliseconds.
 * The built-in one streams what is one short text and has every answer compressed, which for a small batch is most of its
 * processor time. Throws like the built-in one: `TypeError` with its cause, and a `DOMException` named `TimeoutError`. @param
 * more - headers of every request
 */
export function makeServerFetch(deadlineMs: number, more: Readonly<Record<string, string>>): typeof fetch {
  const kept = { keepAlive: true, timeout: IDLE_MS };
  const agents = { plain: new Agent(kept), safe: new SafeAgent(kept) };
  return async (input, init) => {
    const asked = input instanceof Request && !init ? input : new Request(input, init);
    const url = new URL(asked.url);
    const body = asked.body ? Buffer.from(await asked.arrayBuffer()) : undefined;
    const headers = { ...Object.fromEntries(asked.headers), ...more };
    const isSafe = url.protocol === 'https:';
    const agent = isSafe ? agents.safe : agents.plain;
    const sending = (isSafe ? requestSafely : requestPlainly)(url, { method: asked.method, headers, agent });
    const answer = await new Promise<Answer>((resolve, reject) => {
      const fail = (cause: unknown) => reject(new TypeError('fetch failed', { cause }));
      const timer = setTimeout(() => {
        reject(makeTimeout());
        sending.destroy();
      }, deadlineMs);
      sending.on('close', () => clearTimeout(timer));
      sending.on('error', fail);
      sending.on('response', (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', fail);
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) });
        });
      });
      sending.end(body);
    });
    return toResponse(answer) as Response;
  };
}

/**
 * A refused request has no type, so that the client reads its text alone: JSON with a `message`, as gateways send, would pass for
 * the answer of the database, which answers with 200 also where it refuses a statement.
 */
function toResponse({ status, headers, body }: Answer): Answered {
  const ok = status >= 200 && status < 300;
  const known = ok ? headers : { ...headers, 'content-type': undefined };
  const text = async () => body.toString('utf8');
  return {
    ok,
    status,
    headers: { get: (name) => known[name.toLowerCase()]?.toString() ?? null },
    text,
    json: async () => JSON.parse(await text()) as unknown,
  };
}
