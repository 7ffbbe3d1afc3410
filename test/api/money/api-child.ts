import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { openServices } from '../../../api/process/open.ts';
import { startServer } from '../../../api/server.ts';
import { readSettings } from '../../../schema/config/settings.ts';
import { testRows } from '../test-operations.ts';
import { watchLoop } from './watch-loop.ts';

/** What a process serves: the test rows, which need no catalogue, or the whole table. */
export interface ApiOrder {
  rows: 'test' | 'all';
  /** Says once a second how long its event loop stood still. */
  isWatched?: boolean;
}

/** One API process over the databases that its settings name: loads its code, takes an order on standard input, says where it answers. */
const { rows, isWatched } = JSON.parse(await text(process.stdin)) as ApiOrder;
const settings = readSettings(process.env);
const log = pino({ level: settings.LOG_LEVEL }, pino.destination(2));
const services = await openServices(settings, log);
const operations = rows === 'test' ? { operations: testRows } : {};
const server = await startServer(services, { log, web: null, ...operations });
console.log(JSON.stringify({ url: server.url, privateUrl: server.privateUrl } satisfies ApiAddress));
if (isWatched) watchLoop((freeze) => console.log(JSON.stringify(freeze)));

/** Its first line. */
export interface ApiAddress {
  url: string;
  privateUrl: string;
}
