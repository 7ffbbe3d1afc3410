import { londonDate, londonInstant } from '../../config/clocks.ts';
import type { WatchRhythm } from './row.ts';

const DAY_MS = 86_400_000;
const MONDAY = 1;

/**
 * The next instant at which a digest is due: the hour (London) of the next day that has one, on Mondays where it is weekly;
 * null where a watch delivers after each run.
 */
export function nextDigest(every: WatchRhythm, now: Date, hour: number): Date | null {
  if (every === 'run') return null;
  const time = `T${String(hour).padStart(2, '0')}:00:00`;
  // Calendar days are counted at noon in UTC, which no change of the clocks moves to another day.
  for (let noon = Date.parse(`${londonDate(now)}T12:00:00Z`); ; noon += DAY_MS) {
    const day = new Date(noon);
    if (every === 'week' && day.getUTCDay() !== MONDAY) continue;
    const due = londonInstant(`${day.toISOString().slice(0, 10)}${time}`);
    if (due > now) return due;
  }
}
