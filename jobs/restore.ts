import { existsSync } from 'node:fs';
import { chmod, copyFile, link, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { DatabaseBusy } from '../schema/database.ts';
import { DatabaseFault } from '../schema/database-faults.ts';
import type { Settings } from '../schema/env.ts';
import { type LedgerReport, verifyLedger } from '../schema/ledger.ts';
import { migrate } from '../schema/migrate.ts';
import { accountsFile, proveCopy, settleOnDisk, using } from './backup.ts';
import { ExpectedFault } from './house.ts';

export interface Restored {
  /** Where the database before it lies now; absent where there was none. */
  putAside?: string;
  ledger: LedgerReport;
}

interface LastLine {
  id: number;
  key: string;
  created_at: string;
}

const LAST = 'SELECT id, key, created_at FROM transfer ORDER BY id DESC LIMIT 1';

/**
 * Puts a backup in the place of the accounts database, which is put aside and not deleted. At no moment is there no
 * database; a process killed half-way leaves the old one or the new one.
 * @throws ExpectedFault for a file that is no good backup, a house that is running, or (without `force`) a present
 * database that knows more than the backup or cannot be read.
 */
export async function restore(settings: Settings, from: string, force: boolean): Promise<Restored> {
  const target = accountsFile(settings);
  const source = resolve(from);
  if (!existsSync(source)) throw new ExpectedFault(`there is no file ${source}`);
  if (source === target) throw new ExpectedFault(`${source} is the accounts database itself`);
  await proveCopy(source);
  if (existsSync(target)) await assertReplaceable(source, target, force);
  const part = `${target}.part`;
  await copyFile(source, part);
  await chmod(part, 0o600);
  await settleOnDisk(part);
  const putAside = existsSync(target) ? await putAsideFile(target) : undefined;
  await rename(part, target);
  await settleOnDisk(dirname(target));
  const ledger = await using(target, async (accounts) => {
    await migrate(accounts, 'accounts');
    return verifyLedger(accounts);
  });
  return { ...(putAside ? { putAside } : {}), ledger };
}

async function assertReplaceable(source: string, target: string, force: boolean): Promise<void> {
  try {
    await using(target, async (accounts) => {
      // Leaving the write-ahead log asks for the file alone: it fails while any process has the database open.
      await accounts.read({ sql: 'PRAGMA journal_mode=DELETE' });
      await accounts.read({ sql: 'PRAGMA journal_mode=WAL' });
      if (!force) await assertNothingLost(source, target);
    });
  } catch (error) {
    if (error instanceof DatabaseBusy) {
      throw new ExpectedFault(`${target} is in use: stop the API and the jobs process first; nothing was changed`);
    }
    // One that cannot be read is no reason to stop for somebody who forces it.
    if (!(error instanceof DatabaseFault)) throw error;
    if (!force) throw new ExpectedFault(`${error.message}. Add --force to put it aside and take the backup`);
  }
}

async function assertNothingLost(source: string, target: string): Promise<void> {
  const readLast = (file: string) =>
    using(file, async (database) => (await database.read<LastLine>({ sql: LAST }))[0] ?? null);
  const [held, kept] = [await readLast(target), await readLast(source)];
  if (!held) return;
  const isSame = await using(target, async (accounts) => {
    const rows = await accounts.read({
      sql: 'SELECT 1 FROM transfer WHERE id = ? AND key = ?',
      args: [kept?.id ?? 0, kept?.key ?? ''],
    });
    return kept === null || rows.length > 0;
  });
  if (!isSame)
    throw new ExpectedFault(`${target} is not what ${source} was taken of. Add --force to put it aside all the same`);
  const lost = held.id - (kept?.id ?? 0);
  if (lost === 0) return;
  throw new ExpectedFault(
    `${target} is newer than the backup: ${lost} ledger lines up to ${held.created_at} would be lost. Add --force to put it aside and lose them`,
  );
}

/** Gives the present file a second name; its own is then taken over in one step. */
async function putAsideFile(target: string): Promise<string> {
  const aside = `${target}.${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  await link(target, aside);
  // A write-ahead log that stayed would be read into the database that comes.
  if (existsSync(`${target}-wal`)) await rename(`${target}-wal`, `${aside}-wal`);
  await rm(`${target}-shm`, { force: true });
  return aside;
}
