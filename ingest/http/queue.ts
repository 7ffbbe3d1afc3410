import type { Statement } from '../../schema/db/interface.ts';

/** One place in the queue before a limiter. Instants in milliseconds since the epoch, by the wall clock. */
export interface Place {
  limiter: string;
  waiter: string;
  /** Lower goes first; of one rank, whoever came first. */
  rank: number;
  sinceMs: number;
}

/** A budget in which the starts of another one count too. */
export interface CountedIn {
  name: string;
  gapMs: number;
}

/** How long a waiter that is no longer heard of keeps its place: less than a gap, so that a killed one delays little. */
const PLACE_MS = 10_000;

/** A clock that shows less than when the row was written was put back: the wait that was due begins again at its new time. */
const SETTLE = `UPDATE limiter SET next_at = ?2 + (next_at - set_at), set_at = ?2
  WHERE name IN (?1, ?1 || ':slow') AND set_at > ?2`;
const QUEUE = `INSERT INTO limiter_waiter (limiter, waiter, rank, since_at, until_at) VALUES (?1, ?2, ?3, ?4, ?5)
  ON CONFLICT (limiter, waiter) DO UPDATE SET until_at = excluded.until_at`;
/** Succeeds for one waiter alone: the one before whom nobody stands, once the start has come. */
const TAKE = `INSERT INTO limiter (name, set_at, next_at) SELECT ?1, ?2, ?2 + ?3
  WHERE NOT EXISTS (SELECT 1 FROM limiter WHERE name = ?1 AND next_at > ?2)
    AND NOT EXISTS (SELECT 1 FROM limiter_waiter WHERE limiter = ?1 AND until_at BETWEEN ?2 + 1 AND ?2 + ?7
      AND (rank, since_at, waiter) < (?4, ?5, ?6))
  ON CONFLICT (name) DO UPDATE SET set_at = excluded.set_at, next_at = excluded.next_at RETURNING next_at`;
const COUNT = `INSERT INTO limiter (name, set_at, next_at) SELECT ?1, ?2, ?2 + ?3 WHERE changes() > 0
  ON CONFLICT (name) DO UPDATE SET next_at = max(limiter.next_at, excluded.set_at) + ?3, set_at = excluded.set_at`;
/** The one who starts leaves the queue; so do those whose time is over, or is further away than any can be. */
const LEAVE_ON_START = `DELETE FROM limiter_waiter WHERE limiter = ?1
  AND ((waiter = ?2 AND changes() > 0) OR until_at NOT BETWEEN ?3 + 1 AND ?3 + ?4)`;
const LEAVE = 'DELETE FROM limiter_waiter WHERE limiter = ?1 AND waiter = ?2';
const HOLD = `INSERT INTO limiter (name, set_at, next_at) VALUES (?1, ?2, ?2 + ?3)
  ON CONFLICT (name) DO UPDATE SET set_at = excluded.set_at, next_at = max(limiter.next_at, excluded.next_at)`;

/** When a row's time comes. */
export const NEXT = 'SELECT next_at FROM limiter WHERE name = ?';

/** Which of the statements of a try answers a row where the start was taken. */
export const TAKEN_AT = 2;

/**
 * One try to start: keeps the place in the queue, and takes the start where it is this waiter's turn. The starts of a
 * budget that counts in another one move that one's next start on, so that both stay within their limits.
 */
export function tryStatements(place: Place, nowMs: number, gapMs: number, countedIn: CountedIn | undefined) {
  const { limiter, waiter, rank, sinceMs } = place;
  const statements: Statement[] = [
    { sql: SETTLE, args: [limiter, nowMs] },
    { sql: QUEUE, args: [limiter, waiter, rank, sinceMs, nowMs + PLACE_MS] },
    { sql: TAKE, args: [limiter, nowMs, gapMs, rank, sinceMs, waiter, PLACE_MS] },
  ];
  if (countedIn) statements.push({ sql: COUNT, args: [countedIn.name, nowMs, countedIn.gapMs] });
  statements.push({ sql: LEAVE_ON_START, args: [limiter, waiter, nowMs, PLACE_MS] });
  return statements;
}

export function leaveStatement({ limiter, waiter }: Place): Statement {
  return { sql: LEAVE, args: [limiter, waiter] };
}

/** Nobody starts in the named rows before `waitMs` from now. */
export function holdStatements(name: string, nowMs: number, waitMs: number): Statement[] {
  return [
    { sql: SETTLE, args: [name, nowMs] },
    { sql: HOLD, args: [name, nowMs, waitMs] },
  ];
}
