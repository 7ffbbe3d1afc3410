import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { openLog } from '../schema/process/log.ts';
import { makeWebhook } from './billing/webhook.ts';
import type { House, Operation } from './contract/operation.ts';
import { commonHeaders } from './http/respond.ts';
import { closeServer, listen, makeServer } from './http/serve.ts';
import type { McpExtras } from './mcp/endpoint.ts';
import { operations } from './operations/index.ts';
import { startPrivateServer } from './private-listener.ts';
import { makeKit } from './process/context.ts';
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
  /** What the MCP door answers beside the table. */
  mcp?: McpExtras;
}

export interface RunningServer {
  /** Where the public server listens, without a slash at the end. */
  url: string;
  privateUrl: string;
  /** From now on `/readyz` sends new calls elsewhere; those that come all the same are answered. */
  startDraining(): void;
  /** Stops listening, lets what runs finish and commits what waits. The house's databases stay open. */
  close(): Promise<void>;
}

/** Starts the public and the private server of one API process. */
export async function startServer(house: House, options: ServerOptions = {}): Promise<RunningServer> {
  const { settings } = house;
  const log = options.log ?? openLog(settings, 'api');
  const kit = makeKit(house, options.operations ?? operations, log);
  const web = options.web === undefined ? await makeWebApp(kit.house, undefined, kit) : options.web;
  const listener = makeListener(kit, web?.handler, await makeWebhook(kit), options.mcp);
  const server = makeServer(listener.handle, commonHeaders(settings));
  const url = await listen(server, settings, { host: 'HOST', port: 'PORT' });
  const privateServer = await startPrivateServer(kit);
  return {
    url,
    privateUrl: privateServer.url,
    startDraining: () => privateServer.startDraining(),
    async close() {
      privateServer.startDraining();
      await listener.startDraining();
      await closeServer(server);
      await kit.callers.close();
      await kit.committer.drain();
      await web?.close();
      await privateServer.close();
    },
  };
}
