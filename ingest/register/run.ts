import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { addDays, DAY_MS, isoInstant, londonDate } from '../../schema/config/clocks.ts';
import { ensureFolder } from '../../schema/config/ensure-folder.ts';
import { type Database, DatabaseFault, isPassing, type Statement } from '../../schema/db/interface.ts';
import type { IngestContext, RunOptions, RunReport } from '../context.ts';
import { isLoopback } from '../http/limiter.ts';
import { judgeVolume, type RunParts, runOnce } from '../runs/once.ts';
import { fenceOf } from '../runs/record.ts';
import { type EditionCursor, editionCursorStatement, readEditionCursor } from '../runs/spans.ts';
import type { RegisterSource } from '../source.ts';
import { findSource } from '../sources/index.ts';
import { type Edition, readEdition } from './edition.ts';
import { applyPart } from './part.ts';
import { fetchProfiles } from './profiles.ts';
import { makeFirstSight, type RegisterRun } from './repeats.ts';
import { NEXT_SEQ, SEAL } from './store.ts';
import { resolveSuppliersAgain } from './suppliers.ts';

/** Rows examined in one statement: a few milliseconds, so that writers and the lease's heartbeat never wait long. */
const CHUNK_ROWS = 10_000;
/** Companies that an earlier edition listed and this one does not: they left the live register, and are kept. */
const UNLISTED = 'edition IS NOT NULL AND edition < ?3 AND gone = 0';
const COUNT = `SELECT count(*) FILTER (WHERE ${UNLISTED}) AS unlisted, count(*) AS live,
  max(edition) FILTER (WHERE ${UNLISTED}) AS last FROM registered_company
  WHERE rowid > ?1 AND rowid <= ?2 AND gone = 0 AND edition IS NOT NULL`;
const MARK = `UPDATE registered_company SET gone = 1, seq = ${NEXT_SEQ}, match_seq = ${NEXT_SEQ} WHERE rowid > ?1 AND rowid <= ?2 AND ${UNLISTED}`;
const LAST = 'SELECT coalesce(max(rowid), 0) AS last FROM registered_company';

interface Unlisted {
  /** Companies that the edition no longer lists. */
  unlisted: number;
  /** Companies that were live before, including those. */
  live: number;
  /** The newest edition that listed any of them. */
  last: string;
  /** The ranges of rows, by their first rowid, that contain such companies. */
  from: number[];
}

/**
 * The most companies that may leave: this share of the live register, or twice what leaves in the months since the last edition, or
 * so many. An edition that lacks more is not believed. Some 1 % leave in a month, and the smallest of seven parts is a tenth of the
 * register.
 */
const GONE_MAX = { share: 0.1, shareOfMonth: 0.02, companies: 200 };
const MONTH_DAYS = 30;

/**
 * One run of a register, from start to recorded outcome. Faults upstream are reported, not thrown. @throws Error for an unknown
 * register, or where the batch that closes the run is refused (the lease was lost).
 */
export async function runRegister(
  context: IngestContext,
  sourceId: string,
  options: RunOptions = {},
): Promise<RunReport> {
  const source = findSource(sourceId);
  if (source?.kind !== 'register') throw new Error(`there is no register called ${sourceId}`);
  const url = liveUrl(context, source);
  return runOnce(context, source, { url, options }, (parts) => readRegister(context, source, parts));
}

/** The address that decides about politeness: the live one of the two. */
function liveUrl({ settings }: IngestContext, source: RegisterSource): string {
  return isLoopback(source.bulkUrl(settings)) ? source.apiUrl(settings) : source.bulkUrl(settings);
}

/**
 * Applies the newest edition unless it is stored, resolves suppliers again with it, then requests profiles of suppliers that
 * have none. Profiles come from another host, so they are requested even if the edition fails. @returns what could not be
 * fetched of the profiles. @throws Error saying why the edition failed.
 */
async function readRegister(context: IngestContext, source: RegisterSource, parts: RunParts): Promise<string[]> {
  const run = { ...parts, context, source, judged: new Set<string>(), isFirstListed: makeFirstSight() };
  try {
    await takeEdition(run);
  } catch (error) {
    if (!isOurOwn(error, run)) await fetchProfilesBeside(run);
    throw error;
  }
  const faults = await fetchProfiles(run);
  // A company that no edition lists came with its profile.
  await resolveSuppliersAgain(run);
  return faults;
}

async function takeEdition(run: RegisterRun): Promise<void> {
  const edition = await findEdition(run);
  const cursor = await readEditionCursor(run.context.catalogue, run.source.id);
  const again = run.options.again === true;
  const isStored = cursor?.whole === true && cursor.date >= edition.date;
  if (!isStored || again) {
    await applyEdition(run, edition, cursor);
  }
  await resolveSuppliersAgain(run, again);
}

/** Whether the run was stopped or its database refuses writes: then nothing more is fetched. */
function isOurOwn(error: unknown, { options }: RegisterRun): boolean {
  return options.signal?.aborted === true || error instanceof DatabaseFault || isPassing(error);
}

/** The run reports why the edition failed; missing profiles are only logged. */
async function fetchProfilesBeside(run: RegisterRun): Promise<void> {
  const faults = await fetchProfiles(run).catch((error: unknown) => [String(error)]);
  if (faults.length > 0) run.context.log.warn({ source: run.source.id, faults }, 'profiles could not be had either');
}

