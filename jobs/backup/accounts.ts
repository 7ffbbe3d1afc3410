import { existsSync } from 'node:fs';
import { access, constants, copyFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { sealLedger } from '../../schema/accounts/ledger/seal.ts';
import { type LedgerReport, verifyLedger } from '../../schema/accounts/ledger/verify.ts';
import { isoInstant, makeClocks } from '../../schema/config/clocks.ts';
import type { Settings } from '../../schema/config/settings.ts';
import { COMPANIONS, removeDatabase } from '../../schema/db/generations.ts';
import { type Database, DatabaseFault, isUnreadable, pathOfFile, readCode } from '../../schema/db/interface.ts';
import { assertKnownVersion, migrate, pendingMigrations, unknownMigrations } from '../../schema/db/migrate.ts';
import { openDatabase } from '../../schema/db/open.ts';
import { ExpectedFault } from '../process/services.ts';
import { fillAlone } from './fill-alone.ts';
import { diskFault, flushMeanwhile, syncToDisk } from './flush.ts';
import { copyDump } from './server-dump.ts';

interface Backup {
  file: string;
  bytes: number;
  ledger: LedgerReport;
}

const ELSEWHERE =
  'ACCOUNTS_URL names a server, whose database is put back where it runs: for Turso its point-in-time copy ' +
  '(turso db create NEW --from-db OLD --timestamp …); stop a libSQL server, put the backup in its data folder as dbs/NAME/data ' +
  '(NAME is default without namespaces), remove every other file of that folder, start it, and run `ledger verify`';

/** The file of the accounts database. @throws ExpectedFault with advice where it is on a server. */
export function accountsFile(settings: Pick<Settings, 'ACCOUNTS_URL'>): string {
  if (!settings.ACCOUNTS_URL.startsWith('file:')) throw new ExpectedFault(ELSEWHERE);
  return resolve(pathOfFile(settings.ACCOUNTS_URL));
}

/**
 * A copy of the accounts database at one instant, taken while calls continue to be billed: `VACUUM INTO` and a server's dump
 * only read. The ledger is sealed first. Remembered answers are left out unless requested. The copy gets its final name only once it
 * is proved, so a file with that name is a good one. @throws ExpectedFault where there is nothing to copy, or the copy is not
 * right.
 */
export async function backUp(
  settings: Settings,
  to: string,
  { withAnswers }: { withAnswers: boolean },
): Promise<Backup> {
  const isServer = !settings.ACCOUNTS_URL.startsWith('file:');
  const copy = isServer ? (part: string) => copyOfServer(settings, part) : copyOfFile(settings);
  const { proof, ...written } = await writeCopy(to, async (part) => {
    await flushMeanwhile(part, async () => {
      await copy(part);
      if (!withAnswers) await using(part, leaveAnswersOut);
    });
    return proveCopy(part);
  });
  return { ...written, ledger: proof };
}

/** The function that copies the accounts' file. @throws ExpectedFault where there is none. */
function copyOfFile(settings: Settings): (part: string) => Promise<void> {
  const from = accountsFile(settings);
  if (!existsSync(from)) throw new ExpectedFault(`there is no accounts database at ${from}`);
  return (part) =>
    using(from, async (accounts) => {
      await sealFirst(accounts);
      await copyInto(accounts, part);
    });
}

async function copyOfServer(settings: Settings, part: string): Promise<void> {
  const { ACCOUNTS_URL: url, ACCOUNTS_AUTH_TOKEN: authToken } = settings;
  const accounts = await openDatabase({ url, authToken, durability: 'full' });
  try {
    await sealFirst(accounts);
  } finally {
    await accounts.close();
  }
  await using(part, (copy) => copyDump(settings, copy));
}

/**
 * Writes a copy under a temporary name; it gets its own name once it is proved and on the disk. @param copy makes and proves the
 * file at the given path @throws ExpectedFault where a file of that name exists or is being written, or none can be written.
 */
export async function writeCopy<T>(
  to: string,
  copy: (part: string) => Promise<T>,
): Promise<{ file: string; bytes: number; proof: T }> {
  const file = resolve(to);
  await assertWritable(dirname(file));
  const part = `${file}.part`;
  return fillAlone(part, `another process is writing ${file}: wait for it, or give another name`, async () => {
    for (const name of ['', ...COMPANIONS].map((end) => file + end))
      if (existsSync(name)) throw new ExpectedFault(`${name} exists: a backup is never overwritten`);
    await makeEmpty(part);
    const proof = await copy(part);
    await syncToDisk(part);
    await rename(part, file);
    await syncToDisk(dirname(file));
    return { file, bytes: (await stat(file)).size, proof };
  });
}

/**
 * Copies an open database to a file as of one instant. @throws ExpectedFault where the copy cannot be written: the usual words
 * are about the disk of the database, which is only read
 */
export async function copyInto(database: Database, part: string): Promise<void> {
  try {
    await database.read({ sql: 'VACUUM INTO ?', args: [part] });
  } catch (error) {
    const code = readCode(error);
    if (!/^SQLITE_(FULL|IOERR_(WRITE|(DIR_)?FSYNC|TRUNCATE))/.test(code)) throw error;
    throw diskFault(part, code, error);
  }
}

/**
 * Seals the ledger, so that the copy's last seal, which its report names, covers every line. The ledger of an older program is
 * copied as it is, because its rows lack columns that are sealed now; so is one on a disk that is full or read-only. @throws
 * DatabaseFault for one of a newer program, whose seals are not ours.
 */
async function sealFirst(accounts: Database): Promise<void> {
  await assertAccounts(accounts, pathOfFile(accounts.url));
  await assertKnownVersion(accounts, 'accounts');
  if ((await pendingMigrations(accounts, 'accounts')).length > 0) return;
  await sealLedger(accounts, isoInstant(makeClocks().wallNow())).catch((error: unknown) => {
    if (!(error instanceof DatabaseFault)) throw error;
  });
}

/** A day of answers is most of the file. Without them their keys are still refused. */
async function leaveAnswersOut(copy: Database): Promise<void> {
  const [table] = await copy.read({ sql: "SELECT 1 FROM sqlite_master WHERE name = 'remembered_answer'" });
  if (!table) return;
  await copy.write([{ sql: 'DELETE FROM remembered_answer' }]);
  await copy.read({ sql: 'VACUUM' });
}

/** Makes an empty file for a copy, or empties it. Only its owner may ever read it, as a copy holds personal data from its first page on. */
export async function makeEmpty(part: string): Promise<void> {
  await removeDatabase(part);
  await writeFile(part, '', { mode: 0o600 });
}

async function assertWritable(folder: string): Promise<void> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new ExpectedFault(`${folder} is missing, or this user may not write there`, { cause: error });
  }
}

