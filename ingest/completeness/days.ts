import { addDays, londonDate, londonInstant } from '../../schema/config/clocks.ts';
import type { Database } from '../../schema/db/interface.ts';
import type { IngestContext } from '../context.ts';
import { isLoopback } from '../http/limiter.ts';
import { readCells } from '../runs/cells.ts';
import { uncoveredSpans } from '../runs/spans.ts';
import type { NoticesSource, Span } from '../source.ts';
import { describeCells } from './cells.ts';
import { readCovered } from './stored.ts';

/** One London day of a source, as an operator sees it. */
export interface CoveredDay {
  day: string;
  weekday: string;
  /** Stored releases with this date. */
  releases: number;
  /** How many releases the daily listing has; null where none was fetched. */
  witnessed: number | null;
  /** How many of those are neither stored nor known not to be served; null likewise. */
  unheld: number | null;
  /** How much of the day windows cover. */
  asked: 'whole' | 'part' | 'not';
  /** Anything unusual about it. */
  note: string | null;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
/** Days on which nobody publishes; other bank holidays have a few notices. */
const CLOSED = /-(12-25|12-26|01-01)$/;

const RELEASES = 'SELECT day, releases FROM coverage_day WHERE source = ? AND day BETWEEN ? AND ?';
const LISTINGS = 'SELECT day, counted, held FROM witness_day WHERE source = ? AND day BETWEEN ? AND ?';

/** The days of a span, newest first: what is stored, what the daily listing counts, and how much of the day was fetched. */
export async function readDays(
  context: Omit<IngestContext, 'fence'>,
  source: NoticesSource,
  { since, until }: { since: string; until: string },
): Promise<CoveredDay[]> {
  const { catalogue, clocks } = context;
  const stored = await readByDay<{ day: string; releases: number }>(catalogue, RELEASES, source.id, since, until);
  const listings = await readByDay<{ day: string; counted: number; held: number }>(
    catalogue,
    LISTINGS,
    source.id,
    since,
    until,
  );
  const spans = await readSpans(catalogue, source, clocks.catalogueNow());
  const usual = usualOf(context, source);
  const today = londonDate(clocks.catalogueNow());
  return listDays(since, until).map((day) => {
    const releases = stored.get(day)?.releases ?? 0;
    const listing = listings.get(day);
    const asked = day > today ? 'not' : coverageOf(day, spans);
    return {
      day,
      weekday: weekdayOf(day),
      releases,
      witnessed: listing?.counted ?? null,
      unheld: listing ? listing.counted - listing.held : null,
      asked,
      note: asked === 'whole' && usual ? judgeDay(day, releases, usual) : null,
    };
  });
}

/** The stretches of time that were requested completely. */
async function readSpans(catalogue: Database, source: NoticesSource, now: Date): Promise<Span[]> {
  if (source.asked === 'by_window') return (await readCovered(catalogue, source.id)).spans;
  const { covered, gaps } = describeCells(source, await readCells(catalogue, source.id), now);
  const parse = ({ from, until }: { from: string; until: string }) => ({
    from: new Date(from),
    until: new Date(until),
  });
  return covered ? uncoveredSpans(parse(covered), gaps.spans.map(parse)) : [];
}

async function readByDay<T extends { day: string }>(
  catalogue: Database,
  sql: string,
  ...args: string[]
): Promise<Map<string, T>> {
  const rows = await catalogue.read<T>({ sql, args });
  return new Map(rows.map((row) => [row.day, row]));
}

/** How many releases a working day has, at least and at most; null for a sample on this machine, which no expectation fits. */
export function usualOf(
  { settings, expected }: Pick<IngestContext, 'settings' | 'expected'>,
  source: NoticesSource,
): { least: number; most: number } | null {
  if (!expected && isLoopback(source.baseUrl(settings))) return null;
  return { least: expected?.least ?? source.leastOnWorkingDay, most: source.expected.most };
}

/** In words, why a day is far outside a source's usual figures. Weekends are quiet, and so are the days on which nobody publishes. Null for a usual day. */
export function judgeDay(day: string, releases: number, usual: { least: number; most: number }): string | null {
  if (releases > usual.most) return `MORE THAN ${usual.most}`;
  const isQuiet = ['Sat', 'Sun'].includes(weekdayOf(day)) || CLOSED.test(day);
  return !isQuiet && releases < usual.least ? `FEWER THAN ${usual.least}` : null;
}

function weekdayOf(day: string): string {
  return WEEKDAYS[new Date(`${day}T12:00:00Z`).getUTCDay()] ?? '';
}

function listDays(since: string, until: string): string[] {
  const days: string[] = [];
  for (let day = until; day >= since; day = addDays(day, -1)) days.push(day);
  return days;
}

function coverageOf(day: string, spans: readonly Span[]): CoveredDay['asked'] {
  const from = londonInstant(`${day}T00:00:00`);
  const until = londonInstant(`${day}T23:59:59`);
  const touching = spans.filter((span) => span.until > from && span.from < until);
  const [only] = touching;
  if (!only) return 'not';
  return touching.length === 1 && only.from <= from && only.until >= until ? 'whole' : 'part';
}
