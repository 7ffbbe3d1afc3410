import {
  hasDailyListing,
  type ListedSource,
  readDueDays,
  wholeDays,
} from '../../../ingest/completeness/daily-listing.ts';
import type { Progress, RunReport } from '../../../ingest/context.ts';
import type { WindowsSource } from '../../../ingest/source.ts';
import { listWindowed, sources } from '../../../ingest/sources/index.ts';
import { type Done, describeHolder } from '../../process/lease.ts';
import { ExpectedFault, type JobsServices, UsageFault } from '../../process/services.ts';
import { checkListedDays, probeSource } from '../../tasks/completeness.ts';
import { syncIndex } from '../../tasks/run.ts';
import { assertSpan, parseCount, parseSince, parseUntil } from '../shared/arguments.ts';
import { type AddCommand, type Cli, withServices, withSignal } from '../shared/command.ts';
import { makeProgress } from '../shared/progress.ts';
import { assertAfterFirstDay, parseSource } from '../shared/source.ts';
import { countOf } from '../shared/text.ts';

export const addProbe: AddCommand = (command, cli) => {
  command
    .argument('[source]', 'one procurement source (default: each)', parseSource)
    .option('--limit <ids>', 'ask for at most this many (default: PROBES_PER_RUN)', parseCount)
    .option('--no-sync', 'leave the search index to the jobs process')
    .action((name: string | undefined, flags: { limit?: number; sync: boolean }) =>
      withServices(cli, (services) =>
        withSignal((signal) => probeEach(services, cli, choose(name), { ...flags, signal })),
      ),
    );
};

export const addDailyListing: AddCommand = (command, cli) => {
  command
    .argument('[source]', 'one source that has such a file (default: each)', parseSource)
    .option(
      '--since <date>',
      'from this London day on (default: the last REWALK_DAYS, and those missed before them)',
      parseSince,
    )
    .option('--until <date>', 'to this London day', parseUntil)
    .action((name: string | undefined, flags: { since?: Date; until?: Date }) =>
      withServices(cli, (services) =>
        withSignal((signal) => checkEach(services, cli, chooseListed(name), { ...flags, signal })),
      ),
    );
};

function choose(name: string | undefined): WindowsSource[] {
  const chosen = listWindowed(sources).filter(({ id }) => !name || id === name);
  if (chosen.length === 0) throw new UsageFault(`${name} publishes no notices that could be requested by id`);
  return chosen;
}

function chooseListed(name: string | undefined): ListedSource[] {
  const chosen = sources.filter(hasDailyListing).filter(({ id }) => !name || id === name);
  if (chosen.length === 0) throw new UsageFault(`${name} has no daily file to compare with`);
  return chosen;
}

async function probeEach(
  services: JobsServices,
  cli: Cli,
  chosen: readonly WindowsSource[],
  { limit, sync, signal }: { limit?: number; sync: boolean; signal: AbortSignal },
): Promise<void> {
  const failures: string[] = [];
  let stored = 0;
  for (const source of chosen) {
    const report = await follow(cli, source, 'id', (onProgress) =>
      probeSource(services, source, { ...(limit ? { limit } : {}), onProgress, signal }),
    );
    stored += report.stored;
    cli.out(`${source.cliName}: ${describeProbes(report)}`);
    if (report.error) failures.push(`${source.cliName}: ${report.error}`);
  }
  if (sync && stored > 0) await syncIndex(services, { signal });
  if (failures.length > 0) throw new ExpectedFault(failures.join('\n'));
}

async function checkEach(
  services: JobsServices,
  cli: Cli,
  chosen: readonly ListedSource[],
  { since, until, signal }: { since?: Date; until?: Date; signal: AbortSignal },
): Promise<void> {
  const now = services.clocks.catalogueNow();
  assertSpan({ since, until }, now);
  for (const source of chosen) assertAfterFirstDay(source, since);
  const asked = since || until ? wholeDays(since ?? until ?? now, until ?? now, now) : undefined;
  const failures: string[] = [];
  for (const source of chosen) {
    const days = asked ?? (await readDueDays(services, source));
    const report = await follow(cli, source, 'day', (onProgress) =>
      checkListedDays(services, source, { days, onProgress, signal }),
    );
    cli.out(
      `${source.cliName}: ${report.state}, ${countOf(days.length, 'day')}, ${countOf(report.releases, 'release')} listed`,
    );
    if (report.error) failures.push(`${source.cliName}: ${report.error}`);
  }
  if (failures.length > 0) throw new ExpectedFault(failures.join('\n'));
}

async function follow(
  cli: Cli,
  { cliName }: WindowsSource,
  of: string,
  run: (onProgress: (progress: Progress) => void) => Promise<Done<RunReport>>,
): Promise<RunReport> {
  const line = makeProgress(cli, cliName);
  const onProgress = ({ fraction, requests, windowsLeft }: Progress) =>
    line.show({ fraction, said: `${countOf(requests, 'request')}, ${countOf(windowsLeft, of)} left` });
  const done = await run(onProgress).finally(() => line.end());
  if (!done.acquired)
    throw new ExpectedFault(`${cliName} is being asked by ${describeHolder(done)}; try again when that has ended`);
  return done.result;
}

function describeProbes({ state, requests, stored, quarantined, warning }: RunReport): string {
  if (state === 'empty') return 'nothing to ask for now';
  const found = `${requests} asked for, ${stored} found and stored, ${quarantined} quarantined`;
  return warning ? `${state}, ${found}; ${warning}` : `${state}, ${found}`;
}
