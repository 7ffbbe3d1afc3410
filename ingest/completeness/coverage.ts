import {
  type CoverageSummary,
  RESOLVED_WITHIN_DAYS,
  type SequenceYear,
  SPANS_MAX,
} from '../../schema/catalogue/coverage.ts';
import { DAY_MS, isoInstant, londonDate, londonInstant } from '../../schema/config/clocks.ts';
import type { Statement } from '../../schema/db/interface.ts';
import type { IngestContext } from '../context.ts';
import { readCells } from '../runs/cells.ts';
import { fenceOf, wantStatements } from '../runs/record.ts';
import { uncoveredSpans } from '../runs/spans.ts';
import type { CellsSource, NoticesSource, Span, WindowsSource } from '../source.ts';
import { describeCells } from './cells.ts';
import {
  type Covered,
  findMissing,
  type Missing,
  readCovered,
  readNumbers,
  readOverdue,
  readProbeCounts,
  readResolvedProbes,
  type StoredNumbers,
} from './stored.ts';

const RESOLVED_WITHIN_MS = RESOLVED_WITHIN_DAYS * DAY_MS;

const STORE = `INSERT INTO coverage_summary (source, reckoned_at, summary) VALUES (?, ?, ?)
  ON CONFLICT (source) DO UPDATE SET reckoned_at = excluded.reckoned_at, summary = excluded.summary`;
const PROVE = `UPDATE window SET state = 'proved' WHERE source = ? AND "from" = ? AND until = ? AND state = 'unproved'`;
const UNRESOLVED = `SELECT 1 FROM probe WHERE source = ? AND reason = 'unproved_window'
  AND state IN ('wanted', 'failed') LIMIT 1`;
/** Ids that came without their probe, in a window read later. */
const CAME = `UPDATE probe SET state = 'fetched', error = NULL WHERE source = ? AND state <> 'fetched'
  AND EXISTS (SELECT 1 FROM release r WHERE r.source = probe.source AND r.release_id = probe.notice_id)`;
/** What a listing names and was fetched since, or is no longer served, counts as stored. */
const UPDATE_LISTINGS = `UPDATE witness_day SET held = counted - (SELECT count(*) FROM probe p
  WHERE p.source = witness_day.source AND p.day = witness_day.day AND p.state IN ('wanted', 'failed'))
  WHERE source = ? AND held < counted`;
const LISTING_COMPLETE =
  'SELECT 1 FROM witness_day WHERE source = ? AND day = ? AND held >= counted AND checked_at > ?';

interface Sequence extends Missing {
  year: StoredNumbers;
}

/** Calculates the coverage of one source and stores it for `/v1/status`. Sends no request upstream; repeating it changes nothing. */
export async function updateCoverage(context: IngestContext, source: NoticesSource): Promise<CoverageSummary> {
  const { catalogue, clocks } = context;
  const summary =
    source.asked === 'by_cell' ? await summariseCells(context, source) : await summariseWindows(context, source);
  const args = [source.id, isoInstant(clocks.catalogueNow()), JSON.stringify(summary)];
  await catalogue.write([...fenceOf(context), { sql: STORE, args }]);
  return summary;
}

async function summariseCells({ catalogue, clocks }: IngestContext, source: CellsSource): Promise<CoverageSummary> {
  const known = await readCells(catalogue, source.id);
  const { gaps, ...rest } = describeCells(source, known, clocks.catalogueNow());
  const none = { wanted: 0, fetched: 0, never_published: 0, failed: 0 };
  return {
    ...rest,
    gaps: { ...gaps, spans: gaps.spans.slice(-SPANS_MAX) },
    unproved: 0,
    probes: none,
    overdue: 0,
    sequence: [],
    leaps: [],
  };
}

/**
 * Summarises the windows of one source: which time they cover and which notice numbers are missing. Missing numbers become
 * probes, probes whose notice came by itself are resolved, full windows whose ids are all resolved count as proved.
 */
