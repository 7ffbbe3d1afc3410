import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, copyFile, lstat, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { fillAlone } from '../../../jobs/backup/fill-alone.ts';
import { createAccount } from '../../../schema/accounts/customer/account.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { type CliAnswer, runCli, runHere } from '../../support/run-command.ts';

const AT = '2026-11-21T12:00:00Z';
const LINES = 300;

let made: Awaited<ReturnType<typeof makeFolder>>;
let backup: string;
/** Logs of the database as it was after the backup: pages that fit the backup's file. */
let late: { wal: string; lines: number };

beforeAll(async () => {
  made = await makeFolder();
  const accounts = await makeDatabase(made.path, 'accounts');
  const { id } = await createAccount(accounts, { name: 'a', signupCredits: 100_000, at: AT });
  await charge(accounts, id, 'early');
  backup = join(made.path, 'backup');
  expect(await runHere({ DATA_DIR: made.path }, 'backup', backup)).toMatchObject({ code: 0, stderr: '' });
  await accounts.read({ sql: 'PRAGMA wal_checkpoint(TRUNCATE)' });
  await charge(accounts, id, 'late');
  late = { wal: join(made.path, 'late-wal'), lines: 1 + 2 * LINES };
  await copyFile(join(made.path, 'accounts.db-wal'), late.wal);
  await accounts.close();
});
afterAll(() => made?.remove());

let folder: Awaited<ReturnType<typeof makeFolder>>;
let target: string;
beforeEach(async () => {
  folder = await makeFolder();
  target = join(folder.path, 'accounts.db');
});
afterEach(() => folder.remove());

async function charge(accounts: Database, account: string, when: string): Promise<void> {
  const sql = `INSERT INTO transfer (key, kind, from_account, to_account, credits, action, request_id, created_at)
               VALUES ('charge:' || ?1, 'charge', ?2, '@revenue', 2, 'search_notices', ?1, ?3)`;
  for (let line = 0; line < LINES; line++) await accounts.write([{ sql, args: [`ch_${when}${line}`, account, AT] }]);
}

const restore = (...args: string[]): Promise<CliAnswer> => runHere({ DATA_DIR: folder.path }, 'restore', ...args);

async function readWhole(file: string) {
  const accounts = await openDatabase({ url: `file:${file}`, durability: 'full' });
  const [checked] = await accounts.read<{ integrity_check: string }>({ sql: 'PRAGMA integrity_check' });
  const { lines, faults } = await verifyLedger(accounts);
  await accounts.close();
  return { pages: checked?.integrity_check, lines, faults };
}

const RIGHT = { pages: 'ok', lines: 1 + LINES, faults: [] };
const SAID = { code: 0, stderr: '', stdout: expect.stringContaining(`; ${1 + LINES} lines\n`) };

it.each(['accounts.db-wal', 'accounts.db-journal', 'accounts.db.part-wal', 'accounts.db.part-journal'])(
  'never reads a left-over %s into what it restores',
  async (left) => {
    await copyFile(late.wal, join(folder.path, left));
    await writeFile(join(folder.path, 'accounts.db-shm'), 'what was left');
    const restored = await restore(backup);
    expect(restored).toMatchObject(SAID);
    expect(await readWhole(target)).toEqual(RIGHT);
    // What may hold somebody's ledger lines is kept.
    if (!left.includes('part')) {
      const aside = /^the log of the database before it lies at (.+)$/m.exec(restored.stdout)?.[1];
      const kept = await readFile(aside ?? '');
      expect(kept.equals(await readFile(late.wal))).toBe(true);
    }
    expect((await readdir(folder.path)).filter((name) => name.includes('part'))).toEqual([]);
  },
);

