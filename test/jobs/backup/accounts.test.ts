import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { asBackup, copyInto, writeCopy } from '../../../jobs/backup/accounts.ts';
import { createAccount } from '../../../schema/accounts/customer/account.ts';
import { readBalance } from '../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { nameDatabaseFault } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { makeFolder } from '../../support/databases.ts';
import { runCli, runHere } from '../../support/run-command.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';

const AT = '2026-11-21T12:00:00Z';
/** More than can be billed while a backup is taken, however slow the machine. */
const CREDITS = 100_000_000;
let folder: Awaited<ReturnType<typeof makeFolder>>;
let built: BuiltServer;
let backup: string;

beforeAll(async () => {
  folder = await makeFolder();
  built = await buildServer({ credits: CREDITS });
  backup = join(folder.path, 'accounts.backup');
});
afterAll(async () => {
  await built?.close();
  await folder?.remove();
});

let charges = 0;
/** Bills as the API does: one durable commit after another, until the signal, with time left for the process that copies. */
async function bill(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    charges += 1;
    const sql = `INSERT INTO transfer (key, kind, from_account, to_account, credits, action, request_id, created_at)
                 VALUES (?, 'charge', ?, '@revenue', 2, 'search_notices', ?, ?)`;
    const key = `charge:ch_${charges}`;
    await built.services.accounts.write([{ sql, args: [key, built.accountId, key, AT] }]);
    await pause(2);
  }
}

async function balanceIn(file: string): Promise<number | null> {
  const accounts = await openDatabase({ url: `file:${file}`, durability: 'full' });
  const balance = await readBalance(accounts, built.accountId);
  await accounts.close();
  return balance;
}

