import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { isoInstant } from '../../schema/config/clocks.ts';
import type { JobMetrics } from '../metrics/registry.ts';
import { readHolder } from '../process/lease.ts';
import { ExpectedFault, type JobsServices, RunFailed } from '../process/services.ts';
import { atTimes, isDue } from './cron-times.ts';
import { type FailureBook, makeFailureBook } from './failures.ts';
import type { Outcome, TimetableEntry } from './timetable.ts';

const FAILED = 'failed; tried again at its next time';
/** How often a run that another process holds is checked; a killed holder's lease expires after 30 s, a rebuild's after five minutes. */
const LEASED_MS = 10_000;
/** How long a failed job waits at least: one that runs every second would fill the log while a database is away. */
const FAILED_MS = 10_000;

/** A timetable being followed. */
export interface Following {
  /** Jobs that are running now. */
  running(): string[];
  /** Starts nothing more, asks running jobs to stop at their next safe point, and waits for them. */
  stop(): Promise<void>;
}

interface FollowOptions {
  failures?: FailureBook;
  leasedMs?: number;
  failedMs?: number;
}

/**
 * Runs every entry at its times, independently: a slow one delays no other and never overlaps itself. Begins with runs that
 * were missed while no process was up. A failing job is logged and tried again at its next time.
 */
export async function followTimetable(
  services: JobsServices,
  entries: readonly TimetableEntry[],
  metrics: JobMetrics,
  { failures = makeFailureBook(services), leasedMs = LEASED_MS, failedMs = FAILED_MS }: FollowOptions = {},
): Promise<Following> {
  const running = new Map<string, Promise<void>>();
  /** Jobs that pause after a failure, each with the run that has come due since, if any. */
  const resting = new Map<string, (() => Promise<unknown>) | null>();
  const stopping = new AbortController();
  const { signal } = stopping;
  // Every job listens to it while it runs: above ten listeners Node would warn of a leak.
  setMaxListeners(0, signal);
  const rest = async (job: string, note: () => Promise<void>) => {
    resting.set(job, null);
    await note();
    await pauseUnlessStopped(failedMs, signal);
  };
  const tools: EntryTools = { services, metrics, failures, rest };
  const start = (entry: TimetableEntry, run: () => Promise<unknown>) => {
    const { job } = entry;
    if (resting.has(job)) resting.set(job, run);
    if (running.has(job) || signal.aborted) return;
    const work = run()
      .catch((error: unknown) => services.log.error({ job, err: error }, FAILED))
      .then(() => {
        running.delete(job);
        const due = resting.get(job);
        resting.delete(job);
        if (due) start(entry, due);
      });
    running.set(job, work);
  };
  const run = (entry: TimetableEntry) => () => runEntry(tools, entry, signal);
  for (const { job } of entries) metrics.expect(job);
  for (const entry of entries) {
    if (!(await startsNow(services, entry))) continue;
    start(entry, () => catchUp(services, entry, run(entry), { signal, leasedMs }));
  }
  const runInTime = (entry: TimetableEntry, time: Date) =>
    // Only runs with a record of their success can be missed.
    entry.lastSuccessOf
      ? () => catchUp(services, entry, run(unlessDone(entry, time)), { signal, leasedMs })
      : run(entry);
  const ends = entries.map((entry) => atTimes(entry.cron, (time) => start(entry, runInTime(entry, time))));
  return {
    running: () => [...running.keys()],
    async stop() {
      for (const end of ends) end();
      stopping.abort(new Error('the process is stopping'));
      await Promise.all(running.values());
    },
  };
}

/** An entry that does nothing at this time where another process, whose clock is ahead, has already run it. */
function unlessDone(entry: TimetableEntry, time: Date): TimetableEntry {
  return {
    ...entry,
    run: async (services, signal) => ((await isMissed(services, entry, time)) ? entry.run(services, signal) : null),
  };
}

/** Runs an entry. Where another process holds it, waits until it is done there or can be done here. */
async function catchUp(
  services: JobsServices,
  entry: TimetableEntry,
  run: () => Promise<Outcome>,
  { signal, leasedMs }: { signal: AbortSignal; leasedMs: number },
): Promise<void> {
  for (;;) {
    const outcome = await run();
    if (!outcome || !('heldBy' in outcome)) return;
    // The holder may be killed: its lease outlives it, and its run would be missed until the next time.
    for (let isHeld = true; isHeld; ) {
      await pauseUnlessStopped(leasedMs, signal);
      if (signal.aborted) return;
      isHeld = (await readHolder(services.catalogue, entry.job)) !== null;
      // Read after the lease: a holder records its success before it releases that.
      if (!(await isMissed(services, entry))) return;
    }
  }
}

/** Ends early, and without complaint, when the process stops. */
async function pauseUnlessStopped(waitMs: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(waitMs, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** What running an entry of the timetable needs. */
interface EntryTools {
  services: JobsServices;
  metrics: JobMetrics;
  failures: FailureBook;
  /** Records why a job failed, then pauses: it is not started again meanwhile. */
  rest(job: string, note: () => Promise<void>): Promise<void>;
}

/** Runs an entry once; returns its result, or null where it failed, after a pause. */
async function runEntry(
  { services, metrics, failures, rest }: EntryTools,
  entry: TimetableEntry,
  signal: AbortSignal,
): Promise<Outcome> {
  const log = services.log.child({ job: entry.job });
  const finish = metrics.begin(entry.job);
  try {
    const outcome = await entry.run(services, signal);
    finish('succeeded');
    failures.forget(entry.job);
    if (outcome) log.info(outcome, 'heldBy' in outcome ? 'another process is at it' : 'done');
    return outcome;
  } catch (error) {
    finish(signal.aborted ? 'stopped' : 'failed');
    if (signal.aborted) {
      log.info('stopped at a safe point');
      return null;
    }
    log.error(error instanceof ExpectedFault ? { error: error.message } : { err: error }, FAILED);
    await rest(entry.job, async () => {
      if (!(error instanceof RunFailed))
        await failures.note({ job: entry.job, source: entry.lastSuccessOf?.source }, error);
    });
    return null;
  }
}

async function startsNow(services: JobsServices, entry: TimetableEntry): Promise<boolean> {
  if (entry.atStart === 'always') return true;
  const due = await isMissed(services, entry);
  if (due) services.log.info({ job: entry.job }, 'missed its time; starting now');
  return due;
}

async function isMissed(
  services: JobsServices,
  { cron, lastSuccessOf }: TimetableEntry,
  now = services.clocks.wallNow(),
): Promise<boolean> {
  return isDue(cron, lastSuccessOf ? await readLastSuccess(services, lastSuccessOf, now) : null, now);
}

/** How far the clocks of machines with jobs may be apart. Times further ahead are from a clock that was wrong. */
const CLOCKS_APART_MS = 300_000;

/** When a run of a job last succeeded, by the wall clock of the machine that it ran on. */
async function readLastSuccess(
  { catalogue }: JobsServices,
  { job, source }: { job: string; source: string },
  now: Date,
): Promise<Date | null> {
  const [row] = await catalogue.read<{ at: string | null }>({
    sql: `SELECT max(ended_at) AS at FROM run
      WHERE job = ? AND source = ? AND state IN ('succeeded', 'empty') AND ended_at <= ?`,
    args: [job, source, isoInstant(new Date(now.getTime() + CLOCKS_APART_MS))],
  });
  return row?.at ? new Date(row.at) : null;
}
