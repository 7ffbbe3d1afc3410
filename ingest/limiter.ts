import { type Database, DatabaseBusy, type Statement } from '../schema/database.ts';
import type { Settings } from '../schema/env.ts';
import { isLoopback, type LimiterName } from './source.ts';
import { type IngestTools, type Sleep, sleepReally } from './tools.ts';

/** Spaces the starts of requests that share one budget, across processes. */
export interface Limiter {
  /** Waits for the next start and takes it. */
  acquire(signal?: AbortSignal): Promise<void>;
  /** Nobody starts before `waitMs` from now; with `slower`, the gap is the longer one for an hour. */
  hold(waitMs: number, slower: boolean): Promise<void>;
}

export interface LimiterOptions {
  catalogue: Database;
  wallNow(): Date;
  sleep: Sleep;
  name: LimiterName;
  gapMs: number;
  slowGapMs: number;
}

const SLOW_FOR_MS = 3_600_000;
/** A start further away than any wait we ever ask for can only be the trace of a clock that jumped: it is ignored. */
const FURTHEST_MS = 3_700_000;
const BUSY_PAUSE_MS = 50;

const TAKE = `INSERT INTO limiter (name, next_at) VALUES (?1, ?2 + ?3)
  ON CONFLICT (name) DO UPDATE SET next_at = excluded.next_at
  WHERE limiter.next_at <= ?2 OR limiter.next_at > ?4
  RETURNING next_at`;
const HOLD = `INSERT INTO limiter (name, next_at) VALUES (?1, ?2)
  ON CONFLICT (name) DO UPDATE SET next_at = max(limiter.next_at, excluded.next_at)`;
const NEXT = 'SELECT next_at FROM limiter WHERE name = ?';

/**
 * A limiter whose row in the catalogue says when the next request may start. A start is taken in one statement that
 * succeeds for one process alone, at the moment of starting, so that a hold also stops those that were already waiting.
 */
export function makeLimiter(options: LimiterOptions): Limiter {
  const { catalogue, name } = options;
  const nowMs = () => options.wallNow().getTime();
  const slow = `${name}:slow`;

  const readNext = async (row: string) =>
    (await catalogue.read<{ next_at: number }>({ sql: NEXT, args: [row] }))[0]?.next_at ?? 0;

  async function gapMs(): Promise<number> {
    const slowUntil = await readNext(slow);
    return slowUntil > nowMs() && slowUntil < nowMs() + FURTHEST_MS ? options.slowGapMs : options.gapMs;
  }

  async function take(): Promise<boolean> {
    const gap = await gapMs();
    const [outcome] = await writeWhenFree(options, () => takeStatements(name, nowMs(), gap));
    return (outcome?.rows.length ?? 0) > 0;
  }

  return {
    async acquire(signal) {
      if (options.gapMs === 0) return;
      while (!(await take())) {
        signal?.throwIfAborted();
        await options.sleep(Math.max(1, (await readNext(name)) - nowMs()), signal);
      }
    },
    async hold(waitMs, slower) {
      if (options.gapMs === 0) return;
      const statements: Statement[] = [{ sql: HOLD, args: [name, nowMs() + waitMs] }];
      if (slower) statements.push({ sql: HOLD, args: [slow, nowMs() + SLOW_FOR_MS] });
      await writeWhenFree(options, () => statements);
    },
  };
}

/** The instant is read when the statement is made, and made anew after a busy pause: the gap counts from it. */
function takeStatements(name: LimiterName, nowMs: number, gapMs: number): Statement[] {
  return [{ sql: TAKE, args: [name, nowMs, gapMs, nowMs + FURTHEST_MS] }];
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

/** The limiter of one budget with its settings; none is needed towards this machine. */
export function openLimiter(tools: IngestTools, name: LimiterName, url: string): Limiter {
  const gaps = readGaps(tools.settings, name);
  const free = isLoopback(url);
  return makeLimiter({
    catalogue: tools.catalogue,
    wallNow: tools.clocks.wallNow,
    sleep: tools.sleep ?? sleepReally,
    name,
    gapMs: free ? 0 : gaps.gapMs,
    slowGapMs: free ? 0 : gaps.slowGapMs,
  });
}

function readGaps(settings: Settings, name: LimiterName): { gapMs: number; slowGapMs: number } {
  if (name === 'companies_house') {
    const gapMs = settings.COMPANIES_HOUSE_GAP_SECONDS * 1_000;
    return { gapMs, slowGapMs: gapMs * 2 };
  }
  return {
    gapMs: settings.PROCUREMENT_GAP_SECONDS * 1_000,
    slowGapMs: settings.PROCUREMENT_GAP_AFTER_429_SECONDS * 1_000,
  };
}
