import { existsSync } from 'node:fs';
import { chmod, copyFile, link, readdir, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { LedgerReport } from '../../schema/accounts/ledger/verify.ts';
import { ensureFolder } from '../../schema/config/ensure-folder.ts';
import type { Settings } from '../../schema/config/settings.ts';
import { COMPANIONS, makePrivate, removeDatabase } from '../../schema/db/generations.ts';
import { type Database, DatabaseBusy, DatabaseFault } from '../../schema/db/interface.ts';
import { migrate } from '../../schema/db/migrate.ts';
import { ExpectedFault } from '../process/services.ts';
import { accountsFile, asBackup, assertSound, proveLedger, using } from './accounts.ts';
import { fillAlone } from './fill-alone.ts';
import { syncToDisk } from './flush.ts';

interface Restored {
  /** Where the previous database, or what was left of it, is now; absent where there was nothing. */
  movedTo?: string;
  /** The keys and accounts that were ended in the previous database and work again, in words; null where it cannot be read. */
  revived: string[] | null;
  ledger: LedgerReport;
}

interface LastLine {
  id: number;
  key: string;
  created_at: string;
}

const PROCESSES = '/proc';

const LAST = 'SELECT id, key, created_at FROM transfer ORDER BY id DESC LIMIT 1';

/**
 * Replaces the accounts database with a backup. The replaced file is kept under another name. There is a database at every
 * moment: a process killed half-way leaves the old one or the new one. Returns the ledger as a fresh connection reads it.
 * @throws ExpectedFault for a bad backup, or while a process uses the database; without `force` also if the present
 * database has lines that the backup lacks, or cannot be read
 */
export async function restore(settings: Settings, from: string, force: boolean): Promise<Restored> {
  const source = resolve(from);
  if (!existsSync(source) || !(await stat(source)).isFile()) throw new ExpectedFault(`there is no file ${source}`);
  await ensureFolder(dirname(accountsFile(settings)));
  const target = await followLink(accountsFile(settings));
  if ((await followLink(source)) === target) throw new ExpectedFault(`${source} is the accounts database itself`);
  await assertAlone(source);
  await assertUnused(target);
  const part = `${target}.part`;
  return fillAlone(part, `another process is restoring ${target}; nothing was changed`, async () => {
    await removeDatabase(part);
    makePrivate(part);
    await copyFile(source, part);
    await chmod(part, 0o600);
    const proved = await proveCopied(part, source);
    const revived = existsSync(target) ? await assertReplaceable(part, source, target, force) : [];
    await syncToDisk(part);
    const movedTo = await moveAway(target);
    await rename(part, target);
    await syncToDisk(dirname(target));
    const ledger = await proveInPlace(target, source, proved);
    return { ...(movedTo ? { movedTo } : {}), revived, ledger };
  });
}

/** Follows a link to the file itself: SQLite keeps its side files next to it. */
async function followLink(path: string): Promise<string> {
  return existsSync(path) ? realpath(path) : join(await realpath(dirname(path)), basename(path));
}

/** A backup is one file. A file with a log next to it is a database that was in use, and only a part of it. */
async function assertAlone(source: string): Promise<void> {
  for (const file of [`${source}-wal`, `${source}-journal`]) {
    if (!existsSync(file) || (await stat(file)).size === 0) continue;
    throw new ExpectedFault(
      `${file} lies next to ${source}: that is a copy of a database in use, and no backup. If the two belong together, ` +
        `make a backup of them (ACCOUNTS_URL=file:${source} and the command backup); if not, move ${file} away`,
    );
  }
}

/** Also where the file is damaged or was removed: a process that has it open would continue to bill into the replaced file. */
async function assertUnused(target: string): Promise<void> {
  const holders = await findHolders(target);
  if (holders.length > 0) throw inUse(target, ` (process ${holders.join(', ')})`);
}

/**
 * Ids of the other processes that have a file open, even if it was removed since. Those of other users are found by their locks
 * only; where the system lists no open files (other than Linux) none are found.
 */
async function findHolders(path: string): Promise<number[]> {
  const names = await readdir(PROCESSES).catch(() => []);
  const others = names.map(Number).filter((id) => Number.isInteger(id) && id !== process.pid);
  const holding = await Promise.all(others.map((id) => hasOpen(id, path)));
  return others.filter((_, index) => holding[index]);
}

async function hasOpen(id: number, path: string): Promise<boolean> {
  const folder = join(PROCESSES, String(id), 'fd');
  const files = await readdir(folder).catch(() => []);
  const opened = await Promise.all(files.map((file) => readlink(join(folder, file)).catch(() => '')));
  return opened.some((name) => name === path || name === `${path} (deleted)`);
}

const inUse = (target: string, who = '') =>
  new ExpectedFault(`${target} is in use${who}: stop the API and the jobs process first; nothing was changed`);

/** Proves the copy that will take over, at this program's version, complete in its one file. */
function proveCopied(part: string, source: string): Promise<LedgerReport> {
  return asBackup(source, () =>
    using(part, async (copy) => {
      await assertSound(copy, source);
      await migrate(copy, 'accounts');
      const ledger = await proveLedger(copy, source);
      await copy.read({ sql: 'PRAGMA journal_mode=DELETE' });
      return ledger;
    }),
  );
}

/** Proves what is now on the disk. @throws ExpectedFault where it differs from what was proved before. */
function proveInPlace(target: string, source: string, proved: LedgerReport): Promise<LedgerReport> {
  return using(target, async (accounts) => {
    await assertSound(accounts, target);
    const ledger = await proveLedger(accounts, target);
    if (ledger.lines !== proved.lines || ledger.credits !== proved.credits)
      throw new ExpectedFault(
        `${target} holds ${ledger.lines} lines, and ${source} holds ${proved.lines}: something else wrote to it`,
      );
    await migrate(accounts, 'accounts');
    return ledger;
  });
}

/**
 * Gives the copy the takedowns, and returns what the replacement revives. @throws ExpectedFault if a process has the present
 * database open or, without `force`, if it has more lines or cannot be read
 */
async function assertReplaceable(
  part: string,
  source: string,
  target: string,
  force: boolean,
): Promise<string[] | null> {
  try {
    return await using(target, async (accounts) => {
      // Leaving WAL mode needs exclusive access: it fails while any process has the database open.
      await accounts.read({ sql: 'PRAGMA journal_mode=DELETE' });
      const lost = force ? null : await using(part, (copy) => findLost(accounts, copy));
      if (!lost)
        return await using(part, async (copy) => {
          await carryTakedowns(accounts, copy);
          return findRevived(accounts, copy);
        });
      // The database stays in use, and reads during writes need the log.
      await accounts.read({ sql: 'PRAGMA journal_mode=WAL' });
      throw new ExpectedFault(
        lost === 'another'
          ? `${target} is not the database that ${source} is a copy of. Add --force to replace it all the same`
          : `${target} is newer than the backup: ${lost}. Add --force to put it aside and lose them`,
      );
    });
  } catch (error) {
    if (error instanceof DatabaseBusy) throw inUse(target);
    // With force, an unreadable database is no reason to stop.
    if (!(error instanceof DatabaseFault)) throw error;
    if (!force) throw new ExpectedFault(`${error.message}. Add --force to put it aside and take the backup`);
    return null;
  }
}

const TAKEDOWNS = `SELECT json_group_array(json(one.value)) AS value FROM installation, json_each(installation.value) AS one
  WHERE name IN ('takedowns', 'takedowns_before')`;

/** The backup may itself be of restored accounts that jobs have not looked at since. */
const CARRY = `INSERT INTO installation (name, value, set_at) VALUES ('takedowns_before', ?, ?)
  ON CONFLICT (name) DO UPDATE SET set_at = excluded.set_at, value = (SELECT json_group_array(json(value)) FROM
    (SELECT value FROM json_each(installation.value) UNION SELECT value FROM json_each(excluded.value)))`;

/** Jobs repeat them where the catalogue is older than they are, as after an upgrade that was undone. */
async function carryTakedowns(accounts: Database, copy: Database): Promise<void> {
  // Accounts of an early version have no such table.
  const [table] = await accounts.read({ sql: "SELECT 1 FROM sqlite_master WHERE name = 'installation'" });
  const [row] = table ? await accounts.read<{ value: string }>({ sql: TAKEDOWNS }) : [];
  if (row && row.value !== '[]') await copy.write([{ sql: CARRY, args: [row.value, new Date().toISOString()] }]);
}

const LIVE = `SELECT id, hash, 'key ' || id || ' of ' || account_id AS what FROM api_key WHERE revoked_at IS NULL
  UNION ALL SELECT id, NULL, 'account ' || id FROM account WHERE state = 'active'`;
const ENDED = `
  WITH live AS (SELECT value ->> 'id' AS id, value ->> 'hash' AS hash, value ->> 'what' AS what FROM json_each(?))
  SELECT what || iif(revoked_at IS NULL, ', as it was before it was rolled', '') AS what
  FROM live JOIN api_key USING (id) WHERE revoked_at IS NOT NULL OR api_key.hash <> live.hash
  UNION ALL SELECT what FROM live JOIN account USING (id) WHERE state <> 'active'`;

/** Keys revoked or rolled, and accounts frozen or closed, in the present database that are not so in the backup. */
async function findRevived(accounts: Database, copy: Database): Promise<string[]> {
  const live = await copy.read({ sql: LIVE });
  const ended = await accounts.read<{ what: string }>({ sql: ENDED, args: [JSON.stringify(live)] });
  return ended.map(({ what }) => what);
}

/** The ledger lines that the present database has and the backup lacks, in words; `another` where they are different ledgers. */
async function findLost(accounts: Database, copy: Database): Promise<string | null> {
  const [present] = await accounts.read<LastLine>({ sql: LAST });
  const [lastCopied] = await copy.read<LastLine>({ sql: LAST });
  // A backup made after the present state of the database has every line of it: an older one may have been restored before.
  if (!present || (await hasLine(copy, present))) return null;
  if (lastCopied && !(await hasLine(accounts, lastCopied))) return 'another';
  const lost = present.id - (lastCopied?.id ?? 0);
  return `${lost} ledger ${lost === 1 ? 'line' : 'lines'} up to ${present.created_at} would be lost`;
}

async function hasLine(accounts: Database, { id, key }: LastLine): Promise<boolean> {
  const found = await accounts.read({ sql: 'SELECT 1 FROM transfer WHERE id = ? AND key = ?', args: [id, key] });
  return found.length > 0;
}

/**
 * Gives the present file a second name; its own name is then replaced in one step. Leftover logs, even those of a database that
 * has gone, would be read into the new one. Returns where the file, or otherwise its log, is now.
 */
async function moveAway(target: string): Promise<string | undefined> {
  const path = `${target}.${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  const moved: string[] = [];
  if (existsSync(target)) {
    await link(target, path);
    moved.push(path);
  }
  for (const end of ['-wal', '-journal']) {
    if (!existsSync(target + end) || (await stat(target + end)).size === 0) continue;
    await rename(target + end, path + end);
    moved.push(path + end);
  }
  // Shared memory, and empty logs.
  for (const end of COMPANIONS) await rm(target + end, { force: true });
  return moved[0];
}
