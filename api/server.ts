import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { openLog } from '../schema/process/log.ts';
import { makeWebhook } from './billing/webhook.ts';
import type { Operation, Services } from './contract/operation.ts';
import { commonHeaders } from './http/respond.ts';
import { closeServer, listen, makeServer } from './http/serve.ts';
import type { McpExtras } from './mcp/server.ts';
import { operations } from './operations/index.ts';
import { startPrivateServer } from './private-listener.ts';
import { makeContext } from './process/context.ts';
import { makeListener } from './public-listener.ts';
import { makeWebApp } from './web/app.ts';

export interface WebApp {
  handler: RequestListener;
  close(): Promise<void>;
}

export interface ServerOptions {
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
