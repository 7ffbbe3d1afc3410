import { isoInstant } from '../../../schema/config/clocks.ts';
import type { Statement } from '../../../schema/db/interface.ts';
import type { IngestContext, RunOptions, RunReport } from '../../context.ts';
import { readGapMs } from '../../http/limiter.ts';
import { makeClosing, wasClosed } from '../../http/refusals.ts';
import {
  type AskedCell,
  cellKey,
  cellStatement,
  failedCellStatement,
  isFinal,
  isGood,
  readCells,
  readStart,
  type StoredCell,
} from '../../runs/cells.ts';
import { monthOf, shiftMonth } from '../../runs/months.ts';
import { judgeVolume, type RunParts, runOnce, wallTime } from '../../runs/once.ts';
import { fenceOf } from '../../runs/record.ts';
import { moveCursorStatements } from '../../runs/spans.ts';
import type { Cell, CellsSource } from '../../source.ts';
import type { Compiler } from '../../workers/compiler.ts';
import { bufferPage, isFull, makeBuffer, storeBuffered, unreadablePage } from '../buffer.ts';
import { cellsDue, chooseProbe, chooseScheduled, chooseSpan, newestError } from './choose.ts';
import { type CellsRun, withCell } from './read.ts';

/** How often an address is tried. Two attempts are enough, as a failing service fails in many cells. */
const ATTEMPTS = 2;
/** After this many bad answers without a single release, a run stops asking. */
const BAD_MAX = 6;
/** After this many bad answers in a row, once a day, the last of them empty, an empty one is believed. */
const GONE_AFTER = 14;
const EMPTY = 'it answered empty';

/** The state of a run over cells. */
interface Progressing extends CellsRun {
  known: Map<string, StoredCell>;
  /** Cells that this run has asked, and how many of them answered with releases. */
  asked: Set<string>;
  full: Set<string>;
  faults: { cell: Cell; reason: string }[];
}

const MEND = [
  'UPDATE cursor SET value = ?2 WHERE source = ?1 AND value > ?2',
  'UPDATE source SET as_of = ?2 WHERE id = ?1 AND as_of > ?2',
];

/**
 * One run of a service that is asked by month and notice type: its scheduled run, or a span of months. Each cell is recorded as
 * ok, empty or failed, and the cursor moves only if none of the run's cells failed. A service without a useful answer is closed
 * until the next London day; then a single request tests it. Faults upstream are reported, not thrown. @throws Error where the
 * batch that closes the run is refused (the lease was lost).
 */
export function runCells(
  context: IngestContext,
  source: CellsSource,
  options: RunOptions = {},
  compiler?: Compiler,
): Promise<RunReport> {
  const url = source.baseUrl(context.settings);
  return runOnce(context, source, { url, options }, (parts) => askAll(context, source, { ...parts, compiler }));
}

/** Requests the cells of a run. Returns those without a credible answer. @throws UpstreamClosed if nothing may be requested */
async function askAll(
  context: IngestContext,
  source: CellsSource,
  parts: RunParts & { compiler: Compiler | undefined },
): Promise<string[]> {
  const { options, job } = parts;
  // Every scheduled run asks for the whole previous month.
  if (job === 'rewalk') return [];
  const now = context.clocks.catalogueNow();
  await context.catalogue.write([...fenceOf(context), ...mendStatements(source.id, isoInstant(now))]);
  const run: Progressing = {
    context,
    source,
    client: parts.client,
    runId: parts.runId,
    tally: parts.tally,
    buffered: makeBuffer(),
    compiler: parts.compiler,
    baseUrl: source.baseUrl(context.settings),
    signal: options.signal,
    known: await readCells(context.catalogue, source.id),
    asked: new Set(),
    full: new Set(),
    faults: [],
  };
  await probeFirst(run, now);
  const from = job === 'ingest' ? (options.since ?? (await readStart(context, source.id, now))) : null;
  const start = { now, wall: context.clocks.wallNow(), byHand: context.byHand ?? false };
  const cells = from
    ? chooseScheduled(source, run.known, { from, ...start })
    : chooseSpan(source, run.known, options, now);
  await askCells(run, cells, options.onProgress);
  if (isSilent(run)) await closingOf(run).closeForToday();
  if (from) await endScheduled(run, from, now);
  return describeFaults(run);
}

/** Moves future instants, written while the clock was ahead, back to now. */
function mendStatements(source: string, now: string): Statement[] {
  return MEND.map((sql) => ({ sql, args: [source, now] }));
}

function closingOf({ context, source, faults, known }: Progressing) {
  const { catalogue, clocks, byHand = false } = context;
  const last = faults.at(-1)?.reason ?? newestError(known);
  const why = `answers nothing of use, the last time: ${last}`;
  return makeClosing(catalogue, { wallNow: clocks.wallNow, byHand, why }, source);
}

/** Whether this run and the one before got nothing useful. A fault of a few minutes does not close a service. */
function isSilent({ faults, full, known }: Progressing): boolean {
  const isRepeated = ({ cell }: Progressing['faults'][number]) => (known.get(cellKey(cell))?.failures ?? 0) > 1;
  return faults.length > 0 && full.size === 0 && faults.every(isRepeated);
}

/** Asks a closed service for one cell, once. The rest follows only if that answer is good. */
async function probeFirst(run: Progressing, now: Date): Promise<void> {
  if (!(await wasClosed(run.context.catalogue, run.source.id))) return;
  await closingOf(run).beginTrial();
  await askCell(run, chooseProbe(run.source, run.known, now), 1);
  await storeBuffered(run);
  if (run.faults.length > 0) await closingOf(run).closeForToday();
  await closingOf(run).open();
}

