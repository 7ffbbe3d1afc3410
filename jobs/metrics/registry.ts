import { statfs } from 'node:fs/promises';
import { Counter, Histogram, Registry } from 'prom-client';
import { countUnsealed, readHead, readSealedAt } from '../../schema/accounts/ledger/seal.ts';
import { REVENUE } from '../../schema/accounts/ledger/transfers.ts';
import { readOwed } from '../../schema/accounts/payments.ts';
import { inTime } from '../../schema/process/in-time.ts';
import { addCopyMetrics, makeRegistry } from '../../schema/process/metrics.ts';
import { readIndexLag } from '../../search/index/health.ts';
import type { JobsServices } from '../process/services.ts';
import { addGauge, type Refresh } from './gauges.ts';
import { addCoverageMetrics, addRunMetrics, addSourceMetrics } from './ingest.ts';
import { PROOFS, readProof } from './last-proofs.ts';
import { addWatchMetrics } from './watches.ts';

const JOB_OUTCOMES = ['succeeded', 'failed', 'stopped'] as const;
type JobOutcome = (typeof JOB_OUTCOMES)[number];

/** The numbers of one jobs process, in a registry of its own. */
export interface JobMetrics {
  /** Shows a job before its first run: Prometheus counts no increase in a number that it sees for the first time. */
  expect(job: string): void;
  /** Marks a job as begun; call the returned function with its outcome. */
  begin(job: string): (outcome: JobOutcome) => void;
  /** An error that no job handled. */
  countUncaught(): void;
  /** The Prometheus text, with what is read from databases, index and disk at this moment; without what cannot be read. */
  render(): Promise<string>;
}

/** Prometheus waits ten seconds for all metrics. */
const READ_MS = 8_000;
const DURATION_SECONDS = [0.01, 0.1, 1, 10, 60, 600, 3_600];

/** Sources of the gauges, read at each rendering: databases, index and disk. */
const ADDED = [
  addSourceMetrics,
  addRunMetrics,
  addCoverageMetrics,
  addSearchMetrics,
  addExportMetrics,
  addWatchMetrics,
  addLedgerMetrics,
  addProofMetrics,
  addDiskMetrics,
];

/** The metrics of the jobs: what is counted as they run, and what is read from databases, index and disk at each rendering. */
export function makeMetrics(services: JobsServices, readMs?: number): JobMetrics {
  const parts = ADDED.map((add) => (registry: Registry) => add(services, registry));
  return collectMetrics(services, parts, readMs);
}

/** The metrics of a process that only fills the search index of its machine. */
export function makeIndexMetrics(
  services: Pick<JobsServices, 'settings' | 'catalogue' | 'search' | 'log'>,
): JobMetrics {
  const { copyAge } = services.catalogue;
  const addCopy = (registry: Registry): Refresh => {
    if (copyAge) addCopyMetrics(registry, copyAge);
    return async () => undefined;
  };
  return collectMetrics(services, [
    addCopy,
    (registry) => addSearchMetrics(services, registry),
    (registry) => addDiskMetrics(services, registry),
  ]);
}

function collectMetrics(
  { log }: Pick<JobsServices, 'log'>,
  parts: ((registry: Registry) => Refresh)[],
  readMs = READ_MS,
): JobMetrics {
  const registry = makeRegistry();
  const registers = [registry];
  const runs = new Counter({
    name: 'jobs_runs_total',
    help: 'Runs by job and outcome.',
    labelNames: ['job', 'outcome'],
    registers,
  });
  const active = addGauge(registry, 'jobs_active', 'Whether a job is at work.', ['job']);
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
  const readers = parts.map((add) => {
    const own = new Registry();
    return { own, refresh: add(own) };
  });
  /** Nothing while its database is away: an older number would pass for the present one. */
  const renderOne = async ({ own, refresh }: (typeof readers)[number]): Promise<string> => {
    try {
      const reading = refresh().then(() => true);
      if (!(await inTime(readMs, reading, false))) throw new Error(`no answer within ${readMs / 1_000} s`);
      return await own.metrics();
    } catch (err) {
      log.error({ err }, 'some metrics could not be read');
      return '';
    }
  };
  return {
    expect(job) {
      active.set({ job }, 0);
      for (const outcome of JOB_OUTCOMES) runs.inc({ job, outcome }, 0);
    },
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
    async render() {
      const texts = await Promise.all([registry.metrics(), ...readers.map(renderOne)]);
      return texts.join('');
    },
  };
}

