import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import autocannon from 'autocannon';
import { needCompiled } from '../../support/compiled.ts';
import { makeEnvironment } from '../../support/environment.ts';
import type { LookupOrder, LookupReport } from './lookup-process.ts';

/** Connections that ask at once, unless others are named. */
const CONNECTIONS = 32;
/** A server that has just begun compiles its own code: that is not what is asked. */
const WARM_SECONDS = 5;
/** A machine is faster in one minute than in the next, so what is compared is measured in turn. */
const ROUNDS = { count: 4, seconds: 3 };

export interface Load {
  path?: string;
  requests?: autocannon.Request[];
}

export interface Figures {
  /** Requests a second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  failed: number;
  /** Microseconds of the server's processor for each request. */
  cpuMicros: number;
}

/** How it is measured, in words. */
export const describeHow = (connections = CONNECTIONS) =>
  `${connections} connections, in turn for ${ROUNDS.seconds} s, the median of ${ROUNDS.count} times`;

/** A server in a process of its own. */
export interface Served {
  url: string;
  pid: number;
  /** Milliseconds of processor that it has taken. */
  readCpuMs(): Promise<number>;
  stop(): Promise<void>;
}

/** @param execArgv - flags of Node for the process. @throws Error where the server ends instead */
export async function serve(
  order: LookupOrder,
  settings: Record<string, string>,
  execArgv: readonly string[] = [],
): Promise<Served> {
  const env = makeEnvironment({ PORT: '0', PRIVATE_PORT: '0', ...settings });
  const child = fork(needCompiled('test/bench/calls/lookup-process.ts'), { execArgv: [...execArgv], env });
  const url = (await ask(child, order, 'url')) ?? '';
  return {
    url,
    pid: child.pid ?? 0,
    readCpuMs: () => ask(child, {}, 'cpuMs'),
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/** A load on a server. */
export interface Measured {
  served: Served;
  load: Load;
  /** What this process does meanwhile. */
  during?: (work: () => Promise<Figures>) => Promise<Figures>;
}

/** Warms each server with each of its loads, then measures all of them in turn. Returns the median of each figure, and the sum of all failures. */
export async function measureInTurn(all: readonly Measured[], connections = CONNECTIONS): Promise<Figures[]> {
  for (const { served, load } of all) await apply(served, { connections, ...load }, WARM_SECONDS);
  const figures: Figures[][] = all.map(() => []);
  for (let round = 0; round < ROUNDS.count; round++) {
    for (const [index, { served, load, during }] of all.entries()) {
      const work = () => apply(served, { connections, ...load }, ROUNDS.seconds);
      figures[index]?.push(await (during ? during(work) : work()));
    }
  }
  return figures.map((each) => {
    const median = (of: 'rate' | 'p50' | 'p99' | 'cpuMicros') => medianOf(each.map((one) => one[of]));
    const failed = each.reduce((sum, one) => sum + one.failed, 0);
    return { rate: median('rate'), p50: median('p50'), p99: median('p99'), cpuMicros: median('cpuMicros'), failed };
  });
}

/** Of two in the middle, their mean. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const [low, high] = [sorted[(sorted.length - 1) >> 1] ?? 0, sorted[sorted.length >> 1] ?? 0];
  return (low + high) / 2;
}

async function apply(
  served: Served,
  { path = '', ...load }: Load & { connections: number },
  duration: number,
): Promise<Figures> {
  const beforeMs = await served.readCpuMs();
  const options = { duration, ...load, url: served.url + path };
  const { requests, latency, non2xx, errors } = await autocannon(options);
  const cpuMicros = (((await served.readCpuMs()) - beforeMs) * 1_000) / requests.total;
  return { rate: requests.average, p50: latency.p50, p99: latency.p99, failed: non2xx + errors, cpuMicros };
}

/** @throws Error where the server ended instead. */
async function ask<K extends 'url' | 'cpuMs'>(
  child: ChildProcess,
  message: object,
  what: K,
): Promise<Extract<LookupReport, Record<K, unknown>>[K]> {
  const asking = new AbortController();
  const ended = once(child, 'exit', asking).then(([code]) => {
    throw new Error(`the server ended with ${code}`);
  });
  const told = once(child, 'message', asking) as Promise<[Extract<LookupReport, Record<K, unknown>>]>;
  child.send(message);
  const [report] = await Promise.race([told, ended]);
  asking.abort();
  return report[what];
}
