import type { Logger } from 'pino';
import type { Settings } from '../schema/config/settings.ts';
import { listen } from '../schema/process/listen.ts';
import { makeRegistry } from '../schema/process/metrics.ts';
import { answerOperator, type OperatorAnswers, shareAnswers, writeText } from '../schema/process/operator-answers.ts';
import { createPrivateServer } from '../schema/process/private-server.ts';
import { noteConnections } from './http/connections.ts';
import { splitUrl } from './http/respond.ts';
import { closeServer } from './http/serve.ts';

export interface PrivateServer {
  url: string;
  /** Answers with these from now on. */
  answerWith(answers: OperatorAnswers): void;
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
const WAITING: OperatorAnswers = {
  checkReadiness: async () => ({
    faults: ['waiting until both databases answer and are at this version; the log says why'],
    remarks: [],
  }),
  writeMetrics: () => makeRegistry().metrics(),
};

/**
 * Serves the operator of a process, or of several, on an address that the public cannot reach. It is ready if both databases have
 * this version, accounts can be written and searches are answered, and not before it has been given answers.
 * @throws BadSettings if the port or address cannot be used
 */
export async function startPrivateServer(settings: Settings, log: Logger): Promise<PrivateServer> {
  let draining = false;
  let answers = WAITING;
  const server = createPrivateServer((request, response) => {
    const { path } = splitUrl(request);
    if (draining && path === '/readyz') return writeText(response, 503, 'draining\n');
    void answerOperator(answers, path, log, response);
  });
  noteConnections(server);
  const url = await listen(server, settings, { host: 'PRIVATE_HOST', port: 'PRIVATE_PORT' });
  return {
    url,
    answerWith(these) {
      answers = shareAnswers(these, log);
    },
    startDraining() {
      draining = true;
    },
    close: () => closeServer(server),
  };
}
