import { createTask, parse, validate } from 'node-cron';
import { DAY_MS, londonDate, londonInstant } from '../../schema/config/clocks.ts';

/** How often the clock is read. */
const READ_MS = 1_000;

/**
 * Calls `onTime` at every time of a cron line, with that time, until the returned function is called. Of the times that passed
 * while the machine slept, it gets only the first. node-cron's own timer counts each of them, which takes a minute for a day of
 * seconds; and where the clock is set back, it waits until the clock is again where it was.
 */
export function atTimes(cron: string, onTime: (time: Date) => void): () => void {
  const task = createTask(cron, () => undefined, { timezone: zoneOf(cron).timezone });
  let readMs = Date.now();
  let [next] = task.getNextRuns(1);
  let timer: NodeJS.Timeout;
  const look = () => {
    const nowMs = Date.now();
    const time = next;
    const isTime = time !== undefined && time.getTime() <= nowMs;
    if (isTime || nowMs < readMs) [next] = task.getNextRuns(1);
    readMs = nowMs;
    wait();
    if (isTime) onTime(time);
  };
  const wait = () => {
    const leftMs = (next?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now();
    timer = setTimeout(look, Math.min(Math.max(leftMs, 0), READ_MS));
  };
  wait();
  return () => {
    clearTimeout(timer);
    task.destroy();
  };
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
 * A job that runs every hour has the same times in UTC. In London time it would skip an hour when summer time ends, as
 * node-cron takes a time that occurs twice for the later one.
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
