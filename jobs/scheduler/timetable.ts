import { hasDailyListing, type ListedSource } from '../../ingest/completeness/daily-listing.ts';
import type { RunJob, RunReport } from '../../ingest/context.ts';
import { readClosedUntil } from '../../ingest/http/refusals.ts';
import type { Source, WindowsSource } from '../../ingest/source.ts';
import { listWindowed } from '../../ingest/sources/index.ts';
import { isoInstant } from '../../schema/config/clocks.ts';
import type { Done } from '../process/lease.ts';
import { type JobsServices, RunFailed } from '../process/services.ts';
import { compareTakedowns } from '../takedown/kept.ts';
import { finishTakedowns } from '../takedown/run.ts';
import { checkListedDays, probeSource } from '../tasks/completeness.ts';
import { sendLowBalanceMail } from '../tasks/low-balance-mail.ts';
import { findChangedSuccessions, ingestSource, jobLease, runUpkeep, sealLines, syncIndex } from '../tasks/run.ts';
import { deliverWebhooks, mailWatches, matchChanges } from '../tasks/watches.ts';
import { makeExportWriter } from './export-writer.ts';

/** A job's summary for the log, or null where there was nothing to do. */
export type Outcome = object | null;

/** One line of the timetable. */
export interface TimetableEntry {
  job: string;
  /** Cron line in London time; a sixth field in front is seconds. */
  cron: string;
  /** The runs whose last success shows whether a run was missed. */
  lastSuccessOf?: { job: string; source: string };
  /** Whether it runs at the start of the process: always, or only where its last run was missed. */
  atStart: 'always' | 'when_due';
  run(services: JobsServices, signal: AbortSignal): Promise<Outcome>;
}

/** What runs when: one line per row of the sources table, then the jobs of the service itself. */
export function makeTimetable(sources: readonly Source[]): TimetableEntry[] {
  const crawled = listWindowed(sources);
  return [
    ...sources.map(({ id, timetable }) => runEntry('ingest', id, timetable)),
    ...crawled.map(({ id }) => runEntry('rewalk', id, REWALK_CRON)),
    ...crawled.filter(hasDailyListing).map(dailyListingEntry),
    ...crawled.map(probeEntry),
    SEARCH_SYNC,
    exportsEntry(),
    LOW_BALANCES,
    WATCHES,
    WEBHOOKS,
    WATCH_MAILS,
    SEALS,
    RESTORED,
    UPKEEP,
  ];
}

/** After the day has ended, and outside the hour that a clock change skips or repeats. */
const REWALK_CRON = '10 2 * * *';

function runEntry(job: RunJob, source: string, cron: string): TimetableEntry {
  return {
    job: jobLease(job, source),
    cron,
    lastSuccessOf: { job, source },
    atStart: 'when_due',
    run: async (services, signal) => {
      const closedUntil = await readClosedUntil(services.catalogue, source, services.clocks.wallNow());
      if (closedUntil) return { closedUntil: isoInstant(closedUntil) };
      const done = await ingestSource(services, source, { job, signal });
      if (!done.acquired) return { heldBy: done.holder };
      signal.throwIfAborted();
      await findChangedSuccessions(services, signal);
      await syncIndex(services, { signal });
      await matchChanges(services, signal);
      return outcomeOf(done);
    },
  };
}

/** After the nightly crawl of the last days: releases that the day's own file lists and the crawl did not find. */
function dailyListingEntry(source: ListedSource): TimetableEntry {
  return {
    job: jobLease('witness', source.id),
    cron: '30 4 * * *',
    lastSuccessOf: { job: 'witness', source: source.id },
    atStart: 'when_due',
    run: async (services, signal) => outcomeOf(await checkListedDays(services, source, { signal })),
  };
}

/** After the daily listing: notices known to be missing are requested by their id. */
function probeEntry(source: WindowsSource): TimetableEntry {
  return {
    job: jobLease('probe', source.id),
    cron: '0 5 * * *',
    lastSuccessOf: { job: 'probe', source: source.id },
    atStart: 'when_due',
    run: async (services, signal) => {
      const done = await probeSource(services, source, { signal });
      if (done.acquired && done.result.stored > 0) await syncIndex(services, { signal });
      return outcomeOf(done);
    },
  };
}

/** The run has logged its report. @throws RunFailed */
function outcomeOf(done: Done<RunReport>): Outcome {
  if (!done.acquired) return { heldBy: done.holder };
  if (done.result.state === 'failed') throw new RunFailed(done.result.error ?? 'the run failed');
  return null;
}

const SEARCH_SYNC: TimetableEntry = {
  job: 'search',
  cron: '* * * * *',
  atStart: 'always',
  run: async (services, signal) => {
    const done = await syncIndex(services, { signal });
    const changed = done.acquired && (done.result.rebuilt || done.result.stored + done.result.removed > 0);
    return changed ? done.result : null;
  },
};

/** The writer remembers its store from run to run, so each timetable has its own. */
function exportsEntry(): TimetableEntry {
  return { job: 'exports', cron: '* * * * * *', atStart: 'always', run: makeExportWriter() };
}

const LOW_BALANCES = mailEntry('low_balance', '*/5 * * * *', sendLowBalanceMail);

/** After each run of ingest, and every minute: digests at their hour, and watches that waited for credits. */
const WATCHES: TimetableEntry = {
  job: 'watches',
  cron: '* * * * *',
  atStart: 'always',
  run: async (services, signal) => {
    const done = await matchChanges(services, signal);
    return done.acquired && (done.result?.deliveries ?? 0) > 0 ? done.result : null;
  },
};

const WEBHOOKS: TimetableEntry = {
  job: 'webhooks',
  cron: '* * * * * *',
  atStart: 'always',
  run: async (services, signal) => {
    const done = await deliverWebhooks(services, signal);
    return done.acquired ? done.result : null;
  },
};

const WATCH_MAILS = mailEntry('watch_mail', '* * * * *', mailWatches);

/** Sends the mail that is due, and returns how many were sent. */
function mailEntry(
  job: string,
  cron: string,
  send: (services: JobsServices, signal: AbortSignal) => Promise<Done<number>>,
): TimetableEntry {
  return {
    job,
    cron,
    atStart: 'always',
    run: async (services, signal) => {
      const done = await send(services, signal);
      return done.acquired && done.result > 0 ? { mailed: done.result } : null;
    },
  };
}

const SEALS: TimetableEntry = {
  job: 'seal',
  cron: '* * * * *',
  atStart: 'always',
  run: async (services, signal) => {
    await sealLines(services, signal);
    return null;
  },
};

/** A database server that is restored under this process serves again what was taken down since. */
const RESTORED: TimetableEntry = {
  job: 'takedown',
  cron: '* * * * *',
  atStart: 'always',
  run: async (services, signal) => {
    if ((await compareTakedowns(services)).again.length === 0) return null;
    const finished = await finishTakedowns(services, signal);
    return finished.acquired ? { takedownsFinished: finished.result.length } : { heldBy: finished.holder };
  },
};

const UPKEEP: TimetableEntry = {
  job: 'upkeep',
  cron: '7 * * * *',
  atStart: 'always',
  run: async (services, signal) => {
    const done = await runUpkeep(services, signal);
    if (!done.acquired) return { heldBy: done.holder };
    // A takedown whose process was killed.
    const finished = await finishTakedowns(services, signal);
    return { ...done.result, takedownsFinished: finished.acquired ? finished.result.length : 0 };
  },
};