describe('a backup', () => {
  it('is taken and proved while calls are billed, is of one instant, and is restored by one command', async () => {
    const stop = new AbortController();
    const billing = bill(stop.signal);
    const taken = await runCli({ DATA_DIR: built.folder }, 'backup', backup);
    stop.abort();
    await billing;
    expect(taken).toMatchObject({ code: 0, stderr: '' });
    expect(taken.stdout).toMatch(
      /accounts\.backup written, .* MB, and proved: 1 account holds \d+ credits; \d+ lines\n/,
    );
    expect((await stat(backup)).mode & 0o777).toBe(0o600);
    const copy = await openDatabase({ url: `file:${backup}`, durability: 'full' });
    const [balance, report] = [await readBalance(copy, built.accountId), await verifyLedger(copy)];
    await copy.close();
    expect([balance, report.faults]).toEqual([CREDITS - 2 * report.charges, []]);
    expect(report.charges).toBeLessThan(charges);

    const elsewhere = await makeFolder();
    const restored = await runHere({ DATA_DIR: elsewhere.path }, 'restore', backup);
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringMatching(/^restored and proved: 1 account holds/) });
    const database = await openDatabase({ url: `file:${elsewhere.path}/accounts.db`, durability: 'full' });
    expect([await readBalance(database, built.accountId), (await verifyLedger(database)).faults]).toEqual([
      balance,
      [],
    ]);
    await database.close();
    await elsewhere.remove();
  });

  it('is its owner’s alone from its first page on, not only when it is whole', async () => {
    const modes: number[] = [];
    await writeCopy(join(folder.path, 'watched'), async (part) => {
      modes.push((await stat(part)).mode & 0o777);
      await built.services.accounts.read({ sql: 'VACUUM INTO ?', args: [part] });
      modes.push((await stat(part)).mode & 0o777);
    });
    expect(modes).toEqual([0o600, 0o600]);
  });

  it('never overwrites a file, and leaves nothing behind where it fails', async () => {
    const before = await readdir(folder.path);
    await writeFile(join(built.folder, 'new.db'), '');
    expect(await runHere({ DATA_DIR: built.folder }, 'backup', backup)).toMatchObject({
      code: 1,
      stderr: `${backup} exists: a backup is never overwritten\n`,
    });
    const nowhere = await runHere({ DATA_DIR: folder.path }, 'backup', join(folder.path, 'none'));
    expect(nowhere.stderr).toMatch(/^there is no accounts database at /);
    const empty = await runHere({ ACCOUNTS_URL: `file:${built.folder}/new.db` }, 'backup', join(folder.path, 'none'));
    expect(empty.stderr).toBe(`${built.folder}/new.db is no accounts database\n`);
    const remote = await runHere({ ACCOUNTS_URL: 'libsql://accounts.example' }, 'backup', join(folder.path, 'none'));
    const unwritable = await runHere({ DATA_DIR: built.folder }, 'backup', join(folder.path, 'no', 'such', 'file'));
    expect(unwritable.stderr).toMatch(/no\/such is missing, or this user may not write there\n$/);
    expect(remote.stderr).toMatch(/^the database at libsql:\/\/accounts.example cannot be used/);
    expect(await readdir(folder.path)).toEqual(before);
  });

  it('leaves nothing behind where a signal stops it', async () => {
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
    onTestFinished(() => exit.mockRestore());
    const listParts = async () => (await readdir(folder.path)).filter((name) => name.startsWith('stopped'));
    await writeCopy(join(folder.path, 'stopped'), async (part) => {
      await writeFile(part, 'half of it');
      // Nobody else's listeners: another file's browser in this process would close.
      process.listeners('SIGTERM').at(-1)?.('SIGTERM');
      expect(await listParts()).toEqual([]);
      await writeFile(part, 'what a process that had ended would not write');
    });
    expect(exit).toHaveBeenCalledWith(143);
  });

  it('removes what a killed one left, whatever its name, and no file that another process writes', async () => {
    const into = await makeFolder();
    // The last is the lock of a process that begins: it is not locked yet.
    const others = ['my.part', 'new.part.lock'];
    const left = ['one.part', 'one.part-journal', 'one.part.trial', 'one.part.lock', 'one.part.lock-journal'];
    const lastNight = new Date(Date.now() - 12 * 3_600_000);
    await writeCopy(join(into.path, 'held'), async (held) => {
      for (const name of [...others, ...left]) await writeFile(join(into.path, name), '');
      await utimes(join(into.path, 'one.part.lock'), lastNight, lastNight);
      await writeCopy(join(into.path, 'two'), (part) => writeFile(part, 'whole'));
      await writeFile(held, 'whole');
    });
    expect((await readdir(into.path)).sort()).toEqual(['held', ...others, 'two']);
    await into.remove();
  });

  it('of two at the same file the first is made, and the second refused', async () => {
    const twice = join(folder.path, 'twice');
    await writeCopy(twice, async (part) => {
      expect(await runHere({ DATA_DIR: built.folder }, 'backup', twice)).toMatchObject({
        code: 1,
        stderr: `another process is writing ${twice}: wait for it, or give another name\n`,
      });
      await writeFile(part, 'the first');
    });
    expect(await readFile(twice, 'utf8')).toBe('the first');
    expect((await readdir(folder.path)).filter((name) => name.startsWith('twice'))).toEqual(['twice']);
  });

  it('names the disk of the copy where that is full, as the database is only read', async () => {
    await expect(copyInto(built.services.accounts, '/dev/full')).rejects.toThrow(
      'the disk of /dev is full or fails: make room there and run it again (SQLITE_FULL)',
    );
    // A network disk says only then that it has no room.
    const late = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' });
    const read = () => Promise.reject(nameDatabaseFault(late, 'file:/data/accounts.db'));
    await expect(copyInto({ ...built.services.accounts, read }, '/nas/accounts.db.part')).rejects.toThrow(
      'the disk of /nas is full or fails: make room there and run it again (SQLITE_IOERR_FSYNC)',
    );
  });
});