it('names nothing as put aside where only an empty log was left, and leaves none of it', async () => {
  for (const end of ['-wal', '-shm']) await writeFile(target + end, '');
  const restored = await restore(backup);
  expect(restored).toMatchObject(SAID);
  expect(restored.stdout).not.toContain('lies at');
  expect((await readdir(folder.path)).filter((name) => /\.\d{4}-/.test(name))).toEqual([]);
});

it('restores over a damaged database with a log, and through a link to where the file lies', async () => {
  const real = await makeFolder();
  await writeFile(join(real.path, 'money.db'), 'rubbish where the accounts should be'.repeat(1_000));
  await copyFile(late.wal, join(real.path, 'money.db-wal'));
  await symlink(join(real.path, 'money.db'), target);
  expect(await restore(backup, '--force')).toMatchObject(SAID);
  expect(await readWhole(join(real.path, 'money.db'))).toEqual(RIGHT);
  expect(await readWhole(target)).toEqual(RIGHT);
  expect((await lstat(target)).isSymbolicLink()).toBe(true);
  await real.remove();
});

it.each(['-wal', '-journal'])('takes no database with a log %s beside it for a backup', async (end) => {
  const copy = join(folder.path, 'copy');
  await copyFile(backup, copy);
  await copyFile(late.wal, copy + end);
  const { size } = await stat(copy);
  expect(await restore(copy)).toMatchObject({ code: 1, stderr: expect.stringContaining('and no backup') });
  expect([(await stat(copy)).size, (await stat(copy + end)).size]).toEqual([size, (await stat(late.wal)).size]);
  // An empty log holds nothing; and a copy from elsewhere may be for everyone's eyes.
  await writeFile(copy + end, '');
  await chmod(copy, 0o644);
  expect(await restore(copy)).toMatchObject(SAID);
  expect((await stat(target)).mode & 0o777).toBe(0o600);
});

it('takes no other database for a backup, and none with a damaged page, even where its ledger is whole', async () => {
  await writeFile(join(folder.path, 'empty'), '');
  await (await makeDatabase(folder.path, 'catalogue')).close();
  const accounts = await openDatabase({ url: `file:${backup}`, durability: 'full' });
  const sessions = "SELECT rootpage, page_size FROM sqlite_master, pragma_page_size WHERE name = 'auth_session'";
  const [{ rootpage = 0, page_size: size = 0 } = {}] = await accounts.read<Record<string, number>>({ sql: sessions });
  await accounts.close();
  const bytes = await readFile(backup);
  await writeFile(join(folder.path, 'spoilt'), bytes.fill(0xff, (rootpage - 1) * size, rootpage * size));
  for (const [name, words] of [
    ['empty', 'empty is no accounts database'],
    ['catalogue.db', 'catalogue.db is no accounts database'],
    ['spoilt', 'spoilt is damaged: '],
  ] as const)
    expect(await restore(join(folder.path, name))).toMatchObject({ code: 1, stderr: expect.stringContaining(words) });
  expect(await readdir(folder.path)).not.toContain('accounts.db');
});

