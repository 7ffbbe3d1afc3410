import { DAY_MS, HOUR_MS, isoInstant, sleepReally } from '../schema/config/clocks.ts';
import type { Statement } from '../schema/db/interface.ts';
import type { IngestContext, RunJob, RunOptions, RunReport } from './context.ts';
import { makeBuffer } from './crawl/buffer.ts';
import { crawlGaps } from './crawl/gaps.ts';
import type { Crawl } from './crawl/types.ts';
import { judgeVolume, type RunParts, runOnce } from './runs/once.ts';
import { fenceOf, readCompleteSpans } from './runs/record.ts';
import { alignSpan, moveCursorStatements, readCursor, uncoveredSpans } from './runs/spans.ts';
import type { Span, WindowsSource } from './source.ts';
import { findService } from './sources/index.ts';
import type { Compiler } from './workers/compiler.ts';

/**
 * The latest instant up to which a crawl is known to have asked. A requested window counts up to its end; if that was in the
 * future, up to the request.
 */
const KNOWN = `SELECT max(min(until, completed_at)) FROM window
  WHERE source = ?1 AND state <> 'split' AND completed_at <= ?2`;

const MEND = [
  // If every window lies in the future nothing is known, and the source starts again.
  `DELETE FROM cursor WHERE source = ?1 AND value > ?2 AND (${KNOWN}) IS NULL`,
  `UPDATE cursor SET value = (${KNOWN}) WHERE source = ?1 AND value > ?2`,
  `UPDATE source SET as_of = (${KNOWN}) WHERE id = ?1 AND as_of > ?2`,
  `DELETE FROM window WHERE source = ?1 AND completed_at > ?2 AND (${KNOWN}) IS NULL`,
  `UPDATE window SET completed_at = (${KNOWN}) WHERE source = ?1 AND completed_at > ?2`,
];

const REWALK_RESUME_MS = 12 * HOUR_MS;

/**
 * One run of a service that is asked window by window: from its cursor (or over an explicit span) to now, with its recorded
 * outcome. With a compiler, large amounts are compiled in separate processes. An unfinished run has moved its cursor only over
 * what it stored. Faults upstream are reported, not thrown. @throws Error for an unknown service, or where the batch that closes
 * the run is refused (the lease was lost).
 */
export async function runSource(
  context: IngestContext,
  sourceId: string,
  options: RunOptions = {},
  compiler?: Compiler,
): Promise<RunReport> {
  const source = findService(sourceId);
  if (source?.asked !== 'by_window') throw new Error(`no service called ${sourceId} is asked window by window`);
  const url = source.baseUrl(context.settings);
  return runOnce(context, source, { url, options }, (parts) => runWindows(context, source, { ...parts, compiler }));
}

/** Fetches what is missing of the span from a procurement service. Returns what could not be read. */
export async function runWindows(
  context: IngestContext,
  source: WindowsSource,
  parts: RunParts & { compiler?: Compiler | undefined },
): Promise<string[]> {
  const { client, options, runId, tally } = parts;
  const now = context.clocks.catalogueNow();
  await context.catalogue.write([...fenceOf(context), ...mendFutureStatements(source.id, isoInstant(now))]);
  const cursor = await readCursor(context.catalogue, source.id);
  // A span that was never crawled cannot be crawled again.
  if (parts.job === 'rewalk' && !cursor) return [];
  const span = chooseSpan(context, source, { ...parts, cursor, now });
  const crawl: Crawl = {
    context,
    source,
    client,
    reader: {
      client,
      source,
      baseUrl: source.baseUrl(context.settings),
      sleep: context.sleep ?? sleepReally,
      signal: options.signal,
    },
    runId,
    tally,
    contiguous: isContiguous(span, cursor, { options, now }),
    faults: [],
    unreadable: 0,
    unproved: 0,
    lengthMs: source.firstWindowHours * HOUR_MS,
    buffered: makeBuffer(),
    compiler: parts.compiler,
    signal: options.signal,
    onProgress: options.onProgress,
  };
  const gaps = await findGaps(context, source, span, parts);
  await crawlGaps(crawl, gaps);
  if (crawl.contiguous && span.until > span.from) await moveCursor(context, source, span.until);
  judgeCrawl(crawl, gaps);
  return crawl.faults;
}

/** From the cursor less the overlap, or as far back as a first run or a re-walk reaches; or the requested span. */
function chooseSpan(
  { settings }: IngestContext,
  source: WindowsSource,
  { job, cursor, options, now }: { job: RunJob; cursor: string | null; options: RunOptions; now: Date },
): Span {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const overlapMs = settings.OVERLAP_HOURS * HOUR_MS;
  const fromCursor = cursor ? new Date(Date.parse(cursor) - overlapMs) : daysAgo(settings.FIRST_WINDOW_DAYS);
  const start = job === 'rewalk' ? daysAgo(settings.REWALK_DAYS) : fromCursor;
  const until = options.until && options.until < now ? options.until : now;
  return alignSpan({ from: options.since ?? start, until }, source.clock, now);
}

/** Whether everything before the span is stored (or nothing at all is), so that storing it may move the cursor. */
function isContiguous(
  span: Span,
  cursor: string | null,
  { options: { until }, now }: { options: RunOptions; now: Date },
): boolean {
  if (cursor) return isoInstant(span.from) <= cursor;
  // A first run over a past span says nothing about the time since; the timetable starts separately then.
  return until === undefined || until >= now;
}

async function findGaps(
  context: IngestContext,
  source: WindowsSource,
  span: Span,
  { job, options }: Pick<RunParts, 'job' | 'options'>,
): Promise<Span[]> {
  const { catalogue, clocks, settings } = context;
  const overlapMs = settings.OVERLAP_HOURS * HOUR_MS;
  // A re-walk that was cut short continues in the same night. The next night starts from the beginning.
  const rewalkSince = isoInstant(new Date(clocks.wallNow().getTime() - REWALK_RESUME_MS));
  const what = job === 'rewalk' ? { overlapMs, rewalkSince } : { overlapMs };
  const complete = options.again ? [] : await readCompleteSpans(catalogue, source.id, span, what);
  const now = clocks.catalogueNow();
  return uncoveredSpans(span, complete).map((gap) => alignSpan(gap, source.clock, now));
}

async function moveCursor(context: IngestContext, source: WindowsSource, until: Date): Promise<void> {
  const statements = moveCursorStatements(source.id, isoInstant(until), isoInstant(context.clocks.catalogueNow()));
  await context.catalogue.write([...fenceOf(context), ...statements]);
}

/** Judges the contents of a span of a day or more. */
function judgeCrawl({ context, source, tally, reader }: Crawl, gaps: readonly Span[]): void {
  const days = gaps.reduce((sum, gap) => sum + gap.until.getTime() - gap.from.getTime(), 0) / DAY_MS;
  if (days < 1) return;
  const perDay = Math.round((tally.releases / days) * 10) / 10;
  judgeVolume(context, source, { volume: perDay, unit: 'releases a day', url: reader.baseUrl }, tally);
}

/**
 * Repairs the effects of a clock that was ahead, once it is right again (`now`, ISO 8601 UTC). A cursor in the future would never
 * be passed. A window requested in the future would count as stored when its time comes. Both are set back to what is known, so
 * that later publications are requested. Does nothing where the clock was right.
 */
function mendFutureStatements(source: string, now: string): Statement[] {
  return MEND.map((sql) => ({ sql, args: [source, now] }));
}
