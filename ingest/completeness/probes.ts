import type { SqlValue, Statement } from '../../schema/db/interface.ts';
import type { WindowsSource } from '../source.ts';

type ProbeReason = 'sequence_gap' | 'unproved_window' | 'daily_csv';

/** What a probe says after the first time that nothing was served for its id; the second time, on another day, is final. */
const NOT_SERVED = 'nothing is served for it (404)';

/** Ids bound to one statement. */
const IDS_A_STATEMENT = 1_000;

/** An id that is known already keeps its state; a better reason to ask (a full window, a witness) replaces a mere gap. */
const WANT = `INSERT INTO probe (source, notice_id, reason, state, noticed_at, day)
  SELECT ?1, value, ?2, 'wanted', ?3, ?4 FROM json_each(?5)
  WHERE NOT EXISTS (SELECT 1 FROM release WHERE source = ?1 AND release_id = value)
  ON CONFLICT (source, notice_id) DO UPDATE SET reason = excluded.reason, day = coalesce(excluded.day, day)
  WHERE excluded.reason <> 'sequence_gap' AND state IN ('wanted', 'failed')`;
const CAME = `UPDATE probe SET state = 'fetched', error = NULL WHERE source = ? AND state <> 'fetched'
  AND EXISTS (SELECT 1 FROM release r WHERE r.source = probe.source AND r.release_id = probe.notice_id)`;
const ANSWERED = `UPDATE probe SET state = ?, error = ?, asked_at = ?, attempts = attempts + 1
  WHERE source = ? AND notice_id = ?`;
/** What was asked for this day and not served is asked for on another; what failed may be asked for at once. */
const DUE = `SELECT notice_id, reason, error FROM probe WHERE source = ?1
  AND (state = 'failed' OR (state = 'wanted' AND (asked_at IS NULL OR asked_at < ?2)))
  ORDER BY asked_at IS NOT NULL, asked_at, notice_id LIMIT ?3`;

interface Wanted {
  source: string;
  reason: ProbeReason;
  ids: readonly string[];
  /** Instant, ISO 8601 UTC. */
  noticedAt: string;
  /** The London day whose listing names them. */
  day?: string;
}

/** Notes ids to be asked for, but for those that are held. In a batch, it comes after the releases. */
export function wantStatements({ source, reason, ids, noticedAt, day }: Wanted): Statement[] {
  const statements: Statement[] = [];
  for (let at = 0; at < ids.length; at += IDS_A_STATEMENT) {
    const some = JSON.stringify(ids.slice(at, at + IDS_A_STATEMENT));
    statements.push({ sql: WANT, args: [source, reason, noticedAt, day ?? null, some] });
  }
  return statements;
}

/** Numbers further apart than a page can skip belong to other windows. */
const NEAR = 100;

/**
 * What may be published in a window too full to be read whole: the numbers between those that came of it, and as many
 * below the lowest. The newest come first in a listing, so that nothing above the highest was cut off.
 */
export function nearNumbers(sequence: NonNullable<WindowsSource['sequence']>, ids: readonly string[]): string[] {
  const found = ids.flatMap((id) => sequence.parse(id) ?? []);
  const near: string[] = [];
  for (const year of new Set(found.map((each) => each.year))) {
    const numbers = [...new Set(found.filter((each) => each.year === year).map(({ number }) => number))];
    let above = Number.POSITIVE_INFINITY;
    for (const number of numbers.sort((a, b) => b - a)) {
      // Below the last of a run come its own hundred; inside one, all that it left out.
      if (above - number > NEAR) addBelow(near, sequence, { year, number: above });
      else for (let n = above - 1; n > number; n--) near.push(sequence.format({ year, number: n }));
      above = number;
    }
    addBelow(near, sequence, { year, number: above });
  }
  return near;
}

function addBelow(
  near: string[],
  { format }: NonNullable<WindowsSource['sequence']>,
  { year, number }: { year: number; number: number },
): void {
  if (!Number.isFinite(number)) return;
  for (let n = number - 1; n >= Math.max(1, number - NEAR); n--) near.push(format({ year, number: n }));
}

/** Settles what came by itself meanwhile, through a window that was asked later. */
export function settleCameStatement(source: string): Statement {
  return { sql: CAME, args: [source] };
}

export interface DueProbe {
  notice_id: string;
  reason: ProbeReason;
  error: string | null;
}

/** The ids to ask for now, never asked before first. `before`: the start of this London day. */
export function dueProbesStatement(source: string, before: string, limit: number): Statement {
  return { sql: DUE, args: [source, before, limit] };
}

export interface Verdict {
  state: 'wanted' | 'fetched' | 'never_published' | 'failed';
  error: string | null;
}

/** Publication may lag behind a number: only a second day without an answer makes it final. */
export function judgeNotServed(probe: DueProbe): Verdict {
  return probe.error === NOT_SERVED
    ? { state: 'never_published', error: NOT_SERVED }
    : { state: 'wanted', error: NOT_SERVED };
}

/** Writes down what asking for one id at the instant `at` came to, and counts the attempt. */
export function answeredStatement(
  { source, id, at }: { source: string; id: string; at: string },
  { state, error }: Verdict,
): Statement {
  const args: SqlValue[] = [state, error, at, source, id];
  return { sql: ANSWERED, args };
}
