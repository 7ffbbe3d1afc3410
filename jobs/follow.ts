import { schedule } from 'node-cron';
import { isDue, TIMETABLE_ZONE } from './due.ts';
import { ExpectedFault, type JobsHouse } from './house.ts';
import type { JobMetrics } from './metrics.ts';
import type { TimetableEntry } from './timetable.ts';

const FAILED = 'failed; tried again at its next time';

/** A timetable being followed. */
export interface Following {
  /** Jobs that are at work now. */
  running(): string[];
  /** Starts nothing more, asks what runs to stop at its next safe point, and waits for it. */
  stop(): Promise<void>;
}

/**
 * Runs every entry at its times, each apart from the others: a slow one delays nobody and never overlaps itself.
 * Begins with what missed its turn while no process was up. A failing job is logged and tried again at its next time.
 */
export async function followTimetable(
  house: JobsHouse,
  entries: readonly TimetableEntry[],
  metrics: JobMetrics,
): Promise<Following> {
  const running = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  const start = (entry: TimetableEntry) => {
    if (running.has(entry.job) || stopping.signal.aborted) return;
    const work = runEntry(house, entry, metrics, stopping.signal).finally(() => running.delete(entry.job));
    running.set(entry.job, work);
  };
  for (const entry of entries) if (await startsNow(house, entry)) start(entry);
  const tasks = entries.map((entry) =>
    schedule(entry.cron, () => start(entry), {
      timezone: TIMETABLE_ZONE,
      name: entry.job,
      // A second of the export writer that passed during other work is no news; the next one comes.
      suppressMissedWarning: true,
    }),
  );
  return {
    running: () => [...running.keys()],
    async stop() {
      for (const task of tasks) await task.destroy();
      stopping.abort(new Error('the process is stopping'));
      await Promise.all(running.values());
    },
  };
}

async function runEntry(
  house: JobsHouse,
  entry: TimetableEntry,
  metrics: JobMetrics,
  signal: AbortSignal,
): Promise<void> {
  const log = house.log.child({ job: entry.job });
  const finish = metrics.begin(entry.job);
  try {
    const outcome = await entry.run(house, signal);
    finish('succeeded');
    if (outcome) log.info(outcome, 'done');
  } catch (error) {
    finish(signal.aborted ? 'stopped' : 'failed');
    if (signal.aborted) log.info('stopped at a safe point');
    else log.error(error instanceof ExpectedFault ? { error: error.message } : { err: error }, FAILED);
  }
}

async function startsNow(house: JobsHouse, entry: TimetableEntry): Promise<boolean> {
  if (entry.atStart === 'always') return true;
  const due = isDue(entry.cron, await readLastSuccess(house, entry.source ?? ''), house.clocks.wallNow());
  if (due) house.log.info({ job: entry.job }, 'missed its turn; starting now');
  return due;
}

/** When a scheduled run of a source last ended well, by the wall clock. */
async function readLastSuccess({ catalogue }: JobsHouse, sourceId: string): Promise<Date | null> {
  const [row] = await catalogue.read<{ last_success_at: string | null }>({
    sql: 'SELECT last_success_at FROM source WHERE id = ?',
    args: [sourceId],
  });
  return row?.last_success_at ? new Date(row.last_success_at) : null;
}
