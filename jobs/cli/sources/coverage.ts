import { type CoveredDay, readDays } from '../../../ingest/completeness/days.ts';
import type { Source } from '../../../ingest/source.ts';
import { sources } from '../../../ingest/sources/index.ts';
import {
  type CoverageSummary,
  isComplete,
  RESOLVED_WITHIN_DAYS,
  type SequenceYear,
  type TypeCoverage,
} from '../../../schema/catalogue/coverage.ts';
import { DAY_MS, londonDate } from '../../../schema/config/clocks.ts';
import { type JobsServices, SomethingMissing } from '../../process/services.ts';
import { updateCoverageNow } from '../../tasks/completeness.ts';
import { assertSpan, parseSince, parseUntil } from '../shared/arguments.ts';
import { type AddCommand, type Cli, withServices } from '../shared/command.ts';
import { AS_JSON, printJson } from '../shared/listing.ts';
import { parseSource } from '../shared/source.ts';
import { countOf, formatTable, makePrintable } from '../shared/text.ts';

interface Flags {
  since?: Date;
  until?: Date;
  json?: boolean;
  overdue?: boolean;
}

interface Facts {
  /** Its name on the command line. */
  source: string;
  title: string;
  releases: number;
  as_of: string | null;
  last_success_at: string | null;
  last_error: string | null;
  lag_seconds: number | null;
}

/** A known id that is neither stored nor known not to be served. */
interface MissingId {
  notice_id: string;
  reason: string;
  state: string;
  attempts: number;
  noticed_at: string;
  asked_at: string | null;
  error: string | null;
}

interface Report extends Facts {
  summary: CoverageSummary | null;
  complete: boolean;
  missing: MissingId[];
  days: CoveredDay[];
}

/** Days shown by default. */
const DAYS_SHOWN = 14;
/** Ids and spans listed; the rest are counted. */
const SHOWN_MAX = 12;
const DAY_SECONDS = 86_400;
const COLUMNS = ['day', 'weekday', 'releases', 'witnessed', 'unheld', 'asked', 'note'] as const;

const FACTS = 'SELECT releases, as_of, last_success_at, last_error FROM source WHERE id = ?';
const MISSING = `SELECT notice_id, reason, state, attempts, noticed_at, asked_at, error FROM probe
  WHERE source = ? AND state IN ('wanted', 'failed') ORDER BY notice_id`;

export const addCoverage: AddCommand = (command, cli) => {
  command
    .argument('[source]', 'one source (default: every one)', parseSource)
    .option('--since <date>', `days from this one on (default: the last ${DAYS_SHOWN})`, parseSince)
    .option('--until <date>', 'days up to this one', parseUntil)
    .option(...AS_JSON)
    .option(
      '--overdue',
      `end with 3 only for gaps in time, and ids still missing after ${RESOLVED_WITHIN_DAYS} days of asking`,
    )
    .action((name: string | undefined, flags: Flags) =>
      withServices(cli, (services) =>
        show(services, cli, name ? sources.filter(({ id }) => id === name) : sources, flags),
      ),
    );
};

async function show(services: JobsServices, cli: Cli, chosen: readonly Source[], flags: Flags): Promise<void> {
  const reports: Report[] = [];
  for (const source of chosen) reports.push(await makeReport(services, source, flags));
  if (flags.json) printJson(cli, { sources: reports });
  else for (const report of reports) print(cli, report);
  const incomplete = reports.filter(({ complete }) => !complete).map(({ source }) => source);
  if (incomplete.length > 0) throw new SomethingMissing(`something is missing: ${incomplete.join(', ')}`);
}

async function makeReport(services: JobsServices, source: Source, flags: Flags): Promise<Report> {
  const facts = await readFacts(services, source);
  if (source.kind === 'register') return { ...facts, summary: null, complete: true, missing: [], days: [] };
  const summary = await updateCoverageNow(services, source);
  const missing = await services.catalogue.read<MissingId>({ sql: MISSING, args: [source.id] });
  const days = await readDays(services, source, chooseDays(services, source.firstDay, flags));
  return { ...facts, summary, complete: isGood(summary, flags), missing, days };
}

/** A recently noticed id is still being fetched and needs no alarm. A gap in time is always our own fault. */
function isGood(summary: CoverageSummary, { overdue }: Flags): boolean {
  if (summary.covered === null) return false;
  return overdue ? summary.overdue + summary.gaps.count === 0 : isComplete(summary);
}

