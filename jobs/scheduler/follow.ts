import { setTimeout as pause } from 'node:timers/promises';
import { createTask, parse, schedule, validate } from 'node-cron';
import { DAY_MS, isoInstant, londonDate, londonInstant } from '../../schema/config/clocks.ts';
import type { JobMetrics } from '../metrics/registry.ts';
import { readHolder } from '../process/lease.ts';
import { ExpectedFault, type JobsServices, RunFailed } from '../process/services.ts';
import { type FailureBook, makeFailureBook } from './failures.ts';
import type { Outcome, TimetableEntry } from './timetable.ts';

const FAILED = 'failed; tried again at its next time';
/** How often a run that another process holds is checked; a killed holder's lease expires after 30 s. */
const LEASED_MS = 10_000;

/** A timetable being followed. */
export interface Following {
  /** Jobs that are running now. */
  running(): string[];
  /** Starts nothing more, asks running jobs to stop at their next safe point, and waits for them. */
  stop(): Promise<void>;
}

/**
 * Runs every entry at its times, independently: a slow one delays no other and never overlaps itself. Begins with runs that
 * were missed while no process was up. A failing job is logged and tried again at its next time.
 */
export async function followTimetable(
  services: JobsServices,
  entries: readonly TimetableEntry[],
  metrics: JobMetrics,
  { failures = makeFailureBook(services), leasedMs = LEASED_MS }: { failures?: FailureBook; leasedMs?: number } = {},
): Promise<Following> {
  const tools: EntryTools = { services, metrics, failures };
  const running = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  const { signal } = stopping;
  const start = (entry: TimetableEntry, run: () => Promise<unknown>) => {
    if (running.has(entry.job) || signal.aborted) return;
    const work = run()
      .catch((error: unknown) => services.log.error({ job: entry.job, err: error }, FAILED))
      .then(() => void running.delete(entry.job));
    running.set(entry.job, work);
  };
  const run = (entry: TimetableEntry) => () => runEntry(tools, entry, signal);
  for (const entry of entries) {
    if (!(await startsNow(services, entry))) continue;
    start(entry, () => catchUp(services, entry, run(entry), { signal, leasedMs }));
  }
  const runInTime = (entry: TimetableEntry, time: Date) =>
    // Only runs with a record of their success can be missed.
    entry.lastSuccessOf
      ? () => catchUp(services, entry, run(unlessDone(entry, time)), { signal, leasedMs })
      : run(entry);
  const tasks = entries.map((entry) => {
    const startInTime = ({ date }: { date: Date }) => start(entry, runInTime(entry, date));
    const task = schedule(entry.cron, startInTime, {
      timezone: zoneOf(entry.cron).timezone,
      name: entry.job,
      // If the export writer's second passed during other work, that is normal; the next one comes.
      suppressMissedWarning: true,
    });
    // node-cron leaves out a time that it notices more than a second late, for example because the machine slept.
    task.on('execution:missed', startInTime);
    return task;
  });
  return {
    running: () => [...running.keys()],
    async stop() {
      for (const task of tasks) await task.destroy();
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
    do {
      await pauseUnlessStopped(leasedMs, signal);
      if (signal.aborted || !(await isMissed(services, entry))) return;
    } while (await readHolder(services.catalogue, entry.job));
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
}

/** Runs an entry once; returns its result, or null where it failed. */
async function runEntry(
  { services, metrics, failures }: EntryTools,
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
    if (!(error instanceof RunFailed))
      await failures.note({ job: entry.job, source: entry.lastSuccessOf?.source }, error);
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
  { cron, lastSuccessOf: turn }: TimetableEntry,
  now = services.clocks.wallNow(),
): Promise<boolean> {
  return isDue(cron, turn ? await readLastSuccess(services, turn, now) : null, now);
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

/** Where the days and hours of a cron line are. */
interface Zone {
  timezone: string;
  /** Calendar date `YYYY-MM-DD` of an instant. */
  dateOf(instant: Date): string;
  /** The instant of a local `YYYY-MM-DDTHH:MM:SS`. */
  instantOf(local: string): Date;
}

/** Timetables are read in London time, as the services publish in it. */
const LONDON: Zone = { timezone: 'Europe/London', dateOf: londonDate, instantOf: londonInstant };
const UTC: Zone = {
  timezone: 'UTC',
  dateOf: (instant) => instant.toISOString().slice(0, 10),
  instantOf: (local) => new Date(`${local}Z`),
};

/**
 * What runs in every hour has the same times in UTC. In London time it would not run for an hour when summer time ends: node-cron
 * takes a time that comes twice for the second one.
 */
const zoneOf = (cron: string): Zone => (cron.endsWith(' * * * *') ? UTC : LONDON);

/** Every timetable runs at least once a year. */
const DAYS_BACK = 366;

/**
 * The latest instant at or before `now` at which a cron line was due, or null if there was none within a year. @throws Error
 * naming a cron line that cannot be read.
 */
export function previousTime(cron: string, now: Date): Date | null {
  if (!validate(cron)) throw new Error(`not a cron line: ${cron}`);
  const { timezone, dateOf, instantOf } = zoneOf(cron);
  const times = timesOfDay(cron);
  const task = createTask(cron, () => undefined, { timezone });
  // Noon is inside its own day on every day of the year, clock changes included.
  const noonMs = instantOf(`${dateOf(now)}T12:00:00`).getTime();
  try {
    for (let day = 0; day <= DAYS_BACK; day++) {
      const date = dateOf(new Date(noonMs - day * DAY_MS));
      const found = times
        .map((time) => instantOf(`${date}T${time}`))
        .find((instant) => instant <= now && task.match(instant));
      if (found) return found;
    }
    return null;
  } finally {
    task.destroy();
  }
}

/** Whether a job missed a run: it never succeeded, or it was due at some time between its last success and now. */
export function isDue(cron: string, lastSuccess: Date | null, now: Date): boolean {
  if (!lastSuccess) return true;
  const previous = previousTime(cron, now);
  return previous !== null && previous > lastSuccess;
}

/** Every `HH:MM:SS` of a cron line, latest first. */
function timesOfDay(cron: string): string[] {
  const { hour, minute, second } = parse(cron);
  const two = (value: number) => String(value).padStart(2, '0');
  return hour
    .flatMap((h) => minute.flatMap((m) => second.map((s) => `${two(h)}:${two(m)}:${two(s)}`)))
    .sort()
    .reverse();
}