async function findEdition({ context, source, client, options }: RegisterRun): Promise<Edition> {
  const url = `${source.bulkUrl(context.settings)}${source.editionsPath}`;
  const page = await client.fetch({ url, htmlIsDue: true, headers: { accept: 'text/html' }, signal: options.signal });
  const latest = addDays(londonDate(context.clocks.catalogueNow()), MONTH_DAYS);
  const edition = page && readEdition(new TextDecoder().decode(page.bytes), latest);
  if (!edition) throw new Error(`${url} links to no edition of the basic company data`);
  return edition;
}

/** Files of an edition that an earlier run applied: 0 where the edition is split differently now. */
function countDone(cursor: EditionCursor | null, { date, files }: Edition): number {
  return cursor && !cursor.whole && cursor.date === date && cursor.of === files.length ? cursor.done : 0;
}

/** Applies an edition file by file after those that the cursor counts; it records the position after each. */
async function applyEdition(run: RegisterRun, edition: Edition, cursor: EditionCursor | null): Promise<void> {
  const { files, date } = edition;
  const done = countDone(cursor, edition);
  // Rows of the same edition are replaced by a reading of all files alone: if it is killed, the next one starts at the first.
  const isReplacing = done === 0 && cursor?.date === date;
  const folder = join(run.context.settings.DATA_DIR, 'incoming', 'register');
  // Files that a killed run left.
  await rm(folder, { recursive: true, force: true });
  await ensureFolder(folder);
  try {
    for (const [index, file] of files.entries()) {
      if (index < done) continue;
      run.options.signal?.throwIfAborted();
      const part = { ...(await downloadFile(run, folder, file)), edition: date, isFromStart: done === 0 };
      const reached = isReplacing ? 0 : index + 1;
      await applyPart(run, part, [cursorStatement(run, `${date} ${reached}/${files.length}`)]);
      await rm(part.path);
      reportProgress(run, index + 1, files.length);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  await closeEdition(run, edition);
}

function reportProgress({ options, source, client, tally }: RegisterRun, done: number, files: number): void {
  options.onProgress?.({
    source: source.id,
    requests: client.requests(),
    releases: tally.releases,
    windowsLeft: files - done,
    fraction: done / files,
  });
}

async function downloadFile({ context, source, client, options }: RegisterRun, folder: string, file: string) {
  const path = join(folder, file);
  const url = `${source.bulkUrl(context.settings)}/${file}`;
  const response = await client.fetch({ url, intoFile: path, headers: { accept: '*/*' }, signal: options.signal });
  if (!response) throw new Error(`${url}: nothing is served at this address (404)`);
  return { path, url };
}

/**
 * Marks as gone what the whole edition no longer lists, and moves the cursor.
 * @throws Error where that is too much to be true: nothing is marked, and the next run reads the edition again.
 */
async function closeEdition(run: RegisterRun, { date, files }: Edition): Promise<void> {
  const { context, tally, source, options } = run;
  const before = fenceOf(context);
  const { unlisted, live, last, from } = await countUnlisted(context.catalogue, date, options.signal);
  const months = (Date.parse(date) - Date.parse(last || date)) / DAY_MS / MONTH_DAYS;
  const share = Math.max(GONE_MAX.share, GONE_MAX.shareOfMonth * months);
  if (unlisted > Math.max(GONE_MAX.companies, live * share)) {
    await context.catalogue.write([...before, cursorStatement(run, `${date} 0/${files.length}`)]);
    throw new Error(`edition ${date} lacks ${unlisted} of ${live} companies: it is not believed to be whole`);
  }
  judgeVolume(context, source, { volume: live, unit: 'live companies', url: source.bulkUrl(context.settings) }, tally);
  await markGone(context.catalogue, date, { from, before, signal: options.signal });
  tally.stored += unlisted;
  const asOf = `${date}T00:00:00Z`;
  await context.catalogue.write([
    ...before,
    { sql: 'UPDATE source SET as_of = ?, releases = ? WHERE id = ?', args: [asOf, live - unlisted, source.id] },
    cursorStatement(run, date),
  ]);
}

function cursorStatement({ context, source }: RegisterRun, value: string): Statement {
  return editionCursorStatement(source.id, value, isoInstant(context.clocks.catalogueNow()));
}

/** What a completely applied edition no longer lists. Reads every row once, a range at a time. */
async function countUnlisted(catalogue: Database, edition: string, signal?: AbortSignal): Promise<Unlisted> {
  const found: Unlisted = { unlisted: 0, live: 0, last: '', from: [] };
  const [{ last } = { last: 0 }] = await catalogue.read<{ last: number }>({ sql: LAST });
  for (let from = 0; from < last; from += CHUNK_ROWS) {
    signal?.throwIfAborted();
    const args = [from, from + CHUNK_ROWS, edition];
    const [counted] = await catalogue.read<{ unlisted: number; live: number; last: string | null }>({
      sql: COUNT,
      args,
    });
    found.live += counted?.live ?? 0;
    found.unlisted += counted?.unlisted ?? 0;
    if ((counted?.last ?? '') > found.last) found.last = counted?.last ?? '';
    if (counted?.unlisted) found.from.push(from);
    // Local reads resolve without a turn of the event loop, which the heartbeat needs.
    await yieldToEventLoop();
  }
  return found;
}

/** Marks what an edition no longer lists as gone, one range of rows per batch; repeated, it finds what is left. */
async function markGone(
  catalogue: Database,
  edition: string,
  { from, before, signal }: { from: readonly number[]; before: readonly Statement[]; signal?: AbortSignal | undefined },
): Promise<void> {
  for (const start of from) {
    signal?.throwIfAborted();
    await catalogue.write([...before, { sql: MARK, args: [start, start + CHUNK_ROWS, edition] }, { sql: SEAL }]);
    await yieldToEventLoop();
  }
}
