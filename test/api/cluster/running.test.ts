import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ask } from '../../support/client.ts';
import { findFreePort } from '../../support/free-port.ts';
import { buildSampleServer } from '../../support/sample-services.ts';
import type { BuiltServer } from '../../support/services.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';
import { makeRandom } from '../../upstream/sample/random.ts';
import { makeSeen, runClient } from '../money/client.ts';
import { judge } from '../money/judge.ts';
import { readRealAsks, send } from '../money/metered-calls.ts';
import { findWorkers, isAlive, launchApi, PROCESSES, type Running, stopRunning, untilAnswering } from './processes.ts';

const CALLS = 60;
const ALLOWED = 40;
const PAGES = 20;

const canLimit = spawnSync('prlimit', ['--version']).status === 0;
if (!canLimit) console.warn('running.test: no prlimit here, so no API process runs out of files.');

/** Bounds the files that a process may open from now on. @param most - above the number of any new one */
const limitFiles = (pid: number, most: number) => spawnSync('prlimit', ['--pid', String(pid), `--nofile=${most}:`]);

/** The number that the next file of a process will have. */
async function findFreeFile(pid: number): Promise<number> {
  const open = new Set(await readdir(`/proc/${pid}/fd`));
  let free = 0;
  while (open.has(String(free))) free += 1;
  return free;
}

let services: BuiltServer;
let running: Running;
/** Of these one hangs while it starts, from the beginning of this file on: it is given eight times as long as one that answers. */
let hanging: { running: Running; pid: number };
/** Starts the API as in production, with several processes. */
const launch = (more: Record<string, string>, under: readonly string[] = []) =>
  launchApi(services.settings, more, under);
beforeAll(async () => {
  services = await buildSampleServer();
  running = await untilAnswering(await launchOnPort({ API_HANG_SECONDS: '3' }));
  hanging = { running, pid: await hangWhileStarting(running) };
});
afterAll(async () => {
  await stopRunning(hanging.running);
  await services.close();
});

/**
 * Starts it for one kind of trouble, as the wait before a process is replaced doubles each time. It has a fixed port: where no
 * process is left that listens, the next would be given another one.
 */
const launchOnPort = async (more: Record<string, string> = {}) =>
  launch({ PORT: String(await findFreePort()), ...more });

/** Ends one of them, and halts the one that is started in its place. @returns its number */
async function hangWhileStarting({ workers, child }: Running): Promise<number> {
  const answering = workers().filter(isAlive);
  process.kill(answering[0] ?? 0, 'SIGKILL');
  const findStarting = () => findWorkers(child.pid).find((pid) => !answering.includes(pid));
  const hung = await vi.waitUntil(findStarting, LIMITS_MS.wait);
  process.kill(hung, 'SIGSTOP');
  return hung;
}

/** A call on a connection of its own. */
const call = (path: string, apiKey: string) =>
  send({ url: running.url, transport: 'rest', ask: { tool: '', inputs: {}, method: 'GET', path }, apiKey });

const readMetrics = async () => (await ask(running.privateUrl, '/metrics')).text;

const isReady = async () => (await ask(running.privateUrl, '/readyz')).text;

