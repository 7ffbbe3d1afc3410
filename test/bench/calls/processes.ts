import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { WORLD_NOW } from '../../generated/notices/make.ts';
import { makeDatabase } from '../../support/databases.ts';
import { fillServices } from '../pages/measure.ts';
import { makeQueries } from '../search/queries.ts';
import { showLoad, showTimes } from '../show-times.ts';
import { makeCaller, serviceSettings, startApi } from './api-process.ts';
import { serve } from './in-turn.ts';
import { type Memory, megabytes, readCpuMs, readMemory, sumOf } from './process-tree.ts';

const RATE = 1_000;
const SECONDS = { warm: 6, measured: 15 };
const CONNECTIONS = 64;
const COMPANIES = 500;
const QUERIES_EACH = 15;
const AT_ONCE = 4;
/** The readers are idle, and have collected, when they took next to nothing for this long: each API process takes some by itself. */
const SETTLING_MS = 5_000;
const IDLE_CPU_MS = 150;
const LOOK_MS = 500;

/**
 * The API as one process and as four on one port, over generated notices: metered look-ups that come at their instants
 * however late the answers are, and what memory each process takes then and after searches, pages and quotes.
 */
export async function benchProcesses(notices = 200_000): Promise<void> {
  const { path, remove } = await fillServices(notices);
  try {
    console.log(`\nmetered look-ups over ${notices} notices, ${RATE} a second, ${CONNECTIONS} connections at most`);
    await benchFloor();
    for (const processes of [1, 4]) await benchOne(path, processes);
  } finally {
    await remove();
  }
}

/** The same load on a server that does nothing: what slows the machine down slows both. */
async function benchFloor(): Promise<void> {
  const { url, stop } = await serve({ serve: 'hello' }, {});
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  try {
    await callSteadily((path) => timeCall(path, '', agent), [url], SECONDS.warm);
    const { times } = await callSteadily((path) => timeCall(path, '', agent), [url], SECONDS.measured);
    console.log(`  express() hello-world: ${showTimes(times)}  (${showLoad()})`);
  } finally {
    agent.destroy();
    await stop();
  }
}

async function benchOne(folder: string, processes: number): Promise<void> {
  const [key, paths] = [await makeCaller(folder), await readPaths(folder)];
  const own = { AS_OF: WORLD_NOW.toISOString(), API_PROCESSES: String(processes) };
  const api = await startApi({ ...serviceSettings(folder), ...own });
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const ask = (path: string) => timeCall(`${api.url}${path}`, key, agent);
  const peak = watchMemory(api.pid);
  try {
    await callSteadily(ask, paths, SECONDS.warm);
    console.log(`\n  API_PROCESSES=${processes}`);
    await showCalls('while all companies are read for the lists', ask, paths, api.pid);
    await settle(api.pid, processes);
    await showCalls('later', ask, paths, api.pid);
    await showMemory('after the look-ups', api.pid);
    await askOthers(ask);
    await askQuotes(api.url, key);
    await settle(api.pid, processes);
    await showMemory('after searches, pages and quotes as well', api.pid);
    console.log(`    at most ${megabytes(await peak.end())} MB not of files since it started`);
  } finally {
    await peak.end();
    agent.destroy();
    await api.stop();
  }
  const accounts = await makeDatabase(folder, 'accounts');
  const { charges, faults } = await verifyLedger(accounts);
  await accounts.close();
  console.log(`    the ledger: ${charges} charges, ${faults.length} faults`);
}

async function showCalls(when: string, ask: Ask, paths: readonly string[], pid: number): Promise<void> {
  const beforeMs = await readCpuMs(pid);
  const { times, failed } = await callSteadily(ask, paths, SECONDS.measured);
  const cpu = `${Math.round((((await readCpuMs(pid)) - beforeMs) * 1_000) / times.length)} us of processor`;
  console.log(`    ${when}: ${showTimes(times)}  ${cpu}${failed ? `  ${failed} FAILED` : ''}  (${showLoad()})`);
}

