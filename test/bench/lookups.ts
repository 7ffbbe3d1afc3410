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
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'svc_lookup_company', arguments: { company_number: number } },
  };
  const mcpHeaders = { ...headers, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

  const floor = await measureHello();
  const rest = await measure({ url: `${url}/v1/companies/${number}`, headers });
  const mcp = await measure({ url: `${url}/mcp/`, method: 'POST', headers: mcpHeaders, body: JSON.stringify(call) });
  console.log(
    `\nlook-ups, ${LOAD.connections} connections, ${LOAD.duration} s each (client and server share the machine)`,
  );
  console.log(`  express() hello-world       ${show(floor)}`);
  console.log(`  metered company look-up     ${show(rest)}   ${(rest.rate / floor.rate).toFixed(2)} x hello-world`);
  console.log(`  the same over MCP           ${show(mcp)}   ${(mcp.rate / rest.rate).toFixed(2)} x REST`);
}

interface Figures {
  rate: number;
  p50: number;
  p99: number;
  failed: number;
}

async function measure(options: Partial<autocannon.Options> & { url: string }): Promise<Figures> {
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
  const { port } = server.address() as AddressInfo;
  const figures = await measure({ url: `http://127.0.0.1:${port}/` });
  server.close();
  return figures;
}

function show({ rate, p50, p99, failed }: Figures): string {
  return `${rate.toFixed(0).padStart(7)}/s  p50 ${p50} ms  p99 ${p99} ms${failed ? `  ${failed} FAILED` : ''}`;
}
