import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ExpectedFault, type JobsHouse } from './house.ts';
import type { JobMetrics } from './metrics.ts';

export interface PrivateServer {
  url: string;
  close(): Promise<void>;
}

export interface PrivateServerOptions {
  metrics: JobMetrics;
  /** Whether the process has begun its work and is not ending. */
  isReady(): boolean;
}

/**
 * `/healthz` (the process is alive), `/readyz` (both databases answer and the timetable runs) and `/metrics`, for the operator alone.
 * @throws ExpectedFault where the port is taken.
 */
export async function startPrivateServer(house: JobsHouse, options: PrivateServerOptions): Promise<PrivateServer> {
  const server = createServer((request, response) => {
    answer(house, options, request.url ?? '', response).catch((error: unknown) => {
      house.log.error({ err: error }, 'the private server could not answer');
      send(response, 503, 'unavailable\n');
    });
  });
  const { PRIVATE_HOST: host, JOBS_PRIVATE_PORT: port } = house.settings;
  await listen(server, host, port);
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host}:${address.port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function answer(
  { catalogue, accounts }: JobsHouse,
  { metrics, isReady }: PrivateServerOptions,
  path: string,
  response: ServerResponse,
): Promise<void> {
  if (path === '/healthz') return send(response, 200, 'ok\n');
  if (path === '/metrics') return send(response, 200, await metrics.render(), metrics.contentType);
  if (path !== '/readyz') return send(response, 404, 'not found\n');
  if (!isReady()) return send(response, 503, 'not ready\n');
  for (const database of [catalogue, accounts]) await database.read({ sql: 'SELECT 1 FROM lease LIMIT 1' });
  send(response, 200, 'ready\n');
}

function send(response: ServerResponse, status: number, body: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { 'content-type': type, connection: 'close' }).end(body);
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new ExpectedFault(`JOBS_PRIVATE_PORT: expected a free port, ${port} is taken`, { cause: error })
          : error,
      ),
    );
    server.listen(port, host, resolve);
  });
}
