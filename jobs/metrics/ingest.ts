import { Counter, type Registry } from 'prom-client';
import type { CoverageSummary } from '../../schema/catalogue/coverage.ts';
import type { Database } from '../../schema/db/interface.ts';
import type { JobsServices } from '../process/services.ts';
import { addGauge, type Refresh } from './gauges.ts';

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

interface Ending {
  job: string;
  source: string;
  state: string;
  runs: number;
}

interface RepairSum {
  source: string;
  repair: string;
  times: number;
}

const PROBES = 'SELECT source, state, count(*) AS probes FROM probe GROUP BY source, state';
const SUMMARIES = 'SELECT source, summary FROM coverage_summary';
const SOURCES = 'SELECT id, releases, quarantined, as_of, last_success_at FROM source ORDER BY id';
const RANGE = 'rowid > ?1 AND rowid < ?2';
const RUNS = `SELECT source, sum(requests) AS requests, sum(refused) AS refused, sum(waited_ms) AS waited_ms,
  sum(releases) AS releases, sum(stored) AS stored, sum(quarantined) AS quarantined
  FROM run WHERE ${RANGE} AND source IS NOT NULL GROUP BY source`;
const ENDINGS = `SELECT job, source, state, count(*) AS runs FROM run WHERE ${RANGE} AND source IS NOT NULL GROUP BY 1, 2, 3`;
const REPAIRS = `SELECT run.source AS source, each.key AS repair, sum(each.value) AS times FROM
  (SELECT source, repairs FROM run WHERE ${RANGE} AND source IS NOT NULL AND repairs <> '{}') AS run
  JOIN json_each(run.repairs) AS each GROUP BY 1, 2`;
/** Rows before the first unfinished run never change again. */
const FIRST_UNFINISHED = `SELECT coalesce((SELECT min(rowid) FROM run WHERE state = 'running'),
  (SELECT coalesce(max(rowid), 0) + 1 FROM run)) AS until`;

/** The state of each source. */
export function addSourceMetrics({ catalogue, clocks }: JobsServices, registry: Registry): Refresh {
  const gauge = (name: string, help: string) => addGauge(registry, name, help, ['source']);
  const releases = gauge('catalogue_releases', 'Releases stored; of the register, companies.');
  const quarantined = gauge('catalogue_quarantined', 'Records in quarantine.');
  const lag = gauge('catalogue_lag_seconds', 'Seconds since the last success; +Inf before the first.');
  const asOf = gauge('catalogue_as_of_age_seconds', 'Age of the instant before which all is stored; +Inf without one.');
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

const SUMS: Record<string, [Exclude<keyof RunSums, 'source'>, string]> = {
  ingest_requests_total: ['requests', 'Requests sent upstream.'],
  ingest_refused_total: ['refused', 'Requests refused upstream as too many.'],
  ingest_waited_seconds_total: ['waited_ms', 'Seconds waited for a turn to ask, or after a refusal.'],
  ingest_releases_read_total: ['releases', 'Releases read; of the register, rows.'],
  ingest_releases_stored_total: ['stored', 'Releases that were new or changed.'],
  ingest_quarantined_total: ['quarantined', 'Records sent to quarantine.'],
};

/** Counts by metric and labels: `name`, then the labels as JSON. */
type Counts = Map<string, number>;

/**
 * Totals over all runs, in whichever process: sums over the rows of `run`, which outlive a restart. Finished runs are summed
 * once, so that a scrape costs the same after years.
 */
export function addRunMetrics({ catalogue }: JobsServices, registry: Registry): Refresh {
  const counters = new Map<string, Counter>();
  const add = (name: string, help: string, labelNames: string[]) =>
    counters.set(name, new Counter({ name, help, labelNames, registers: [registry] }));
  for (const [name, [, help]] of Object.entries(SUMS)) add(name, help, ['source']);
  add('ingest_runs_total', 'Runs by how they ended, or `running`.', ['job', 'source', 'state']);
  add('ingest_repairs_total', 'Repairs to what a source sent, by name.', ['source', 'repair']);
  let ended: { counts: Counts; until: number } = { counts: new Map(), until: 1 };
  return async () => {
    const [row] = await catalogue.read<{ until: number }>({ sql: FIRST_UNFINISHED });
    const until = row?.until ?? 1;
    // The catalogue was restored to an older state: its next runs get the row ids of runs that were lost.
    const known = until < ended.until ? { counts: new Map(), until: 1 } : ended;
    // Set once all are summed: a reading may fail, or another be under way.
    const next = { counts: new Map(known.counts), until };
    await countRuns(catalogue, next.counts, known.until - 1, until);
    ended = next;
    const counts = new Map(next.counts);
    await countRuns(catalogue, counts, until - 1, Number.MAX_SAFE_INTEGER);
    for (const counter of counters.values()) counter.reset();
    for (const [key, count] of counts) {
      const [name = '', labels = ''] = key.split('\n');
      counters.get(name)?.inc(JSON.parse(labels) as Record<string, string>, count);
    }
  };
}

/** Adds the totals of the runs between two row ids, both exclusive. */
async function countRuns(catalogue: Database, into: Counts, after: number, before: number): Promise<void> {
  const add = (name: string, labels: object, count: number) => {
    const key = `${name}\n${JSON.stringify(labels)}`;
    into.set(key, (into.get(key) ?? 0) + count);
  };
  const args = [after, before];
  for (const { source, ...sums } of await catalogue.read<RunSums>({ sql: RUNS, args })) {
    for (const [name, [member]] of Object.entries(SUMS))
      add(name, { source }, sums[member] / (member === 'waited_ms' ? 1_000 : 1));
  }
  const endings = { sql: ENDINGS, args };
  for (const { job, source, state, runs } of await catalogue.read<Ending>(endings))
    add('ingest_runs_total', { job, source, state }, runs);
  for (const { source, repair, times } of await catalogue.read<RepairSum>({ sql: REPAIRS, args }))
    add('ingest_repairs_total', { source, repair }, times);
}

/** What is known to be missing, and its state. */
export function addCoverageMetrics({ catalogue }: JobsServices, registry: Registry): Refresh {
  const gauge = (name: string, help: string, labelNames = ['source']) => addGauge(registry, name, help, labelNames);
  const probes = gauge('coverage_probes', 'Notices requested by id, by state.', ['source', 'state']);
  const gaps = gauge('coverage_gap_seconds', 'Time in the covered span that no window covers.');
  const unproved = gauge('coverage_unproved_windows', 'Windows too full to prove anything.');
  const missing = gauge('coverage_missing_numbers', 'Numbers of a sequence nothing explains.');
  const overdue = gauge('coverage_overdue_ids', 'Ids still missing after days of asking.');
  return async () => {
    probes.reset();
    const counted = await catalogue.read<{ source: string; state: string; probes: number }>({ sql: PROBES });
    for (const { source, state, probes: count } of counted) probes.set({ source, state }, count);
    for (const { source, summary } of await catalogue.read<{ source: string; summary: string }>({ sql: SUMMARIES })) {
      const known = JSON.parse(summary) as CoverageSummary;
      gaps.set({ source }, known.gaps.seconds);
      unproved.set({ source }, known.unproved);
      overdue.set({ source }, known.overdue);
      missing.set(
        { source },
        known.sequence.reduce((sum, year) => sum + year.missing, 0),
      );
    }
  };
}
