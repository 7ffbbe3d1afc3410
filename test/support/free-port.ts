import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections and to servers that ask for any (Linux: from 32,768), and above
 * those that browsers refuse. Each worker of a run has its own.
 */
const COUNT = 2_000;
const FIRST = 12_000 + COUNT * (Number(process.env.VITEST_POOL_ID ?? 0) % 10);
const given = new Set<number>();

/**
 * A port nobody listens on, for a server that has to know its own address. No connection takes it before the server does, nor
 * while the server is down.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  } finally {
    server.close();
  }
}
