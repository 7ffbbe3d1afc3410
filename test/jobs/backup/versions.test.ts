import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAccount } from '../../../schema/accounts/customer/account.ts';
import { type Database, readFirst } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { runHere } from '../../support/run-command.ts';
import { ROOT } from '../../support/source-files.ts';

const AT = '2026-11-21T12:00:00Z';
const MIGRATIONS = join(ROOT, 'schema/migrations/accounts');
/** The last one before a row of the ledger could have several lines. */
const OLDER = '0008_quick_debits';
let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => folder.remove());

const backUp = (name: string) => runHere({ DATA_DIR: folder.path }, 'backup', join(folder.path, name));
const record = (tag: string) => ({ sql: 'INSERT INTO migration VALUES (?, ?)', args: [tag, AT] });
const countSeals = (accounts: Database) => readFirst(accounts, { sql: 'SELECT count(*) AS seals FROM ledger_seal' });

/** An accounts database as an older program left it. */
async function makeOlder(): Promise<Database> {
  const accounts = await openDatabase({ url: `file:${join(folder.path, 'accounts.db')}`, durability: 'full' });
  await accounts.write([{ sql: 'CREATE TABLE migration (tag TEXT PRIMARY KEY, applied_at TEXT NOT NULL)' }]);
  const { entries } = JSON.parse(await readFile(join(MIGRATIONS, 'meta/_journal.json'), 'utf8'));
  for (const { tag } of entries as { tag: string }[]) {
    const text = await readFile(join(MIGRATIONS, `${tag}.sql`), 'utf8');
    const statements = text.split('--> statement-breakpoint').map((sql) => ({ sql: sql.trim() }));
    await accounts.write([record(tag), ...statements.filter(({ sql }) => sql !== '')]);
    if (tag === OLDER) break;
  }
  return accounts;
}

it('copies the accounts of an older program unchanged, and restores them upgraded', async () => {
  const accounts = await makeOlder();
  const grant = `INSERT INTO transfer (key, kind, from_account, to_account, credits, created_at)
                 VALUES ('grant:first', 'grant', '@mint', 'acc_older', 250, ?)`;
  await accounts.write([
    { sql: "INSERT INTO account (id, name, created_at) VALUES ('acc_older', 'Older Ltd', ?)", args: [AT] },
    { sql: grant, args: [AT] },
  ]);
  const said = /accounts\.backup written, .* MB, and proved: 1 account holds 250 credits; 1 line\n/;
  expect(await backUp('accounts.backup')).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(said) });
  expect(await readdir(folder.path)).toEqual(expect.not.arrayContaining([expect.stringContaining('.part')]));
  const tags = await accounts.read<{ tag: string }>({ sql: 'SELECT tag FROM migration ORDER BY tag' });
  expect([tags.at(-1)?.tag, await countSeals(accounts)]).toEqual([OLDER, { seals: 0 }]);
  await accounts.close();
  const later = await runHere(
    { DATA_DIR: join(folder.path, 'later') },
    'restore',
    join(folder.path, 'accounts.backup'),
  );
  expect(later).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^restored and proved: 1 account holds 250 credits; 1 line$/m),
  });
});

it('refuses the accounts of a newer program with what to do, and writes nothing into them', async () => {
  const accounts = await makeDatabase(folder.path, 'accounts');
  await createAccount(accounts, { name: 'Newer Ltd', signupCredits: 250, at: AT });
  await accounts.write([record('9999_newer')]);
  expect(await backUp('accounts.backup')).toMatchObject({
    code: 1,
    stderr:
      'the accounts database is of a newer program (9999_newer): start that program, or put a backup of before the upgrade in its place\n',
  });
  expect(await countSeals(accounts)).toEqual({ seals: 0 });
  await accounts.close();
});

/** Makes SQLite take a file as one that is only to be read, as on a disk that is full or read-only: in its header it says that newer libraries write it. */
async function forbidWrites(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(Buffer.from([3]), 0, 1, 18);
  await file.close();
}

it('copies accounts that cannot be written, and says how many lines have no seal', async () => {
  const accounts = await makeDatabase(folder.path, 'accounts');
  await createAccount(accounts, { name: 'First Ltd', signupCredits: 250, at: AT });
  expect(await backUp('whole.backup')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^head 1:\w{64}$/m) });
  await createAccount(accounts, { name: 'Second Ltd', signupCredits: 250, at: AT });
  await accounts.close();
  await forbidWrites(join(folder.path, 'accounts.db'));
  expect(await backUp('unsealed.backup')).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/proved: 2 accounts hold 500 credits; 2 lines\nhead 1:\w{64}; 1 line since\n/),
  });
});
