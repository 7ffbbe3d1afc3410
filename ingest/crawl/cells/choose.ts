import { londonDate } from '../../../schema/config/clocks.ts';
import { compareText } from '../../../schema/text/ids.ts';
import type { RunOptions } from '../../context.ts';
import { cellKey, cellsOf, isFinal, type StoredCell } from '../../runs/cells.ts';
import { monthOf, shiftMonth } from '../../runs/months.ts';
import type { Cell, CellsSource } from '../../source.ts';

/** Where a scheduled run starts: the instant up to which everything is stored, or the earliest that a first run reaches. */
interface ScheduledStart {
  from: Date;
  now: Date;
  /** The wall clock, which decides what a day is. */
  wall: Date;
  byHand: boolean;
}

/** After this many bad answers in a row, a cell is asked once a day. */
const FAILURES_DAILY = 2;

/**
 * The cells of a scheduled run, oldest month first. These are all cells of the current and the previous month, and
 * unfinished ones of every month since everything was last stored. A cell that keeps failing is asked once a London day.
 */
export function chooseScheduled(
  source: CellsSource,
  known: ReadonlyMap<string, StoredCell>,
  { from, now, wall, byHand }: ScheduledStart,
): Cell[] {
  const previous = shiftMonth(monthOf(now), -1);
  const today = londonDate(wall);
  return cellsDue(source, from, now).filter((cell) => {
    const stored = known.get(cellKey(cell));
    if (cell.month < previous && isFinal(stored)) return false;
    const isWaiting =
      stored?.state === 'failed' &&
      stored.failures >= FAILURES_DAILY &&
      londonDate(new Date(stored.asked_at)) === today;
    return byHand || !isWaiting;
  });
}

/** Every cell since a day's month, or since the previous month if that is earlier. */
export function cellsDue(source: CellsSource, from: Date, now: Date): Cell[] {
  const previous = shiftMonth(monthOf(now), -1);
  return cellsOf(source, monthOf(from) < previous ? monthOf(from) : previous, monthOf(now));
}

/** The unfinished cells of an explicit span, oldest month first; all its cells where everything is asked again. */
export function chooseSpan(
  source: CellsSource,
  known: ReadonlyMap<string, StoredCell>,
  { since, until, again }: Pick<RunOptions, 'since' | 'until' | 'again'>,
  now: Date,
): Cell[] {
  const last = monthOf(until && until < now ? until : now);
  const cells = cellsOf(source, since ? monthOf(since) : last, last);
  return again ? cells : cells.filter((cell) => !isFinal(known.get(cellKey(cell))));
}

/**
 * The cell that shows soonest whether a silent service answers again: the newest that ever had releases, otherwise the busiest
 * type of the previous month.
 */
export function chooseProbe(source: CellsSource, known: ReadonlyMap<string, StoredCell>, now: Date): Cell {
  const full = [...known.values()].filter(({ releases }) => releases > 0);
  const [best] = full.toSorted((a, b) => compareText(b.month, a.month) || b.releases - a.releases);
  return best ?? { month: shiftMonth(monthOf(now), -1), type: source.types[0]?.type ?? '' };
}

/** The fault of the newest bad answer of a service. */
export function newestError(known: ReadonlyMap<string, StoredCell>): string {
  const failed = [...known.values()].filter(({ state }) => state === 'failed');
  return failed.toSorted((a, b) => compareText(b.asked_at, a.asked_at))[0]?.error ?? 'unknown';
}
