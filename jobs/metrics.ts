import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { readLag } from '../search/sync.ts';
import type { JobsHouse } from './house.ts';

export type JobOutcome = 'succeeded' | 'failed' | 'stopped';

/** The numbers of one jobs process, in a registry of its own. */
export interface JobMetrics {
  /** Marks a job as begun; call the answer with how it ended. */
  begin(job: string): (outcome: JobOutcome) => void;
  contentType: string;
  /** The Prometheus text, with what is counted in the databases read at this moment. */
  render(): Promise<string>;
}

const SOURCES = 'SELECT id, releases, quarantined, last_success_at FROM source';
const DURATION_SECONDS = [0.01, 0.1, 1, 10, 60, 600, 3_600];

export function makeMetrics(house: JobsHouse): JobMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
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
  addDatabaseGauges(house, registry);
  addSearchGauge(house, registry);
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
    contentType: registry.contentType,
    render: () => registry.metrics(),
  };
}

interface SourceRow {
  id: string;
  releases: number;
  quarantined: number;
  last_success_at: string | null;
}

/** What the databases know, read when it is asked for. */
function addDatabaseGauges({ catalogue, accounts, clocks }: JobsHouse, registry: Registry): void {
  const registers = [registry];
  const addSourceGauge = (name: string, help: string, measure: (row: SourceRow) => number | null) =>
    new Gauge({
      name,
      help,
      labelNames: ['source'],
      registers,
      async collect() {
        for (const row of await catalogue.read<SourceRow>({ sql: SOURCES })) {
          const value = measure(row);
          if (value !== null) this.set({ source: row.id }, value);
        }
      },
    });
  addSourceGauge('catalogue_releases', 'Releases held.', ({ releases }) => releases);
  addSourceGauge('catalogue_quarantined', 'Records in quarantine.', ({ quarantined }) => quarantined);
  addSourceGauge('catalogue_lag_seconds', "Seconds since a source's last success.", ({ last_success_at: at }) =>
    at ? (clocks.wallNow().getTime() - Date.parse(at)) / 1_000 : null,
  );
  new Gauge({
    name: 'exports_waiting',
    help: 'Exports paid for and not written.',
    registers,
    async collect() {
      const sql = "SELECT count(*) AS waiting FROM export WHERE status = 'processing'";
      const [row] = await accounts.read<{ waiting: number }>({ sql });
      this.set(row?.waiting ?? 0);
    },
  });
}

function addSearchGauge({ catalogue, search, log }: JobsHouse, registry: Registry): void {
  new Gauge({
    name: 'search_lag_rows',
    help: 'Changed rows that the index has not heard of; NaN while it cannot be asked.',
    registers: [registry],
    async collect() {
      try {
        this.set(await readLag(catalogue, await search.readCursor()));
      } catch (error) {
        log.warn({ err: error }, 'the search index could not be asked how far it is');
        this.set(Number.NaN);
      }
    },
  });
}
