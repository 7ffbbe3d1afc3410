import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isoInstant } from '../schema/clocks.ts';
import type { Statement } from '../schema/database.ts';
import { type Edition, parseEditionCursor, readEdition } from './register-links.ts';
import { applyPart } from './register-part.ts';
import { fetchProfiles } from './register-profiles.ts';
import type { RegisterRun } from './register-run.ts';
import { countUnlisted, editionCursorStatement, markGoneStatements } from './register-store.ts';
import { matchSuppliers } from './register-suppliers.ts';
import { readCursor } from './run-rows.ts';
import type { RunParts } from './run-windows.ts';
import type { RegisterSource } from './source.ts';
import type { IngestTools } from './tools.ts';
import { judgeVolume } from './volume.ts';

/** A whole edition that would mark more of the live register as gone than this is not believed. */
const MOST_GONE = { share: 0.2, companies: 1_000 };

/**
 * Applies the newest edition where it is not held, looks suppliers without a number up in it, then asks for profiles of
 * suppliers that have none.
 */
export async function runRegister(tools: IngestTools, source: RegisterSource, parts: RunParts): Promise<string[]> {
  const run = { ...parts, tools, source };
  const edition = await findEdition(run);
  const cursor = await readEditionCursor(run);
  const again = parts.options.again === true;
  const isHeld = cursor?.whole === true && cursor.date >= edition.date;
  if (!isHeld || again) {
    await applyEdition(run, edition, cursor?.date === edition.date && !cursor.whole ? cursor.done : 0);
  }
  await matchSuppliers(run, isHeld && !again ? cursor.date : edition.date, again);
  await fetchProfiles(run);
  return [];
}

async function findEdition({ tools, source, asker, options }: RegisterRun): Promise<Edition> {
  const url = `${source.bulkUrl(tools.settings)}${source.editionsPath}`;
  const page = await asker.ask({ url, htmlIsDue: true, headers: { accept: 'text/html' }, signal: options.signal });
  const edition = page && readEdition(new TextDecoder().decode(page.bytes));
  if (!edition) throw new Error(`${url} links to no edition of the basic company data`);
  return edition;
}

async function readEditionCursor({ tools, source }: RegisterRun) {
  const value = await readCursor(tools.catalogue, source.id);
  return value === null ? null : parseEditionCursor(value);
}

/** Applies an edition file by file after the first `done`; the cursor says after each where it stands. */
async function applyEdition(run: RegisterRun, edition: Edition, done: number): Promise<void> {
  const { files, date } = edition;
  for (const [index, file] of files.entries()) {
    if (index < done) continue;
    run.options.signal?.throwIfAborted();
    await withDownload(run, file, (path, url) =>
      applyPart(run, { path, url, edition: date }, [cursorStatement(run, `${date} ${index + 1}/${files.length}`)]),
    );
    run.options.onProgress?.({
      source: run.source.id,
      requests: run.asker.requests(),
      releases: run.tally.releases,
      windowsLeft: files.length - index - 1,
      fraction: (index + 1) / files.length,
    });
  }
  await closeEdition(run, date);
}

async function withDownload(
  { tools, source, asker, options }: RegisterRun,
  file: string,
  use: (path: string, url: string) => Promise<void>,
): Promise<void> {
  const folder = join(tools.settings.DATA_DIR, 'incoming');
  await mkdir(folder, { recursive: true });
  const path = join(folder, file);
  const url = `${source.bulkUrl(tools.settings)}/${file}`;
  try {
    const taken = await asker.ask({ url, intoFile: path, headers: { accept: '*/*' }, signal: options.signal });
    if (!taken) throw new Error(`${url}: nothing is served at this address (404)`);
    await use(path, url);
  } finally {
    await rm(path, { force: true });
  }
}

/** Marks as gone what the whole edition no longer lists, and moves the cursor. @throws Error where that is too much to be true. */
async function closeEdition(run: RegisterRun, date: string): Promise<void> {
  const { tools, tally, source } = run;
  const { unlisted, live } = await countUnlisted(tools.catalogue, date);
  if (unlisted > Math.max(MOST_GONE.companies, live * MOST_GONE.share)) {
    throw new Error(`edition ${date} lacks ${unlisted} of ${live} companies: it is not believed to be whole`);
  }
  judgeVolume(tools, source, { volume: live, unit: 'live companies', url: source.bulkUrl(tools.settings) }, tally);
  tally.stored += unlisted;
  const asOf = `${date}T00:00:00Z`;
  await tools.catalogue.write([
    ...fenceOf(run),
    ...markGoneStatements(date),
    { sql: 'UPDATE source SET as_of = ?, releases = ? WHERE id = ?', args: [asOf, live - unlisted, source.id] },
    cursorStatement(run, date),
  ]);
}

function cursorStatement({ tools, source }: RegisterRun, value: string): Statement {
  return editionCursorStatement(source.id, value, isoInstant(tools.clocks.catalogueNow()));
}

function fenceOf({ tools }: RegisterRun): Statement[] {
  return tools.fence ? [tools.fence] : [];
}
