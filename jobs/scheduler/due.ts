import { createTask, parse, validate } from 'node-cron';
import { londonDate, londonInstant } from '../../schema/config/clocks.ts';

/** Timetables are read in London time, as the services publish in it. */
export const TIMETABLE_ZONE = 'Europe/London';

const DAY_MS = 86_400_000;
/** No timetable is rarer than yearly. */
const DAYS_BACK = 366;

/**
 * The latest instant at or before `now` at which a cron line was to run, or null if there was none within a year.
 * @throws Error naming a cron line that cannot be read.
 */
export function previousTime(cron: string, now: Date): Date | null {
  if (!validate(cron)) throw new Error(`not a cron line: ${cron}`);
  const times = timesOfDay(cron);
  const task = createTask(cron, () => undefined, { timezone: TIMETABLE_ZONE });
  try {
    for (let day = 0; day <= DAYS_BACK; day++) {
      // Noon is inside its own London day on every day of the year, clock changes included.
      const date = londonDate(new Date(noonOf(now) - day * DAY_MS));
      const found = times
        .map((time) => londonInstant(`${date}T${time}`))
        .find((instant) => instant <= now && task.match(instant));
      if (found) return found;
    }
    return null;
  } finally {
    task.destroy();
  }
}

/** Whether a job missed a turn: it never succeeded, or it was to run at some time between its last success and now. */
export function isDue(cron: string, lastSuccess: Date | null, now: Date): boolean {
  if (!lastSuccess) return true;
  const previous = previousTime(cron, now);
  return previous !== null && previous > lastSuccess;
}

function noonOf(now: Date): number {
  return londonInstant(`${londonDate(now)}T12:00:00`).getTime();
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
