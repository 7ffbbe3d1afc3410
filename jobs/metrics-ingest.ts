import { Counter, Gauge, type Registry } from 'prom-client';
import type { JobsHouse } from './house.ts';

/** Reads anew what metrics tell of the databases; called before each rendering, so that one reading serves them all. */
export type Refresh = () => Promise<void>;

interface SourceRow {
  id: string;
  releases: number;
  quarantined: number;
  as_of: string | null;
  last_success_at: string | null;
}

interface RunSums {
  source: string;
  requests: number;
  refused: number;
  waited_ms: number;
  releases: number;
  stored: number;
  quarantined: number;
}

const SOURCES = 'SELECT id, releases, quarantined, as_of, last_success_at FROM source ORDER BY id';
const RUNS = `SELECT source, sum(requests) AS requests, sum(refused) AS refused, sum(waited_ms) AS waited_ms,
  sum(releases) AS releases, sum(stored) AS stored, sum(quarantined) AS quarantined
  FROM run WHERE source IS NOT NULL GROUP BY source`;
const ENDINGS = 'SELECT job, source, state, count(*) AS runs FROM run WHERE source IS NOT NULL GROUP BY 1, 2, 3';
const REPAIRS = `SELECT run.source AS source, each.key AS repair, sum(each.value) AS times
  FROM run JOIN json_each(run.repairs) AS each WHERE run.repairs <> '{}' GROUP BY 1, 2`;

/** How each source stands. */
export function addSourceMetrics({ catalogue, clocks }: JobsHouse, registry: Registry): Refresh {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['source'], registers: [registry] });
  const releases = gauge('catalogue_releases', 'Releases held; of the register, companies.');
  const quarantined = gauge('catalogue_quarantined', 'Records in quarantine.');
  const lag = gauge('catalogue_lag_seconds', 'Seconds since the last success; +Inf before the first.');
  const asOf = gauge('catalogue_as_of_age_seconds', 'Age of the instant before which all is held; +Inf without one.');
  const age = (at: string | null) =>
    at ? Math.max(0, (clocks.wallNow().getTime() - Date.parse(at)) / 1_000) : Number.POSITIVE_INFINITY;
  return async () => {
    for (const row of await catalogue.read<SourceRow>({ sql: SOURCES })) {
      const labels = { source: row.id };
      releases.set(labels, row.releases);
      quarantined.set(labels, row.quarantined);
      lag.set(labels, age(row.last_success_at));
      asOf.set(labels, age(row.as_of));
    }
  };
}

const SUMS: Record<string, [keyof RunSums, string]> = {
  ingest_requests_total: ['requests', 'Requests sent upstream.'],
  ingest_refused_total: ['refused', 'Requests refused upstream as too many.'],
  ingest_waited_seconds_total: ['waited_ms', 'Seconds waited for a turn to ask, or after a refusal.'],
  ingest_releases_read_total: ['releases', 'Releases read; of the register, rows.'],
  ingest_releases_stored_total: ['stored', 'Releases that were new or changed.'],
  ingest_quarantined_total: ['quarantined', 'Records sent to quarantine.'],
};

/** What all runs came to, whichever process they ran in: sums over the rows of `run`, which outlive a restart. */
export function addRunMetrics({ catalogue }: JobsHouse, registry: Registry): Refresh {
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const sums = Object.entries(SUMS).map(([name, [member, help]]) => ({
    member,
    counter: counter(name, help, ['source']),
  }));
  const endings = counter('ingest_runs_total', 'Runs by how they ended, or `running`.', ['job', 'source', 'state']);
  const repairs = counter('ingest_repairs_total', 'Repairs to what a source sent, by name.', ['source', 'repair']);
  return async () => {
    for (const each of [...sums.map((sum) => sum.counter), endings, repairs]) each.reset();
    for (const row of await catalogue.read<RunSums>({ sql: RUNS })) {
      for (const { member, counter } of sums)
        counter.inc({ source: row.source }, Number(row[member]) / (member === 'waited_ms' ? 1_000 : 1));
    }
    const ended = { sql: ENDINGS };
    for (const { runs, ...labels } of await catalogue.read<{
      job: string;
      source: string;
      state: string;
      runs: number;
    }>(ended))
      endings.inc(labels, runs);
    const repaired = { sql: REPAIRS };
    for (const { times, ...labels } of await catalogue.read<{ source: string; repair: string; times: number }>(
      repaired,
    ))
      repairs.inc(labels, times);
  };
}