async function summariseWindows(context: IngestContext, source: WindowsSource): Promise<CoverageSummary> {
  const { catalogue, clocks } = context;
  const now = clocks.wallNow();
  const at = isoInstant(now);
  await catalogue.write([
    ...fenceOf(context),
    { sql: CAME, args: [source.id] },
    { sql: UPDATE_LISTINGS, args: [source.id] },
  ]);
  const covered = await readCovered(catalogue, source.id);
  const sequences = await findSequences(context, source, covered.spans);
  const wants = sequences.flatMap((each) => wantMissing(source, each, at));
  const proves = await proveStatements(context, source, covered);
  await catalogue.write([...fenceOf(context), ...wants, ...proves]);
  return {
    ...describeTime(covered),
    unproved: covered.unproved.length - proves.length,
    probes: await readProbeCounts(catalogue, source.id),
    overdue: await readOverdue(catalogue, source.id, isoInstant(new Date(now.getTime() - RESOLVED_WITHIN_MS))),
    ...(await describeSequences(context, source, sequences)),
  };
}

async function findSequences(context: IngestContext, source: WindowsSource, covered: Span[]): Promise<Sequence[]> {
  if (!source.sequence) return [];
  const years = await readNumbers(context.catalogue, source.id, source.sequence.parse);
  return years.map((year) => {
    const yearStartMs = londonInstant(`${year.year}-01-01T00:00:00`).getTime();
    return { year, ...findMissing(year, yearStartMs, covered) };
  });
}

function wantMissing(source: WindowsSource, { year: { year }, numbers }: Sequence, at: string): Statement[] {
  const { sequence } = source;
  if (!sequence) return [];
  const ids = numbers.map((number) => sequence.format({ year, number }));
  return wantStatements({ source: source.id, reason: 'sequence_gap', ids, noticedAt: at });
}

/** An unproved window is proved once all its ids are resolved, or by the daily listings of its days. */
async function proveStatements(
  { catalogue }: IngestContext,
  source: WindowsSource,
  { unproved }: Covered,
): Promise<Statement[]> {
  if (unproved.length === 0) return [];
  const [unresolved] = await catalogue.read({ sql: UNRESOLVED, args: [source.id] });
  if (unresolved) return [];
  const proved: Statement[] = [];
  for (const { from, until } of unproved) {
    const days = source.dailyListing ? new Set([from, until].map((instant) => londonDate(new Date(instant)))) : [];
    let isProved = source.dailyListing !== undefined || source.sequence !== undefined;
    for (const day of days) {
      const rows = await catalogue.read({ sql: LISTING_COMPLETE, args: [source.id, day, until] });
      isProved &&= rows.length > 0;
    }
    if (isProved) proved.push({ sql: PROVE, args: [source.id, from, until] });
  }
  return proved;
}

function describeTime({ spans }: Covered): Pick<CoverageSummary, 'covered' | 'gaps'> {
  const [first] = spans;
  const last = spans.at(-1);
  if (!first || !last) return { covered: null, gaps: { count: 0, seconds: 0, spans: [] } };
  const gaps = uncoveredSpans({ from: first.from, until: last.until }, spans);
  const format = ({ from, until }: Span) => ({ from: isoInstant(from), until: isoInstant(until) });
  const ms = gaps.reduce((sum, { from, until }) => sum + until.getTime() - from.getTime(), 0);
  return {
    covered: format({ from: first.from, until: last.until }),
    gaps: { count: gaps.length, seconds: Math.round(ms / 1_000), spans: gaps.slice(-SPANS_MAX).map(format) },
  };
}

async function describeSequences(
  { catalogue }: IngestContext,
  source: WindowsSource,
  sequences: readonly Sequence[],
): Promise<Pick<CoverageSummary, 'sequence' | 'leaps'>> {
  const { sequence } = source;
  if (!sequence) return { sequence: [], leaps: [] };
  const resolved = await readResolvedProbes(catalogue, source.id);
  const years = sequences.map(({ year: { year, numbers: stored }, numbers }): SequenceYear => {
    const known = new Map(
      resolved.flatMap(({ notice_id: id, state }) => {
        const found = sequence.parse(id);
        return found?.year === year ? [[found.number, state] as const] : [];
      }),
    );
    return {
      year,
      lowest: stored[0] ?? 0,
      highest: stored.at(-1) ?? 0,
      held: stored.length,
      missing: numbers.filter((number) => !known.has(number)).length,
      never_published: [...known.values()].filter((state) => state === 'never_published').length,
    };
  });
  const leaps = sequences.flatMap(({ year: { year }, leaps }) =>
    leaps.map(({ after, before }) => ({
      after: sequence.format({ year, number: after }),
      before: sequence.format({ year, number: before }),
    })),
  );
  return { sequence: years, leaps };
}