it('needs no force over new accounts without a line, and is refused over those of another installation', async () => {
  const other = await makeFolder();
  const accounts = await makeDatabase(other.path, 'accounts');
  await copyFile(join(other.path, 'accounts.db'), target);
  expect(await restore(backup)).toMatchObject(SAID);
  await createAccount(accounts, { name: 'b', signupCredits: 5, at: AT });
  await accounts.read({ sql: 'PRAGMA wal_checkpoint(TRUNCATE)' });
  await accounts.close();
  // A file of its own: the driver lets go of one only when its statements are collected.
  const elsewhere = await makeFolder();
  const theirs = join(elsewhere.path, 'accounts.db');
  await copyFile(join(other.path, 'accounts.db'), theirs);
  expect(await runHere({ DATA_DIR: elsewhere.path }, 'restore', backup)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${theirs} is not the database that ${backup} is a copy of. Add --force`),
  });
  await elsewhere.remove();
  await other.remove();
});

it('names the keys revoked or rolled and the accounts frozen since the backup, which work again', async () => {
  const here = (...args: string[]) => runHere({ DATA_DIR: folder.path }, ...args);
  expect(await restore(backup)).toMatchObject(SAID);
  const [account = ''] = /acc_\w+/.exec((await here('account', 'create', 'b')).stdout) ?? [];
  const makeKey = async () => /key_\w+/.exec((await here('key', 'create', account)).stdout)?.[0] ?? '';
  const [revoked, rolled] = [await makeKey(), await makeKey()];
  const later = join(folder.path, 'later');
  expect(await here('backup', later)).toMatchObject({ code: 0 });
  // Processes of their own: this one lets go of a file only when its statements are collected.
  const elsewhere = await makeFolder();
  const there = (...args: string[]) => runCli({ DATA_DIR: elsewhere.path }, ...args);
  for (const args of [
    ['restore', later],
    ['key', 'roll', account, revoked],
    ['key', 'revoke', account, revoked],
    ['key', 'roll', account, rolled],
    ['account', 'freeze', account],
  ])
    expect(await there(...args)).toMatchObject({ code: 0, stdout: expect.not.stringContaining('works again') });
  expect((await there('restore', later)).stdout.match(/.*works again.*/g)).toEqual([
    `ended since the backup, works again: key ${revoked} of ${account}`,
    `ended since the backup, works again: key ${rolled} of ${account}, as it was before it was rolled`,
    `ended since the backup, works again: account ${account}`,
  ]);
  await elsewhere.remove();
});

it('is refused while a process has a database open there that is damaged, or that was removed', async () => {
  await writeFile(target, 'rubbish where the accounts should be, long enough to be looked at');
  const holder = await holdOpen(target);
  const inUse = { code: 1, stderr: expect.stringContaining(`is in use (process ${holder.pid}): stop the API`) };
  expect(await restore(backup, '--force')).toMatchObject(inUse);
  await rm(target);
  expect(await restore(backup, '--force')).toMatchObject(inUse);
  expect(await readdir(folder.path)).toEqual([]);
  holder.kill();
  await once(holder, 'exit');
  expect(await restore(backup)).toMatchObject(SAID);
});

it('a backup is not proved by what lies beside it', async () => {
  for (const end of ['.part-wal', '.part.trial-wal', '.part.trial-journal'])
    await copyFile(late.wal, join(folder.path, `copy${end}`));
  const back = (to: string) => runHere({ ACCOUNTS_URL: `file:${backup}` }, 'backup', join(folder.path, to));
  expect(await back('copy')).toMatchObject(SAID);
  expect(await readWhole(join(folder.path, 'copy'))).toEqual(RIGHT);
  await copyFile(late.wal, join(folder.path, 'other-wal'));
  expect(await back('other')).toMatchObject({ code: 1, stderr: expect.stringContaining('other-wal exists') });
});

async function holdOpen(file: string): Promise<ChildProcess> {
  const script = "require('node:fs').openSync(process.argv[1], 'r+'); console.log('open'); setInterval(() => {}, 1000)";
  const child = spawn(process.execPath, ['-e', script, file]);
  await once(child.stdout, 'data');
  return child;
}

it('is refused while another restores, and nothing is changed', async () => {
  await fillAlone(`${target}.part`, 'free', async () => {
    const refused = await restore(backup);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^another process is restoring .*\n$/) });
  });
  expect(await restore(backup)).toMatchObject(SAID);
  expect(await readdir(folder.path)).toEqual(expect.not.arrayContaining([expect.stringContaining('.part')]));
});

it.runIf(process.getuid?.() === 0)('what root restores belongs to the owner of the folder', async () => {
  await chown(folder.path, 12_345, 23_456);
  expect(await restore(backup)).toMatchObject(SAID);
  expect(await stat(target)).toMatchObject({ uid: 12_345, gid: 23_456, mode: 0o100600 });
});
