import type { Progress, RunReport } from '../../../ingest/context.ts';
import { readGapMs } from '../../../ingest/http/limiter.ts';
import { readCursor } from '../../../ingest/runs/spans.ts';
import type { Source } from '../../../ingest/source.ts';
import { DAY_MS, HOUR_MS, isoInstant } from '../../../schema/config/clocks.ts';
import { describeHolder } from '../../process/lease.ts';
import { ExpectedFault, type JobsServices, UsageFault } from '../../process/services.ts';
import { describeSync, findChangedSuccessions, ingestSource, syncIndex } from '../../tasks/run.ts';
import { assertSpan, parseSince, parseUntil } from '../shared/arguments.ts';
import { type AddCommand, type Cli, withServices, withSignal } from '../shared/command.ts';
import { makeProgress, type Step } from '../shared/progress.ts';
import { assertAfterFirstDay, sourceArgument } from '../shared/source.ts';
import { countOf } from '../shared/text.ts';

interface IngestFlags {
  since?: Date;
  until?: Date;
  again?: boolean;
  sync: boolean;
}

export const addIngest: AddCommand = (command, cli) => {
  command
    .addArgument(sourceArgument())
    .option('--since <date>', 'from the start of this London day, or from this instant', parseSince)
    .option('--until <date>', 'to the end of this London day, or to this instant', parseUntil)
    .option('--again', 'ask also for what is stored as complete')
    .option('--no-sync', 'leave the search index to the jobs process')
    .action((source: Source, flags: IngestFlags) =>
      withServices(cli, (services) => withSignal((signal) => ingest(services, cli, source, flags, signal))),
    );
};

async function ingest(
  services: JobsServices,
  cli: Cli,
  source: Source,
  flags: IngestFlags,
  signal: AbortSignal,
): Promise<void> {
  const { since, until, again, sync } = flags;
  const { cliName: name } = source;
  await assertCanBeAsked(services, source, flags);
  const progress = makeProgress(cli, name);
  const gapMs = source.kind === 'notices' ? readGapMs(services.settings, source) : 0;
  const startedMs = performance.now();
  const onProgress = (step: Progress) => progress.show(describeProgress(step, performance.now() - startedMs, gapMs));
  const done = await ingestSource(services, source.id, {
    since,
    until,
    ...(again ? { again } : {}),
    onProgress,
    signal,
  }).finally(() => progress.end());
  if (!done.acquired)
    throw new ExpectedFault(`${name} is being ingested by ${describeHolder(done)}; try again when that has ended`);
  cli.out(describeReport(name, done.result));
  if (done.result.warning) cli.out(`unusual: ${done.result.warning}`);
  if (done.result.state !== 'abandoned') await findChangedSuccessions(services, signal);
  if (sync && done.result.stored > 0) cli.out(describeSync(await syncIndex(services, { signal })));
  if (done.result.state === 'failed' || done.result.state === 'abandoned') {
    throw new ExpectedFault(`${name}: ${done.result.error ?? 'the run did not finish'}`);
  }
}

/** @throws UsageFault for a span that the source cannot be asked for, or that is empty */
async function assertCanBeAsked(
  { catalogue, clocks, settings }: JobsServices,
  source: Source,
  flags: IngestFlags,
): Promise<void> {
  const { since, until } = flags;
  const now = clocks.catalogueNow();
  assertSpan(flags, now);
  if ((since || until) && source.kind === 'register')
    throw new UsageFault(`${source.cliName} comes in editions: --since and --until are of no use to it`);
  assertAfterFirstDay(source, since);
  if (since || !until) return;
  const cursor = await readCursor(catalogue, source.id);
  const overlapMs = source.kind === 'notices' && source.asked === 'by_window' ? settings.OVERLAP_HOURS * HOUR_MS : 0;
  const start = new Date(cursor ? Date.parse(cursor) - overlapMs : now.getTime() - settings.FIRST_WINDOW_DAYS * DAY_MS);
  if (until < start)
    throw new UsageFault(`without --since a run begins at ${isoInstant(start)}: --until must not lie before that`);
}

/** How far a run has come. The time left is one gap for each request, or longer if it has been slower so far. */
function describeProgress(
  { requests, releases, windowsLeft, fraction }: Progress,
  elapsedMs: number,
  gapMs: number,
): Step {
  const rate = elapsedMs > 0 ? Math.round((releases * 10_000) / elapsedMs) / 10 : 0;
  const said = `${countOf(requests, 'request')}, ${countOf(releases, 'release')} (${rate}/s), ${countOf(windowsLeft, 'window')} left`;
  const leftMs = windowsLeft * Math.max(gapMs, elapsedMs / Math.max(1, requests));
  return { fraction, said, leftMs: gapMs === 0 ? undefined : leftMs };
}

function describeReport(name: string, report: RunReport): string {
  if (report.state === 'empty' && report.requests === 0)
    return `${name}: nothing to ask for, as all of this span is stored (--again asks for it once more)`;
  if (report.state === 'empty')
    return `${name}: succeeded, and nothing was published in this span (${countOf(report.requests, 'request')})`;
  const repairs = Object.entries(report.repairs).map(([repair, times]) => `${repair} ${times}`);
  return [
    `${name}: ${report.state}, ${countOf(report.requests, 'request')}, ${countOf(report.releases, 'release')}`,
    `${report.stored} stored, ${report.unchanged} unchanged, ${report.quarantined} quarantined`,
    repairs.length > 0 ? `repairs: ${repairs.join(', ')}` : 'no repairs',
  ].join('; ');
}
