import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { inTime } from './in-time.ts';
import { shareRun } from './private-server.ts';

/** What keeps a process from its work, and what is wrong although it does it: each a few words for an operator. */
export interface Readiness {
  faults: string[];
  remarks: string[];
}

/** What a process can tell its operator about itself. */
export interface OperatorAnswers {
  checkReadiness(): Promise<Readiness>;
  /** In Prometheus's text format. */
  writeMetrics(): Promise<string>;
}

/** No monitor waits longer. Every check is shorter, but what its requests share must end, or nobody would get an answer again. */
const ANSWER_MS = 10_000;
const LATE: Readiness = { faults: [`the checks did not end within ${ANSWER_MS / 1_000} s`], remarks: [] };

/** The same answers, where requests that come while one is found share it. What keeps the process from its work goes to the log. */
export function shareAnswers({ checkReadiness, writeMetrics }: OperatorAnswers, log: Logger): OperatorAnswers {
  return {
    checkReadiness: shareRun(async () => {
      const readiness = await inTime(ANSWER_MS, checkReadiness(), LATE);
      const { faults } = readiness;
      if (faults.length > 0) log.warn({ faults }, 'not ready');
      return readiness;
    }),
    writeMetrics: shareRun(async () => {
      const text = await inTime(ANSWER_MS, writeMetrics(), null);
      if (text === null) throw new Error(`the metrics were not read within ${ANSWER_MS / 1_000} s`);
      return text;
    }),
  };
}

/**
 * Answers a request of the operator. `/metrics` has figures; `/healthz` answers while the process is alive; `/readyz` answers
 * if it can do its work, otherwise 503 with every reason. Remarks are listed below `ready`.
 */
export async function answerOperator(
  answers: OperatorAnswers,
  path: string,
  log: Logger,
  response: ServerResponse,
): Promise<void> {
  try {
    if (path === '/healthz') return writeText(response, 200, 'ok\n');
    if (path === '/metrics')
      return writeText(response, 200, await answers.writeMetrics(), Registry.PROMETHEUS_CONTENT_TYPE);
    if (path !== '/readyz') return writeText(response, 404, 'not found\n');
    const { status, text } = toReadyAnswer(await answers.checkReadiness());
    writeText(response, status, text);
  } catch (error) {
    log.error({ err: error }, 'the private server could not answer');
    writeText(response, 500, 'failed\n');
  }
}

/** The status and text of `/readyz`: 503 with every fault, otherwise 200. Remarks are in both. */
function toReadyAnswer({ faults, remarks }: Readiness): { status: 200 | 503; text: string } {
  const [status, word] = faults.length > 0 ? ([503, 'not ready'] as const) : ([200, 'ready'] as const);
  return { status, text: `${[word, ...faults, ...remarks].join('\n')}\n` };
}

/** Answers with a text, and closes the connection: a probe that is kept open would delay the end of the process. */
export function writeText(
  response: ServerResponse,
  status: number,
  text: string,
  type = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, { 'Content-Type': type, Connection: 'close' }).end(text);
}
