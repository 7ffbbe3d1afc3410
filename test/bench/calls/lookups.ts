import type autocannon from 'autocannon';
import { openDatabase } from '../../../schema/db/open.ts';
import { ANSWERING_HEAP } from '../../../schema/process/heap.ts';
import type { RunningDemo } from '../../demo/child.ts';
import { describeHow, type Figures, type Load, type Measured, measureInTurn, type Served, serve } from './in-turn.ts';

const COMPANIES = 500;
const COMMITS_A_SECOND = 10;
const TOOL = 'svc_lookup_company';

/**
 * Metered point look-ups and tool calls a second, durable debit included, beside an `express()` hello-world, the
 * same look-up unmetered, and the same tools served by the SDK's own stateless example. Each server is a process of its own; `folder` is the demo's, whose companies are asked in turn.
 */
export async function benchLookups({ key }: RunningDemo, folder: string, connections?: number): Promise<void> {
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

  const brief = companies.map((request) => ({ ...request, path: `${request.path}?detail=brief` }));
  const servers = {
    hello: await serve({ serve: 'hello' }, {}),
    bare: await serve({ serve: 'unmetered' }, none, ANSWERING_HEAP),
    text: await serve({ serve: 'metered' }, none, ANSWERING_HEAP),
    sdk: await serve({ serve: 'sdk' }, settings, ANSWERING_HEAP),
    kept: await serve({ serve: 'metered' }, settings, ANSWERING_HEAP),
  };
  const asked = {
    hello: { served: servers.hello, load: {} },
    bare: { served: servers.bare, load: { requests: companies } },
    made: { served: servers.text, load: { requests: companies } },
    madeKeyed: { served: servers.text, load: { requests: keyed } },
    briefMade: { served: servers.text, load: { requests: brief } },
    kept: { served: servers.kept, load: { requests: companies } },
    keptKeyed: { served: servers.kept, load: { requests: keyed } },
    keptBeside: {
      served: servers.kept,
      load: { requests: companies },
      during: (work: () => Promise<Figures>) => besideCommits(folder, work),
    },
    sdk: { served: servers.sdk, load: modernToolCalls(numbers, {}) },
    mcp: { served: servers.kept, load: toolCalls(numbers, headers) },
    modern: { served: servers.kept, load: modernToolCalls(numbers, headers) },
  } satisfies Record<keyof Lookups, Measured>;
  try {
    const figures = await measureInTurn(Object.values(asked), connections);
    const named = Object.keys(asked).map((name, index) => [name, figures[index]]);
    console.log(`\nlook-ups of ${numbers.length} companies, ${describeHow(connections)}`);
    showLookups(Object.fromEntries(named));
  } finally {
    for (const served of Object.values(servers)) await served.stop();
  }
}

type Lookups = Record<
  | 'hello'
  | 'bare'
  | 'made'
  | 'madeKeyed'
  | 'briefMade'
  | 'kept'
  | 'keptKeyed'
  | 'keptBeside'
  | 'sdk'
  | 'mcp'
  | 'modern',
  Figures
>;

function showLookups(of: Lookups): void {
  const { hello, bare, made, kept, sdk } = of;
  show('express() hello-world', hello);
  show('look-up, unmetered, of its text', bare);
  show('look-up, metered, of its text', made, hello, 'hello-world');
  show('  with a key each', of.madeKeyed, made, 'unkeyed');
  show('  brief, cut from it', of.briefMade, made, 'whole');
  show('look-up, metered, kept', kept, hello, 'hello-world');
  show('  with a key each', of.keptKeyed, kept, 'unkeyed');
  show(`  beside ${COMMITS_A_SECOND} commits a second`, of.keptBeside, kept, 'without');
  show("the SDK's stateless example, free", sdk);
  for (const [era, figures] of Object.entries({ '2025-11-25': of.mcp, '2026-07-28': of.modern })) {
    show(`  over MCP ${era}`, figures, kept, 'REST');
    show('    beside the same', figures, sdk, "the SDK's example");
  }
  const [byRate, byCpu] = [(bare.rate / made.rate - 1) * 100, (made.cpuMicros / bare.cpuMicros - 1) * 100];
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
export function startPages(settings: Record<string, string>): Promise<Served> {
  const lifted = { WEB_REQUESTS_PER_MINUTE: '10000000', WEB_PAGES_PER_DAY: '10000000', LOG_LEVEL: 'warn' };
  return serve({ serve: 'pages' }, { ...lifted, ...settings }, ANSWERING_HEAP);
}

function show(title: string, figures: Figures, against?: Figures, name?: string): void {
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
