import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import autocannon from 'autocannon';
import { openDatabase } from '../../../schema/db/open.ts';
import { ANSWERING_HEAP } from '../../../schema/process/child.ts';
import type { RunningDemo } from '../../demo/child.ts';
import { needCompiled } from '../../support/compiled.ts';
import { makeEnvironment } from '../../support/environment.ts';
import type { LookupOrder, LookupReport } from './lookup-process.ts';

const LOAD = { connections: 32, duration: 8 };
/** A server that has just begun compiles its own code: that is not what is asked. */
const WARM = { connections: 32, duration: 5 };
const COMPANIES = 500;
const COMMITS_A_SECOND = 10;
const TOOL = 'svc_lookup_company';

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

/**
 * Metered point look-ups and tool calls a second, durable debit included, beside an `express()` hello-world, the
 * same look-up unmetered, and the same tools served by the SDK's own stateless example. Each server is a process of its own; `folder` is the demo's, whose companies are asked in turn.
 */
export async function benchLookups({ key }: RunningDemo, folder: string): Promise<void> {
  const numbers = await readNumbers(folder);
  const headers = { Authorization: `Bearer ${key}` };
  const companies = numbers.map((number) => ({ path: `/v1/companies/${number}`, headers }));
  let call = 0;
  const keyed = companies.map((request) => ({
    ...request,
    setupRequest: (made: autocannon.Request) => {
      call += 1;
      return { ...made, headers: { ...made.headers, 'Idempotency-Key': `bench-${process.pid}-${call}` } };
    },
  }));
  const settings = { DATA_DIR: folder, KEY_REQUESTS_PER_MINUTE: '10000000', LOG_LEVEL: 'warn' };
  const none = { ...settings, KEPT_ANSWERS_MB: '0' };

  const [hello] = await serve({ serve: 'hello' }, {}, [{}]);
  const [bare] = await serve({ serve: 'unmetered' }, none, [{ requests: companies }]);
  const brief = companies.map((request) => ({ ...request, path: `${request.path}?detail=brief` }));
  const [made, madeKeyed, briefMade] = await serve({ serve: 'metered' }, none, [
    { requests: companies },
    { requests: keyed },
    { requests: brief },
  ]);
  const [sdk] = await serve({ serve: 'sdk' }, settings, [modernToolCalls(numbers, {})]);
  const [kept, keptKeyed, mcp, modern] = await serve({ serve: 'metered' }, settings, [
    { requests: companies },
    { requests: keyed },
    toolCalls(numbers, headers),
    modernToolCalls(numbers, headers),
  ]);
  const [keptBeside] = await besideCommits(folder, () =>
    serve({ serve: 'metered' }, settings, [{ requests: companies }]),
  );
  console.log(
    `\nlook-ups of ${numbers.length} companies in turn, ${LOAD.connections} connections, ${LOAD.duration} s each`,
  );
  show('express() hello-world', hello);
  show('look-up, unmetered, of its text', bare);
  show('look-up, metered, of its text', made, hello, 'hello-world');
  show('  with a key each', madeKeyed, made, 'unkeyed');
  show('  brief, cut from it', briefMade, made, 'whole');
  show('look-up, metered, kept', kept, hello, 'hello-world');
  show('  with a key each', keptKeyed, kept, 'unkeyed');
  show(`  beside ${COMMITS_A_SECOND} commits a second`, keptBeside, kept, 'without');
  show("the SDK's stateless example, free", sdk);
  for (const [era, figures] of Object.entries({ '2025-11-25': mcp, '2026-07-28': modern })) {
    show(`  over MCP ${era}`, figures, kept, 'REST');
    show('    beside the same', figures, sdk, "the SDK's example");
  }
  const added = (figure: 'rate' | 'cpuMicros') => Math.abs((made?.[figure] ?? 0) / (bare?.[figure] ?? 1));
  const byRate = (1 / added('rate') - 1) * 100;
  const byCpu = (added('cpuMicros') - 1) * 100;
  console.log(
    `  metering adds ${byRate.toFixed(0)} % to the time of a look-up, ${byCpu.toFixed(0)} % to its processor time`,
  );
}

