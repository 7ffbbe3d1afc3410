import { addDays, isoInstant, londonDate, londonInstant } from '../../schema/config/clocks.ts';
import type { IngestContext, Progress, RunReport } from '../context.ts';
import { type HttpResponse, UpstreamRefused, UpstreamUnavailable } from '../http/client.ts';
import { UnreadablePage } from '../parse/repair.ts';
import { type BesideRun, runBeside } from '../runs/once.ts';
import { countAsking, countRunStatement, fenceOf, quarantineStatements, wantStatements } from '../runs/record.ts';
import type { DailyListing, ListedRelease, Source, WindowsSource } from '../source.ts';
import { updateCoverage } from './coverage.ts';
import { judgeDay, usualOf } from './days.ts';

/** A source with a daily listing. */
export type ListedSource = WindowsSource & { dailyListing: DailyListing };

export interface DailyListingOptions {
  /** London days, `YYYY-MM-DD`; by default those that are due. */
  days?: readonly string[] | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** A notice's releases have ids that begin with its id: a dot sorts directly after the dash. */
const STORED_IDS = `SELECT DISTINCT json_extract(value, '$.id') AS id FROM json_each(?2) WHERE EXISTS (SELECT 1 FROM release
  WHERE source = ?1 AND release_id >= json_extract(value, '$.as') AND release_id < json_extract(value, '$.as') || '.')`;
/** The newest day that was read before the last days; one read long before those was a request by hand. */
const READ_BEFORE = 'SELECT max(day) AS day FROM witness_day WHERE source = ? AND day BETWEEN ? AND ?';
const MISSED_MOST_DAYS = 92;
/** After this many days in a row without a usable answer, the service may be down, and only the newest day is requested. */
const UNAVAILABLE_MAX = 3;
const STORED_OF_DAY = 'SELECT releases FROM coverage_day WHERE source = ? AND day = ?';
const STORE = `INSERT INTO witness_day (source, day, witness, counted, held, checked_at) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (source, day, witness) DO UPDATE
  SET counted = excluded.counted, held = excluded.held, checked_at = excluded.checked_at`;

/** Whether a source publishes a list of each day's releases. */
export function hasDailyListing(source: Source): source is ListedSource {
  return source.kind === 'notices' && 'dailyListing' in source;
}

/** The last whole London days before now, oldest first: today's file is not complete yet. */
export function lastDays(now: Date, days: number): string[] {
  return Array.from({ length: days }, (_, index) => addDays(londonDate(now), index - days));
}

/** The last days, oldest first, and before them those that an outage skipped. */
export async function readDueDays(
  { catalogue, clocks, settings }: Pick<IngestContext, 'catalogue' | 'clocks' | 'settings'>,
  source: ListedSource,
): Promise<string[]> {
  const now = clocks.catalogueNow();
  const last = lastDays(now, settings.REWALK_DAYS);
  const before = addDays(last[0] ?? '', -1);
  const args = [source.id, addDays(before, -MISSED_MOST_DAYS), before];
  const [row] = await catalogue.read<{ day: string | null }>({ sql: READ_BEFORE, args });
  if (!row?.day) return last;
  return wholeDays(londonInstant(`${addDays(row.day, 1)}T12:00:00`), now, now);
}

/** Every London day of a span that has ended by now, oldest first. */
export function wholeDays(from: Date, until: Date, now: Date): string[] {
  const last = londonDate(until) < londonDate(now) ? londonDate(until) : addDays(londonDate(now), -1);
  const days: string[] = [];
  for (let day = londonDate(from); day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}

/**
 * Compares days with the source's own daily file, which does not depend on its search. Releases that the file lists and the
 * catalogue lacks are noted, to be fetched by id. Days without a readable file are reported; the others are still checked.
 */
export function checkDailyListing(
  context: IngestContext,
  source: ListedSource,
  options: DailyListingOptions,
): Promise<RunReport> {
  const { signal } = options;
  const { budget } = source.dailyListing;
  return runBeside(context, { source, job: 'witness', budget, signal }, async (run) => {
    const faults: string[] = [];
    const days = options.days ?? (await readDueDays(context, source));
    let unavailable = 0;
    for (const [index, day] of days.entries()) {
      signal?.throwIfAborted();
      // Days whose file stays broken do not keep later ones from being read: once the newest is read, they are no longer due.
      if (unavailable === UNAVAILABLE_MAX && index < days.length - 1) continue;
      const { fault, isAway = false } = await checkDay({ context, source, run, signal }, day);
      if (fault) faults.push(`${day}: ${fault}`);
      const left = days.length - index - 1;
      options.onProgress?.({
        source: source.id,
        requests: run.client.requests(),
        releases: run.tally.releases,
        windowsLeft: left,
        fraction: (index + 1) / days.length,
      });
      unavailable = isAway ? unavailable + 1 : 0;
    }
    await updateCoverage(context, source);
    return faults;
  });
}

const READ_SINCE = 'SELECT day FROM witness_day WHERE source = ? AND checked_at > ?';

/** Whether an address is that of a day's file, and the file was read since an instant (ISO 8601 UTC). */
export async function wasReadSince(
  { catalogue, settings }: IngestContext,
  source: WindowsSource,
  { url, since }: { url: string; since: string },
): Promise<boolean> {
  const rows = await catalogue.read<{ day: string }>({ sql: READ_SINCE, args: [source.id, since] });
  return rows.some(({ day }) => source.dailyListing?.dayUrl(source.baseUrl(settings), day) === url);
}

interface Checking {
  context: IngestContext;
  source: ListedSource;
  run: BesideRun;
  signal: AbortSignal | undefined;
}

/** Checks one day. Returns the fault of its file, if any; `isAway`: there was no usable answer at all. */
async function checkDay(checking: Checking, day: string): Promise<{ fault: string | null; isAway?: boolean }> {
  const { context, source, signal } = checking;
  const url = source.dailyListing.dayUrl(source.baseUrl(context.settings), day);
  try {
    const response = await checking.run.client.fetch({ url, headers: { accept: 'text/csv' }, signal });
    if (!response) return { fault: 'there is no file of this day (404)' };
    return { fault: await readDay(checking, day, response) };
  } catch (error) {
    if (!(error instanceof UpstreamUnavailable) && !(error instanceof UpstreamRefused)) throw error;
    return { fault: error.message, isAway: true };
  } finally {
    countAsking(checking.run.tally, checking.run.client);
  }
}

/** Reads and stores a day's file; returns its fault, if any. */
async function readDay(checking: Checking, day: string, { bytes, url }: HttpResponse): Promise<string | null> {
  const { context, source } = checking;
  try {
    const listed = source.dailyListing.read(bytes);
    const doubt = listed.length === 0 ? await doubtEmpty(context, source, day) : null;
    if (doubt === null) await storeDay(checking, day, listed);
    return doubt;
  } catch (error) {
    if (!(error instanceof UnreadablePage)) throw error;
    const page = { kind: 'page' as const, reason: error.message, url, bytes };
    const at = isoInstant(context.clocks.wallNow());
    checking.run.tally.quarantined += 1;
    const { catalogue } = context;
    await catalogue.write([...fenceOf(context), ...quarantineStatements(catalogue, source.id, [page], at)]);
    return error.message;
  }
}

/** Why a file that lists nothing is not believed, or null if it is: a failing service may answer with nothing. */
async function doubtEmpty(context: IngestContext, source: ListedSource, day: string): Promise<string | null> {
  const [row] = await context.catalogue.read<{ releases: number }>({ sql: STORED_OF_DAY, args: [source.id, day] });
  if (row?.releases) return `it lists nothing, and ${row.releases} releases of that day are stored`;
  const usual = usualOf(context, source);
  return usual && judgeDay(day, 0, usual) ? 'it lists nothing, on a working day' : null;
}

async function storeDay({ context, source, run }: Checking, day: string, listed: ListedRelease[]): Promise<void> {
  const { catalogue, clocks } = context;
  const pairs = listed.flatMap(({ id, storedAs }) => storedAs.map((as) => ({ id, as })));
  const rows = await catalogue.read<{ id: string }>({ sql: STORED_IDS, args: [source.id, JSON.stringify(pairs)] });
  const stored = new Set(rows.map(({ id }) => id));
  const missing = listed.filter(({ id }) => !stored.has(id)).map(({ id }) => id);
  const at = isoInstant(clocks.wallNow());
  run.tally.releases += listed.length;
  await catalogue.write([
    ...fenceOf(context),
    ...wantStatements({ source: source.id, reason: 'daily_csv', ids: missing, noticedAt: at, day }),
    {
      sql: STORE,
      args: [source.id, day, source.dailyListing.name, listed.length, listed.length - missing.length, at],
    },
    countRunStatement(run.runId, run.tally),
  ]);
}