describe('several API processes behind one port, with allowances and few files,', () => {
  beforeAll(async () => {
    const allowances = { KEY_REQUESTS_PER_MINUTE: String(ALLOWED), WEB_REQUESTS_PER_MINUTE: String(PAGES) };
    running = await untilAnswering(launch(allowances, ['sh', '-c', 'ulimit -n 250; exec "$@"', 'sh']));
  });
  afterAll(() => stopRunning(running));

  it('share the calls, one allowance, one set of search readers, and numbers that add up', async () => {
    expect(await isReady()).toBe('ready\n');
    const { key } = await services.addCustomer(10_000);
    const answers = await Promise.all(
      Array.from({ length: CALLS }, () => call('/v1/tenders/search?query=services', key)),
    );
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    expect([count(200), count(429)]).toEqual([ALLOWED, CALLS - ALLOWED]);
    await expect.poll(() => running.lines.filter(({ msg }) => msg === 'answered').length).toBe(CALLS);
    const answering = new Set(running.lines.filter(({ msg }) => msg === 'answered').map(({ pid }) => pid));
    expect([...answering].sort()).toEqual(running.workers().sort());
    const metrics = await readMetrics();
    const counted = [...metrics.matchAll(/^api_request_duration_seconds_count\{.*\} (\d+)$/gm)];
    expect(counted.reduce((sum, [, one]) => sum + Number(one), 0)).toBe(CALLS);
    expect(metrics).toMatch(new RegExp(`^api_processes ${PROCESSES}$`, 'm'));
    expect(metrics).toMatch(/^search_answers_total\{.*\} \d+$/m);
    expect((await call('/v1/balance', services.key)).status).toBe(200);
    const pages = await Promise.all(Array.from({ length: 2 * PAGES }, () => call('/robots.txt', '')));
    expect(pages.filter(({ status }) => status === 200)).toHaveLength(PAGES);
  });

  it('stay ready while more clients connect than they have files, and answer the next', async () => {
    const port = Number(new URL(running.url).port);
    const idle = Array.from({ length: 600 }, () => connect(port, '127.0.0.1').resume());
    for (const one of idle) one.on('error', () => undefined);
    await expect.poll(() => idle.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(300);
    expect(await isReady()).toBe('ready\n');
    for (const one of idle) one.destroy();
    await expect.poll(async () => (await call('/v1/balance', services.key)).status).toBe(200);
  });

  it.runIf(canLimit)(
    'close connections for which none of them has a file left, say so once each, and take the next',
    async () => {
      const told = () => running.lines.filter(({ msg }) => msg.includes('has no file left for connections'));
      // A file that is closed while they are limited is free again.
      const limitAndCall = async () => {
        for (const pid of running.workers()) limitFiles(pid, await findFreeFile(pid));
        return call('/v1/balance', services.key).then(({ status }) => String(status), String);
      };
      for (let number = 0; number < 3 * PROCESSES; number++)
        await expect.poll(limitAndCall).toMatch(/ECONNRESET|hang up/);
      for (const pid of running.workers()) limitFiles(pid, 250);
      for (let number = 0; number < PROCESSES; number++)
        expect((await call('/v1/balance', services.key)).status).toBe(200);
      await expect.poll(() => told().length).toBe(PROCESSES);
    },
  );

  it('answer running calls after SIGTERM, and end together', async () => {
    const { key } = await services.addCustomer(10_000);
    const calls = Array.from({ length: 12 }, () => call('/v1/notices/search?query=services', key));
    await pause(50);
    // As a terminal or a supervisor does it: to the whole group.
    for (const pid of [...running.workers(), running.child.pid ?? 0]) process.kill(pid, 'SIGTERM');
    const settled = await Promise.allSettled(calls);
    const answered = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value.status] : []));
    expect(new Set(answered)).toEqual(new Set([200]));
    expect((await once(running.child, 'exit'))[0]).toBe(0);
    expect(running.lines.at(-1)?.msg).toBe('stopped');
  });
});

