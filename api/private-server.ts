import { createServer, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import type { Settings } from '../schema/config/settings.ts';
import { type Readiness, toReadyAnswer } from '../schema/db/readiness.ts';
import { listen } from '../schema/process/listen.ts';
import { makeRegistry } from '../schema/process/metrics.ts';
import { noteConnections } from './http/connections.ts';
import { splitUrl } from './http/respond.ts';
import { closeServer } from './http/serve.ts';

/** What the private server needs to know about its process, or about several. */
interface Answers {
  checkReadiness(): Promise<Readiness>;
  /** In Prometheus's text format. */
  writeMetrics(): Promise<string>;
}

export interface PrivateServer {
  url: string;
  /** Answers with these from now on. */
  answerWith(answers: Answers): void;
  /** From now on `/readyz` sends new work elsewhere. */
  startDraining(): void;
  close(): Promise<void>;
}

/** For a process whose private server runs in another one. */
export const NO_SERVER: PrivateServer = {
  url: '',
  answerWith: () => undefined,
  startDraining: () => undefined,
  close: async () => undefined,
};

/** Until the databases are open, a process is alive but not ready. */
const WAITING: Answers = {
  checkReadiness: async () => ({
    faults: ['waiting until both databases answer and are at this version; the log says why'],
    remarks: [],
  }),
  writeMetrics: () => makeRegistry().metrics(),
};

/**
 * Serves the operator, on an address that the public cannot reach. `/metrics` has figures; `/healthz` answers while the process
 * is alive. `/readyz` answers if both databases have this version, accounts can be written and searches are answered; otherwise
 * 503 with every reason. It lists other faults, such as refused exports, below `ready`. It is not ready until it has been given
 * answers.
 * @throws BadSettings if the port or address cannot be used
 */
export async function startPrivateServer(settings: Settings, log: Logger): Promise<PrivateServer> {
  let draining = false;
  let answers = WAITING;
  const server = createServer((request, response) => {
    answerPrivately(answers, { path: splitUrl(request).path, draining, log }, response).catch((error: unknown) => {
      log.error({ err: error }, 'the private server failed');
      write(response, 500, 'failed\n');
    });
  });
  noteConnections(server);
  const url = await listen(server, settings, { host: 'PRIVATE_HOST', port: 'PRIVATE_PORT' });
  return {
    url,
    answerWith(these) {
      answers = these;
    },
    startDraining() {
      draining = true;
    },
    close: () => closeServer(server),
  };
}

async function answerPrivately(
  { checkReadiness, writeMetrics }: Answers,
  { path, draining, log }: { path: string; draining: boolean; log: Logger },
  response: ServerResponse,
): Promise<void> {
  if (path === '/healthz') return write(response, 200, 'ok\n');
  if (path === '/metrics') {
    response.setHeader('Content-Type', Registry.PROMETHEUS_CONTENT_TYPE);
    return write(response, 200, await writeMetrics());
  }
  if (path !== '/readyz') return write(response, 404, 'not found\n');
  if (draining) return write(response, 503, 'draining\n');
  const readiness = await checkReadiness();
  const { faults } = readiness;
  if (faults.length > 0) log.warn({ faults }, 'not ready');
  const { status, text } = toReadyAnswer(readiness);
  write(response, status, text);
}

function write(response: ServerResponse, status: number, text: string): void {
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.writeHead(status);
  response.end(text);
}
