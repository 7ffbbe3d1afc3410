import { randomUUID } from 'node:crypto';
import { HOUR_MS } from '../../schema/config/clocks.ts';
import type { Settings } from '../../schema/config/settings.ts';
import { type Database, DatabaseBusy, readFirst, SERVER_NOW, type Statement } from '../../schema/db/interface.ts';
import type { Priority, Sleep } from '../context.ts';
import type { Budget, NoticesSource } from '../source.ts';

/** A place in the queue for a limiter. Instants in milliseconds since the epoch, by the clock of the catalogue. */
interface Place {
  limiter: string;
  waiter: string;
  /** Lower goes first; within a rank, first come first served. */
  rank: number;
  sinceMs: number;
}

/** How long a silent waiter keeps its place: shorter than a gap, so that a killed one delays little. */
const PLACE_MS = 10_000;

/** A clock that shows less than when the row was written was set back: the wait then begins again at the new time. */
const RESTART_WAIT = `UPDATE limiter SET next_at = ?2 + (next_at - set_at), set_at = ?2
  WHERE name IN (?1, ?1 || ':slow') AND set_at > ?2`;
const QUEUE = `INSERT INTO limiter_waiter (limiter, waiter, rank, since_at, until_at) VALUES (?1, ?2, ?3, ?4, ?5)
  ON CONFLICT (limiter, waiter) DO UPDATE SET until_at = excluded.until_at`;
/** Succeeds for exactly one waiter: the first in the queue, once the start time has come. */
const TAKE = `INSERT INTO limiter (name, set_at, next_at) SELECT ?1, ?2, ?2 + ?3
  WHERE NOT EXISTS (SELECT 1 FROM limiter WHERE name = ?1 AND next_at > ?2)
    AND NOT EXISTS (SELECT 1 FROM limiter_waiter WHERE limiter = ?1 AND until_at BETWEEN ?2 + 1 AND ?2 + ?7
      AND (rank, since_at, waiter) < (?4, ?5, ?6))
  ON CONFLICT (name) DO UPDATE SET set_at = excluded.set_at, next_at = excluded.next_at RETURNING next_at`;
const COUNT = `INSERT INTO limiter (name, set_at, next_at) SELECT ?1, ?2, ?2 + ?3 WHERE changes() > 0
  ON CONFLICT (name) DO UPDATE SET next_at = max(limiter.next_at, excluded.set_at) + ?3, set_at = excluded.set_at`;
/** The waiter that starts leaves the queue. So do expired ones, and those whose expiry is impossibly far away. */
const LEAVE_ON_START = `DELETE FROM limiter_waiter WHERE limiter = ?1
  AND ((waiter = ?2 AND changes() > 0) OR until_at NOT BETWEEN ?3 + 1 AND ?3 + ?4)`;
const LEAVE = 'DELETE FROM limiter_waiter WHERE limiter = ?1 AND waiter = ?2';
const HOLD = `INSERT INTO limiter (name, set_at, next_at) VALUES (?1, ?2, ?2 + ?3)
  ON CONFLICT (name) DO UPDATE SET set_at = excluded.set_at, next_at = max(limiter.next_at, excluded.next_at)`;

/** When a row's time comes. */
const NEXT = 'SELECT next_at FROM limiter WHERE name = ?';

/** The statement in an attempt that returns a row if the start was taken. */
const START_AT = 2;

/** Spaces the starts of requests that share one budget, across processes. */
export interface Limiter {
  /** Waits for its turn and takes the start; returns how long it waited, in milliseconds. */
  acquire(signal?: AbortSignal): Promise<number>;
  /** Nobody starts within `waitMs` from now. With `slower` the gap is longer for an hour. */
  hold(waitMs: number, slower: boolean): Promise<void>;
}

export interface LimiterOptions extends Budget {
  catalogue: Database;
  wallNow(): Date;
  sleep: Sleep;
  /** The class of the requests: a higher class goes first. */
  priority: Priority;
}

const RANKS: Readonly<Record<Priority, number>> = { nightly: 0, probe: 1, backfill: 2 };
const SLOW_FOR_MS = HOUR_MS;
/** How often a waiter renews its place and checks for a hold or a clock that was set back. */
const BEAT_MS = 2_000;
/** How soon a waiter tries again when it may start but somebody else is first. */
const NOT_FIRST_MS = 250;
const BUSY_PAUSE_MS = 50;

/**
 * A limiter with a row in the catalogue, which says when the next request may start, and a queue. A start is taken in one batch,
 * which succeeds for one waiter in one process. That is the moment of starting, so a hold also stops those already waiting.
 * The highest class goes first, then first come first served.
 */
