import { createServer, type ServerResponse } from 'node:http';
import { findDatabaseFault } from '../schema/db/readiness.ts';
import { checkSearch } from '../search/index/health.ts';
import { splitUrl } from './http/respond.ts';
import { closeServer, listen } from './http/serve.ts';
import type { Context } from './process/context.ts';

export interface PrivateServer {
  url: string;
  /** From now on `/readyz` sends new work elsewhere. */
  startDraining(): void;
  close(): Promise<void>;
}

/**
 * For the operator alone, on an address that the public cannot reach: `/metrics`; `/healthz` (the process is alive);
 * `/readyz` (both databases at this version, accounts writable, searches answered: 503 with every reason otherwise).
 */
export async function startPrivateServer(context: Context): Promise<PrivateServer> {
  const { settings } = context.services;
  let draining = false;
  const server = createServer((request, response) => {
    answerPrivately(context, splitUrl(request).path, draining, response).catch((error: unknown) => {
      context.log.error({ err: error }, 'the private server failed');
      write(response, 500, 'failed\n');
    });
  });
  const url = await listen(server, settings, { host: 'PRIVATE_HOST', port: 'PRIVATE_PORT' });
  return {
    url,
    startDraining() {
      draining = true;
    },
    close: () => closeServer(server),
  };
}

async function answerPrivately(
  context: Context,
  path: string,
  draining: boolean,
  response: ServerResponse,
): Promise<void> {
  if (path === '/healthz') return write(response, 200, 'ok\n');
  if (path === '/metrics') {
    response.setHeader('Content-Type', context.metrics.registry.contentType);
    return write(response, 200, await context.metrics.registry.metrics());
  }
  if (path !== '/readyz') return write(response, 404, 'not found\n');
  if (draining) return write(response, 503, 'draining\n');
  const { faults, remarks } = await checkReadiness(context);
  if (faults.length > 0) context.log.warn({ faults }, 'not ready');
  const said = faults.length > 0 ? ['not ready', ...faults] : ['ready', ...remarks];
  write(response, faults.length > 0 ? 503 : 200, `${said.join('\n')}\n`);
}

/** What keeps this process from answering, and what is not as it should be although it answers. */
async function checkReadiness({ services }: Context): Promise<{ faults: string[]; remarks: string[] }> {
  const [{ answers, said }, ...found] = await Promise.all([
    checkSearch(services.search),
    findDatabaseFault(services.catalogue, 'catalogue', { writable: false }),
    findDatabaseFault(services.accounts, 'accounts', { writable: true }),
  ]);
  const faults = [...found, answers ? null : said].flatMap((fault) => fault ?? []);
  return { faults, remarks: answers && said ? [said] : [] };
}

function write(response: ServerResponse, status: number, text: string): void {
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.writeHead(status);
  response.end(text);
}
