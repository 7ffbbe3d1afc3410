import { request as ask, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BuiltServer, buildServer } from '../support/services.ts';
import { conformanceExtras } from './extras.ts';

export interface ConformanceServer {
  /** Needs no key: it is added on the way. */
  url: string;
  server: BuiltServer;
  close(): Promise<void>;
}

/** The real transport, authentication and metering with the suite's fixtures; in front of it what gives every request a key. */
export async function startConformanceServer(): Promise<ConformanceServer> {
  const built = await buildServer({ mcp: conformanceExtras, credits: 1_000_000 });
  const proxy = createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${built.key}` };
    const { hostname, port } = new URL(built.url);
    const onward = ask({ hostname, port, method: request.method, path: request.url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  const url = await listen(proxy);
  return {
    url: `${url}/mcp/`,
    server: built,
    async close() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
      await built.close();
    },
  };
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}