/** When backups and the proof of the ledger last succeeded. An alert needs the time, as something that is never done cannot fail. */
function addProofMetrics({ settings }: JobsServices, registry: Registry): Refresh {
  const help = 'When a backup or `ledger verify` last went well, by name; 0: never.';
  const last = addGauge(registry, 'proof_last_success_timestamp_seconds', help, ['proof']);
  return async () => {
    for (const proof of PROOFS) last.set({ proof }, await readProof(settings, proof));
  };
}

/** Room on the disk of `DATA_DIR`. NaN while it cannot be asked. */
function addDiskMetrics({ settings }: Pick<JobsServices, 'settings'>, registry: Registry): Refresh {
  const free = addGauge(registry, 'data_disk_free_bytes', 'Bytes free on the disk of DATA_DIR.');
  const size = addGauge(registry, 'data_disk_size_bytes', 'Bytes that this disk holds.');
  return async () => {
    const disk = await statfs(settings.DATA_DIR).catch(() => ({ bsize: Number.NaN, bavail: 0, blocks: 0 }));
    free.set(disk.bavail * disk.bsize);
    size.set(disk.blocks * disk.bsize);
  };
}

const EXPORTS =
  "SELECT count(*) AS waiting, min(coalesce(requeued_at, created_at)) AS oldest FROM export WHERE status = 'processing'";
const LEDGER = `SELECT coalesce(sum(balance), 0) AS imbalance,
  coalesce(sum(balance < 0 AND substr(id, 1, 1) <> '@'), 0) AS negative,
  coalesce(sum(CASE id WHEN '${REVENUE}' THEN balance END), 0) AS revenue FROM account`;

/** Exports that are paid for but not written. */
function addExportMetrics({ accounts, clocks }: JobsServices, registry: Registry): Refresh {
  const waiting = addGauge(registry, 'exports_waiting', 'Exports paid for and not written.');
  const oldest = addGauge(registry, 'exports_oldest_waiting_seconds', 'How long the oldest of them has waited.');
  return async () => {
    const [row] = await accounts.read<{ waiting: number; oldest: string | null }>({ sql: EXPORTS });
    waiting.set(row?.waiting ?? 0);
    oldest.set(row?.oldest ? Math.max(0, (clocks.wallNow().getTime() - Date.parse(row.oldest)) / 1_000) : 0);
  };
}

/** The laws of the ledger that are cheap to check; `cli ledger verify` proves all of them. */
function addLedgerMetrics({ accounts }: JobsServices, registry: Registry): Refresh {
  const imbalance = addGauge(registry, 'ledger_imbalance_credits', 'Sum of all balances; anything but 0 is a fault.');
  const negative = addGauge(registry, 'ledger_negative_accounts', 'Customers with less than nothing; any is a fault.');
  const revenue = addGauge(registry, 'ledger_revenue_credits', 'Credits charged so far, less refunds.');
  const owed = addGauge(
    registry,
    'payments_owed_credits',
    'Credits spent before their payment was refunded or disputed.',
  );
  const sealed = addGauge(registry, 'ledger_sealed_line', 'Last ledger line that is sealed, with its digest.', [
    'digest',
  ]);
  const unsealed = addGauge(registry, 'ledger_unsealed_lines', 'Ledger lines that came since.');
  const sealedAt = addGauge(
    registry,
    'ledger_last_seal_timestamp_seconds',
    'When lines were last sealed; 0: never. Nothing is sealed while no line comes.',
  );
  return async () => {
    owed.set(await readOwed(accounts));
    const head = await readHead(accounts);
    sealed.reset();
    if (head) sealed.set({ digest: head.digest }, head.line);
    unsealed.set(await countUnsealed(accounts));
    sealedAt.set(Date.parse((await readSealedAt(accounts)) ?? '1970-01-01') / 1_000);
    const [row] = await accounts.read<{ imbalance: number; negative: number; revenue: number }>({ sql: LEDGER });
    imbalance.set(row?.imbalance ?? 0);
    negative.set(row?.negative ?? 0);
    revenue.set(row?.revenue ?? 0);
  };
}

/** How far the index of every engine is behind the catalogue. */
function addSearchMetrics(
  { catalogue, search, log }: Pick<JobsServices, 'catalogue' | 'search' | 'log'>,
  registry: Registry,
): Refresh {
  const help = 'Changed rows that the index has not received, 100,000 at most; NaN while it cannot be asked.';
  const lag = addGauge(registry, 'search_lag_rows', help, ['engine', 'collection']);
  return async () => {
    const warn = (error: unknown) => log.warn({ err: error }, 'the search index could not be asked how far it is');
    for (const { engine, collection, lag_rows } of await readIndexLag(catalogue, search, warn)) {
      lag.set({ engine, collection }, lag_rows ?? Number.NaN);
    }
  };
}
