import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { isoInstant } from '../../schema/config/clocks.ts';
import type { JobMetrics } from '../metrics/registry.ts';
import type { JobsServices } from '../process/services.ts';
import { describeFault } from '../startup/front-door.ts';

/** Which job failed. */
interface FailedJob {
  job: string;
  source?: string | undefined;
}

/** Records why jobs failed, for `cli runs`. */
export interface FailureBook {
  note(failed: FailedJob, error: unknown): Promise<void>;
  /** The job succeeded, so its next failure is a new one. */
  forget(job: string): void;
}

/** A row that is already there only gets a later end. It may be missing, as the catalogue may have been restored to an older state. */
const NOTE = `INSERT INTO run (id, job, source, started_at, ended_at, state, error) VALUES (?, ?, ?, ?4, ?4, 'failed', ?)
  ON CONFLICT (id) DO UPDATE SET ended_at = excluded.ended_at`;

/**
 * Keeps one row of `run` while a job fails in the same way, as the export writer runs every second. A row that cannot be written
 * (the fault may be the database) is only logged.
 */
export function makeFailureBook({
  catalogue,
  clocks,
  log,
}: Pick<JobsServices, 'catalogue' | 'clocks' | 'log'>): FailureBook {
  const known = new Map<string, { id: string; said: string }>();
  return {
    async note({ job, source }, error) {
      // Its message, not its stack, as a process's first run has a different stack from the later ones.
      const said = String(error);
      const at = isoInstant(clocks.wallNow());
      const before = known.get(job);
      const id = before?.said === said ? before.id : randomUUID();
      try {
        await catalogue.write([{ sql: NOTE, args: [id, job, source ?? null, at, describeFault(error)] }]);
        known.set(job, { id, said });
      } catch (fault) {
        log.error({ job, err: fault }, 'the failure could not be written down');
      }
    },
    forget: (job) => void known.delete(job),
  };
}

/**
 * Keeps one job's stray error (a timer, an unawaited promise) from ending the process and the other jobs: it is logged with its
 * stack, counted, and recorded. Whatever a job had not stored is fetched again at its next time.
 */
export function guardProcess(log: Logger, metrics: JobMetrics, failures: FailureBook): void {
  process.on('uncaughtException', (error, origin) => {
    log.error({ err: error, origin }, 'an error that no job caught; the others continue');
    metrics.countUncaught();
    void failures.note({ job: 'process' }, error);
  });
}
