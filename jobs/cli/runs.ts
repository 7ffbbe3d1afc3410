import { type AddCommand, parseCount, withDatabases } from './command.ts';
import { formatTable } from './table.ts';

interface RunRow {
  started_at: string;
  ended_at: string | null;
  job: string;
  source: string | null;
  state: string;
  requests: number;
  releases: number;
  stored: number;
  quarantined: number;
  error: string | null;
}

const COLUMNS = [
  'started_at',
  'ended_at',
  'job',
  'source',
  'state',
  'requests',
  'releases',
  'stored',
  'quarantined',
  'error',
] as const satisfies (keyof RunRow)[];

export const addRuns: AddCommand = (program, cli) => {
  program
    .command('runs')
    .description('The last runs, and why one failed')
    .option('--source <source>', 'only of this source (its id)')
    .option('--limit <runs>', 'how many', parseCount, 20)
    .action(({ source, limit }: { source?: string; limit: number }) =>
      withDatabases(cli, async ({ catalogue }) => {
        const rows = await catalogue.read<RunRow>({
          sql: `SELECT ${COLUMNS.join(', ')} FROM run WHERE (? IS NULL OR source = ?) ORDER BY started_at DESC, id DESC LIMIT ?`,
          args: [source ?? null, source ?? null, limit],
        });
        if (rows.length === 0) return cli.out('nothing has run');
        for (const line of formatTable(rows, COLUMNS)) cli.out(line);
      }),
    );
};
