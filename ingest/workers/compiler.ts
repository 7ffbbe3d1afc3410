import { availableParallelism } from 'node:os';
import type { Database } from '../../schema/db/interface.ts';
import { extension, LATE_OPTIMISING, WorkerEnded } from '../../schema/process/child.ts';
import { makeWorkerPool } from '../../schema/process/pool.ts';
import type { Ahead } from '../store/changes.ts';
import { type Compile, compileAhead, type NewRelease, workAhead } from './ahead.ts';
import { type Answer, type CompiledJob, type CompileJob, compileJob } from './job.ts';

/** Compiles data before it is stored, in separate processes. */
export interface Compiler {
  /** How many jobs it works on at once; 0 where it works in this process. */
  readonly workers: number;
  compile: Compile;
  /** Compiles batches of new releases with the stored releases of their processes, each while earlier ones are being stored. */
  compileBatches(catalogue: Database, batches: readonly (readonly NewRelease[])[]): AsyncGenerator<Ahead, undefined>;
  close(): Promise<void>;
}

/** One process stores, and cannot keep up with more. Each takes some 200 MB. */
const WORKERS_MAX = 4;
/** A job takes some tenths of a second. One that takes this long never ends. */
const DEADLINE_MS = 300_000;
/** Jobs wait for a free worker as long as it takes. */
const WAIT_MS = 2 ** 31 - 1;
/**
 * Options of Node. With 32 MB for new objects in place of 16, what a job makes is mostly garbage before it is collected: 3 % less
 * processor time for a whole rebuild (100,000 generated releases).
 */
const NODE_ARGUMENTS = [...LATE_OPTIMISING, '--max-semi-space-size=32'];

const ENDED = 'it ended the processes that compiled it';

/** The pool refused a job. */
class JobRefused extends Error {
  override name = 'JobRefused';
}

/**
 * A compiler of as many processes as there are cores; none starts before the first job. On a single core everything is compiled
 * in this process. A job that ends its process is halved until the ocid at fault is found.
 */
export function openCompiler({
  workers = Math.min(WORKERS_MAX, availableParallelism()),
  script = new URL(`./serve${extension()}`, import.meta.url),
} = {}): Compiler {
  const pool = makeWorkerPool<CompileJob, Answer>({
    script,
    workers,
    serialization: 'advanced',
    nodeArguments: NODE_ARGUMENTS,
    deadlineMs: DEADLINE_MS,
    waitMs: WAIT_MS,
    refuse: (reason, cause) => new JobRefused(`the compiler ${reason}`, { cause }),
  });
  const compile = async (job: CompileJob): Promise<CompiledJob> => {
    if (workers < 2) return compileJob(job);
    try {
      return await pool.ask(job);
    } catch (error) {
      if (!(error instanceof JobRefused)) throw error;
      const { cause } = error;
      // Closed meanwhile: nobody would store the result.
      if (cause === undefined) return { compiled: [], faults: [] };
      // If no process can start, that says nothing about the job.
      if (cause instanceof WorkerEnded && !cause.started) return compileJob(job);
      return halve(job, compile);
    }
  };
  return {
    workers: workers < 2 ? 0 : workers,
    compile,
    compileBatches: (catalogue, batches) =>
      workAhead(batches, workers, (batch) => compileAhead(catalogue, compile, batch)),
    close: () => pool.close(),
  };
}

async function halve(job: CompileJob, compile: Compile): Promise<CompiledJob> {
  const { processes } = job;
  if (processes.length <= 1)
    return { compiled: [], faults: processes.map(({ ocid }) => ({ ocid, message: ENDED, isFatal: true })) };
  const middle = Math.ceil(processes.length / 2);
  const first = await compile({ ...job, processes: processes.slice(0, middle) });
  const second = await compile({ ...job, processes: processes.slice(middle) });
  return { compiled: [...first.compiled, ...second.compiled], faults: [...first.faults, ...second.faults] };
}
