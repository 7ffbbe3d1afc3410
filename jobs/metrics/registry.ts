import { statfs } from 'node:fs/promises';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { makeRegistry } from '../../schema/process/metrics.ts';
import type { JobsServices } from '../process/services.ts';
import { addRunMetrics, addSourceMetrics, type Refresh } from './ingest.ts';
import { PROOFS, readProof } from './last-proofs.ts';
import { addCoverageMetrics, addExportMetrics, addLedgerMetrics, addSearchMetrics } from './stores.ts';

type JobOutcome = 'succeeded' | 'failed' | 'stopped';

/** The numbers of one jobs process, in a registry of its own. */
export interface JobMetrics {
  /** Marks a job as begun; call the answer with how it ended. */
  begin(job: string): (outcome: JobOutcome) => void;
  /** An error got past every job. */
  countUncaught(): void;
  contentType: string;
  /** The Prometheus text, with what is counted in the databases read at this moment. */
  render(): Promise<string>;
}

const DURATION_SECONDS = [0.01, 0.1, 1, 10, 60, 600, 3_600];

/** What is read at each rendering: databases, index and disk. */
const ADDED = [
  addSourceMetrics,
  addRunMetrics,
  addCoverageMetrics,
  addSearchMetrics,
  addExportMetrics,
  addLedgerMetrics,
  addProofMetrics,
  addDiskMetrics,
];

/** The metrics of the jobs: what is counted as they run, and what is read from databases, index and disk at each rendering. */
export function makeMetrics(services: JobsServices): JobMetrics {
  const registry = makeRegistry();
  const registers = [registry];
  const runs = new Counter({
    name: 'jobs_runs_total',
    help: 'Runs by job and outcome.',
    labelNames: ['job', 'outcome'],
    registers,
  });
  const active = new Gauge({ name: 'jobs_active', help: 'Whether a job is at work.', labelNames: ['job'], registers });
  const seconds = new Histogram({
    name: 'jobs_duration_seconds',
    help: 'How long runs took.',
    labelNames: ['job'],
    buckets: DURATION_SECONDS,
    registers,
  });
  const uncaught = new Counter({
    name: 'jobs_uncaught_errors_total',
    help: 'Errors that no job caught; each is a fault of the program.',
    registers,
  });
  const refreshers = ADDED.map((add) => add(services, registry));
  return {
    begin(job) {
      active.set({ job }, 1);
      const finish = seconds.startTimer({ job });
      return (outcome) => {
        finish();
        active.set({ job }, 0);
        runs.inc({ job, outcome });
      };
    },
    countUncaught: () => uncaught.inc(),
    contentType: registry.contentType,
    async render() {
      for (const refresh of refreshers) await refresh();
      return registry.metrics();
    },
  };
}

/** When backups and the proof of the ledger last went well: an alert needs the time, as what is never done cannot fail. */
function addProofMetrics({ settings }: JobsServices, registry: Registry): Refresh {
  const last = new Gauge({
    name: 'proof_last_success_timestamp_seconds',
    help: 'When a backup or `ledger verify` last went well, by name; 0: never.',
    labelNames: ['proof'],
    registers: [registry],
  });
  return async () => {
    for (const proof of PROOFS) last.set({ proof }, await readProof(settings, proof));
  };
}

/** Room on the disk of `DATA_DIR`. NaN while it cannot be asked. */
function addDiskMetrics({ settings }: JobsServices, registry: Registry): Refresh {
  const registers = [registry];
  const free = new Gauge({ name: 'data_disk_free_bytes', help: 'Bytes free on the disk of DATA_DIR.', registers });
  const size = new Gauge({ name: 'data_disk_size_bytes', help: 'Bytes that this disk holds.', registers });
  return async () => {
    const disk = await statfs(settings.DATA_DIR).catch(() => ({ bsize: Number.NaN, bavail: 0, blocks: 0 }));
    free.set(disk.bavail * disk.bsize);
    size.set(disk.blocks * disk.bsize);
  };
}
