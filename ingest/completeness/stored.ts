import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ProbeCounts } from '../../schema/catalogue/coverage.ts';
import type { Database } from '../../schema/db/interface.ts';
import type { NoticeNumber, Span } from '../source.ts';

/** The stored notice numbers of one year, ascending, each with its release's own date. */
export interface StoredNumbers {
  year: number;
  numbers: number[];
  atMs: number[];
}

export interface Missing {
  /** Numbers that should be stored and are not, ascending. */
  numbers: number[];
  /** Jumps too long to be missing notices: a stray number, or a new sequence. */
  leaps: { after: number; before: number }[];
}

/** The busiest day so far had 500 notices: a longer gap inside covered time is not ours. */
const LONGEST_GAP = 5_000;

/**
 * Numbers between stored neighbours whose dates lie in the same covered stretch of time. The start of the year counts as number
 * 0 before the lowest stored one: a catalogue that begins in mid-year lacks nothing from before.
 */
export function findMissing(stored: StoredNumbers, yearStartMs: number, covered: readonly Span[]): Missing {
  const missing: Missing = { numbers: [], leaps: [] };
  let before = { number: 0, stretch: stretchOf(covered, yearStartMs) };
  for (const [index, number] of stored.numbers.entries()) {
    const stretch = stretchOf(covered, stored.atMs[index] ?? Number.NaN);
    if (stretch >= 0 && stretch === before.stretch) addBetween(missing, before.number, number);
    before = { number, stretch };
  }
  return missing;
}

function addBetween({ numbers, leaps }: Missing, after: number, before: number): void {
  if (before - after - 1 > LONGEST_GAP) {
    // A year's sequence may begin at any number.
    if (after > 0) leaps.push({ after, before });
    return;
  }
  for (let number = after + 1; number < before; number++) numbers.push(number);
}

/** Which of the covered stretches (in order, not overlapping) contains an instant; -1 where none does. */
function stretchOf(covered: readonly Span[], atMs: number): number {
  let low = 0;
  let high = covered.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const span = covered[middle];
    if (!span) break;
    if (atMs < span.from.getTime()) high = middle - 1;
    else if (atMs > span.until.getTime()) low = middle + 1;
    else return middle;
  }
  return -1;
}

/** Rows read at once: local reads are synchronous, and other jobs must be able to run in between. */
const PAGE_ROWS = 5_000;

const WINDOWS = `SELECT "from", until, state FROM window
WHERE source = ? AND ("from", until) > (?, ?) AND state <> 'split' ORDER BY "from", until LIMIT ${PAGE_ROWS}`;
const NUMBERS = `SELECT release_id, date FROM release
WHERE source = ? AND release_id > ? ORDER BY release_id LIMIT ${PAGE_ROWS}`;
const PROBES = 'SELECT state, count(*) AS ids FROM probe WHERE source = ? GROUP BY state';
const OVERDUE = `SELECT count(*) AS ids FROM probe
WHERE source = ? AND state IN ('wanted', 'failed') AND noticed_at < ?`;
const RESOLVED = `SELECT notice_id, state FROM probe
WHERE source = ? AND state IN ('fetched', 'never_published') ORDER BY notice_id`;

interface WindowRow {
  from: string;
  until: string;
  state: string;
}

export interface Covered {
  /** Stretches of time that windows cover, in order, not overlapping. */
  spans: Span[];
  /** Windows that were too full to prove anything. */
  unproved: { from: string; until: string }[];
}

/** The stretches of time that a source was asked for completely. */
export async function readCovered(catalogue: Database, source: string): Promise<Covered> {
  const covered: Covered = { spans: [], unproved: [] };
  let last: WindowRow = { from: '', until: '', state: '' };
  for (;;) {
    const rows = await catalogue.read<WindowRow>({ sql: WINDOWS, args: [source, last.from, last.until] });
    for (const row of rows) {
      if (row.state === 'unproved') covered.unproved.push({ from: row.from, until: row.until });
      addSpan(covered.spans, { from: new Date(row.from), until: new Date(row.until) });
      last = row;
    }
    if (rows.length < PAGE_ROWS) return covered;
    await yieldToEventLoop();
  }
}

/** Both ends are inclusive to the second, so that windows a second apart leave no gap. */
function addSpan(spans: Span[], span: Span): void {
  const before = spans.at(-1);
  if (!before || span.from.getTime() > before.until.getTime() + 1_000) spans.push(span);
  else if (span.until > before.until) before.until = span.until;
}

/** The stored numbers, by year. Read from one index, in the order of numbers across all years. */
export async function readNumbers(
  catalogue: Database,
  source: string,
  parse: (id: string) => NoticeNumber | null,
): Promise<StoredNumbers[]> {
  const years = new Map<number, StoredNumbers>();
  for (let last = ''; ; ) {
    const rows = await catalogue.read<{ release_id: string; date: string }>({ sql: NUMBERS, args: [source, last] });
    for (const { release_id: id, date } of rows) {
      const found = parse(id);
      if (found) addNumber(years, found, Date.parse(date));
      last = id;
    }
    if (rows.length < PAGE_ROWS) return [...years.values()].sort((a, b) => a.year - b.year);
    await yieldToEventLoop();
  }
}

function addNumber(years: Map<number, StoredNumbers>, { year, number }: NoticeNumber, atMs: number): void {
  const ofYear = years.get(year) ?? { year, numbers: [], atMs: [] };
  years.set(year, ofYear);
  if (ofYear.numbers.at(-1) === number) return;
  ofYear.numbers.push(number);
  ofYear.atMs.push(atMs);
}

/** The number of probes of a source in each state. */
export async function readProbeCounts(catalogue: Database, source: string): Promise<ProbeCounts> {
  const counts: ProbeCounts = { wanted: 0, fetched: 0, never_published: 0, failed: 0 };
  const rows = await catalogue.read<{ state: keyof ProbeCounts; ids: number }>({ sql: PROBES, args: [source] });
  for (const { state, ids } of rows) counts[state] = ids;
  return counts;
}

/** How many ids were noticed before an instant and are still not resolved. */
export async function readOverdue(catalogue: Database, source: string, before: string): Promise<number> {
  const [row] = await catalogue.read<{ ids: number }>({ sql: OVERDUE, args: [source, before] });
  return row?.ids ?? 0;
}

interface ResolvedProbe {
  notice_id: string;
  state: 'fetched' | 'never_published';
}

/** Ids whose outcome is known. */
export function readResolvedProbes(catalogue: Database, source: string): Promise<ResolvedProbe[]> {
  return catalogue.read<ResolvedProbe>({ sql: RESOLVED, args: [source] });
}
