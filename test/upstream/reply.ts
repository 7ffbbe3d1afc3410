/** What a handler answers with. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** What a handler is asked. */
export interface Asked {
  /** Address of this server, for links in answers. */
  origin: string;
  url: URL;
  headers: Record<string, string | undefined>;
  nowMs: number;
}

/** A JSON answer from bytes or from a value. */
export function json(body: Buffer | object, status = 200): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)),
  };
}

export function html(body: string, status = 200): Reply {
  return { status, headers: { 'content-type': 'text/html; charset=UTF-8' }, body: Buffer.from(body) };
}

export function text(body: string, status: number, headers: Record<string, string> = {}): Reply {
  return { status, headers: { 'content-type': 'text/plain', ...headers }, body: Buffer.from(body) };
}

/** Find a Tender's refusal of a bad request (its API documentation, 1.0). */
export function badRequest(asked: Asked, message: string): Reply {
  return refuseAsked(asked, 400, 'Bad Request', message);
}

/** Find a Tender's answer where nothing is published under an id. */
export function notFound(asked: Asked, message: string): Reply {
  return refuseAsked(asked, 404, 'Not Found', message);
}

function refuseAsked({ url, nowMs }: Asked, status: number, error: string, message: string): Reply {
  const timestamp = new Date(nowMs).toISOString();
  const exception = `${error.replace(' ', '')}Exception`;
  return json({ timestamp, status, error, message, path: url.pathname, exception }, status);
}
