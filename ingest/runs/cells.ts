import { DAY_MS, isoInstant } from '../../schema/config/clocks.ts';
import { type Database, readFirst, type Statement } from '../../schema/db/interface.ts';
import type { IngestContext } from '../context.ts';
import type { Cell, CellsSource } from '../source.ts';
import { endOf, listMonths, monthOf, shiftMonth, startOf } from './months.ts';
import { readCursor } from './spans.ts';

/** The state of one cell. `failed`: it gave no credible answer, so what was published is unknown. */
export interface StoredCell extends Cell {
  state: 'ok' | 'empty' | 'failed';
  /** Releases in its last good answer. */
  releases: number;
  /** One digest of those releases; empty before the first good answer. */
  digest: string;
  /** Instants, ISO 8601 UTC; `settled_at` is that of the last good answer, null before the first. */
  asked_at: string;
  settled_at: string | null;
  /** Bad answers in a row. */
  failures: number;
  /** What was wrong with the last answer. */
  error: string | null;
}

const READ = `SELECT month, type, state, releases, digest, asked_at, settled_at, failures, error FROM cell
  WHERE source = ? ORDER BY month, type`;
const KEEP = `INSERT INTO cell (source, month, type, run_id, state, releases, digest, asked_at, settled_at, failures, error)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, 0, NULL)
  ON CONFLICT (source, month, type) DO UPDATE SET run_id = excluded.run_id, state = excluded.state,
    releases = excluded.releases, digest = excluded.digest, asked_at = excluded.asked_at,
    settled_at = excluded.settled_at, failures = 0, error = NULL`;
const FAIL = `INSERT INTO cell (source, month, type, run_id, state, releases, digest, asked_at, settled_at, failures, error)
  VALUES (?1, ?2, ?3, ?4, 'failed', 0, '', ?5, NULL, 1, ?6)
  ON CONFLICT (source, month, type) DO UPDATE SET run_id = excluded.run_id, state = 'failed',
    asked_at = excluded.asked_at, failures = cell.failures + 1, error = excluded.error`;

const FIRST_RUN = "SELECT min(started_at) AS at FROM run WHERE source = ? AND job = 'ingest'";

/** A cell of a source as a run asked it, and when (ISO 8601 UTC). */
export interface AskedCell extends Cell {
  source: string;
  runId: string;
  at: string;
}

/** One text for a cell. */
export function cellKey({ month, type }: Cell): string {
  return `${month} ${type}`;
}

/** Every cell of a source that was ever asked, by its key; oldest first. */
export async function readCells(catalogue: Database, source: string): Promise<Map<string, StoredCell>> {
  const rows = await catalogue.read<StoredCell>({ sql: READ, args: [source] });
  return new Map(rows.map((row) => [cellKey(row), row]));
}

/**
 * The instant up to which everything is stored. Before the first good run it is the earliest that the first one reached, so that
 * months of failures are asked again once a run is good.
 */
export async function readStart(
  { catalogue, settings }: Pick<IngestContext, 'catalogue' | 'settings'>,
  source: string,
  now: Date,
): Promise<Date> {
  const cursor = await readCursor(catalogue, source);
  if (cursor) return new Date(cursor);
  const run = await readFirst<{ at: string | null }>(catalogue, { sql: FIRST_RUN, args: [source] });
  const firstMs = Math.min(now.getTime(), Date.parse(run?.at ?? isoInstant(now)));
  const reachMs = firstMs - settings.FIRST_WINDOW_DAYS * DAY_MS;
  return new Date(Math.min(reachMs, startOf(shiftMonth(monthOf(new Date(firstMs)), -1)).getTime()));
}

/** Records a credible answer. Without releases the cell is `empty`. */
export function cellStatement(cell: AskedCell, answer: { releases: number; digest: string }): Statement {
  const { source, month, type, runId, at } = cell;
  const state = answer.releases === 0 ? 'empty' : 'ok';
  return { sql: KEEP, args: [source, month, type, runId, state, answer.releases, answer.digest, at] };
}

/** Records that a cell gave no credible answer. What is known from its last good one stays. */
export function failedCellStatement({ source, month, type, runId, at }: AskedCell, error: string): Statement {
  return { sql: FAIL, args: [source, month, type, runId, at, error.slice(0, 400)] };
}

/** Whether the last answer of a cell was good. */
export function isGood(cell: StoredCell | undefined): boolean {
  return cell !== undefined && cell.state !== 'failed';
}

/** Whether a cell was read after its month ended, so that nothing more is due. */
export function isFinal(cell: StoredCell | undefined): boolean {
  return cell?.settled_at != null && isGood(cell) && cell.settled_at >= isoInstant(endOf(cell.month));
}

/** Every cell of a source in these months, oldest month first. */
export function cellsOf({ types }: CellsSource, from: string, until: string): Cell[] {
  return listMonths(from, until).flatMap((month) => types.map(({ type }) => ({ month, type })));
}
