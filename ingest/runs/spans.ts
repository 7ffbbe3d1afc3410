import { DAY_MS, HOUR_MS, londonTime } from '../../schema/config/clocks.ts';
import type { Database, Statement } from '../../schema/db/interface.ts';
import type { Span, SpanClock } from '../source.ts';

const SECOND_MS = 1_000;
/** Share of a full page: below it the next span may be longer. */
const SPARSE_SHARE = 0.25;

/**
 * Whether a service that reads London wall-clock time could confuse an instant with another: the hour that occurs twice on the
 * last Sunday of October.
 */
export function isAmbiguous(instant: Date): boolean {
  const shown = londonTime(instant);
  return [HOUR_MS, -HOUR_MS].some((shiftMs) => londonTime(new Date(instant.getTime() + shiftMs)) === shown);
}

/** The last instant before and the first after the two hours that show the same time (00:00 to 02:00 UTC). */
function ambiguousEdges(instant: Date): { before: Date; after: Date } {
  const midnightMs = Math.floor(instant.getTime() / DAY_MS) * DAY_MS;
  return { before: new Date(midnightMs - SECOND_MS), after: new Date(midnightMs + 2 * HOUR_MS) };
}

/** The span in whole seconds, its ends moved out of the ambiguous hour: outwards, but never past `now`. */
export function alignSpan(span: Span, clock: SpanClock, now: Date): Span {
  const from = wholeSecond(span.from);
  const until = wholeSecond(span.until);
  if (clock === 'utc') return { from, until };
  return {
    from: isAmbiguous(from) ? ambiguousEdges(from).before : from,
    until: isAmbiguous(until) ? latestEdge(until, now) : until,
  };
}

/** The edge after an ambiguous instant; the one before it while the later one is in the future. */
function latestEdge(instant: Date, now: Date): Date {
  const { before, after } = ambiguousEdges(instant);
  return after <= now ? after : before;
}

function wholeSecond(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / SECOND_MS) * SECOND_MS);
}

/** Whether there is anything to request: equal ends are refused upstream, so the smallest window is two seconds. */
function isAskable({ from, until }: Span): boolean {
  return until.getTime() - from.getTime() >= SECOND_MS;
}

/**
 * A span in two halves. Null if a half would be shorter than `shortestSeconds` between its ends, or if the span is only the
 * ambiguous hour. The halves share the second of the cut, so that no interpretation of it leaves a gap; duplicates are
 * stored once.
 */
export function splitSpan(span: Span, clock: SpanClock, shortestSeconds: number): [Span, Span] | null {
  const shortestMs = shortestSeconds * SECOND_MS;
  const isLong = ({ from, until }: Span) => until.getTime() - from.getTime() >= shortestMs;
  const middle = wholeSecond(new Date((span.from.getTime() + span.until.getTime()) / 2));
  const cut = [
    middle,
    ...(clock === 'london' && isAmbiguous(middle) ? Object.values(ambiguousEdges(middle)) : []),
  ].find((instant) => halvesOf(span, instant).every(isLong) && (clock === 'utc' || !isAmbiguous(instant)));
  return cut ? halvesOf(span, cut) : null;
}

function halvesOf({ from, until }: Span, cut: Date): [Span, Span] {
  return [
    { from, until: cut },
    { from: cut, until },
  ];
}

/** Cuts a piece of about `lengthMs` off the front of a span; `rest` is null when the piece is all of it. */
export function takeSpan(span: Span, lengthMs: number, clock: SpanClock): { head: Span; rest: Span | null } {
  const wanted = new Date(span.from.getTime() + lengthMs);
  const cut = clock === 'london' && isAmbiguous(wanted) ? ambiguousEdges(wanted).after : wanted;
  if (cut >= span.until) return { head: span, rest: null };
  return { head: { from: span.from, until: cut }, rest: { from: cut, until: span.until } };
}

/** How long the next piece should be, in milliseconds, so that few pages are full and quiet years cost few requests. */
export function nextLengthMs(
  lengthMs: number,
  page: { rows: number; full: boolean },
  limits: { pageRows: number; longestMs: number },
): number {
  if (page.full) return Math.max(HOUR_MS / 4, lengthMs / 2);
  return page.rows < limits.pageRows * SPARSE_SHARE ? Math.min(limits.longestMs, lengthMs * 2) : lengthMs;
}

/** What is left of a span after the stored parts, in order. */
export function uncoveredSpans(span: Span, stored: readonly Span[]): Span[] {
  const left: Span[] = [];
  let from = span.from;
  for (const part of [...stored].sort((a, b) => a.from.getTime() - b.from.getTime())) {
    if (part.until <= from) continue;
    if (part.from >= span.until) break;
    if (part.from > from) left.push({ from, until: part.from });
    from = part.until;
  }
  if (from < span.until) left.push({ from, until: span.until });
  return left.filter(isAskable);
}

const MOMENT = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?Z?$/;

/** The span between two instants in an address; null where they cannot be read. */
export function readEnds(url: string, names: readonly [string, string], parse: (text: string) => Date): Span | null {
  const query = new URL(url).searchParams;
  const [from, until] = names.map((name) => query.get(name) ?? '');
  return from && until && MOMENT.test(from) && MOMENT.test(until) ? { from: parse(from), until: parse(until) } : null;
}

/** How far an edition has been applied: `2026-11-01` when complete, `2026-11-01 3/7` after three of seven files. */
export interface EditionCursor {
  date: string;
  done: number;
  of: number;
  whole: boolean;
}

/** How far a source was read, as stored; null where it never was. */
export async function readCursor(catalogue: Database, source: string): Promise<string | null> {
  const rows = await catalogue.read<{ value: string }>({
    sql: 'SELECT value FROM cursor WHERE source = ?',
    args: [source],
  });
  return rows[0]?.value ?? null;
}

/**
 * Moves a cursor forward, never back, and with it the instant before which everything is stored. It never passes the clock
 * (`at`), which may have been set back since the span was chosen.
 */
export function moveCursorStatements(source: string, until: string, at: string): Statement[] {
  const value = until < at ? until : at;
  return [
    {
      sql: 'UPDATE source SET as_of = max(coalesce(as_of, ?1), ?1) WHERE id = ?2',
      args: [value, source],
    },
    {
      sql: `INSERT INTO cursor (source, value, updated_at) VALUES (?, ?, ?) ON CONFLICT (source) DO UPDATE
        SET value = max(cursor.value, excluded.value), updated_at = excluded.updated_at`,
      args: [source, value, at],
    },
  ];
}

/** The cursor of an edition; it may go back from `done/of` to a plain date, which is the later of the two. */
export function editionCursorStatement(source: string, value: string, at: string): Statement {
  return {
    sql: `INSERT INTO cursor (source, value, updated_at) VALUES (?, ?, ?)
      ON CONFLICT (source) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
    args: [source, value, at],
  };
}

/** How far a register's editions were applied; null where none was begun. @throws Error as `parseEditionCursor` */
export async function readEditionCursor(catalogue: Database, source: string): Promise<EditionCursor | null> {
  const value = await readCursor(catalogue, source);
  return value === null ? null : parseEditionCursor(value);
}

/** Reads a register's cursor. @throws Error for an invalid text. */
export function parseEditionCursor(value: string): EditionCursor {
  const match = /^(\d{4}-\d{2}-\d{2})(?: (\d+)\/(\d+))?$/.exec(value);
  if (!match) throw new Error(`not an edition cursor: ${value}`);
  return {
    date: match[1] ?? '',
    done: Number(match[2] ?? 0),
    of: Number(match[3] ?? 0),
    whole: match[2] === undefined,
  };
}
