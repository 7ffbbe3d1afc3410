import { parseCount } from '../shared/arguments.ts';
import { type AddCommand, type Cli, withCatalogue } from '../shared/command.ts';
import { AS_JSON, printJson } from '../shared/listing.ts';
import { parseSource } from '../shared/source.ts';
import { formatTable, makePrintable } from '../shared/text.ts';

interface RunRow {
  started_at: string;
  ended_at: string | null;
  job: string;
  source: string | null;
  state: string;
  requests: number;
  refused: number;
  waited_ms: number;
  releases: number;
  stored: number;
  quarantined: number;
  /** JSON: repair name -> how often. */
  repairs: string;
  warning: string | null;
  error: string | null;
}

interface Flags {
  source?: string;
  failed?: boolean;
  limit: number;
  json?: boolean;
}

/** Running ones first, then by their end: a run may have begun days before, and a job that fails again in the same way keeps its row. */
const READ = `SELECT started_at, ended_at, job, source, state, requests, refused, waited_ms, releases, stored, quarantined,
  repairs, warning, error FROM run WHERE (?1 IS NULL OR source = ?1) AND (?2 = 0 OR state IN ('failed', 'abandoned'))
  ORDER BY ended_at IS NOT NULL, ended_at DESC, started_at DESC, rowid DESC LIMIT ?3`;
const COLUMNS = [
  'started_at',
  'ended_at',
  'job',
  'source',
  'state',
  'requests',
  'refused',
  'waited',
  'releases',
  'stored',
  'quarantined',
  'repairs',
] as const;

export const addRuns: AddCommand = (command, cli) => {
  command
    .option('--source <source>', 'only of this source', parseSource)
    .option('--failed', 'only those that failed, or were stopped or killed')
    .option('--limit <runs>', 'how many', parseCount, 20)
    .option(...AS_JSON)
    .action((flags: Flags) => list(cli, flags));
};

function list(cli: Cli, { source, failed, limit, json }: Flags): Promise<void> {
  return withCatalogue(cli, async (catalogue) => {
    const rows = await catalogue.read<RunRow>({ sql: READ, args: [source ?? null, failed ? 1 : 0, limit] });
    if (json) return printJson(cli, { runs: rows.map((row) => ({ ...row, repairs: JSON.parse(row.repairs) })) });
    if (rows.length === 0) return cli.out(failed ? 'nothing has failed' : 'nothing has run');
    const [header = '', ...lines] = formatTable(rows.map(toCells), COLUMNS);
    cli.out(header);
    for (const [index, line] of lines.entries()) {
      cli.out(line);
      for (const remark of remarksOf(rows[index])) cli.out(remark);
    }
  });
}

function toCells(row: RunRow) {
  const repairs = Object.entries(JSON.parse(row.repairs) as Record<string, number>);
  return {
    ...row,
    waited: `${Math.round(row.waited_ms / 1_000)} s`,
    repairs: repairs.map(([repair, times]) => `${repair} ${times}`).join(', '),
  };
}

/** Details of a run below its line, in full and indented. */
function remarksOf(row: RunRow | undefined): string[] {
  const remarks = [
    ['unusual', row?.warning],
    ['why', row?.error],
  ] as const;
  return remarks.flatMap(([word, text]) =>
    text ? `  ${word}: ${makePrintable(text).replaceAll('\n', '\n    ')}` : [],
  );
}