async function readFacts({ catalogue, clocks }: JobsServices, source: Source): Promise<Facts> {
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

/** The days to show; a service has none before its first. */
function chooseDays({ clocks }: JobsServices, firstDay: string, flags: Flags) {
  const { since, until } = flags;
  assertSpan(flags, clocks.catalogueNow());
  const last = until ?? clocks.catalogueNow();
  const first = londonDate(since ?? new Date(last.getTime() - (DAYS_SHOWN - 1) * DAY_MS));
  return { since: first > firstDay ? first : firstDay, until: londonDate(last) };
}

function print(cli: Cli, report: Report): void {
  const lines = describeFacts(report, report.summary);
  // A fault may repeat what a service answered.
  for (const line of [...lines, ...describeMissing(report.missing)]) cli.out(makePrintable(line));
  if (report.days.length > 0) {
    cli.out('');
    for (const line of formatTable(report.days, COLUMNS)) cli.out(`  ${line}`);
  }
  cli.out('');
}

/** The facts about a source, one on each line. */
function describeFacts(facts: Facts, summary: CoverageSummary | null): string[] {
  const lines = [
    `${facts.title}: ${facts.releases} stored, last successful run ${facts.last_success_at ?? 'never'}`,
    `  stored up to     ${facts.as_of ? `${facts.as_of} (${describeSeconds(facts.lag_seconds ?? 0)} ago)` : 'nothing yet'}`,
  ];
  if (facts.last_error) lines.push(`  last fault       ${facts.last_error}`);
  return summary ? [...lines, ...describeSummary(summary)] : lines;
}

function describeSummary({
  covered,
  gaps,
  unproved,
  probes,
  overdue,
  sequence,
  leaps,
  types = [],
}: CoverageSummary): string[] {
  if (!covered) return ['  asked whole      nothing yet'];
  const days = Math.round((Date.parse(covered.until) - Date.parse(covered.from)) / DAY_MS);
  const { wanted, fetched, never_published: never, failed } = probes;
  return [
    `  asked whole      ${covered.from} to ${covered.until} (${countOf(days, 'day')})`,
    `  gaps in time     ${gaps.count === 0 ? 'none' : `${gaps.count}, together ${describeSeconds(gaps.seconds)}`}`,
    ...gaps.spans.slice(-SHOWN_MAX).map(({ from, until }) => `                   ${from} to ${until}`),
    ...types.flatMap(describeType),
    ...sequence.map(describeYear),
    ...leaps.map(({ after, before }) => `  leap in numbers  ${after} to ${before}: none of it is asked for`),
    `  requested by id  ${wanted} wanted, ${fetched} fetched, ${never} never published, ${failed} failed`,
    ...(overdue > 0
      ? [`  overdue          ${countOf(overdue, 'id')}, missing for more than ${RESOLVED_WITHIN_DAYS} days`]
      : []),
    `  unproved windows ${unproved === 0 ? 'none' : unproved}`,
  ];
}

/** A notice type with unknown months, and the fault of its last answer. */
function describeType({
  type,
  title,
  state,
  unknown_months: months,
  newest_unknown: newest,
  error,
}: TypeCoverage): string[] {
  if (state === 'held') return [];
  const why = error ? `: ${error}` : '';
  return [
    `  unknown          type ${type}, ${title}: ${countOf(months, 'month')}, the newest ${newest ?? 'never read'}${why}`,
  ];
}

function describeYear({ year, lowest, highest, held: stored, missing, never_published: never }: SequenceYear): string {
  return `  numbers of ${year}  ${lowest} to ${highest}: ${stored} stored, ${missing} missing, ${never} never published`;
}

/** Missing ids, and the answer when they were requested. */
function describeMissing(missing: readonly MissingId[]): string[] {
  const lines = missing.slice(0, SHOWN_MAX).map(({ notice_id: id, reason, attempts, error }) => {
    const times = attempts === 1 ? 'once' : `${attempts} times`;
    const tried = attempts === 0 ? 'not asked for yet' : `asked ${times}: ${error ?? ''}`;
    return `  missing          ${id} (${reason.replaceAll('_', ' ')}; ${tried})`;
  });
  const rest = missing.length - lines.length;
  return rest > 0 ? [...lines, `                   and ${rest} more`] : lines;
}

/** A length of time in its largest unit. */
function describeSeconds(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 2 * DAY_SECONDS ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / DAY_SECONDS)} days`;
}