export function makeLimiter(options: LimiterOptions): Limiter {
  const { catalogue, name } = options;
  let aheadMs: number | undefined;
  const nowMs = () => options.wallNow().getTime() + (aheadMs ?? 0);
  const setClock = async () => {
    aheadMs ??= await readAhead(options);
  };

  const readNext = async (row: string) =>
    (await catalogue.read<{ next_at: number }>({ sql: NEXT, args: [row] }))[0]?.next_at ?? 0;

  /** The batch reads the time when it is built, and again after a busy pause, so the gap counts from then. */
  async function tryToStart(place: Place): Promise<boolean> {
    const isSlow = (await readNext(slowRow(name))) > nowMs();
    const gapMs = isSlow ? options.slowGapMs : options.gapMs;
    const outcomes = await writeWhenFree(options, () => tryStatements(place, nowMs(), gapMs, options.countedIn));
    return (outcomes[START_AT]?.rows.length ?? 0) > 0;
  }

  async function untilNextTry(): Promise<number> {
    const leftMs = (await readNext(name)) - nowMs();
    return leftMs > 0 ? Math.min(leftMs, BEAT_MS) : NOT_FIRST_MS;
  }

  async function waitForTurn(place: Place, signal: AbortSignal | undefined): Promise<number> {
    let waitedMs = 0;
    while (!(await tryToStart(place))) {
      const waitMs = await untilNextTry();
      await options.sleep(waitMs, signal);
      waitedMs += waitMs;
    }
    return waitedMs;
  }

  return {
    async acquire(signal) {
      if (options.gapMs === 0) return 0;
      signal?.throwIfAborted();
      await setClock();
      const place = { limiter: name, waiter: randomUUID(), rank: RANKS[options.priority], sinceMs: nowMs() };
      try {
        return await waitForTurn(place, signal);
      } catch (error) {
        await writeWhenFree(options, () => [leaveStatement(place)]);
        throw error;
      }
    },
    async hold(waitMs, slower) {
      if (options.gapMs === 0) return;
      await setClock();
      await writeWhenFree(options, () => [
        ...[name, ...(options.alsoHolds ?? [])].flatMap((each) => holdStatements(each, nowMs(), waitMs)),
        ...(slower ? holdStatements(slowRow(name), nowMs(), SLOW_FOR_MS) : []),
      ]);
    },
  };
}

/** How far the clock of a catalogue server is ahead of this machine's: those of several machines may differ, and they share the rows. */
async function readAhead({ catalogue, wallNow }: LimiterOptions): Promise<number> {
  if (catalogue.url.startsWith('file:')) return 0;
  const row = await readFirst<{ now: number }>(catalogue, { sql: `SELECT ${SERVER_NOW} AS now` });
  return row ? row.now - wallNow().getTime() : 0;
}

function slowRow(name: string): string {
  return `${name}:slow`;
}

async function writeWhenFree({ catalogue, sleep }: LimiterOptions, make: () => readonly Statement[]) {
  for (;;) {
    try {
      return await catalogue.write(make());
    } catch (error) {
      // A server that is away is waited for below this, as long as the run allows.
      if (!(error instanceof DatabaseBusy)) throw error;
      await sleep(BUSY_PAUSE_MS);
    }
  }
}

/**
 * One attempt to start: keeps the place in the queue, and takes the start if it is this waiter's turn. If the budget counts in a
 * wider one, the start also delays that one's next start, so that both keep within their limits.
 */
function tryStatements(place: Place, nowMs: number, gapMs: number, countedIn: Budget['countedIn'] | undefined) {
  const { limiter, waiter, rank, sinceMs } = place;
  const statements: Statement[] = [
    { sql: RESTART_WAIT, args: [limiter, nowMs] },
    { sql: QUEUE, args: [limiter, waiter, rank, sinceMs, nowMs + PLACE_MS] },
    { sql: TAKE, args: [limiter, nowMs, gapMs, rank, sinceMs, waiter, PLACE_MS] },
  ];
  if (countedIn) statements.push({ sql: COUNT, args: [countedIn.name, nowMs, countedIn.gapMs] });
  statements.push({ sql: LEAVE_ON_START, args: [limiter, waiter, nowMs, PLACE_MS] });
  return statements;
}

function leaveStatement({ limiter, waiter }: Place): Statement {
  return { sql: LEAVE, args: [limiter, waiter] };
}

/** Nobody starts in the named rows before `waitMs` from now. */
function holdStatements(name: string, nowMs: number, waitMs: number): Statement[] {
  return [
    { sql: RESTART_WAIT, args: [name, nowMs] },
    { sql: HOLD, args: [name, nowMs, waitMs] },
  ];
}

/** Milliseconds between the starts of two requests to a service that publishes notices: none towards this machine. */
export function readGapMs(settings: Settings, { budget, baseUrl }: NoticesSource): number {
  return isLoopback(baseUrl(settings)) ? 0 : budget(settings).gapMs;
}

/** Whether an address is on this machine: a test upstream, which needs no politeness. */
export function isLoopback(url: string): boolean {
  return /^(127(\.\d+){3}|localhost|\[::1\])$/.test(new URL(url).hostname);
}
