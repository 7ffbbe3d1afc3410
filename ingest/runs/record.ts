import type { Database, SqlValue, Statement } from '../../schema/db/interface.ts';
import { listOfficialPages } from '../../schema/text/document-links.ts';
import { sha256 } from '../../schema/text/json-values.ts';
import { chunksOf } from '../../schema/text/memoise.ts';
import type { IngestContext, RunState, Tally } from '../context.ts';
import type { HttpClient } from '../http/client.ts';
import type { Quarantined } from '../parse/repair.ts';
import type { Source, Span } from '../source.ts';

export type WindowState = 'complete' | 'split' | 'unproved';

/** A tally with all counts at zero. */
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

/** Counts what a batch stored. What it refused, as it cannot be compiled, was counted as read and is in quarantine instead. */
export function countStored(
  tally: Tally,
  { stored, unchanged, refused }: Record<'stored' | 'unchanged' | 'refused', number>,
) {
  tally.stored += stored;
  tally.unchanged += unchanged;
  tally.releases -= refused;
  tally.quarantined += refused;
}

/** Copies the counts of a client. */
export function countAsking(tally: Tally, client: HttpClient): void {
  tally.requests = client.requests();
  tally.refused = client.refused();
  tally.waitedMs = client.waitedMs();
}

/** The identity of a run's row. */
export interface RunName {
  runId: string;
  job: string;
  source: string;
}

/** Writes the row of a run that begins at the instant `at`; only a source's own scheduled run counts as its last attempt. */
export function startRunStatements({ runId, job, source }: RunName, at: string): Statement[] {
  return [
    {
      sql: "INSERT INTO run (id, job, source, started_at, state) VALUES (?, ?, ?, ?, 'running') ON CONFLICT DO NOTHING",
      args: [runId, job, source, at],
    },
    { sql: "UPDATE source SET last_attempt_at = ?1 WHERE id = ?2 AND ?3 = 'ingest'", args: [at, source, job] },
  ];
}

/** Keeps the run's row current, so that a killed run shows how far it came. */
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

/** Only a source's own scheduled run updates when it last succeeded: any other would hide that one was missed. */
export function endRunStatements(
  { runId, job, source }: RunName,
  end: { state: RunState; error: string | null; at: string },
  tally: Tally,
): Statement[] {
  const { at, state, error } = end;
  const good = state === 'succeeded' || state === 'empty';
  return [
    countRunStatement(runId, tally),
    { sql: 'UPDATE run SET ended_at = ?, state = ?, error = ? WHERE id = ?', args: [at, state, error, runId] },
    {
      sql: `UPDATE source SET last_success_at = CASE WHEN ?1 THEN ?2 ELSE last_success_at END, last_error = ?3
        WHERE id = ?4 AND ?5 = 'ingest'`,
      args: [good ? 1 : 0, at, error, source, job],
    },
  ];
}

const QUARANTINE = `INSERT INTO quarantine (source, kind, reason, url, record_id, sha256, bytes, first_seen_at, last_seen_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (source, sha256, reason) DO UPDATE SET last_seen_at = excluded.last_seen_at, sightings = sightings + 1,
  bytes = coalesce(bytes, excluded.bytes), state = iif(?, state, 'held')`;
/** Counts what of each source is in quarantine. It follows, in the same batch, every statement that changes that. */
export const COUNT_QUARANTINED: Statement = {
  sql: `UPDATE source SET quarantined = (SELECT count(*) FROM quarantine q WHERE q.source = source.id AND state = 'held')`,
};

/** Bytes that a libSQL server takes in one row: it refuses a batch with more. */
const BYTES_ON_SERVER = 4_000_000;

/**
 * Keeps what could not be read. The same bytes for the same reason are one row with one more sighting, in quarantine again unless
 * they were taken down. If they are more than the database takes in a row, the row is kept without them.
 */
