import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { createAccount, createKey } from '../../../schema/accounts/customer/account.ts';
import { grantStatement, MOST_GRANTED } from '../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { WORLD_NOW } from '../../generated/notices/make.ts';
import { scriptArguments } from '../../support/compiled.ts';
import { makeDatabase } from '../../support/databases.ts';
import { makeEnvironment } from '../../support/environment.ts';
import { ROOT } from '../../support/source-files.ts';
import { fillServices } from '../pages/measure.ts';
import { makeQueries } from '../search/queries.ts';
import { showLoad, showTimes } from '../show-times.ts';

const RATE = 1_000;
const SECONDS = { warm: 6, measured: 15 };
const CONNECTIONS = 64;
const COMPANIES = 500;
const QUERIES_EACH = 15;
const AT_ONCE = 4;
const SETTLING_MS = 5_000;

/**
 * The API as one process and as four on one port, over generated notices: metered look-ups that come at their instants
 * however late the answers are, and what memory each process takes then and after searches, pages and quotes.
 */
export async function benchProcesses(notices = 200_000): Promise<void> {
  const { path, remove } = await fillServices(notices);
  try {
    console.log(`\nmetered look-ups over ${notices} notices, ${RATE} a second, ${CONNECTIONS} connections at most`);
    for (const processes of [1, 4]) await benchOne(path, processes);
  } finally {
    await remove();
  }
}

async function benchOne(folder: string, processes: number): Promise<void> {
  const { key, paths } = await makeCaller(folder);
  const api = await startApi(folder, processes);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const ask = (path: string) => timeCall(`${api.url}${path}`, key, agent);
  try {
    await callSteadily(ask, paths, SECONDS.warm);
    const beforeMs = await readCpuMs(api.pid);
    const { times, failed } = await callSteadily(ask, paths, SECONDS.measured);
    const cpu = `${Math.round((((await readCpuMs(api.pid)) - beforeMs) * 1_000) / times.length)} us of processor`;
    console.log(
      `\n  API_PROCESSES=${processes}: ${showTimes(times)}  ${cpu}${failed ? `  ${failed} FAILED` : ''}  (${showLoad()})`,
    );
    await showMemory('after the look-ups', api.pid);
    await askOthers(ask);
    await askQuotes(api.url, key);
    await pause(SETTLING_MS);
    await showMemory('after searches, pages and quotes as well', api.pid);
  } finally {
    agent.destroy();
    await api.stop();
  }
  const accounts = await makeDatabase(folder, 'accounts');
  const { charges, faults } = await verifyLedger(accounts);
  await accounts.close();
  console.log(`    the ledger: ${charges} charges, ${faults.length} faults`);
}

/** A key with credits for any load, and the look-ups that are asked in turn. */
async function makeCaller(folder: string): Promise<{ key: string; paths: string[] }> {
  const accounts = await makeDatabase(folder, 'accounts');
  const catalogue = await makeDatabase(folder, 'catalogue');
  const at = new Date().toISOString();
  const { id: accountId } = await createAccount(accounts, { name: 'bench', signupCredits: 0, at });
  await accounts.write([grantStatement({ key: `bench:${accountId}`, accountId, credits: MOST_GRANTED, at })]);
  const { key } = await createKey(accounts, { accountId, name: 'bench', prefix: 'svc_live_', at });
  const sql = `SELECT company_number AS number FROM company WHERE company_number IS NOT NULL LIMIT ${COMPANIES}`;
  const rows = await catalogue.read<{ number: string }>({ sql });
  await accounts.close();
  await catalogue.close();
  return { key, paths: rows.map(({ number }) => `/v1/companies/${number}`) };
}

async function startApi(folder: string, processes: number) {
  const settings = {
    DATA_DIR: folder,
    AS_OF: WORLD_NOW.toISOString(),
    API_PROCESSES: String(processes),
    KEY_REQUESTS_PER_MINUTE: '10000000',
    ...{ PORT: '0', PRIVATE_PORT: '0', DRAIN_SECONDS: '0' },
  };
  const env = makeEnvironment(settings);
  const stdio = ['ignore', 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit'];
  const child = spawn(process.execPath, scriptArguments('api/main.ts'), { cwd: ROOT, env, stdio });
  const ended = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const { msg, public: address } = JSON.parse(line) as { msg?: string; public?: string };
      if (msg === 'answering' && address) resolve(address);
    });
    ended.then(([code]) => reject(new Error(`the API ended with ${code}`)));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { url, pid: child.pid ?? 0, stop };
}

/** Whether it was answered. */
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
async function callSteadily(ask: (path: string) => Promise<boolean>, paths: readonly string[], seconds: number) {
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
async function askOthers(ask: (path: string) => Promise<boolean>): Promise<void> {
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

interface Memory {
  what: string;
  /** Kilobytes: resident; with what is shared divided among its users; and of these what is its own. */
  rss: number;
  pss: number;
  own: number;
}

/** Of a process and all below it; of these nothing where the system does not say. */
async function showMemory(when: string, pid: number): Promise<void> {
  const all = await readMemory(pid, 'main');
  const sum = (of: (one: Memory) => number) => Math.round(all.reduce((total, one) => total + of(one), 0) / 1_024);
  const each = all.map(({ what, rss, pss }) => `${what} ${Math.round(rss / 1_024)}/${Math.round(pss / 1_024)}`);
  console.log(
    `    ${when}: ${sum(({ rss }) => rss)} MB RSS, ${sum(({ pss }) => pss)} PSS, of it ${sum(({ own }) => own)} not of files`,
  );
  console.log(`      RSS/PSS: ${each.join(', ')}`);
}

async function readMemory(pid: number, what: string): Promise<Memory[]> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0);
  const below = await Promise.all((await childrenOf(pid)).map(async (child) => readMemory(child, await nameOf(child))));
  return [{ what, rss: of('Rss'), pss: of('Pss'), own: of('Pss_Anon') }, ...below.flat()];
}

/** Milliseconds of processor that a process and all below it have taken: of these the clock ticks a hundred times a second. */
async function readCpuMs(pid: number): Promise<number> {
  const [, rest = ''] = (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).split(') ');
  const [user = 0, system = 0] = rest.split(' ').slice(11, 13).map(Number);
  const below = await Promise.all((await childrenOf(pid)).map(readCpuMs));
  return below.reduce((sum, one) => sum + one, 10 * (user + system));
}

async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return children.split(' ').filter(Boolean).map(Number);
}

const READERS: Readonly<Record<string, string>> = {
  'embedded/reader': 'search reader',
  'export-rows': 'row reader',
  'summary/reader': 'summary reader',
  'find/reader': 'list or look-up reader',
};

async function nameOf(pid: number): Promise<string> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return Object.entries(READERS).find(([path]) => command.includes(path))?.[1] ?? 'worker';
}