describe('a restore', () => {
  it('blames no backup for a disk without room', async () => {
    const full = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_SHMSIZE' });
    const proving = asBackup(backup, () => Promise.reject(nameDatabaseFault(full, 'file:/data/accounts.db.part')));
    await expect(proving).rejects.toThrow(
      'the disk is full: nothing of this was written to /data/accounts.db.part. Make room and run it again (SQLITE_IOERR_SHMSIZE: disk I/O error)',
    );
  });

  it('is refused over a service that is running, whatever is forced', async () => {
    const refused = await runCli({ DATA_DIR: built.folder }, 'restore', backup, '--force');
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is in use \(process \d+\): stop the API and the jobs process/),
    });
  });

  it('is refused where newer ledger lines would be lost, until it is forced; then those lie beside', async () => {
    const newer = await makeFolder();
    const [file, written] = [join(newer.path, 'accounts.db'), join(newer.path, 'written')];
    await writeFile(written, await readFile(backup));
    const accounts = await openDatabase({ url: `file:${written}`, durability: 'full' });
    await accounts.write([
      {
        sql: `INSERT INTO transfer (key, kind, from_account, to_account, credits, created_at) VALUES ('grant:late', 'grant', '@mint', ?, 7, ?)`,
        args: [built.accountId, AT],
      },
    ]);
    const late = await readBalance(accounts, built.accountId);
    await accounts.close();
    // A file of its own: the driver lets go of one only when its statements are collected.
    await writeFile(file, await readFile(written));
    const refused = await runCli({ DATA_DIR: newer.path }, 'restore', backup);
    expect(refused.stderr).toMatch(/is newer than the backup: 1 ledger line up to 2026-11-21T12:00:00Z would be lost/);
    const forced = await runHere({ DATA_DIR: newer.path }, 'restore', backup, '--force');
    const aside = /^the database before it lies at (.+)$/m.exec(forced.stdout)?.[1] ?? '';
    expect(await balanceIn(aside)).toBe(late);
    expect(await balanceIn(file)).toBe((late ?? 0) - 7);
    await newer.remove();
  });

  it('of a newer backup over an older one that was restored first loses nothing, and needs no force', async () => {
    const twice = await makeFolder();
    const [older, newer] = [join(twice.path, 'accounts.db'), join(twice.path, 'newer')];
    await writeFile(older, await readFile(backup));
    await createAccount(built.services.accounts, { name: 'Later Ltd', signupCredits: 7, at: AT });
    expect(await runHere({ DATA_DIR: built.folder }, 'backup', newer)).toMatchObject({ code: 0 });
    expect(await runCli({ DATA_DIR: twice.path }, 'restore', newer)).toMatchObject({ code: 0, stderr: '' });
    expect((await runHere({ DATA_DIR: twice.path }, 'account', 'list')).stdout).toContain('Later Ltd');
    await twice.remove();
  });

  it('takes nothing that is no sound backup, and puts a damaged database aside when it is forced', async () => {
    const broken = await makeFolder();
    const file = join(broken.path, 'accounts.db');
    const bytes = await readFile(backup);
    const cut = join(broken.path, 'cut');
    await writeFile(cut, bytes.subarray(0, bytes.length - 8_192));
    await writeFile(join(broken.path, 'text'), 'no database at all, just some words that go on for a while');
    const forged = join(broken.path, 'forged');
    await writeFile(forged, bytes);
    const tampered = await openDatabase({ url: `file:${forged}`, durability: 'full' });
    await tampered.write([{ sql: 'UPDATE account SET balance = balance + 5 WHERE id = ?', args: [built.accountId] }]);
    await tampered.close();
    for (const [name, words] of [
      ['cut', /cut (is damaged|cannot be read as a backup \(.*malformed)/],
      ['text', /text cannot be read as a backup \(.*file is not a database/],
      ['forged', /^the ledger in .* is wrong: balance is not the sum of the ledger/],
      ['missing', /^there is no file /],
      ['.', /^there is no file /],
    ] as const) {
      const refused = await runHere({ DATA_DIR: broken.path }, 'restore', join(broken.path, name));
      expect([name, refused.code, refused.stderr]).toEqual([name, 1, expect.stringMatching(words)]);
    }
    await writeFile(file, 'rubbish where the accounts should be, long enough to be looked at');
    expect((await runHere({ DATA_DIR: broken.path }, 'restore', backup)).stderr).toMatch(/Add --force to put it aside/);
    const forced = await runHere({ DATA_DIR: broken.path }, 'restore', backup, '--force');
    expect(forced).toMatchObject({ code: 0, stdout: expect.stringContaining('cannot be read: end again the keys') });
    await broken.remove();
  });
});
