import type { Database, Statement } from '../schema/database.ts';
import type { Asker } from './ask.ts';
import type { Source } from './source.ts';
import type { RunState } from './tools.ts';
import type { Span } from './windows.ts';

/** What a run has come to so far. */
export interface Tally {
  requests: number;
  /** Requests that were refused upstream because there had been too many. */
  refused: number;
  /** Time spent waiting for a turn to ask, and after what went wrong. */
  waitedMs: number;
  releases: number;
  stored: number;
  unchanged: number;
  quarantined: number;
  repairs: Record<string, number>;
  /** What was out of the ordinary though nothing failed, for the operator to read. */
  warning: string | null;
}

export type WindowState = 'complete' | 'split' | 'unproved';

export function makeTally(): Tally {
  return {
    requests: 0,
    refused: 0,
    waitedMs: 0,
    releases: 0,
    stored: 0,
    unchanged: 0,
    quarantined: 0,
    repairs: {},
    warning: null,
  };
}

/** Adds counts by name to counts by name. */
export function addCounts(into: Record<string, number>, more: Record<string, number>): void {
  for (const [name, count] of Object.entries(more)) into[name] = (into[name] ?? 0) + count;
}

/** Takes over what asking has come to so far. */
export function countAsking(tally: Tally, asker: Asker): void {
  tally.requests = asker.requests();
  tally.refused = asker.refused();
  tally.waitedMs = asker.waitedMs();
}

export function startRunStatements(runId: string, source: string, at: string): Statement[] {
  return [
    {
      sql: "INSERT INTO run (id, job, source, started_at, state) VALUES (?, 'ingest', ?, ?, 'running')",
      args: [runId, source, at],
    },
    { sql: 'UPDATE source SET last_attempt_at = ? WHERE id = ?', args: [at, source] },
  ];
}

/** Keeps the run's row true while it runs, so that a killed run tells how far it came. */
export function countRunStatement(runId: string, tally: Tally): Statement {
  return {
    sql: `UPDATE run SET requests = ?, refused = ?, waited_ms = ?, releases = ?, stored = ?, quarantined = ?, repairs = ?, warning = ?
      WHERE id = ?`,
    args: [
      tally.requests,
      tally.refused,
      tally.waitedMs,
      tally.releases,
      tally.stored,
      tally.quarantined,
      JSON.stringify(tally.repairs),
      tally.warning,
      runId,
    ],
  };
}

export function endRunStatements(
  run: { runId: string; source: string; at: string },
  end: { state: RunState; error: string | null },
  tally: Tally,
): Statement[] {
  const good = end.state === 'succeeded' || end.state === 'empty';
  return [
    countRunStatement(run.runId, tally),
    {
      sql: 'UPDATE run SET ended_at = ?, state = ?, error = ? WHERE id = ?',
      args: [run.at, end.state, end.error, run.runId],
    },
    {
      sql: `UPDATE source SET last_success_at = CASE WHEN ? THEN ? ELSE last_success_at END, last_error = ? WHERE id = ?`,
      args: [good ? 1 : 0, run.at, end.error, run.source],
    },
  ];
}

/** Records one window. A window that was split before and is whole now keeps its newest state. */
export function windowStatement(
  run: { runId: string; source: string; at: string },
  span: { from: string; until: string },
  window: { state: WindowState; requests: number; releases: number; digest: string },
): Statement {
  const { state, requests, releases, digest } = window;
  return {
    sql: `INSERT OR REPLACE INTO window
      (source, "from", until, run_id, state, requests, releases, digest, completed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    args: [run.source, span.from, span.until, run.runId, state, requests, releases, digest, run.at],
  };
}

/** Moves a cursor forward, never back, and with it the instant before which everything is held. */
export function moveCursorStatements(source: string, value: string, at: string): Statement[] {
  return [
    {
      sql: 'UPDATE source SET as_of = max(coalesce(as_of, ?1), ?1) WHERE id = ?2',
      args: [value, source],
    },
    {
      sql: `INSERT INTO cursor (source, value, updated_at) VALUES (?, ?, ?) ON CONFLICT (source) DO UPDATE
        SET value = max(cursor.value, excluded.value), updated_at = excluded.updated_at`,
      args: [source, value, at],
    },
  ];
}

export async function readCursor(catalogue: Database, source: string): Promise<string | null> {
  const rows = await catalogue.read<{ value: string }>({
    sql: 'SELECT value FROM cursor WHERE source = ?',
    args: [source],
  });
  return rows[0]?.value ?? null;
}

/**
 * The parts of a span that need not be asked again. A window counts only up to `overlapMs` before it was asked:
 * what was published just then may have become visible later.
 */
export async function readHeldSpans(
  catalogue: Database,
  source: string,
  span: Span,
  overlapMs: number,
): Promise<Span[]> {
  const rows = await catalogue.read<{ from: string; until: string; completed_at: string }>({
    sql: `SELECT "from", until, completed_at FROM window
      WHERE source = ? AND state IN ('complete', 'unproved') AND "from" < ? AND until > ?`,
    args: [source, span.until.toISOString(), span.from.toISOString()],
  });
  return rows
    .map((row) => ({
      from: new Date(row.from),
      until: new Date(Math.min(Date.parse(row.until), Date.parse(row.completed_at) - overlapMs)),
    }))
    .filter(({ from, until }) => until > from);
}

/** Writes what the API must know of each source; counts and times that ingest keeps are left as they are. */
export async function registerSources(catalogue: Database, sources: readonly Source[]): Promise<void> {
  await catalogue.write(
    sources.map((source) => ({
      sql: `INSERT INTO source (id, title, homepage, licence, licence_url, attribution, timetable)
        VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET title = excluded.title,
        homepage = excluded.homepage, licence = excluded.licence, licence_url = excluded.licence_url,
        attribution = excluded.attribution, timetable = excluded.timetable`,
      args: [
        source.id,
        source.title,
        source.homepage,
        source.licence,
        source.licenceUrl,
        source.attribution,
        source.timetable,
      ],
    })),
  );
}
