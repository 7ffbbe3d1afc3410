import type { CoverageSummary } from '../../schema/catalogue/coverage.ts';
import type { coverageSummary, source } from '../../schema/catalogue/tables/ingest-state.ts';
import type { Database } from '../../schema/db/interface.ts';

const SOURCES = 'SELECT * FROM source ORDER BY id';

/** First, last and count from the key of the table alone: a pass over its rows would take several times as long. */
const COVERAGE = `SELECT s.id AS source, (SELECT min(day) FROM coverage_day WHERE source = s.id) AS first,
  (SELECT max(day) FROM coverage_day WHERE source = s.id) AS last,
  (SELECT count(*) FROM coverage_day WHERE source = s.id) AS days FROM source s`;

interface Coverage {
  source: string;
  /** `YYYY-MM-DD`, London; null where we have no day. */
  first: string | null;
  last: string | null;
  days: number;
}

const HELD = "SELECT source, count(*) AS held FROM quarantine WHERE state = 'held' GROUP BY source";

/** The newest run of every source that fetched releases or tried to; runs that only prove them are visible in its result. */
const LAST_RUNS = `SELECT r.source, r.job, r.state, r.started_at, r.ended_at, r.requests, r.releases, r.stored, r.quarantined
  FROM source s JOIN run r ON r.id = (SELECT id FROM run
    WHERE source = s.id AND job IN ('ingest', 'rewalk', 'backfill') ORDER BY started_at DESC LIMIT 1)`;

export interface LastRun {
  source: string;
  job: string;
  state: 'running' | 'succeeded' | 'empty' | 'failed' | 'abandoned';
  started_at: string;
  ended_at: string | null;
  requests: number;
  releases: number;
  stored: number;
  quarantined: number;
}

const SUMMARIES = 'SELECT * FROM coverage_summary';

/** Starts from the sources (a cross join keeps that order), so that both keys of the tables are used. */
const RECENT_DAYS = `SELECT c.source, c.day, c.releases, w.counted AS witnessed
  FROM source s CROSS JOIN coverage_day c ON c.source = s.id AND c.day >= ?1
  LEFT JOIN witness_day w ON w.source = c.source AND w.day = c.day
  UNION ALL SELECT w.source, w.day, 0, w.counted FROM source s CROSS JOIN witness_day w ON w.source = s.id AND w.day >= ?1
  WHERE NOT EXISTS (SELECT 1 FROM coverage_day c WHERE c.source = w.source AND c.day = w.day)`;

export interface RecentDay {
  source: string;
  /** `YYYY-MM-DD`, London. */
  day: string;
  releases: number;
  /** The figures of the daily listing, where one was fetched. */
  witnessed: number | null;
}

/** What is stored of each source, until when, what is missing, and the result of its newest run. */
export async function readStatus(catalogue: Database, sinceDay: string) {
  const kept = await catalogue.read<typeof coverageSummary.$inferSelect>({ sql: SUMMARIES });
  return {
    sources: await catalogue.read<typeof source.$inferSelect>({ sql: SOURCES }),
    coverage: await catalogue.read<Coverage>({ sql: COVERAGE }),
    quarantine: await catalogue.read<{ source: string; held: number }>({ sql: HELD }),
    runs: await catalogue.read<LastRun>({ sql: LAST_RUNS }),
    days: await catalogue.read<RecentDay>({ sql: RECENT_DAYS, args: [sinceDay] }),
    summaries: new Map(kept.map((row) => [row.source, JSON.parse(row.summary) as CoverageSummary])),
  };
}
