import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { type BuiltServer, buildServer } from '../../support/services.ts';

const LOCAL = 'http://localhost:6274';
const PUBLIC = { BASE_URL: 'https://api.example', APP_URL: 'https://api.example' };
const open: BuiltServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});
async function serve(settings: Record<string, string> = {}): Promise<BuiltServer> {
  const server = await buildServer({ settings: { ...PUBLIC, ...settings } });
  open.push(server);
  return server;
}

/** The status of a page's question whether it may call, and the origin that may. `fetch` sets no other Host. */
async function askFrom(server: BuiltServer, origin: string, host: string): Promise<[number?, string?]> {
  const { statusCode, headers } = await preflight(server, origin, host);
  return [statusCode, headers['access-control-allow-origin']];
}

function preflight({ url }: BuiltServer, origin: string, host: string): Promise<IncomingMessage> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const asked = httpRequest({ hostname, port, path: '/mcp/', method: 'OPTIONS', headers: { origin, host } });
    asked.once('response', (answer) => {
      answer.resume();
      resolve(answer);
    });
    asked.on('error', reject).end();
  });
}

it('a page of this machine may call a server on this machine, and no public one', async () => {
  const server = await serve();
  expect(await askFrom(server, LOCAL, 'localhost')).toEqual([204, LOCAL]);
  expect(await askFrom(server, LOCAL, 'api.example')).toEqual([403, undefined]);
  expect(await askFrom(server, 'https://api.example', 'api.example')).toEqual([204, 'https://api.example']);
});

it('every page may call where MCP_ORIGINS is *', async () => {
  const server = await serve({ MCP_ORIGINS: '*' });
  for (const origin of [LOCAL, 'https://elsewhere.example'])
    expect(await askFrom(server, origin, 'api.example')).toEqual([204, origin]);
});

it('a page may send every header of the protocol, and the key', async () => {
  const { headers } = await preflight(await serve(), LOCAL, 'localhost');
  expect(headers['access-control-allow-headers']?.split(', ')).toEqual(
    expect.arrayContaining(['Authorization', 'Mcp-Protocol-Version', 'Mcp-Session-Id', 'Mcp-Method', 'Mcp-Name']),
  );
});
