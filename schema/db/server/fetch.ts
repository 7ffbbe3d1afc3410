import { Agent, request as requestPlainly } from 'node:http';
import { request as requestSafely, Agent as SafeAgent } from 'node:https';

/** A request to a database server. */
interface ServerRequest {
  method: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
  /** How long the whole answer may take, in milliseconds. */
  deadlineMs: number;
}

/** A server's complete answer. */
export interface ServerAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** What the client package of a database server reads of an answer. */
type Answered = Pick<Response, 'ok' | 'status' | 'body' | 'text' | 'json' | 'arrayBuffer'> & {
  headers: Pick<Headers, 'get'>;
};

/** How long an idle connection is kept, as with the built-in `fetch`: network equipment may drop one silently. */
const IDLE_MS = 4_000;

/**
 * Sends requests to a database server over kept connections. The built-in `fetch` streams what is one short text and has every
 * answer compressed, which for a small batch is most of its processor time. Throws like that one: `TypeError` with its cause, and
 * a `DOMException` named `TimeoutError`.
 */
export function makeServerRequest(): (url: URL, request: ServerRequest) => Promise<ServerAnswer> {
  const kept = { keepAlive: true, timeout: IDLE_MS };
  const agents = { plain: new Agent(kept), safe: new SafeAgent(kept) };
  return (url, { method, headers, body, deadlineMs }) => {
    const isSafe = url.protocol === 'https:';
    const agent = isSafe ? agents.safe : agents.plain;
    const sending = (isSafe ? requestSafely : requestPlainly)(url, { method, headers, agent });
    return new Promise<ServerAnswer>((resolve, reject) => {
      const fail = (cause: unknown) => reject(new TypeError('fetch failed', { cause }));
      const timer = setTimeout(() => {
        reject(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
        sending.destroy();
      }, deadlineMs);
      sending.on('close', () => clearTimeout(timer));
      sending.on('error', fail);
      sending.on('response', (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', fail);
        response.on('end', () => {
          clearTimeout(timer);
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) });
        });
      });
      sending.end(body);
    });
  };
}

/** The same as a `fetch` for the client package, with one deadline in milliseconds. @param more - headers of every request */
export function makeServerFetch(deadlineMs: number, more: Readonly<Record<string, string>>): typeof fetch {
  const send = makeServerRequest();
  return async (input, init) => {
    const asked = new Request(input, init);
    const body = asked.body ? Buffer.from(await asked.arrayBuffer()) : undefined;
    const headers = { ...Object.fromEntries(asked.headers), ...more };
    return toResponse(await send(new URL(asked.url), { method: asked.method, headers, body, deadlineMs })) as Response;
  };
}

function toResponse({ status, headers, body }: ServerAnswer): Answered {
  const text = async () => body.toString('utf8');
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name) => headers[name.toLowerCase()]?.toString() ?? null },
    body: null,
    text,
    json: async () => JSON.parse(await text()) as unknown,
    arrayBuffer: async () => new Uint8Array(body).buffer,
  };
}
