import { describeHolder } from '../../process/lease.ts';
import { ExpectedFault, type JobsServices } from '../../process/services.ts';
import { syncIndex } from '../../tasks/run.ts';
import { type AddCommand, type Cli, withServices, withSignal } from '../shared/command.ts';
import { makeProgress } from '../shared/progress.ts';
import { countOf } from '../shared/text.ts';

export const addSearch: AddCommand = (search, cli) => {
  search
    .command('sync')
    .description('Bring the index up to date with the catalogue')
    .action(() => fill(cli, false));
  search
    .command('rebuild')
    .description('Build a new index next to the live one, then switch to it')
    .action(() => fill(cli, true));
};

function fill(cli: Cli, rebuild: boolean): Promise<void> {
  return withServices(cli, (services) => withSignal((signal) => fillWith(cli, services, rebuild, signal)));
}

async function fillWith(cli: Cli, services: JobsServices, rebuild: boolean, signal: AbortSignal): Promise<void> {
  const progress = makeProgress(cli, 'search');
  const done = await syncIndex(services, {
    rebuild,
    signal,
    onProgress: ({ done, total }) => progress.show({ fraction: done / total, said: `${done} of ${total} rows` }),
  }).finally(() => progress.end());
  if (!done.acquired)
    throw new ExpectedFault(`the index is being written by ${describeHolder(done)}; try again when that has ended`);
  const { engine, stored, removed, lagRows } = done.result;
  cli.out(
    `search (${engine}): ${countOf(stored, 'document')} stored, ${removed} removed, ${countOf(lagRows, 'row')} still to come`,
  );
}