export function quarantineStatements(
  { url: database }: Pick<Database, 'url'>,
  source: string,
  quarantined: readonly Quarantined[],
  seenAt: string,
): Statement[] {
  if (quarantined.length === 0) return [];
  const most = database.startsWith('file:') ? Number.POSITIVE_INFINITY : BYTES_ON_SERVER;
  const inserts = quarantined.map(({ kind, reason, url, recordId, bytes, isTakenDown }) => {
    const kept = isTakenDown || bytes.length > most ? null : bytes;
    return {
      sql: QUARANTINE,
      args: [source, kind, reason, url, recordId ?? null, sha256(bytes), kept, seenAt, seenAt, isTakenDown ? 1 : 0],
    };
  });
  return [...inserts, COUNT_QUARANTINED];
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

type ProbeReason = 'sequence_gap' | 'unproved_window' | 'daily_csv';

/** Ids bound to one statement. */
const IDS_A_STATEMENT = 1_000;

/** A known id keeps its state. A better reason to request it (a full window, the daily listing) replaces a mere gap. */
const WANT = `INSERT INTO probe (source, notice_id, reason, state, noticed_at, day)
  SELECT ?1, value, ?2, 'wanted', ?3, ?4 FROM json_each(?5)
  WHERE NOT EXISTS (SELECT 1 FROM release WHERE source = ?1 AND release_id = value)
  ON CONFLICT (source, notice_id) DO UPDATE SET reason = excluded.reason, day = coalesce(excluded.day, day)
  WHERE excluded.reason <> 'sequence_gap' AND state IN ('wanted', 'failed')`;

interface Wanted {
  source: string;
  reason: ProbeReason;
  ids: readonly string[];
  /** Instant, ISO 8601 UTC. */
  noticedAt: string;
  /** The London day whose listing names them. */
  day?: string;
}

/** Records ids to be requested one by one, except those already stored. In a batch, it comes after the releases. */
export function wantStatements({ source, reason, ids, noticedAt, day }: Wanted): Statement[] {
  return Array.from(chunksOf(ids, IDS_A_STATEMENT), (some) => ({
    sql: WANT,
    args: [source, reason, noticedAt, day ?? null, JSON.stringify(some)],
  }));
}

/** Windows of runs of a re-walk that did not come to its end, begun after the instant `?4`. */
const OF_UNFINISHED_REWALK = `AND run_id IN (SELECT id FROM run WHERE job = 'rewalk' AND source = ?1 AND started_at > ?4
  AND started_at > coalesce((SELECT max(started_at) FROM run
    WHERE job = 'rewalk' AND source = ?1 AND state IN ('succeeded', 'empty')), ''))`;

/**
 * The parts of a span that need not be asked again. A window counts only up to `overlapMs` before it was asked:
 * what was published just then may have become visible later. With `rewalkSince` (ISO 8601 UTC) only what a re-walk
 * that was begun since then, and not ended, has asked: the next one continues there.
 */
export async function readCompleteSpans(
  catalogue: Database,
  source: string,
  span: Span,
  { overlapMs, rewalkSince }: { overlapMs: number; rewalkSince?: string },
): Promise<Span[]> {
  const rows = await catalogue.read<{ from: string; until: string; completed_at: string }>({
    sql: `SELECT "from", until, completed_at FROM window
      WHERE source = ?1 AND state <> 'split' AND "from" < ?2 AND until > ?3 ${rewalkSince ? OF_UNFINISHED_REWALK : ''}`,
    args: [source, span.until.toISOString(), span.from.toISOString(), ...(rewalkSince ? [rewalkSince] : [])],
  });
  return rows
    .map((row) => ({
      from: new Date(row.from),
      until: new Date(Math.min(Date.parse(row.until), Date.parse(row.completed_at) - overlapMs)),
    }))
    .filter(({ from, until }) => until > from);
}

/** The columns of `source` that the sources table decides. */
const FACTS = [
  ...['id', 'title', 'homepage', 'licence', 'licence_url', 'attribution', 'timetable'],
  ...['kind', 'aliases', 'notice_pages'],
];
const READ_FACTS = `SELECT ${FACTS.join(', ')} FROM source`;
const REGISTER = `INSERT INTO source (${FACTS.join(', ')}) VALUES (${FACTS.map(() => '?').join(', ')})
  ON CONFLICT (id) DO UPDATE SET ${FACTS.map((column) => `${column} = excluded.${column}`).join(', ')}`;

/** Writes what the API must know of each source; counts and times that ingest keeps are left as they are. */
export async function registerSources(catalogue: Database, sources: readonly Source[]): Promise<void> {
  const toArgs = (row: Readonly<Record<string, unknown>>) => FACTS.map((column) => String(row[column]));
  const stored = await catalogue.read<Record<string, SqlValue>>({ sql: READ_FACTS });
  const known = new Set(stored.map((row) => JSON.stringify(toArgs(row))));
  const rows = sources.map(({ aliases = [], ...source }) =>
    toArgs({
      ...source,
      licence_url: source.licenceUrl,
      aliases: JSON.stringify(aliases),
      notice_pages: JSON.stringify(source.kind === 'notices' ? listOfficialPages(source.notices) : []),
    }),
  );
  // Nothing to write is not written: a command that only looks answers while another process holds the database.
  const changed = rows.filter((row) => !known.has(JSON.stringify(row)));
  if (changed.length > 0) await catalogue.write(changed.map((args) => ({ sql: REGISTER, args })));
}

/** The lease's fence, first in each batch of a job that holds one; nothing where nothing is leased. */
export function fenceOf({ fence }: Pick<IngestContext, 'fence'>): Statement[] {
  return fence ? [fence] : [];
}
