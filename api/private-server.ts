import { createServer, type ServerResponse } from 'node:http';
import type { Kit } from './kit.ts';
import { splitUrl } from './respond.ts';
import { closeServer, listen } from './serve.ts';

export interface PrivateServer {
  url: string;
  /** From now on `/readyz` sends new work elsewhere. */
  startDraining(): void;
  close(): Promise<void>;
}

/** `/metrics`, `/healthz` and `/readyz`, on an address that the public cannot reach. */
export async function startPrivateServer(kit: Kit): Promise<PrivateServer> {
  const { settings } = kit.house;
  let draining = false;
  const server = createServer((request, response) => {
    answerPrivately(kit, splitUrl(request).path, draining, response).catch((error: unknown) => {
      kit.log.error({ err: error }, 'the private server failed');
      write(response, 500, 'failed\n');
    });
  });
  const url = await listen(server, settings, { host: 'PRIVATE_HOST', port: 'PRIVATE_PORT' });
  return {
    url,
    startDraining() {
      draining = true;
    },
    close: () => closeServer(server),
  };
}

async function answerPrivately(kit: Kit, path: string, draining: boolean, response: ServerResponse): Promise<void> {
  if (path === '/healthz') return write(response, 200, 'ok\n');
  if (path === '/metrics') {
    response.setHeader('Content-Type', kit.metrics.registry.contentType);
    return write(response, 200, await kit.metrics.registry.metrics());
  }
  if (path !== '/readyz') return write(response, 404, 'not found\n');
  const fault = draining ? 'draining' : await findFault(kit);
  return fault ? write(response, 503, `${fault}\n`) : write(response, 200, 'ready\n');
}

/** What keeps this process from answering, or null. */
async function findFault({ house, log }: Kit): Promise<string | null> {
  try {
    await house.catalogue.read({ sql: 'SELECT 1 FROM meta LIMIT 1' });
    await house.accounts.read({ sql: 'SELECT 1 FROM account LIMIT 1' });
    return null;
  } catch (error) {
    log.warn({ err: error }, 'a database does not answer');
    return 'a database does not answer';
  }
}

function write(response: ServerResponse, status: number, text: string): void {
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.writeHead(status);
  response.end(text);
}