describe('several API processes, one of which is killed,', () => {
  let launched: ReturnType<typeof launch>;
  beforeAll(async () => {
    launched = await launchOnPort();
  });
  afterAll(() => stopRunning(launched));

  it('are whole once the first, killed while the others start, is replaced', async () => {
    await vi.waitUntil(() => launched.workers().length === 2, LIMITS_MS.wait);
    process.kill(launched.workers()[0] ?? 0, 'SIGKILL');
    running = await untilAnswering(launched);
    await expect.poll(isReady, { timeout: LIMITS_MS.wait }).toBe('ready\n');
    expect(running.workers().filter(isAlive)).toHaveLength(PROCESSES);
  });

  it('lose no charge and no number when one is killed under load, and another takes its place', async () => {
    const customers = await Promise.all(Array.from({ length: 12 }, () => services.addCustomer(1_000_000)));
    const asks = await readRealAsks(services);
    const seen = makeSeen();
    let [answered, stopped] = [0, false];
    const market = {
      random: makeRandom(7),
      customers,
      asks: asks.filter(({ method }) => method === 'GET'),
      urls: () => [running.url],
      seen,
      onAnswer() {
        answered += 1;
      },
    };
    const clients = Array.from({ length: 4 }, (_, index) => runClient(market, `c${index}`, () => stopped));
    await expect.poll(() => answered).toBeGreaterThan(20);
    const before = await readMetrics();
    const known = running.workers();
    const victim = known.find(isAlive) ?? 0;
    process.kill(victim, 'SIGKILL');
    await expect.poll(() => running.workers().length).toBe(known.length + 1);
    await expect.poll(isReady).toBe('ready\n');
    await services.accounts.write([{ sql: "UPDATE idempotency SET claim_expires_at = 0 WHERE state = 'running'" }]);
    stopped = true;
    await Promise.all(clients);
    const faults = (await judge(services.accounts, customers, seen)).faults;
    expect(faults.slice(0, 3)).toEqual([]);
    const after = await readMetrics();
    expect(restartsOf(after)).toBe(restartsOf(before) + 1);
    expect(sumOf(after)).toBeGreaterThanOrEqual(sumOf(before));
  });

  it.runIf(canLimit)('are whole again after there was no file left to replace one with', async () => {
    const primary = running.child.pid ?? 0;
    const isTold = (told: RegExp) => running.lines.some(({ msg }) => told.test(msg));
    const [victim = 0] = running.workers().filter(isAlive);
    limitFiles(primary, (await readdir(`/proc/${primary}/fd`)).length - 1);
    process.kill(victim, 'SIGKILL');
    await expect.poll(() => isTold(/a new API process did not start/), { timeout: LIMITS_MS.wait }).toBe(true);
    limitFiles(primary, 1_000);
    await expect.poll(isReady, { timeout: LIMITS_MS.wait }).toBe('ready\n');
    expect(running.workers().filter(isAlive)).toHaveLength(PROCESSES);
  });
});

describe('several API processes, one of which hangs,', () => {
  beforeAll(() => {
    running = hanging.running;
  });

  it('are whole again after one hung while it started', async () => {
    await expect.poll(() => isAlive(hanging.pid), { timeout: LIMITS_MS.usual }).toBe(false);
    expect(running.workers()).not.toContain(hanging.pid);
    await expect.poll(isReady, { timeout: LIMITS_MS.wait }).toBe('ready\n');
    expect(running.workers().filter(isAlive)).toHaveLength(PROCESSES);
  });

  it('are whole again after one of them hung', async () => {
    await Promise.all(Array.from({ length: 12 }, () => call('/v1/tenders/search?query=services', services.key)));
    const charged = sumOf(await readMetrics());
    expect(charged).toBeGreaterThan(0);
    const hung = running.workers().find(isAlive) ?? 0;
    process.kill(hung, 'SIGSTOP');
    // Waits for the hung one, until that is killed.
    const meanwhile = readMetrics();
    const isWhole = async () => !isAlive(hung) && (await ask(running.privateUrl, '/readyz')).status === 200;
    await expect.poll(isWhole, { timeout: LIMITS_MS.wait }).toBe(true);
    expect(running.lines.map(({ msg }) => msg)).toContain('an API process has hung for 3 s and is killed');
    await expect.poll(() => running.workers().filter(isAlive)).toHaveLength(PROCESSES);
    expect([sumOf(await meanwhile), sumOf(await readMetrics())]).toEqual([charged, charged]);
  });

  it('end with the process that started them', async () => {
    running.child.kill('SIGKILL');
    await once(running.child, 'exit');
    await expect.poll(() => running.workers().filter(isAlive)).toEqual([]);
  });
});

const restartsOf = (metrics: string) => Number(/^api_process_restarts_total (\d+)$/m.exec(metrics)?.[1]);

function sumOf(metrics: string): number {
  const counted = [...metrics.matchAll(/^api_credits_charged_total\{.*\} (\d+)$/gm)];
  return counted.reduce((sum, [, one]) => sum + Number(one), 0);
}
