import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Operation } from '../../../api/contract/operation.ts';
import { operations } from '../../../api/operations/index.ts';
import { openServices } from '../../../api/process/open.ts';
import { startServer } from '../../../api/server.ts';
import { readSettings } from '../../../schema/config/settings.ts';
import { openLog } from '../../../schema/process/log.ts';
import { makeSdkExample } from './sdk-example.ts';

/** A server in a process of its own: an `express()` hello-world, the API with or without its metering or with its pages, or the SDK's example with its tools. */
export interface LookupOrder {
  serve: 'hello' | 'metered' | 'pages' | 'sdk' | 'unmetered';
}

/** What it answers to an order, and to each further message. */
export type LookupReport = { url: string } | { cpuMs: number };

const [order] = (await once(process, 'message')) as [LookupOrder];
tell({ url: await start(order.serve) });
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  tell({ cpuMs: (user + system) / 1_000 });
});

function tell(report: LookupReport): void {
  process.send?.(report);
}

function start(what: LookupOrder['serve']): Promise<string> {
  if (what === 'hello') return startHello();
  if (what === 'pages') return startPages();
  return what === 'sdk' ? startSdk() : startApi(what === 'metered');
}

async function startHello(): Promise<string> {
  const app = express();
  app.get('/', (_request, response) => {
    response.json({ hello: 'world' });
  });
  return `${await listen(createServer(app))}/`;
}

async function startSdk(): Promise<string> {
  const settings = readSettings(process.env);
  return listen(makeSdkExample(await openServices(settings, openLog(settings, 'api')), operations));
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function startPages(): Promise<string> {
  const settings = readSettings(process.env);
  const log = openLog(settings, 'api');
  return (await startServer(await openServices(settings, log), { log })).url;
}

async function startApi(isMetered: boolean): Promise<string> {
  const settings = readSettings(process.env);
  const log = openLog(settings, 'api');
  const table = isMetered ? operations : operations.map(unmetered);
  const server = await startServer(await openServices(settings, log), { log, operations: table, web: null });
  return server.url;
}

/** The same look-up for anybody: no key, no idempotency, no debit. */
function unmetered(operation: Operation): Operation {
  return operation.name === 'lookup_company' ? { ...operation, credits: 0, public: true } : operation;
}
