import { type CoveredDay, readDays } from '../../../ingest/completeness/days.ts';
import type { Source } from '../../../ingest/source.ts';
import { sources } from '../../../ingest/sources/index.ts';
import { type CoverageSummary, isComplete, SETTLED_WITHIN_DAYS } from '../../../schema/catalogue/coverage.ts';
import { londonDate } from '../../../schema/config/clocks.ts';
import { type JobsHouse, SomethingMissing, UsageFault } from '../../process/services.ts';
import { takeStockNow } from '../../tasks/completeness.ts';
import { type AddCommand, type Cli, parseSince, parseSource, parseUntil, withHouse } from '../shared/command.ts';
import { formatTable } from '../shared/table.ts';
import { describeFacts, describeMissing, type Facts, type MissingId } from './coverage-text.ts';

interface Flags {
  since?: Date;
  until?: Date;
  json?: boolean;
  overdue?: boolean;
}

interface Report extends Facts {
  summary: CoverageSummary | null;
  complete: boolean;
  missing: MissingId[];
  days: CoveredDay[];
}

/** Days shown where no span is asked for. */
const DAYS_SHOWN = 14;
const DAY_MS = 86_400_000;
const COLUMNS = ['day', 'weekday', 'releases', 'witnessed', 'unheld', 'asked', 'note'] as const;

const FACTS = 'SELECT releases, as_of, last_success_at, last_error FROM source WHERE id = ?';
const MISSING = `SELECT notice_id, reason, state, attempts, noticed_at, asked_at, error FROM probe
  WHERE source = ? AND state IN ('wanted', 'failed') ORDER BY notice_id`;

export const addCoverage: AddCommand = (program, cli) => {
  program
    .command('coverage')
    .description('What of each source is held, day by day, and what is missing; ends with 3 while anything is')
    .argument('[source]', 'one source (default: every one)', parseSource)
    .option('--since <date>', `days from this one on (default: the last ${DAYS_SHOWN})`, parseSince)
    .option('--until <date>', 'days up to this one', parseUntil)
    .option('--json', 'the same as one JSON document')
    .option(
      '--overdue',
      `end with 3 only for gaps in time, and ids still missing after ${SETTLED_WITHIN_DAYS} days of asking`,
    )
    .action((name: string | undefined, flags: Flags) =>
      withHouse(cli, (house) => show(house, cli, name ? sources.filter(({ id }) => id === name) : sources, flags)),
    );
};

async function show(house: JobsHouse, cli: Cli, asked: readonly Source[], flags: Flags): Promise<void> {
  const reports: Report[] = [];
  for (const source of asked) reports.push(await makeReport(house, source, flags));
  if (flags.json) cli.out(JSON.stringify({ sources: reports }, null, 2));
  else for (const report of reports) print(cli, report);
  const incomplete = reports.filter(({ complete }) => !complete).map(({ source }) => source);
  if (incomplete.length > 0) throw new SomethingMissing(`something is missing: ${incomplete.join(', ')}`);
}

async function makeReport(house: JobsHouse, source: Source, flags: Flags): Promise<Report> {
  const facts = await readFacts(house, source);
  if (source.kind === 'register') return { ...facts, summary: null, complete: true, missing: [], days: [] };
  const summary = await takeStockNow(house, source);
  const missing = await house.catalogue.read<MissingId>({ sql: MISSING, args: [source.id] });
  const days = await readDays(house, source, chooseDays(house, flags));
  return { ...facts, summary, complete: isGood(summary, flags), missing, days };
}

/** What was noticed lately is being asked for: an alarm need not ring for it. A hole in time is nobody's doing but ours. */
function isGood(summary: CoverageSummary, { overdue }: Flags): boolean {
  if (summary.covered === null) return false;
  return overdue ? summary.overdue + summary.gaps.count === 0 : isComplete(summary);
}

async function readFacts({ catalogue, clocks }: JobsHouse, source: Source): Promise<Facts> {
  type Row = Omit<Facts, 'source' | 'title' | 'lag_seconds'>;
  const [row] = await catalogue.read<Row>({ sql: FACTS, args: [source.id] });
  const asOf = row?.as_of ?? null;
  const lagMs = asOf ? clocks.catalogueNow().getTime() - Date.parse(asOf) : null;
  return {
    source: source.cliName,
    title: source.title,
    releases: row?.releases ?? 0,
    as_of: asOf,
    last_success_at: row?.last_success_at ?? null,
    last_error: row?.last_error ?? null,
    lag_seconds: lagMs === null ? null : Math.max(0, Math.round(lagMs / 1_000)),
  };
}

function chooseDays({ clocks }: JobsHouse, { since, until }: Flags) {
  const last = until ?? clocks.catalogueNow();
  const first = since ?? new Date(last.getTime() - (DAYS_SHOWN - 1) * DAY_MS);
  if (first > last) throw new UsageFault('--since must not be after --until');
  return { since: londonDate(first), until: londonDate(last) };
}

function print(cli: Cli, report: Report): void {
  const lines = describeFacts(report, report.summary);
  for (const line of lines) cli.out(line);
  for (const line of describeMissing(report.missing)) cli.out(line);
  if (report.days.length > 0) {
    cli.out('');
    for (const line of formatTable(report.days, COLUMNS)) cli.out(`  ${line}`);
  }
  cli.out('');
}
