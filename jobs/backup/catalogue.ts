import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { digestOfAll, readDigests } from '../../ingest/rebuild/digests.ts';
import type { Settings } from '../../schema/config/settings.ts';
import { generationFiles, generationPath } from '../../schema/db/generations.ts';
import { type Database, pathOfFile } from '../../schema/db/interface.ts';
import { assertKnownVersion, pendingMigrations } from '../../schema/db/migrate.ts';
import { readCurrentGeneration } from '../../schema/db/open-catalogue.ts';
import { ExpectedFault } from '../process/services.ts';
import { asBackup, assertPages, copyInto, makeEmpty, using, writeCopy } from './accounts.ts';
import { flushMeanwhile } from './flush.ts';

interface CatalogueCopy {
  file: string;
  bytes: number;
  releases: number;
  /** Digest of the compiled tables, 16 hexadecimal digits; it equals that of the catalogue at the instant of the copy. */
  digest: string;
}

/** Ingest rarely stores a batch between the two openings; this often in a row is not chance. */
const TRIES_MAX = 5;

const ELSEWHERE =
  'CATALOGUE_URL names a server, which is backed up where it runs: for Turso its point-in-time copy ' +
  '(turso db create NEW --from-db OLD --timestamp …), for sqld its own snapshots or a copy of its data folder while it is stopped';

/**
 * Copies the current generation of the catalogue at one instant, while ingest continues. The copy gets its name only once it is
 * proved: every page is checked, and its digest equals that of the catalogue at the same instant. @throws ExpectedFault where
 * the catalogue is on a server or missing, or the copy is not right.
 */
export async function backUpCatalogue(settings: Settings, to: string): Promise<CatalogueCopy> {
  const url = settings.CATALOGUE_URL;
  if (!url.startsWith('file:')) throw new ExpectedFault(ELSEWHERE);
  const from = await findCurrent(url);
  const { file, bytes, proof } = await writeCopy(to, (part) => copyOfOneInstant(from, part));
  return { file, bytes, ...proof };
}

/** Files up to this size are checked at each start: 0.7 s per GB. */
const LOOKED_THROUGH_BYTES = 3e9;

/**
 * Checks the pages of an open catalogue: one that was partly overwritten, or copied while it was written, opens like a whole
 * one. A larger one is not checked, as that would delay the start. @throws ExpectedFault saying what is wrong and what to do
 */
export async function assertCatalogue({ url, read }: Database): Promise<void> {
  if (!url.startsWith('file:')) return;
  const file = resolve(pathOfFile(url));
  if ((await stat(file)).size > LOOKED_THROUGH_BYTES) return;
  const [checked] = await read<{ quick_check: string }>({ sql: 'PRAGMA quick_check(1)' });
  const found = checked?.quick_check.replaceAll(/\s+/g, ' ');
  if (found === 'ok') return;
  throw new ExpectedFault(
    `${file} is damaged: ${found}. Put a backup in its place; or move every catalogue file away and run \`migrate --create\`, and it is ingested again`,
  );
}

async function findCurrent(url: string): Promise<string> {
  const files = generationFiles(url);
  const first = resolve(generationPath(files, 1));
  const number = await readCurrentGeneration(url).catch((error: unknown) => {
    if (existsSync(first)) throw error;
    throw new ExpectedFault(`there is no catalogue at ${first}`, { cause: error });
  });
  return resolve(generationPath(files, number));
}

async function copyOfOneInstant(from: string, part: string): Promise<Pick<CatalogueCopy, 'releases' | 'digest'>> {
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    await makeEmpty(part);
    const digest = await using(from, (catalogue) => copyAndDigest(catalogue, from, part));
    const copied = await asBackup(part, () => using(part, (copy) => prove(copy, part)));
    if (copied.digest === digest) return copied;
  }
  throw new ExpectedFault(
    `${from} was copied ${TRIES_MAX} times, and no copy says what it says: nothing was kept; try again while less is ingested`,
  );
}

/** Copies a database and returns the digest of its contents at that instant: one reading stays open while another connection copies. */
async function copyAndDigest(catalogue: Database, from: string, part: string): Promise<string> {
  await assertKnownVersion(catalogue, 'catalogue');
  const pending = await pendingMigrations(catalogue, 'catalogue');
  if (pending.length > 0) throw new ExpectedFault(`${from} is not at this program's version: run \`migrate\` first`);
  await catalogue.read({ sql: 'BEGIN' });
  try {
    await catalogue.read({ sql: 'SELECT 1 FROM meta' });
    await using(from, (other) => flushMeanwhile(part, () => copyInto(other, part)));
    return digestOfAll(await readDigests(catalogue));
  } finally {
    await catalogue.read({ sql: 'ROLLBACK' });
  }
}

async function prove(copy: Database, part: string): Promise<Pick<CatalogueCopy, 'releases' | 'digest'>> {
  await assertPages(copy, part);
  const tables = await readDigests(copy);
  return { releases: tables.find(({ table }) => table === 'release')?.rows ?? 0, digest: digestOfAll(tables) };
}
