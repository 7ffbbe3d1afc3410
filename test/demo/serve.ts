import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openServices } from '../../api/process/open.ts';
import { startServer } from '../../api/server.ts';
import { makeMetrics } from '../../jobs/metrics/registry.ts';
import { followTimetable } from '../../jobs/scheduler/follow.ts';
import { makeTimetable } from '../../jobs/scheduler/timetable.ts';
import { createAccount, createKey } from '../../schema/accounts/customer/account.ts';
import { readSettings, type Settings } from '../../schema/config/settings.ts';
import { listen } from '../../schema/process/listen.ts';
import { makeCommands } from './commands.ts';
import { findDemoData } from './data.ts';
import { type OpenServices, openFilledServices } from './fill.ts';
import type { DemoOptions } from './options.ts';

const CREDITS = 250;

/** The whole service on one machine: ingests a sample (or finds an earlier run's), then serves it until the returned function is called. */
export async function serveDemo(options: DemoOptions): Promise<() => Promise<void>> {
  const startedMs = performance.now();
  const port = await findPort();
  const data = await findDemoData(options);
  const makeSettings = (more: Record<string, string>) => makeDemoSettings(data.folder, { PORT: String(port), ...more });
  const jobs = await openFilledServices(data, makeSettings);
  const services = await openServices(jobs.settings, jobs.log);
  const server = await startServer(services, { log: jobs.log });
  // Exports, the index and upkeep keep running; the sources do not, as they were a sample's.
  const following = await followTimetable(jobs, makeTimetable([]), makeMetrics(jobs));
  await printWelcome(jobs, jobs.settings.BASE_URL, (performance.now() - startedMs) / 1_000);
  return async () => {
    await server.close();
    await following.stop();
    await services.close();
    await jobs.close();
  };
}

/** The port that its pages and its welcome name. One that is taken is refused at once, not after the ingest. */
async function findPort(): Promise<number> {
  const server = createServer();
  await listen(server, readSettings(process.env), { host: 'HOST', port: 'PORT' });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Settings of where an installation keeps its data: the sample belongs in the demo's own folder. */
const ELSEWHERE = /^(CATALOGUE|ACCOUNTS|MEILI|EXPORTS)_|^JOBS_ROLES$/;

function makeDemoSettings(folder: string, more: Record<string, string>): Settings {
  const base = readSettings(process.env);
  const own = {
    DATA_DIR: join(base.DATA_DIR, folder),
    CONTACT: 'demo',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
    // Nobody monitors a demo: it takes no port that something else may have.
    PRIVATE_PORT: process.env.PRIVATE_PORT ?? '0',
  };
  const others = Object.entries(process.env).filter(([name]) => !ELSEWHERE.test(name));
  return readSettings({ ...Object.fromEntries(others), ...own, ...more });
}

async function printWelcome(jobs: OpenServices, url: string, seconds: number): Promise<void> {
  const at = new Date().toISOString();
  const account = await createAccount(jobs.accounts, { name: 'demo', signupCredits: CREDITS, at });
  const { key } = await createKey(jobs.accounts, {
    accountId: account.id,
    name: 'demo',
    prefix: jobs.settings.KEY_PREFIX,
    at,
  });
  const server = { url, key, toolPrefix: jobs.settings.TOOL_PREFIX };
  const commands = await makeCommands(jobs.catalogue, jobs.clocks.catalogueNow(), server);
  const lines = [
    '',
    `Ready in ${seconds.toFixed(1)} s: ${url} (pages), ${url}/docs, ${url}/openapi.json, ${url}/mcp/`,
    `Its data lies in ${jobs.settings.DATA_DIR}`,
    `A fresh API key with ${CREDITS} credits: ${key}`,
    '',
    ...commands.flatMap(({ title, text }) => [`# ${title}`, text, '']),
    'The link that confirms a sign-up appears here, in the log.',
    'Ctrl-C stops it.',
  ];
  console.log(lines.join('\n'));
}
