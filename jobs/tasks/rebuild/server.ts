import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buildGeneration } from '../../../ingest/rebuild/generation.ts';
import type { Filled } from '../../../ingest/rebuild/move.ts';
import { openLiveCopy, sweepWork, workFiles } from '../../../ingest/rebuild/server/copy.ts';
import { moveServer } from '../../../ingest/rebuild/server/move.ts';
import { isBegun } from '../../../ingest/rebuild/server/target.ts';
import { generationOf } from '../../../ingest/rebuild/tables.ts';
import { ensureFolder } from '../../../schema/config/ensure-folder.ts';
import { type Database, readFirst } from '../../../schema/db/interface.ts';
import { type CataloguePlace, catalogueAt, placeOf } from '../../../schema/db/moved.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { makePatient } from '../../../schema/db/patient.ts';
import { ExpectedFault, type JobsServices } from '../../process/services.ts';
import { requireRoom } from './file.ts';
import type { BuildOptions, BuildReport } from './options.ts';

/** How long a server may be unavailable during a rebuild, in milliseconds. */
const AWAY_MS = 600_000;
const SIZE = 'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()';

/**
 * Rebuilds a catalogue that is on a server. It is copied to files on this machine, rebuilt there, and sent to the database of
 * CATALOGUE_NEXT_URL.
 * @throws as `rebuildCatalogue`
 */
export async function rebuildServer(services: JobsServices, options: BuildOptions): Promise<BuildReport> {
  const opened: Database[] = [];
  const open = async (place: CataloguePlace) => {
    const server = await openDatabase({ ...place, durability: 'normal' });
    opened.push(server);
    return awaitServer(server, services, options.signal);
  };
  try {
    return await rebuildOver(open, services, options);
  } finally {
    for (const server of opened) await server.close();
  }
}

/** The same database, which a rebuild waits for where its server is away. */
export function awaitServer(database: Database, { log }: Pick<JobsServices, 'log'>, signal?: AbortSignal): Database {
  const onAway = (err: unknown) => log.warn({ err }, 'a database server does not answer; the rebuild waits for it');
  return makePatient(database, { forMs: AWAY_MS, signal, onAway });
}

async function rebuildOver(
  open: (place: CataloguePlace) => Promise<Database>,
  services: JobsServices,
  options: BuildOptions,
): Promise<BuildReport> {
  const { settings, catalogue, log } = services;
  const { check, lease, signal, onProgress } = options;
  // A read follows an earlier move, so that `catalogue.url` is the current server's, whatever the settings say.
  await catalogue.read({ sql: 'SELECT 1' });
  const here = placeOf(catalogueAt(settings), catalogue.url);
  const there = check ? null : findNext(services);
  const files = workFiles(settings.DATA_DIR);
  const old = await open(here);
  const next = there && (await open(there));
  // A database in use is refused now, rather than after hours of work.
  if (next) await isBegun(next, old);
  await ensureFolder(files.folder);
  await sweepWork(settings.DATA_DIR, { copy: false });
  const { bytes = 0 } = (await readFirst<{ bytes: number }>(old, { sql: SIZE })) ?? {};
  // The copy of an attempt that failed is there already.
  await requireRoom(files.folder, 2 * bytes - (await sizeOf(files.folder)));
  const say = (level: 'info' | 'warn', message: string) => log[level](message);
  const copy = await openLiveCopy(files, { server: here, say, signal });
  let isDone = false;
  try {
    const move = async (filled: Filled) => {
      if (!there || !next) return;
      await moveServer(filled, { old, next, address: there.url, lease, signal, onProgress });
    };
    const built = await buildGeneration({
      livePath: copy.path,
      path: files.built,
      generation: await generationOf(old),
      signal,
      onProgress,
      refresh: copy.refresh,
      ...(there ? { move } : {}),
    });
    isDone = true;
    return { ...built, removed: [], ...(there ? { movedTo: there.url } : {}) };
  } finally {
    copy.close();
    // After a failure the copy stays, and the next attempt continues it.
    await sweepWork(settings.DATA_DIR, { copy: isDone });
  }
}

/** How many bytes the files of a folder have. */
async function sizeOf(folder: string): Promise<number> {
  const stats = await Promise.all((await readdir(folder)).map((name) => stat(join(folder, name))));
  return stats.reduce((sum, { size }) => sum + size, 0);
}

/**
 * The database to which the catalogue will move.
 * @throws ExpectedFault if it is not set, or if the catalogue is there already
 */
function findNext({ settings, catalogue }: JobsServices): CataloguePlace {
  const { CATALOGUE_NEXT_URL: url } = settings;
  if (!url || url.startsWith('file:')) throw new ExpectedFault(NEXT_MISSING);
  const address = toAddress(url);
  if (address === toAddress(catalogue.url))
    throw new ExpectedFault(
      `the catalogue is at ${address} already: set CATALOGUE_NEXT_URL to another, empty database`,
    );
  return placeOf(catalogueAt(settings), address);
}

/** An address without its secrets, as it is stored in the database from which the catalogue moved. */
function toAddress(url: string): string {
  const { protocol, host, pathname, searchParams } = new URL(url);
  const tls = searchParams.get('tls');
  return `${protocol}//${host}${pathname.replace(/\/$/, '')}${tls === null ? '' : `?tls=${tls}`}`;
}

const NEXT_MISSING = [
  'the catalogue is on a libSQL server: create an empty database on a server, and set CATALOGUE_NEXT_URL to it',
  '(and, if its token differs, CATALOGUE_NEXT_AUTH_TOKEN on every machine). All processes follow by themselves.',
].join('\n');
