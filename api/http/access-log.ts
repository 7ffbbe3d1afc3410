import type { IncomingMessage } from 'node:http';
import type { Context } from '../process/context.ts';
import type { Exchange } from './exchange.ts';

/** Counts each request and, where `ACCESS_LOG` is on, writes its line: who, what and how it ended, without address or query. */
export function makeObserver(context: Context): (transport: string, exchange: Exchange) => void {
  const isLogged = context.services.settings.ACCESS_LOG === 'on';
  return (transport, exchange) => {
    const { request, response } = exchange;
    const stop = context.metrics.requests.startTimer({ door: transport });
    response.once('close', () => {
      const operation = exchange.operation ?? (transport === 'web' ? nameRoute(request) : '');
      const status = response.statusCode;
      const tookSeconds = stop({ operation, status });
      if (isLogged)
        logAccess(context, exchange, { door: transport, operation, status, ms: Math.round(tookSeconds * 1_000) });
    });
  };
}

function logAccess(
  context: Context,
  { requestId, response, caller, credits = 0 }: Exchange,
  seen: Record<string, unknown>,
): void {
  const who = caller ? { account: caller.accountId, key: caller.keyId } : {};
  const cut = response.writableFinished ? {} : { cut_short: true };
  context.log.info({ request_id: requestId, ...seen, ...who, credits, ...cut }, 'answered');
}

/** The pattern of the page that answered, such as `/notices/:id`: as many names as there are pages. Empty where none did. */
function nameRoute(request: IncomingMessage): string {
  const { path } = (request as { route?: { path?: unknown } }).route ?? {};
  return typeof path === 'string' ? path : '';
}

/** Warns once about a proxy that is not in the settings: all its clients would share one allowance. */
export function makeProxyWatch({ services, log }: Context): (request: IncomingMessage) => void {
  let isWarned = services.settings.TRUST_PROXY > 0;
  return (request) => {
    if (isWarned || request.headers['x-forwarded-for'] === undefined) return;
    isWarned = true;
    log.warn(
      'requests carry X-Forwarded-For and TRUST_PROXY is 0: behind a proxy all clients share one allowance; set it to the number of proxies',
    );
  };
}
