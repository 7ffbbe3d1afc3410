import type { Source } from '../ingest/source.ts';
import type { RunJob } from '../ingest/tools.ts';
import { type JobsHouse, RunFailed } from './house.ts';
import { ingestSource, jobLease, runUpkeep, syncIndex, writeExports } from './work.ts';

/** What a job says of itself: a line for the log, or null where there was nothing to do. */
export type Outcome = object | null;

/** One line of the timetable. */
export interface TimetableEntry {
  job: string;
  /** Cron line in London time; a sixth field in front is seconds. */
  cron: string;
  /** The runs whose last success says whether a turn was missed. */
  turn?: { job: string; source: string };
  /** Whether the process begins with it: always, or only where its last turn was missed. */
  atStart: 'always' | 'when_due';
  run(house: JobsHouse, signal: AbortSignal): Promise<Outcome>;
}

/** What happens when: one line per row of the sources table, and the house's own jobs. */
export function makeTimetable(sources: readonly Source[]): TimetableEntry[] {
  const walked = sources.filter((source) => source.kind === 'windows');
  return [
    ...sources.map(({ id, timetable }) => runEntry('ingest', id, timetable)),
    ...walked.map(({ id }) => runEntry('rewalk', id, REWALK_CRON)),
    SEARCH_SYNC,
    EXPORT_WRITER,
    UPKEEP,
  ];
}

/** After the day is over, and outside the hour that a clock change takes away or doubles. */
const REWALK_CRON = '10 2 * * *';

function runEntry(job: RunJob, source: string, cron: string): TimetableEntry {
  return {
    job: jobLease(job, source),
    cron,
    turn: { job, source },
    atStart: 'when_due',
    run: async (house, signal) => {
      const done = await ingestSource(house, source, { job, signal });
      if (!done.held) return { heldBy: done.holder };
      signal.throwIfAborted();
      await syncIndex(house, { signal });
      if (done.result.state === 'failed') throw new RunFailed(done.result.error ?? 'the run failed');
      // Ingest has logged its own report.
      return null;
    },
  };
}

const SEARCH_SYNC: TimetableEntry = {
  job: 'search',
  cron: '* * * * *',
  atStart: 'always',
  run: async (house, signal) => {
    const done = await syncIndex(house, { signal });
    const changed = done.held && (done.result.rebuilt || done.result.stored + done.result.removed > 0);
    return changed ? done.result : null;
  },
};

const EXPORT_WRITER: TimetableEntry = {
  job: 'exports',
  cron: '* * * * * *',
  atStart: 'always',
  run: async (house, signal) => {
    const done = await writeExports(house, signal);
    return done.held && done.result > 0 ? { written: done.result } : null;
  },
};

const UPKEEP: TimetableEntry = {
  job: 'upkeep',
  cron: '7 * * * *',
  atStart: 'always',
  run: async (house, signal) => {
    const done = await runUpkeep(house, signal);
    return done.held ? done.result : { heldBy: done.holder };
  },
};
