import type { Logger } from 'pino';
import type { JobMetrics } from '../metrics/registry.ts';
import type { FailureBook } from './failures.ts';

/**
 * Keeps one job's loose error (a timer, a promise that nobody waits for) from ending the process and with it the others:
 * it is logged with its stack, counted, and written down. What a job had not stored is asked for again at its next time.
 */
export function guardProcess(log: Logger, metrics: JobMetrics, failures: FailureBook): void {
  process.on('uncaughtException', (error, origin) => {
    log.error({ err: error, origin }, 'an error that no job caught; the others go on');
    metrics.countUncaught();
    void failures.note({ job: 'process' }, error);
  });
}