/** The look-ups that are asked in turn. */
async function readPaths(folder: string): Promise<string[]> {
  const catalogue = await makeDatabase(folder, 'catalogue');
  const sql = `SELECT company_number AS number FROM company WHERE company_number IS NOT NULL LIMIT ${COMPANIES}`;
  const rows = await catalogue.read<{ number: string }>({ sql });
  await catalogue.close();
  return rows.map(({ number }) => `/v1/companies/${number}`);
}

/** Asks for a path, and tells whether it was answered. */
type Ask = (path: string) => Promise<boolean>;

function timeCall(url: string, key: string, agent: Agent): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${key}` };
    const sent = get(url, { agent, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve((response.statusCode ?? 500) < 400));
      response.once('error', () => resolve(false));
    });
    sent.once('error', () => resolve(false));
  });
}

/** Calls are due at even instants; each is timed from when it was due. */
async function callSteadily(ask: Ask, paths: readonly string[], seconds: number) {
  const startMs = performance.now();
  const times: number[] = [];
  const calls: Promise<void>[] = [];
  let failed = 0;
  const call = async (index: number) => {
    const isAnswered = await ask(paths[index % paths.length] ?? '');
    times.push(performance.now() - startMs - (index * 1_000) / RATE);
    if (!isAnswered) failed += 1;
  };
  while (calls.length < RATE * seconds) {
    const due = Math.min(RATE * seconds, Math.floor(((performance.now() - startMs) * RATE) / 1_000) + 1);
    while (calls.length < due) calls.push(call(calls.length));
    await pause(1);
  }
  await Promise.all(calls);
  return { times, failed };
}

/** Searches, sums, lists and pages, four at a time: what fills the memory of readers and processes. */
async function askOthers(ask: Ask): Promise<void> {
  const left = otherPaths();
  const one = async () => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) await ask(path);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

/** Two quotes at once, each in a row reader. */
async function askQuotes(url: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const quote = (dataset: string) =>
    fetch(`${url}/v1/exports`, { method: 'POST', headers, body: JSON.stringify({ dataset, dry_run: true }) });
  await Promise.all([quote('contracts'), quote('companies')]);
}

function otherPaths(): string[] {
  const texts = [...makeQueries(QUERIES_EACH).values()].flat().map(({ text = '*' }) => encodeURIComponent(text));
  const searches = texts.flatMap((text) => [
    `/v1/notices/search?query=${text}`,
    `/v1/contracts/search?query=${text}`,
    `/notices?query=${text}`,
    `/tenders?query=${text}`,
  ]);
  const sums = ['buyer', 'supplier', 'cpv,year'].map((group) => `/v1/contracts/summary?group_by=${group}`);
  return [...searches, ...sums, '/v1/companies?sic=62', '/v1/companies?cpv=45', '/v1/buyers?query=council'];
}

/** Waits until the readers are idle: the first lists are answered before all companies are read. */
async function settle(pid: number, processes: number): Promise<void> {
  for (let before = await readCpuMs(pid); ; ) {
    await pause(SETTLING_MS);
    const now = await readCpuMs(pid);
    if (now - before < IDLE_CPU_MS * processes) return;
    before = now;
  }
}

/** Looks at the memory of a process and all below it until it is told to end. */
function watchMemory(pid: number): { end(): Promise<number> } {
  const ending = new AbortController();
  const watching = (async () => {
    let most = 0;
    while (!ending.signal.aborted) {
      most = Math.max(
        most,
        sumOf(await readMemory(pid, 'main'), ({ own }) => own),
      );
      await pause(LOOK_MS);
    }
    return most;
  })();
  return {
    end() {
      ending.abort();
      return watching;
    },
  };
}

/** Of a process and all below it; of these nothing where the system does not say. */
async function showMemory(when: string, pid: number): Promise<void> {
  const all = await readMemory(pid, 'main');
  const sum = (of: (one: Memory) => number) => megabytes(sumOf(all, of));
  const each = all.map(({ what, rss, own }) => `${what} ${megabytes(rss)}/${megabytes(own)}`);
  console.log(
    `    ${when}: ${sum(({ rss }) => rss)} MB RSS, ${sum(({ pss }) => pss)} PSS, of it ${sum(({ own }) => own)} not of files`,
  );
  console.log(`      RSS/not of files: ${each.join(', ')}`);
}
