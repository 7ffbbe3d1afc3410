import type { CoverageSummary, TypeCoverage } from '../../schema/catalogue/coverage.ts';
import { isoInstant } from '../../schema/config/clocks.ts';
import { compareText } from '../../schema/text/ids.ts';
import { cellKey, cellsOf, isGood, type StoredCell } from '../runs/cells.ts';
import { endOf, listMonths, monthOf, startOf } from '../runs/months.ts';
import type { CellsSource } from '../source.ts';

/** A month is missing from the moment up to which its types were last read, or from its beginning if they never were. */
interface Gap {
  from: Date;
  until: Date;
}

/**
 * Describes the coverage of a service that is asked by month and type. It lists the months that are known for every type,
 * the gaps, and the state of each type. Months before the first good answer were never asked for and are not gaps.
 */
export function describeCells(
  source: CellsSource,
  known: ReadonlyMap<string, StoredCell>,
  now: Date,
): Pick<CoverageSummary, 'covered' | 'gaps' | 'types'> {
  const cells = [...known.values()];
  const good = cells.filter((cell) => cell.settled_at !== null);
  const first = good[0]?.month;
  const months = first ? listMonths(first, monthOf(now)) : [];
  const gaps = months.flatMap((month) => gapOf(source, known, month, now) ?? []);
  const joined = joinGaps(gaps);
  const seconds = joined.reduce((sum, { from, until }) => sum + (until.getTime() - from.getTime()) / 1_000, 0);
  const format = ({ from, until }: Gap) => ({ from: isoInstant(from), until: isoInstant(until) });
  const last = good
    .map(({ settled_at }) => settled_at ?? '')
    .toSorted()
    .at(-1);
  return {
    covered: first && last ? { from: isoInstant(startOf(first)), until: last } : null,
    gaps: { count: joined.length, seconds: Math.round(seconds), spans: joined.map(format) },
    types: source.types.map(({ type, title }) => typeOf({ type, title }, cells, { months, now })),
  };
}

/** The part of a month that is not known for every type; null if nothing is missing, or if it is the current month and was read. */
function gapOf(source: CellsSource, known: ReadonlyMap<string, StoredCell>, month: string, now: Date): Gap | null {
  const stored = cellsOf(source, month, month).map((cell) => known.get(cellKey(cell)));
  if (stored.every(isGood)) return null;
  const read = stored.filter((cell) => !isGood(cell)).map((cell) => cell?.settled_at ?? '');
  const [earliest = ''] = read.toSorted();
  const from = earliest === '' ? startOf(month) : new Date(Math.max(Date.parse(earliest), startOf(month).getTime()));
  const until = endSoFar(month, now);
  return until > from ? { from, until } : null;
}

function joinGaps(gaps: readonly Gap[]): Gap[] {
  const joined: Gap[] = [];
  for (const gap of gaps) {
    const before = joined.at(-1);
    if (before && gap.from <= before.until) before.until = gap.until;
    else joined.push({ ...gap });
  }
  return joined;
}

/** Whether part of a month may be missing. If it was read after it ended, it is complete, whatever later answers say. */
function isUnknown(cell: StoredCell | undefined, month: string, now: Date): boolean {
  return !isGood(cell) && (cell?.settled_at ?? '') < isoInstant(endSoFar(month, now));
}

/** The end of a month, or now within it. */
function endSoFar(month: string, now: Date): Date {
  return endOf(month) < now ? endOf(month) : now;
}

function typeOf(
  { type, title }: { type: string; title: string },
  cells: readonly StoredCell[],
  { months, now }: { months: readonly string[]; now: Date },
): TypeCoverage {
  const own = new Map(cells.filter((cell) => cell.type === type).map((cell) => [cell.month, cell]));
  const unknown = months.filter((month) => isUnknown(own.get(month), month, now));
  const asked = [...own.values()].toSorted((a, b) => compareText(a.month, b.month));
  const newest = asked.at(-1);
  const good = asked.flatMap(({ settled_at }) => settled_at ?? []).toSorted();
  const known = unknown.length > 0 ? 'partly' : 'held';
  const state = newest !== undefined && isGood(newest) ? known : 'unknown';
  return {
    type,
    title,
    state,
    releases: asked.reduce((sum, { releases }) => sum + releases, 0),
    unknown_months: unknown.length,
    newest_unknown: unknown.at(-1) ?? null,
    last_good_at: good.at(-1) ?? null,
    error: newest?.error ?? null,
  };
}
