import { hash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import { findDifferences, joinInstallation } from '../schema/accounts/installation.ts';
import { isoInstant } from '../schema/config/clocks.ts';
import { findDatabaseFault, findRemarks } from '../schema/db/readiness.ts';
import { inTime } from '../schema/process/in-time.ts';
import { listen } from '../schema/process/listen.ts';
import { openLog } from '../schema/process/log.ts';
import type { Readiness } from '../schema/process/operator-answers.ts';
import { checkSearch } from '../search/index/health.ts';
import { makeWebhook } from './billing/webhook.ts';
import type { Operation, Services } from './contract/operation.ts';
import { commonHeaders } from './http/respond.ts';
import { closeServer, type ExchangeClasses, makeServer } from './http/serve.ts';
import type { McpExtras } from './mcp/server.ts';
import { CONTRACT_VERSION } from './openapi/document.ts';
import { operations } from './operations/index.ts';
import { type PrivateServer, startPrivateServer } from './private-server.ts';
import { type Context, makeContext } from './process/context.ts';
import { makeListener } from './public-listener.ts';
import { makeWebApp } from './web/app.ts';

export interface WebApp {
  handler: RequestListener;
  /** Of the requests and responses that it handles; absent: Node's. */
  classes?: ExchangeClasses;
  close(): Promise<void>;
}

/** Values of one metric. */
export type Metric = MetricObjectWithValues<MetricValue<string>>;

interface ServerOptions {
  /** Default: the table. */
  operations?: readonly Operation[];
  log?: Logger;
  /** Everything outside the API. Default: the pages; null: those addresses are a JSON 404. */
  web?: WebApp | null;
  /** What the MCP server offers besides the table. */
  mcp?: McpExtras;
  /** One that is started already; default: it starts its own. */
  privateServer?: PrivateServer;
}

export interface RunningServer {
  /** Address of the public server, without a slash at the end. */
  url: string;
  /** Empty where another process has the private server. */
  privateUrl: string;
  checkReadiness(): Promise<Readiness>;
  /** As sent between processes. */
  readMetrics(): Promise<Metric[]>;
  /** From now on `/readyz` sends new calls elsewhere; those that still come are answered. */
  startDraining(): void;
  /** Stops listening, finishes running calls and commits what is queued. The databases stay open. */
  close(): Promise<void>;
}

/** Starts the public and the private server of one API process. */
export async function startServer(services: Services, options: ServerOptions = {}): Promise<RunningServer> {
  const { settings } = services;
  const log = options.log ?? openLog(settings, 'api');
  const table = options.operations ?? operations;
  const program = nameProgram(table);
  const findOthers = await join(services, program, log);
  const made = makeContext(services, table, log);
  const context = { ...made, operations: await made.describeOperations() };
  const web = options.web === undefined ? await makeWebApp(context.services, undefined, context) : options.web;
  const listener = makeListener(context, web?.handler, await makeWebhook(context), options.mcp);
  const server = makeServer(listener.handle, commonHeaders(settings), web?.classes);
  const url = await listen(server, settings, { host: 'HOST', port: 'PORT' });
  const { registry } = context.metrics;
  const answers = { checkReadiness: () => checkReadiness(context, findOthers), writeMetrics: () => registry.metrics() };
  const privateServer = options.privateServer ?? (await startPrivateServer(settings, log));
  privateServer.answerWith(answers);
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

type FindOthers = () => ReturnType<typeof findDifferences>;

/** Registers this process with the installation, and logs how it differs. Returns a function that reports the differences from then on. */
async function join(
  { accounts, settings, secret, clocks }: Services,
  program: string,
  log: Logger,
): Promise<FindOthers> {
  const machine = { secret, toolPrefix: settings.TOOL_PREFIX };
  const changed = await joinInstallation(accounts, machine, { program, at: isoInstant(clocks.wallNow()) });
  for (const change of changed) log.warn(change);
  const find = () => findDifferences(accounts, machine, program);
  for (const fault of (await find()).faults) log.error(fault);
  return find;
}

/** The program, identified by its contract: two with different contracts answer the same call differently. */
function nameProgram(table: readonly Operation[]): string {
  const contract = table.map(({ name, title, description, credits, bindings }) => [
    name,
    title,
    description,
    credits,
    bindings,
  ]);
  const digest = hash('sha256', JSON.stringify(contract)).slice(0, DIGEST_LENGTH);
  return `${CONTRACT_VERSION}-${digest}`;
}

/** Digits of the program's name: enough to distinguish two. */
const DIGEST_LENGTH = 8;
/** Differences from other machines. If the accounts do not answer, that is a separate fault. */
const OTHERS_MS = 2_000;
const UNKNOWN = { faults: [], remarks: [] };

/** What keeps this process from answering, and what is wrong although it answers. */
async function checkReadiness({ services }: Context, findOthers: FindOthers): Promise<Readiness> {
  const [{ answers, said }, exports, others, ...found] = await Promise.all([
    checkSearch(services.search),
    services.findExportFault(),
    inTime(OTHERS_MS, findOthers(), UNKNOWN).catch(() => UNKNOWN),
    findDatabaseFault(services.catalogue, 'catalogue', { writable: false }),
    findDatabaseFault(services.accounts, 'accounts', { writable: true }),
  ]);
  const faults = [...found, answers ? null : said, ...others.faults].flatMap((fault) => fault ?? []);
  // This refuses only exports, and an old copy still answers: everything else works.
  const remarks = [answers ? said : null, exports, ...findRemarks(services.catalogue), ...others.remarks];
  return { faults, remarks: remarks.flatMap((remark) => remark || []) };
}
