import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { findDatabaseFault } from '../schema/db/readiness.ts';
import { openLog } from '../schema/process/log.ts';
import { checkSearch } from '../search/index/health.ts';
import { makeWebhook } from './billing/webhook.ts';
import type { Operation, Services } from './contract/operation.ts';
import { commonHeaders, splitUrl } from './http/respond.ts';
import { closeServer, listen, makeServer } from './http/serve.ts';
import type { McpExtras } from './mcp/server.ts';
import { operations } from './operations/index.ts';
import { type Context, makeContext } from './process/context.ts';
import { makeListener } from './public-listener.ts';
import { makeWebApp } from './web/app.ts';

export interface WebApp {
  handler: RequestListener;
  close(): Promise<void>;
}

interface ServerOptions {
  /** Default: the table. */
  operations?: readonly Operation[];
  log?: Logger;
  /** Everything that is not the API. Default: the pages; null: those addresses are a JSON 404. */
  web?: WebApp | null;
  /** What the MCP server answers besides the table. */
  mcp?: McpExtras;
}

export interface RunningServer {
  /** Where the public server listens, without a slash at the end. */
  url: string;
  privateUrl: string;
  /** From now on `/readyz` sends new calls elsewhere; those that come all the same are answered. */
  startDraining(): void;
  /** Stops listening, finishes running calls and commits what is queued. The databases stay open. */
  close(): Promise<void>;
}

/** Starts the public and the private server of one API process. */
export async function startServer(services: Services, options: ServerOptions = {}): Promise<RunningServer> {
  const { settings } = services;
  const log = options.log ?? openLog(settings, 'api');
  const made = makeContext(services, options.operations ?? operations, log);
  const context = { ...made, operations: await made.describeOperations() };
  const web = options.web === undefined ? await makeWebApp(context.services, undefined, context) : options.web;
  const listener = makeListener(context, web?.handler, await makeWebhook(context), options.mcp);
  const server = makeServer(listener.handle, commonHeaders(settings));
  const url = await listen(server, settings, { host: 'HOST', port: 'PORT' });
  const privateServer = await startPrivateServer(context);
  return {
    url,
    privateUrl: privateServer.url,
    startDraining: () => privateServer.startDraining(),
    async close() {
      privateServer.startDraining();
      await listener.startDraining();
      await closeServer(server);
      await context.callers.close();
      await context.committer.drain();
      await web?.close();
      await privateServer.close();
    },
  };
}

interface PrivateServer {
  url: string;
  /** From now on `/readyz` sends new work elsewhere. */
  startDraining(): void;
  close(): Promise<void>;
}

/**
 * For the operator alone, on an address that the public cannot reach: `/metrics`; `/healthz` (the process is alive);
 * `/readyz` (both databases at this version, accounts writable, searches answered: 503 with every reason otherwise; what is
 * amiss besides, such as exports that are refused, is said below `ready`).
 */
async function startPrivateServer(context: Context): Promise<PrivateServer> {
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
  const said = faults.length > 0 ? ['not ready', ...faults, ...remarks] : ['ready', ...remarks];
  write(response, faults.length > 0 ? 503 : 200, `${said.join('\n')}\n`);
}

/** What keeps this process from answering, and what is not as it should be although it answers. */
async function checkReadiness({ services }: Context): Promise<{ faults: string[]; remarks: string[] }> {
  const [{ answers, said }, exports, ...found] = await Promise.all([
    checkSearch(services.search),
    services.findExportFault(),
    findDatabaseFault(services.catalogue, 'catalogue', { writable: false }),
    findDatabaseFault(services.accounts, 'accounts', { writable: true }),
  ]);
  const faults = [...found, answers ? null : said].flatMap((fault) => fault ?? []);
  // Only exports are refused for it: everything else is answered.
  return { faults, remarks: [answers ? said : null, exports].flatMap((remark) => remark || []) };
}

function write(response: ServerResponse, status: number, text: string): void {
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.writeHead(status);
  response.end(text);
}
