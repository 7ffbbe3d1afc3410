import { createServer, type ServerResponse } from 'node:http';
import { findDatabaseFault, findRemarks, type Readiness, toReadyAnswer } from '../../schema/db/readiness.ts';
import { listen } from '../../schema/process/listen.ts';
import { checkSearch } from '../../search/index/health.ts';
import type { JobsServices } from '../process/services.ts';
import type { JobMetrics } from './registry.ts';

export interface PrivateServer {
  url: string;
  close(): Promise<void>;
}

interface PrivateServerOptions {
  metrics: JobMetrics;
  checkReadiness(): Promise<Readiness>;
}

/**
 * For the operator only: `/metrics`; `/healthz` (the process is alive); `/readyz` (it can do its work: 503 with every reason
 * otherwise). @throws BadSettings where the address cannot be listened on.
 */
export async function startPrivateServer(
  services: Pick<JobsServices, 'settings' | 'log'>,
  options: PrivateServerOptions,
): Promise<PrivateServer> {
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    answer(services, options, path, response).catch((error: unknown) => {
      services.log.error({ err: error }, 'the private server could not answer');
      send(response, 503, 'unavailable\n');
    });
  });
  const url = await listen(server, services.settings, { host: 'PRIVATE_HOST', port: 'JOBS_PRIVATE_PORT' });
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // A connection without a request, such as a probe of the port, would delay the end of the process by a minute.
        server.closeAllConnections();
      }),
  };
}

async function answer(
  services: Pick<JobsServices, 'log'>,
  { metrics, checkReadiness }: PrivateServerOptions,
  path: string,
  response: ServerResponse,
): Promise<void> {
  if (path === '/healthz') return send(response, 200, 'ok\n');
  if (path === '/metrics') return send(response, 200, await metrics.render(), metrics.contentType);
  if (path !== '/readyz') return send(response, 404, 'not found\n');
  const readiness = await checkReadiness();
  const { faults } = readiness;
  if (faults.length > 0) services.log.warn({ faults }, 'not ready');
  const { status, text } = toReadyAnswer(readiness);
  send(response, status, text);
}

/**
 * Whether jobs can run: the timetable is followed, and both databases are at this version and writable. Search and the store of
 * exports may be down: both are filled when they return.
 */
export async function checkJobsReadiness(
  { catalogue, accounts, search, findExportFault }: JobsServices,
  isAtWork: boolean,
): Promise<Readiness> {
  const [{ said }, exports, ...found] = await Promise.all([
    checkSearch(search),
    findExportFault(),
    isAtWork ? null : 'the timetable is not followed yet, or not any more',
    findDatabaseFault(catalogue, 'catalogue', { writable: true }),
    findDatabaseFault(accounts, 'accounts', { writable: true }),
  ]);
  const remarks = [said, exports, ...findRemarks(catalogue)].flatMap((remark) => remark || []);
  return { faults: found.flatMap((fault) => fault ?? []), remarks };
}

function send(response: ServerResponse, status: number, body: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { 'content-type': type, connection: 'close' }).end(body);
}
