import { hash, randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Settings } from '../schema/config/settings.ts';
import { WEBHOOK_PATH } from './billing/webhook.ts';
import { type Answer, Refusal } from './contract/errors.ts';
import { URL_BYTES } from './http/body.ts';
import { makeDownloadRoutes } from './http/download/file.ts';
import { admitAnyone, clientAddress, type Exchange, refuseAnyone, respond } from './http/exchange.ts';
import { encodeFor, type KeptBytes, keepBytes } from './http/kept-bytes.ts';
import { allowOrigin, commonHeaders, compressJson, namesTag, splitUrl } from './http/respond.ts';
import { makeRestTransport } from './http/rest/routes.ts';
import { type McpExtras, makeMcpTransport, makeServerEntry } from './mcp/server.ts';
import { makeOpenApi } from './openapi/document.ts';
import type { Context } from './process/context.ts';
import { madeOf } from './validation/known-sources.ts';

const FIVE_MINUTES = 'public, max-age=300';

type Transport = 'rest' | 'mcp' | 'openapi' | 'registry' | 'webhook' | 'none' | 'web';

/** The public server's one listener: passes a request to the transport of its path, or to the pages. */
export function makeListener(
  context: Context,
  web: RequestListener | undefined,
  webhook: (exchange: Exchange) => void,
  extras?: McpExtras,
): { handle: RequestListener; startDraining(): Promise<void> } {
  const { settings } = context.services;
  const rest = makeRestTransport(context, makeDownloadRoutes(context));
  const mcp = makeMcpTransport(context, extras);
  const writeOpenApi = madeOf((operations) => toDocument(JSON.stringify(makeOpenApi(settings, operations))));
  const serverEntry = toDocument(`${JSON.stringify(makeServerEntry(settings), null, 2)}\n`);
  const origins = [...appOrigin(settings), ...settings.CORS_ORIGINS];
  const common = Object.entries(commonHeaders(settings));
  const observe = makeObserver(context);
  const watchProxy = makeProxyWatch(context);
  let draining = false;

  const handle: RequestListener = (request, response) => {
    const requestId = randomUUID();
    const address = clientAddress(request, settings.TRUST_PROXY);
    const exchange: Exchange = { request, response, requestId, address };
    response.setHeader('X-Request-Id', requestId);
    for (const [name, value] of common) response.setHeader(name, value);
    if (draining) response.setHeader('Connection', 'close');
    request.url = withoutOrigin(request.url ?? '/');
    const { path } = splitUrl(request);
    const transport = findTransport(path, web !== undefined);
    observe(transport, exchange);
    watchProxy(request);
    // The pages refuse it with a page of their own.
    if (transport !== 'web' && (request.url ?? '').length > URL_BYTES)
      return void respond(context, exchange, () => refuseAnyone(context.addressLimits, exchange, tooLong()));
    if (transport === 'rest' || transport === 'mcp') compressJson(request, response);
    if (transport === 'rest') {
      allowOrigin(request, response, origins);
      return rest(exchange);
    }
    if (transport === 'mcp') {
      exchange.done = mcp.handle(exchange);
      return;
    }
    if (transport === 'openapi')
      return void respond(context, exchange, async () =>
        serveDocument(context, exchange, writeOpenApi(await context.describeOperations())),
      );
    if (transport === 'registry')
      return void respond(context, exchange, () => serveDocument(context, exchange, serverEntry));
    if (transport === 'webhook') return webhook(exchange);
    if (transport === 'web') return web?.(request, response);
    return void respond(context, exchange, () => refuseAnyone(context.addressLimits, exchange, nothingHere()));
  };
  return {
    handle,
    async startDraining() {
      draining = true;
      await mcp.close();
    },
  };
}

/** An address as most clients send it: some send it with scheme and host, which every server takes (RFC 9112, 3.2.2). */
const withoutOrigin = (url: string): string => url.replace(/^https?:\/\/[^/?]*\/?/i, '/');

/** Our own pages make calls from their own address, where that is different. */
function appOrigin({ APP_URL, BASE_URL }: Settings): string[] {
  const { origin } = new URL(APP_URL);
  return origin === new URL(BASE_URL).origin ? [] : [origin];
}

