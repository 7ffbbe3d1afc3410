import { createTask } from 'node-cron';
import type { Database } from '../../../schema/db/interface.ts';

const MINUTE_MS = 60_000;
/** A run takes its time: what it brings is visible by then. */
const RUN_MINUTES = 2;
/** Without a source that is due before, it is asked again after so long: jobs besides those of sources change rows too. */
const LONGEST_MINUTES = 60;
const TIMETABLE_ZONE = 'Europe/London';

/** From when on there may be more than at an instant: soon after the next run of a source, an hour later at most. */
export async function readAskAgain(catalogue: Database, now: Date): Promise<Date> {
  const sources = await catalogue.read<{ timetable: string }>({ sql: 'SELECT DISTINCT timetable FROM source' });
  const tasks = sources.map(({ timetable }) => createTask(timetable, () => undefined, { timezone: TIMETABLE_ZONE }));
  try {
    const minute = now.getTime() - (now.getTime() % MINUTE_MS);
    for (let ahead = 1; ahead < LONGEST_MINUTES; ahead++) {
      const due = new Date(minute + (ahead - RUN_MINUTES) * MINUTE_MS);
      if (tasks.some((task) => task.match(due))) return new Date(minute + ahead * MINUTE_MS);
    }
    return new Date(minute + LONGEST_MINUTES * MINUTE_MS);
  } finally {
    for (const task of tasks) void task.destroy();
  }
}
