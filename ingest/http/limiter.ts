import { randomUUID } from 'node:crypto';
import { type Database, DatabaseBusy, type Statement } from '../../schema/db/interface.ts';
import type { Priority, Sleep } from '../context.ts';
import type { LimiterName } from '../source.ts';
import { type CountedIn, holdStatements, leaveStatement, NEXT, type Place, TAKEN_AT, tryStatements } from './queue.ts';

/** Spaces the starts of requests that share one budget, across processes. */
export interface Limiter {
  /** Waits for its turn and takes the start; answers how long it waited, in milliseconds. */
  acquire(signal?: AbortSignal): Promise<number>;
  /** Nobody starts before `waitMs` from now; with `slower`, the gap is the longer one for an hour. */
  hold(waitMs: number, slower: boolean): Promise<void>;
}

/** What one budget allows. */
export interface Budget {
  name: LimiterName;
  /** Milliseconds between two starts; 0: no limit. */
  gapMs: number;
  /** The same after a refusal. */
  slowGapMs: number;
  /** A wider budget in which each of its starts counts as one. */
  countedIn?: CountedIn;
  /** Narrower budgets that a refusal of this one stops as well. */
  alsoHolds?: readonly LimiterName[];
}

export interface LimiterOptions extends Budget {
  catalogue: Database;
  wallNow(): Date;
  sleep: Sleep;
  /** Whose requests these are: those of a higher class go first. */
  priority: Priority;
}

const RANKS: Readonly<Record<Priority, number>> = { nightly: 0, probe: 1, backfill: 2 };
const SLOW_FOR_MS = 3_600_000;
/** How often a waiter is heard of, and looks again whether a hold came or the clock was put back. */
const BEAT_MS = 2_000;
/** How soon a waiter looks again where the start has come and somebody else is first. */
const BEHIND_MS = 250;
const BUSY_PAUSE_MS = 50;

/**
 * A limiter whose row in the catalogue says when the next request may start, with a queue beside it. A start is taken
 * in one batch that succeeds for one waiter of one process alone, at the moment of starting, so that a hold also stops
 * those that were already waiting. Of several waiters the highest class goes first, then whoever came first.
 */
export function makeLimiter(options: LimiterOptions): Limiter {
  const { catalogue, name } = options;
  const nowMs = () => options.wallNow().getTime();

  const readNext = async (row: string) =>
    (await catalogue.read<{ next_at: number }>({ sql: NEXT, args: [row] }))[0]?.next_at ?? 0;

  /** The instant is read when the batch is made, and made anew after a busy pause: the gap counts from it. */
  async function tryToStart(place: Place): Promise<boolean> {
    const isSlow = (await readNext(slowRow(name))) > nowMs();
    const gapMs = isSlow ? options.slowGapMs : options.gapMs;
    const outcomes = await writeWhenFree(options, () => tryStatements(place, nowMs(), gapMs, options.countedIn));
    return (outcomes[TAKEN_AT]?.rows.length ?? 0) > 0;
  }

  async function untilNextTry(): Promise<number> {
    const leftMs = (await readNext(name)) - nowMs();
    return leftMs > 0 ? Math.min(leftMs, BEAT_MS) : BEHIND_MS;
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
      await writeWhenFree(options, () => [
        ...[name, ...(options.alsoHolds ?? [])].flatMap((each) => holdStatements(each, nowMs(), waitMs)),
        ...(slower ? holdStatements(slowRow(name), nowMs(), SLOW_FOR_MS) : []),
      ]);
    },
  };
}

function slowRow(name: LimiterName): string {
  return `${name}:slow`;
}

async function writeWhenFree({ catalogue, sleep }: LimiterOptions, make: () => readonly Statement[]) {
  for (;;) {
    try {
      return await catalogue.write(make());
    } catch (error) {
      if (!(error instanceof DatabaseBusy)) throw error;
      await sleep(BUSY_PAUSE_MS);
    }
  }
}
