import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import { findDatabaseFault, findRemarks } from '../schema/db/readiness.ts';
import { openLog } from '../schema/process/log.ts';
import { checkSearch } from '../search/index/health.ts';
import { makeWebhook } from './billing/webhook.ts';
import type { Operation, Services } from './contract/operation.ts';
import { commonHeaders } from './http/respond.ts';
import { closeServer, listen, makeServer } from './http/serve.ts';
import type { McpExtras } from './mcp/server.ts';
import { operations } from './operations/index.ts';
import { type PrivateServer, type Readiness, startPrivateServer } from './private-server.ts';
import { type Context, makeContext } from './process/context.ts';
import { makeListener } from './public-listener.ts';
import { makeWebApp } from './web/app.ts';

export interface WebApp {
  handler: RequestListener;
  close(): Promise<void>;
}

/** Numbers of one metric. */
export type Metric = MetricObjectWithValues<MetricValue<string>>;

interface ServerOptions {
  /** Default: the table. */
  operations?: readonly Operation[];
  log?: Logger;
  /** Everything that is not the API. Default: the pages; null: those addresses are a JSON 404. */
  web?: WebApp | null;
  /** What the MCP server answers besides the table. */
  mcp?: McpExtras;
  /** Default: with a private server; false where another process has one for all. */
  privately?: boolean;
}

export interface RunningServer {
  /** Where the public server listens, without a slash at the end. */
  url: string;
  /** Empty where another process has the private server. */
  privateUrl: string;
  checkReadiness(): Promise<Readiness>;
  /** As they cross between processes. */
  readMetrics(): Promise<Metric[]>;
  /** From now on `/readyz` sends new calls elsewhere; those that come all the same are answered. */
  startDraining(): void;
  /** Stops listening, finishes running calls and commits what is queued. The databases stay open. */
  close(): Promise<void>;
}

const NO_SERVER: PrivateServer = { url: '', startDraining: () => undefined, close: async () => undefined };

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
  const { registry } = context.metrics;
  const answers = { checkReadiness: () => checkReadiness(context), writeMetrics: () => registry.metrics() };
  const privateServer = options.privately === false ? NO_SERVER : await startPrivateServer(settings, log, answers);
  return {
    checkReadiness: answers.checkReadiness,
    readMetrics: () => registry.getMetricsAsJSON(),
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

/** What keeps this process from answering, and what is not as it should be although it answers. */
async function checkReadiness({ services }: Context): Promise<Readiness> {
  const [{ answers, said }, exports, ...found] = await Promise.all([
    checkSearch(services.search),
    services.findExportFault(),
    findDatabaseFault(services.catalogue, 'catalogue', { writable: false }),
    findDatabaseFault(services.accounts, 'accounts', { writable: true }),
  ]);
  const faults = [...found, answers ? null : said].flatMap((fault) => fault ?? []);
  // Only exports are refused for it, and a copy that is old answers: everything else works.
  const remarks = [answers ? said : null, exports, ...findRemarks(services.catalogue)];
  return { faults, remarks: remarks.flatMap((remark) => remark || []) };
}
