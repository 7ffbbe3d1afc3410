import type { RebuildProgress } from '../../../ingest/rebuild/generation.ts';
import { findOutdated, type Rule } from '../../../ingest/rebuild/rule-editions.ts';
import { describeHolder } from '../../process/lease.ts';
import { ExpectedFault, type JobsServices } from '../../process/services.ts';
import type { RebuildReport } from '../../tasks/rebuild/options.ts';
import { rebuildCatalogue } from '../../tasks/rebuild.ts';
import { describeSync, findChangedSuccessions, syncIndex } from '../../tasks/run.ts';
import { type AddCommand, type Cli, withServices, withSignal } from '../shared/command.ts';
import { makeProgress, type Step } from '../shared/progress.ts';
import { formatTable } from '../shared/text.ts';

interface RebuildFlags {
  check?: boolean;
  sync: boolean;
}

export const addRebuild: AddCommand = (command, cli) => {
  command
    .option('--check', 'only compile a second catalogue and compare: is the live one what its releases say?')
    .option('--no-sync', 'leave the search index to the jobs process')
    .action((flags: RebuildFlags) =>
      withServices(cli, (services) => withSignal((signal) => rebuild(cli, services, flags, signal))),
    );
};

async function rebuild(cli: Cli, services: JobsServices, flags: RebuildFlags, signal: AbortSignal): Promise<void> {
  const progress = makeProgress(cli, 'rebuild');
  const describe = makeDescriber();
  let waitingFor = '';
  const outdated = await findOutdated(services.catalogue);
  const done = await rebuildCatalogue(services, {
    signal,
    ...(flags.check ? { check: true } : {}),
    onProgress: (step) => progress.show(describe(step)),
    onWait: (what, holder) => {
      if (waitingFor !== holder) cli.out(`waiting for ${what}, held by ${holder}`);
      waitingFor = holder;
    },
  }).finally(() => progress.end());
  if (!done.acquired)
    throw new ExpectedFault(`the catalogue is being rebuilt by ${describeHolder(done)}; try again when that has ended`);
  for (const line of describeReport(done.result, outdated)) cli.out(line);
  if (!done.result.moved || !flags.sync) return;
  await findChangedSuccessions(services, signal);
  cli.out(describeSync(await syncIndex(services, { signal })));
}

/** Share done, rate and time left: the releases take nearly all the time of a rebuild. */
function makeDescriber() {
  let startedAt = 0;
  return ({ stage, done, total }: RebuildProgress): Step => {
    if (stage === 'register') return { fraction: 0, said: `${done} of ${total} companies of the register copied` };
    if (stage === 'parties')
      return { fraction: (0.2 * done) / Math.max(1, total), said: `${done} of ${total} releases read for who is who` };
    if (stage === 'sending') return { fraction: 0.99, said: `${done} of ${total} rows sent to the other server` };
    if (stage !== 'releases') return { fraction: 0.99, said: stage };
    if (done === 0) startedAt = performance.now();
    const fraction = total === 0 ? 0.95 : 0.2 + (0.75 * done) / total;
    if (done === 0) return { fraction, said: `${total} releases to compile` };
    const elapsedMs = performance.now() - startedAt;
    const perSecond = Math.round(done / (elapsedMs / 1_000));
    const leftMs = elapsedMs * (total / done - 1);
    return { fraction, said: `${done} of ${total} releases, ${perSecond} a second`, leftMs };
  };
}

function describeReport(report: RebuildReport, outdated: readonly Rule[]): string[] {
  const { releases, caughtUp, digest, same, steady, tables, durationMs, removed } = report;
  const differing = tables.filter(({ onlyLive, onlyNew }) => onlyLive + onlyNew > 0).map(({ table }) => table);
  const rows = tables.map(({ table, rows, digest, onlyLive, onlyNew }) => ({
    table,
    rows,
    digest,
    only_live: onlyLive,
    only_new: onlyNew,
  }));
  return [
    ...formatTable(rows, ['table', 'rows', 'digest', 'only_live', 'only_new']),
    '',
    `${releases} releases compiled in ${(durationMs / 1_000).toFixed(1)} s, ${caughtUp} of them came meanwhile`,
    same
      ? `digest ${digest}: the same as the live catalogue's`
      : `digest ${digest}: other than the live catalogue's in ${differing.join(', ')}`,
    ...(same || outdated.length === 0
      ? []
      : [`the live catalogue was filled with earlier rules (${outdated.join(', ')}), which make it differ`]),
    ...(steady ? [] : ['releases came while the two were compared: they may differ by those']),
    ...(removed.length > 0 ? [`removed: generation ${removed.join(', ')}`] : []),
    describeEnd(report, outdated),
  ];
}

function describeEnd({ generation, moved, movedTo }: RebuildReport, outdated: readonly Rule[]): string {
  if (!moved)
    return `checked only: the live catalogue stays${outdated.length > 0 ? '; a rebuild without --check is due' : ''}`;
  if (movedTo === undefined)
    return `generation ${generation} is current; the one before is kept until the next rebuild, takedown or expiry`;
  return [
    `the catalogue has moved to ${movedTo}, and every process follows. Set CATALOGUE_URL to it on every machine,`,
    'CATALOGUE_AUTH_TOKEN too where it is another, and restart; then remove the database that it moved from:',
    'it still holds what will be taken down, and without it a machine that is set to it finds nothing.',
  ].join('\n');
}
