import { isoInstant } from '../schema/clocks.ts';
import type { Asker } from './ask.ts';
import { moveCursorStatements, readCursor, readHeldSpans, type Tally } from './run-rows.ts';
import type { WindowsSource } from './source.ts';
import { type IngestTools, type RunOptions, sleepReally } from './tools.ts';
import { judgeVolume } from './volume.ts';
import { walkGaps } from './walk.ts';
import type { Walk } from './walk-run.ts';
import { type Span, settleSpan, uncoveredSpans } from './windows.ts';

export interface RunParts {
  runId: string;
  tally: Tally;
  options: RunOptions;
  asker: Asker;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Asks a procurement service for what is not held of its span. Answers with what could not be read. */
export async function runWindows(tools: IngestTools, source: WindowsSource, parts: RunParts): Promise<string[]> {
  const { asker, options, runId, tally } = parts;
  const now = tools.clocks.catalogueNow();
  const cursor = await readCursor(tools.catalogue, source.id);
  const span = chooseSpan(tools, source, { cursor, options, now });
  const walk: Walk = {
    tools,
    source,
    reader: {
      asker,
      source,
      baseUrl: source.baseUrl(tools.settings),
      sleep: tools.sleep ?? sleepReally,
      signal: options.signal,
    },
    runId,
    tally,
    contiguous: isContiguous(span, cursor, { options, now }),
    faults: [],
    unreadable: 0,
    lengthMs: source.firstWindowHours * HOUR_MS,
    gathered: [],
    onProgress: options.onProgress,
  };
  const gaps = await findGaps(tools, source, span, options);
  await walkGaps(walk, gaps);
  if (walk.contiguous && span.until > span.from) await moveCursor(tools, source, span.until);
  judgeWalk(walk, gaps);
  return walk.faults;
}

/** From the cursor less the overlap, or as far back as a first run reaches; or the span that was asked for. */
function chooseSpan(
  { settings }: IngestTools,
  source: WindowsSource,
  { cursor, options, now }: { cursor: string | null; options: RunOptions; now: Date },
): Span {
  const start = cursor
    ? Date.parse(cursor) - settings.OVERLAP_HOURS * HOUR_MS
    : now.getTime() - settings.FIRST_WINDOW_DAYS * DAY_MS;
  const until = options.until && options.until < now ? options.until : now;
  return settleSpan({ from: options.since ?? new Date(start), until }, source.clock, now);
}

/** Whether everything before the span is held (or nothing at all is), so that storing it may move the cursor. */
function isContiguous(
  span: Span,
  cursor: string | null,
  { options: { until }, now }: { options: RunOptions; now: Date },
): boolean {
  if (cursor) return isoInstant(span.from) <= cursor;
  // A first run over some past stretch says nothing about the time since; the timetable starts on its own then.
  return until === undefined || until >= now;
}

async function findGaps(tools: IngestTools, source: WindowsSource, span: Span, { again }: RunOptions): Promise<Span[]> {
  const overlapMs = tools.settings.OVERLAP_HOURS * HOUR_MS;
  const held = again ? [] : await readHeldSpans(tools.catalogue, source.id, span, overlapMs);
  const now = tools.clocks.catalogueNow();
  return uncoveredSpans(span, held).map((gap) => settleSpan(gap, source.clock, now));
}

async function moveCursor(tools: IngestTools, source: WindowsSource, until: Date): Promise<void> {
  const statements = moveCursorStatements(source.id, isoInstant(until), isoInstant(tools.clocks.catalogueNow()));
  await tools.catalogue.write([...(tools.fence ? [tools.fence] : []), ...statements]);
}

/** Judges what a day or more of a span held. */
function judgeWalk({ tools, source, tally, reader }: Walk, gaps: readonly Span[]): void {
  const days = gaps.reduce((sum, gap) => sum + gap.until.getTime() - gap.from.getTime(), 0) / DAY_MS;
  if (days < 1) return;
  const perDay = Math.round((tally.releases / days) * 10) / 10;
  judgeVolume(tools, source, { volume: perDay, unit: 'releases a day', url: reader.baseUrl }, tally);
}