async function askCells(run: Progressing, cells: readonly Cell[], onProgress: RunParts['options']['onProgress']) {
  const isSpaced = readGapMs(run.context.settings, run.source) > 0;
  try {
    for (const [index, cell] of cells.entries()) {
      if (run.faults.length >= BAD_MAX && run.full.size === 0) return;
      await askCell(run, cell, ATTEMPTS);
      if (isSpaced || isFull(run, 0)) await storeBuffered(run);
      const { source, client, tally } = run;
      const done = { requests: client.requests(), releases: tally.releases, windowsLeft: cells.length - index - 1 };
      onProgress?.({ source: source.id, ...done, fraction: (index + 1) / cells.length });
    }
  } finally {
    await storeBuffered(run);
  }
}

/** Asks one cell and buffers its changes, followed by its row. */
async function askCell(run: Progressing, cell: Cell, attempts: number): Promise<void> {
  run.asked.add(cellKey(cell));
  await withCell(run, cell, attempts, async (answer) => {
    const stored = run.known.get(cellKey(cell));
    const asked: AskedCell = { ...cell, source: run.source.id, runId: run.runId, at: wallTime(run.context) };
    if (answer.kind === 'bad') {
      if (answer.bytes) bufferPage(run, unreadablePage({ ...answer, bytes: answer.bytes }));
      return recordFailure(run, asked, answer.reason);
    }
    const doubt = answer.releases === 0 ? await doubtEmpty(run, cell, stored) : null;
    if (doubt) return recordFailure(run, asked, doubt);
    if (answer.releases > 0) run.full.add(cellKey(cell));
    if (answer.releases < (stored?.releases ?? 0)) {
      const facts = { source: run.source.id, ...cell, releases: answer.releases, before: stored?.releases };
      run.context.log.warn(facts, 'a month holds fewer releases than before; what is missing stays stored');
    }
    if (answer.digest === stored?.digest) {
      run.tally.releases += answer.releases;
      run.tally.unchanged += answer.releases;
    } else {
      for await (const page of answer.pages()) {
        bufferPage(run, page);
        if (isFull(run, 0)) await storeBuffered(run);
      }
    }
    recordAnswer(run, asked, answer);
  });
}

function recordAnswer(run: Progressing, asked: AskedCell, answer: Pick<StoredCell, 'releases' | 'digest'>): void {
  const { releases, digest } = answer;
  const { month, type, at } = asked;
  run.buffered.after.push(cellStatement(asked, { releases, digest }));
  const state = releases === 0 ? 'empty' : 'ok';
  const row = { month, type, state, releases, digest, asked_at: at, settled_at: at, failures: 0, error: null } as const;
  run.known.set(cellKey(asked), row);
}

function recordFailure(run: Progressing, asked: AskedCell, reason: string): void {
  const { month, type, at } = asked;
  run.buffered.after.push(failedCellStatement(asked, reason));
  const before = run.known.get(cellKey(asked)) ?? {
    month,
    type,
    releases: 0,
    digest: '',
    settled_at: null,
    failures: 0,
  };
  run.known.set(cellKey(asked), {
    ...before,
    state: 'failed',
    asked_at: at,
    failures: before.failures + 1,
    error: reason,
  });
  run.faults.push({ cell: { month, type }, reason });
}

/**
 * Why an empty answer is not believed, or null if it is. A failing service answers with nothing. So an empty answer is
 * doubted if the cell had releases before. It is also doubted if its type had some in the month before, and no answer for
 * that month had releases in this run. What it had is gone after a fortnight of such answers among good ones: notices
 * are withdrawn, or move to another type.
 */
async function doubtEmpty(run: Progressing, cell: Cell, stored: StoredCell | undefined): Promise<string | null> {
  const isGone = run.full.size > 0 && (stored?.failures ?? 0) >= GONE_AFTER && stored?.error?.startsWith(EMPTY);
  if (stored && stored.releases > 0 && !isGone) return `${EMPTY}, and had ${stored.releases} releases before`;
  if (isFinal(stored)) return null;
  const before = { month: shiftMonth(cell.month, -1), type: cell.type };
  const releases = run.known.get(cellKey(before))?.releases ?? 0;
  if (releases === 0) return null;
  if (!run.asked.has(cellKey(before))) await askCell(run, before, ATTEMPTS);
  if (run.full.has(cellKey(before))) return null;
  return `${EMPTY}, and this type had ${releases} releases the month before`;
}

/** If every due cell is good, everything up to now is stored. */
async function endScheduled(run: Progressing, from: Date, now: Date): Promise<void> {
  const { context, source, known, tally, baseUrl } = run;
  const due = cellsDue(source, from, now).map((cell) => ({ cell, stored: known.get(cellKey(cell)) }));
  const bad = due.filter(({ stored }) => !isGood(stored));
  if (bad.length > 0) {
    const types = new Set(bad.map(({ cell }) => cell.type));
    tally.warning = `what was published is unknown for ${bad.length} of ${due.length} months and types (types ${[...types].join(', ')})`;
    return;
  }
  const at = isoInstant(now);
  await context.catalogue.write([...fenceOf(context), ...moveCursorStatements(source.id, at, at)]);
  const previous = shiftMonth(monthOf(now), -1);
  const ofPrevious = due.filter(({ cell }) => cell.month === previous);
  const volume = ofPrevious.reduce((sum, { stored }) => sum + (stored?.releases ?? 0), 0);
  judgeVolume(context, source, { volume, unit: 'releases last month', url: baseUrl }, tally);
}

function describeFaults({ faults }: Progressing): string[] {
  return faults.map(({ cell, reason }) => `type ${cell.type} of ${cell.month}: ${reason}`);
}