/** Runs `work` while this process commits to the catalogue what no look-up is about, as ingest does. */
async function besideCommits<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const catalogue = await openDatabase({ url: `file:${folder}/catalogue.db`, durability: 'normal' });
  const sql = "INSERT OR REPLACE INTO meta (name, value) VALUES ('bench', ?)";
  const timer = setInterval(() => {
    catalogue.write([{ sql, args: [String(Date.now())] }]).catch((error: unknown) => console.error(error));
  }, 1_000 / COMMITS_A_SECOND);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await catalogue.close();
  }
}

/** Numbers of companies in the catalogue of a folder. */
export async function readNumbers(folder: string): Promise<string[]> {
  const catalogue = await openDatabase({ url: `file:${folder}/catalogue.db`, durability: 'normal', readOnly: true });
  const sql = `SELECT company_number AS number FROM company WHERE company_number IS NOT NULL AND gone = 0 LIMIT ${COMPANIES}`;
  const rows = await catalogue.read<{ number: string }>({ sql });
  await catalogue.close();
  return rows.map(({ number }) => number);
}

/** The pages and the API in a process of their own. */
export async function startPages(
  settings: Record<string, string>,
): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  const lifted = { WEB_REQUESTS_PER_MINUTE: '10000000', WEB_PAGES_PER_DAY: '10000000', LOG_LEVEL: 'warn' };
  const child = startChild({ ...lifted, ...settings }, ANSWERING_HEAP);
  const url = await ask(child, { serve: 'pages' } satisfies LookupOrder, 'url');
  return { url, pid: child.pid ?? 0, stop: () => stopChild(child) };
}

function startChild(settings: Record<string, string>, execArgv: readonly string[] = []): ChildProcess {
  const env = makeEnvironment({ PORT: '0', PRIVATE_PORT: '0', ...settings });
  return fork(needCompiled('test/bench/calls/lookup-process.ts'), { execArgv: [...execArgv], env });
}

async function stopChild(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

/** Starts a server, warms it with each load and measures it under each. */
export async function serve(order: LookupOrder, settings: Record<string, string>, loads: Load[]): Promise<Figures[]> {
  const child = startChild(settings);
  try {
    const url = (await ask(child, order, 'url')) ?? '';
    const figures: Figures[] = [];
    for (const { path = '', ...load } of loads) {
      await autocannon({ ...WARM, ...load, url: url + path });
      figures.push(await measure(child, { ...LOAD, ...load, url: url + path }));
    }
    return figures;
  } finally {
    await stopChild(child);
  }
}

async function measure(child: ChildProcess, options: autocannon.Options): Promise<Figures> {
  const beforeMs = await ask(child, {}, 'cpuMs');
  const { requests, latency, non2xx, errors } = await autocannon(options);
  const cpuMicros = (((await ask(child, {}, 'cpuMs')) - beforeMs) * 1_000) / requests.total;
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

function show(title: string, figures: Figures | undefined, against?: Figures, name?: string): void {
  if (!figures) throw new Error(`nothing was measured for: ${title}`);
  const { rate, p50, p99, failed, cpuMicros } = figures;
  const ratio = against ? `   ${(rate / against.rate).toFixed(2)} x ${name}` : '';
  const wrong = failed > 0 ? `  ${failed} FAILED` : '';
  const took = `p50 ${p50} ms  p99 ${p99} ms  ${cpuMicros.toFixed(0).padStart(4)} us of processor`;
  console.log(`  ${title.padEnd(34)} ${rate.toFixed(0).padStart(7)}/s  ${took}${ratio}${wrong}`);
}

function toolCalls(numbers: string[], headers: Record<string, string>): Load {
  return toMcp(numbers, headers, {});
}

/** As a client of protocol 2026-07-28 sends it: an envelope in every request, repeated in headers. */
function modernToolCalls(numbers: string[], headers: Record<string, string>): Load {
  const prefix = 'io.modelcontextprotocol/';
  const _meta = {
    [`${prefix}protocolVersion`]: '2026-07-28',
    [`${prefix}clientInfo`]: { name: 'bench', version: '1.0.0' },
    [`${prefix}clientCapabilities`]: {},
  };
  const repeated = { 'Mcp-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': TOOL };
  return toMcp(numbers, { ...headers, ...repeated }, { _meta });
}

function toMcp(numbers: string[], headers: Record<string, string>, more: object): Load {
  const accept = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const requests = numbers.map((number) => {
    const params = { name: TOOL, arguments: { company_number: number }, ...more };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    return { method: 'POST' as const, path: '/mcp/', headers: { ...headers, ...accept }, body };
  });
  return { requests };
}
