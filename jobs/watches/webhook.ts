import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Attempt } from '../../schema/accounts/watches/deliveries.ts';
import { isPublic, lookUpPublic, NOT_PUBLIC } from './public-address.ts';

/** A receiver has this long to answer, resolving its name included. */
const DEADLINE_MS = 15_000;
/** How much of an answer is read and shown to the watch's owner. */
const ANSWER_BYTES = 500;
/** Most interim answers (1xx) before the answer. A receiver that sent them without end would keep this process busy until the deadline. */
const INTERIM_MAX = 10;
const USER_AGENT = 'uk-procurement-data (Standard Webhooks)';

/** A webhook to send. */
interface OutgoingWebhook {
  url: string;
  /** `webhook-id`: the same for each attempt. */
  id: string;
  body: string;
  /** Each one signs it: two during a rotation. */
  secrets: readonly string[];
  now: Date;
}

/** An attempt, and when the receiver asked to be called again (`Retry-After`). */
export type WebhookAttempt = Attempt & { retryAfter?: string };

export interface WebhookClient {
  /** Calls a receiver once. Never throws: a fault is the attempt's `error`. */
  send(webhook: OutgoingWebhook): Promise<WebhookAttempt>;
  close(): void;
}

interface ClientOptions {
  /** `public`: https only, and no private, loopback or link-local address, checked at the moment of connecting. */
  addresses: 'public' | 'any';
  deadlineMs?: number;
  /** Resolves a name to addresses; by default the system's name servers, or its resolver for `any`. */
  lookup?: LookupFunction;
}

/** Calls webhooks as the Standard Webhooks specification describes (standardwebhooks.com). Redirects are not followed. */
export function openWebhookClient({ addresses, deadlineMs = DEADLINE_MS, lookup }: ClientOptions): WebhookClient {
  const isAny = addresses === 'any';
  // No connection is kept, as the address of a name is checked for each delivery.
  const agents = { 'http:': new HttpAgent({ keepAlive: false }), 'https:': new HttpsAgent({ keepAlive: false }) };
  const lookupOnly = isAny ? lookup : lookUpPublic(lookup);
  const open = (webhook: OutgoingWebhook): ClientRequest | string => {
    const url = URL.canParse(webhook.url) ? new URL(webhook.url) : null;
    const isSecure = url?.protocol === 'https:';
    if (!url || !(isSecure || (isAny && url.protocol === 'http:'))) return 'only https addresses are called';
    // A literal address is not looked up.
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    if (!isAny && isIP(literal) !== 0 && !isPublic(literal)) return describeFault({ code: NOT_PUBLIC });
    const options = {
      method: 'POST',
      agent: agents[isSecure ? 'https:' : 'http:'],
      headers: headersOf(webhook),
      ...(lookupOnly && { lookup: lookupOnly }),
    };
    return (isSecure ? requestHttps : requestHttp)(url, options);
  };
  return {
    send: (webhook) => call(() => open(webhook), webhook.body, deadlineMs),
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

async function call(open: () => ClientRequest | string, body: string, deadlineMs: number): Promise<WebhookAttempt> {
  const begin = performance.now();
  const request = open();
  const failed = (error: string) => ({ status: null, answer: null, error });
  const result =
    typeof request === 'string'
      ? { ...failed(request), isSent: false }
      : await exchange(request, body, deadlineMs, failed);
  return { ...result, ms: Math.round(performance.now() - begin) };
}

type CallResult = Omit<WebhookAttempt, 'ms' | 'isSent'>;

function exchange(request: ClientRequest, body: string, deadlineMs: number, failed: (error: string) => CallResult) {
  return new Promise<CallResult & Pick<Attempt, 'isSent'>>((resolve) => {
    let answered: (() => CallResult) | undefined;
    let isSent = false;
    const finish = (result: CallResult) => {
      clearTimeout(deadline);
      request.destroy();
      resolve({ ...result, isSent: isSent || answered !== undefined });
    };
    // Only on a connection that is made, and proved where it is secure.
    request.on('finish', () => {
      isSent = true;
    });
    // The status decides: a body that does not end is abandoned when the time is over.
    const deadline = setTimeout(
      () => finish(answered?.() ?? failed(`no answer within ${deadlineMs / 1_000} s`)),
      deadlineMs,
    );
    request.on('response', (response) => {
      answered = readBeginning(response, finish);
    });
    // Without this, Node closes the connection in silence: there would be no answer until the time is over.
    request.on('upgrade', ({ statusCode = 0 }) => finish({ status: statusCode, answer: '', error: judge(statusCode) }));
    let interim = 0;
    request.on('information', () => {
      interim += 1;
      if (interim > INTERIM_MAX) finish(failed(`more than ${INTERIM_MAX} interim answers (1xx)`));
    });
    // May also fire after an answer, when its connection is cut: then the answer counts.
    request.on('error', (error) => finish(answered?.() ?? failed(describeFault(error))));
    request.end(body);
  });
}

/** Reads how an answer begins, and finishes with that. Returns a function that says what has come so far. */
function readBeginning(response: IncomingMessage, finish: (result: CallResult) => void): () => CallResult {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const status = response.statusCode ?? 0;
  const retryAfter = response.headers['retry-after'];
  const result = (): CallResult => ({
    status,
    answer: Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString('utf8'),
    error: judge(status),
    ...(retryAfter !== undefined && { retryAfter }),
  });
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= ANSWER_BYTES) finish(result());
  });
  for (const event of ['end', 'close', 'error']) response.on(event, () => finish(result()));
  return result;
}

function headersOf({ id, body, secrets, now }: OutgoingWebhook): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': USER_AGENT,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  };
}

function judge(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? `HTTP ${status}: redirects are not followed` : `HTTP ${status}`;
}

const FAULTS: Readonly<Record<string, string>> = {
  [NOT_PUBLIC]: 'its address is not on the public internet',
  ENOTFOUND: 'its name has no address',
  EAI_AGAIN: 'its name could not be resolved',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  ETIMEDOUT: 'the connection took too long',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes without those that prove it',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

/** What the watch's owner reads about a failed connection: the kind of fault, and nothing about our network. */
function describeFault({ code = '' }: Partial<NodeJS.ErrnoException>): string {
  return FAULTS[code] ?? (code ? `the connection failed (${code})` : 'the connection failed');
}