function findTransport(path: string, hasWeb: boolean): Transport {
  if (path === '/v1' || path.startsWith('/v1/')) return 'rest';
  if (path === '/mcp' || path === '/mcp/') return 'mcp';
  if (path === '/openapi.json') return 'openapi';
  if (path === '/server.json') return 'registry';
  if (path === WEBHOOK_PATH) return 'webhook';
  if (path.startsWith('/.well-known/') || path.startsWith('/mcp/')) return 'none';
  return hasWeb ? 'web' : 'none';
}

/** A text for everybody, and its tag: a weak one, as the same tag goes with the plain text and with each compression of it. */
interface Document {
  kept: KeptBytes;
  tag: string;
}

function toDocument(body: string): Document {
  const tag = `W/"${hash('sha256', body, 'base64url')}"`;
  return { kept: keepBytes(Buffer.from(body)), tag };
}

async function serveDocument(context: Context, exchange: Exchange, { kept, tag }: Document): Promise<Answer> {
  const { request, response } = exchange;
  await admitAnyone(context.addressLimits, exchange);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const message = 'This address answers GET and HEAD only.';
    throw new Refusal(405, 'method_not_allowed', message, { headers: { Allow: 'GET, HEAD' } });
  }
  publish(response, tag);
  if (namesTag(request.headers['if-none-match'], tag)) return { status: 304, body: '' };
  return { status: 200, body: '', ...(await encodeFor(request, kept)) };
}

/** The contract is for everybody to read, from any web page. */
function publish(response: ServerResponse, tag: string): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Cache-Control', FIVE_MINUTES);
  response.setHeader('ETag', tag);
  response.setHeader('Vary', 'Accept-Encoding');
}

function nothingHere(): Refusal {
  return new Refusal(404, 'no_such_route', 'There is nothing at this address.');
}

function tooLong(): Refusal {
  return new Refusal(414, 'url_too_long', `The address is longer than ${URL_BYTES} bytes.`);
}

/** Counts each request and, where `ACCESS_LOG` is on, writes its line: caller, operation and outcome, without address or query. */
function makeObserver(context: Context): (transport: string, exchange: Exchange) => void {
  const isLogged = context.services.settings.ACCESS_LOG === 'on';
  return (transport, exchange) => {
    const { request, response } = exchange;
    const stop = context.metrics.requests.startTimer({ door: transport });
    response.once('close', async () => {
      const isCut = !response.writableFinished;
      // A call whose client has left may still be charged, and an answer written to nobody counts as sent.
      await exchange.done;
      const operation = exchange.operation ?? (transport === 'web' ? nameRoute(request) : '');
      const status = exchange.refusedAs ?? response.statusCode;
      const tookSeconds = stop({ operation, status });
      if (isLogged)
        logAccess(context, exchange, isCut, {
          door: transport,
          operation,
          status,
          ms: Math.round(tookSeconds * 1_000),
        });
    });
  };
}

function logAccess(
  context: Context,
  { requestId, caller, credits = 0 }: Exchange,
  isCut: boolean,
  facts: Record<string, unknown>,
): void {
  const who = caller ? { account: caller.accountId, key: caller.keyId } : {};
  context.log.info({ request_id: requestId, ...facts, ...who, credits, ...(isCut && { cut_short: true }) }, 'answered');
}

/** The pattern of the page that answered, such as `/notices/:id`, which keeps the number of labels small. Empty where none did. */
function nameRoute(request: IncomingMessage): string {
  const { path } = (request as { route?: { path?: unknown } }).route ?? {};
  return typeof path === 'string' ? path : '';
}

/** Warns once about a proxy that the settings do not mention: all its clients would share one allowance. */
function makeProxyWatch({ services, log }: Context): (request: IncomingMessage) => void {
  let isWarned = services.settings.TRUST_PROXY > 0;
  return (request) => {
    if (isWarned || request.headers['x-forwarded-for'] === undefined) return;
    isWarned = true;
    log.warn(
      'requests carry X-Forwarded-For and TRUST_PROXY is 0: behind a proxy all clients share one allowance; set it to the number of proxies',
    );
  };
}
