import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import autocannon from 'autocannon';
import express from 'express';
import type { RunningDemo } from '../demo/child.ts';

const LOAD = { connections: 32, duration: 8 };

/** Metered point look-ups and tool calls a second, durable debit included, beside an `express()` hello-world. */
export async function benchLookups({ url, key, commands }: RunningDemo): Promise<void> {
  const number = /companies\/(\w+)\/profile/.exec(commands.join('\n'))?.[1] ?? '';
  const headers = { Authorization: `Bearer ${key}` };
  const floor = await measureHello();
  const rest = await measure({ url: `${url}/v1/companies/${number}`, headers });
  const mcp = await measure(toolCall(url, headers, number));
  const modern = await measure(modernToolCall(url, headers, number));
  console.log(
    `\nlook-ups, ${LOAD.connections} connections, ${LOAD.duration} s each (client and server share the machine)`,
  );
  console.log(`  express() hello-world       ${show(floor)}`);
  console.log(`  metered company look-up     ${show(rest)}   ${(rest.rate / floor.rate).toFixed(2)} x hello-world`);
  console.log(`  the same over MCP           ${show(mcp)}   ${(mcp.rate / rest.rate).toFixed(2)} x REST`);
  console.log(`  over MCP 2026-07-28         ${show(modern)}   ${(modern.rate / rest.rate).toFixed(2)} x REST`);
}

type Load = Partial<autocannon.Options> & { url: string };

const TOOL = 'svc_lookup_company';

function toolCall(url: string, headers: Record<string, string>, number: string, meta: object = {}): Load {
  const params = { name: TOOL, arguments: { company_number: number }, ...meta };
  const more = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return { url: `${url}/mcp/`, method: 'POST', headers: { ...headers, ...more }, body };
}

/** As a client of protocol 2026-07-28 sends it: an envelope in every request, repeated in headers. */
function modernToolCall(url: string, headers: Record<string, string>, number: string): Load {
  const prefix = 'io.modelcontextprotocol/';
  const _meta = {
    [`${prefix}protocolVersion`]: '2026-07-28',
    [`${prefix}clientInfo`]: { name: 'bench', version: '1.0.0' },
    [`${prefix}clientCapabilities`]: {},
  };
  const repeated = { 'Mcp-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': TOOL };
  return toolCall(url, { ...headers, ...repeated }, number, { _meta });
}

interface Figures {
  rate: number;
  p50: number;
  p99: number;
  failed: number;
}

async function measure(options: Load): Promise<Figures> {
  const result = await autocannon({ ...LOAD, ...options });
  const failed = result.non2xx + result.errors;
  return { rate: result.requests.average, p50: result.latency.p50, p99: result.latency.p99, failed };
}

async function measureHello(): Promise<Figures> {
  const app = express();
  app.get('/', (_request, response) => {
    response.json({ hello: 'world' });
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const figures = await measure({ url: `http://127.0.0.1:${port}/` });
  server.close();
  return figures;
}

function show({ rate, p50, p99, failed }: Figures): string {
  return `${rate.toFixed(0).padStart(7)}/s  p50 ${p50} ms  p99 ${p99} ms${failed ? `  ${failed} FAILED` : ''}`;
}
