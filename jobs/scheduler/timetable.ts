import { hasDailyListing, type ListedSource } from '../../ingest/completeness/daily-listing.ts';
import type { RunJob, RunReport } from '../../ingest/context.ts';
import type { Source, WindowsSource } from '../../ingest/source.ts';
import { type JobsHouse, RunFailed } from '../process/services.ts';
import { finishTakedowns } from '../takedown/run.ts';
import { probeSource, witnessSource } from '../tasks/completeness.ts';
import {
  type Done,
  ingestSource,
  jobLease,
  runUpkeep,
  sealLines,
  syncIndex,
  tellLowBalances,
  writeExports,
} from '../tasks/run.ts';

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
    ...walked.filter(hasDailyListing).map(witnessEntry),
    ...walked.map(probeEntry),
    SEARCH_SYNC,
    EXPORT_WRITER,
    LOW_BALANCES,
    SEALS,
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
      return outcomeOf(done);
    },
  };
}

/** After the nightly walk: what the day's own file lists and the walk did not bring. */
function witnessEntry(source: ListedSource): TimetableEntry {
  return {
    job: jobLease('witness', source.id),
    cron: '30 4 * * *',
    turn: { job: 'witness', source: source.id },
    atStart: 'when_due',
    run: async (house, signal) => outcomeOf(await witnessSource(house, source, { signal })),
  };
}

/** After the witness: whatever is known to be missing is asked for by its id. */
function probeEntry(source: WindowsSource): TimetableEntry {
  return {
    job: jobLease('probe', source.id),
    cron: '0 5 * * *',
    turn: { job: 'probe', source: source.id },
    atStart: 'when_due',
    run: async (house, signal) => {
      const done = await probeSource(house, source, { signal });
      if (done.held && done.result.stored > 0) await syncIndex(house, { signal });
      return outcomeOf(done);
    },
  };
}

/** The run has logged its own report. @throws RunFailed */
function outcomeOf(done: Done<RunReport>): Outcome {
  if (!done.held) return { heldBy: done.holder };
  if (done.result.state === 'failed') throw new RunFailed(done.result.error ?? 'the run failed');
  return null;
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

const LOW_BALANCES: TimetableEntry = {
  job: 'low_balance',
  cron: '*/5 * * * *',
  atStart: 'always',
  run: async (house, signal) => {
    const done = await tellLowBalances(house, signal);
    return done.held && done.result > 0 ? { mailed: done.result } : null;
  },
};

const SEALS: TimetableEntry = {
  job: 'seal',
  cron: '* * * * *',
  atStart: 'always',
  run: async (house, signal) => {
    await sealLines(house, signal);
    return null;
  },
};

const UPKEEP: TimetableEntry = {
  job: 'upkeep',
  cron: '7 * * * *',
  atStart: 'always',
  run: async (house, signal) => {
    const done = await runUpkeep(house, signal);
    if (!done.held) return { heldBy: done.holder };
    // A takedown whose process was killed.
    const finished = await finishTakedowns(house, signal);
    return { ...done.result, takedownsFinished: finished.held ? finished.result.length : 0 };
  },
};