/** Proves a copy without changing it. @throws ExpectedFault saying what is wrong. */
function proveCopy(file: string): Promise<LedgerReport> {
  return asBackup(file, async () => {
    const isOlder = await using(file, async (copy) => {
      await assertSound(copy, file);
      return (await pendingMigrations(copy, 'accounts')).length > 0;
    });
    if (!isOlder) return using(file, (copy) => proveLedger(copy, file));
    // The proof is written for the current tables: an older copy is proved as it will be once it is used.
    const trial = `${file}.trial`;
    await removeDatabase(trial);
    await copyFile(file, trial);
    return using(trial, async (copy) => {
      await migrate(copy, 'accounts');
      return proveLedger(copy, file);
    });
  });
}

/**
 * Returns the result of `work` on a copy. @throws ExpectedFault for a fault of the copy, as the usual advice is for a database in
 * use; DatabaseFault for one of the disk, such as no room: the copy may be right
 */
export async function asBackup<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DatabaseFault) || (readCode(error) !== '' && !isUnreadable(error))) throw error;
    const why = error.cause instanceof Error ? error.cause.message : error.message;
    throw new ExpectedFault(`${file} cannot be read as a backup (${why})`, { cause: error });
  }
}

/**
 * Checks that an open database is an accounts database, not of a newer program, and that every page of it is right. @throws
 * ExpectedFault saying what is wrong with `file`.
 */
export async function assertSound(copy: Database, file: string): Promise<void> {
  await assertAccounts(copy, file);
  const newer = await unknownMigrations(copy, 'accounts');
  if (newer.length > 0) throw new ExpectedFault(`${file} is of a newer program (${newer.join(', ')})`);
  await assertPages(copy, file);
}

/** @throws ExpectedFault for an empty or another database, named by where it lies. */
async function assertAccounts(database: Database, where: string): Promise<void> {
  const [found] = await database.read({
    sql: "SELECT 1 FROM sqlite_master WHERE name = 'transfer_never_updated' AND type = 'trigger'",
  });
  if (!found) throw new ExpectedFault(`${where} is no accounts database`);
}

/** Checks every page of an open database. @throws ExpectedFault where one is not right. */
export async function assertPages(copy: Database, file: string): Promise<void> {
  const [checked] = await copy.read<{ integrity_check: string }>({ sql: 'PRAGMA integrity_check(1)' });
  const found = checked?.integrity_check.replaceAll(/\s+/g, ' ');
  if (found !== 'ok') throw new ExpectedFault(`${file} is damaged: ${found}. Put a backup in its place`);
}

/** Verifies the ledger of an open database. @throws ExpectedFault where it is wrong. */
export async function proveLedger(copy: Database, file: string): Promise<LedgerReport> {
  const ledger = await verifyLedger(copy);
  const [first] = ledger.faults;
  if (first)
    throw new ExpectedFault(`the ledger in ${file} is wrong: ${first.fault}: ${first.subject} (${first.detail})`);
  return ledger;
}

/** Opens a database file for the duration of `work`, as it is: nothing is migrated. */
export async function using<T>(file: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ url: `file:${file}`, durability: 'full' });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
