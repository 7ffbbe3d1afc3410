import { existsSync, readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { makeOperator } from '../../api/web/operator.ts';
import { makeVisitor, signUp } from '../../api/web/visitor.ts';
import { runHere } from '../../support/run-command.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';

const PERSON = { name: 'Ada Lovelace', email: 'ada@example.org', password: 'a long enough password' };
let built: BuiltServer;
let account: string;
beforeAll(async () => {
  const operator = makeOperator();
  built = await buildServer({ web: operator.web });
  const visitor = makeVisitor(built.url);
  await signUp(visitor, operator, PERSON);
  await visitor.post('/dashboard/keys', { name: 'Ada at home' });
  const [row] = await built.accounts.read<{ id: string }>({ sql: 'SELECT id FROM account WHERE user_id IS NOT NULL' });
  account = row?.id ?? '';
  await built.accounts.write([
    {
      sql: `INSERT INTO idempotency VALUES (?, 'mine', 'f', 'running', 't', 0, ?, NULL, NULL, NULL, '2026-11-21', 1, NULL)`,
      args: [account, new TextEncoder().encode('an answer')],
    },
  ]);
});
afterAll(() => built?.close());

const cli = (...args: string[]) => runHere({ DATA_DIR: built.folder }, ...args);

/** Every value of every row of the accounts database, as one text. */
async function readEverything(): Promise<string> {
  const tables = await built.accounts.read<{ name: string }>({
    sql: "SELECT name FROM sqlite_master WHERE type = 'table'",
  });
  const rows = await Promise.all(tables.map(({ name }) => built.accounts.read({ sql: `SELECT * FROM "${name}"` })));
  return JSON.stringify(rows);
}

describe('closing an account', () => {
  it('says first that an account can be frozen and let go again, and what is stored of it', async () => {
    expect((await cli('account', 'freeze', account)).stdout).toBe(`account ${account} is frozen\n`);
    expect((await cli('account', 'unfreeze', account)).stdout).toBe(`account ${account} is active\n`);
    const file = join(built.folder, 'held.json');
    await cli('account', 'export', account, file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      account: { id: account, balance: 250, state: 'active' },
      user: { name: 'Ada Lovelace', email: 'ada@example.org' },
      sessions: [{}],
      keys: [{ name: 'Ada at home' }],
      ledger: [{ kind: 'grant', credits: 250 }],
    });
    const again = await cli('account', 'close', account, '--export', file);
    expect(again).toMatchObject({
      code: 1,
      stderr: `${file} exists: nothing was written or erased; give another name\n`,
    });
  });

  it('gives the file its name once it is whole, so that a kill leaves no part of it under that name', async () => {
    const file = join(built.folder, 'whole.json');
    let isWritten = false;
    const written = cli('account', 'export', account, file).finally(() => {
      isWritten = true;
    });
    while (!existsSync(file) && !isWritten) await new Promise((resolve) => setImmediate(resolve));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ ledger: [{ credits: 250 }] });
    expect((await written).code).toBe(0);
    expect(existsSync(`${file}.part`)).toBe(false);
  });

  it('leaves no file, and erases nothing, where the stored data cannot be written whole', async () => {
    const rename = (from: string, to: string) => built.accounts.write([{ sql: `ALTER TABLE ${from} RENAME TO ${to}` }]);
    const file = join(built.folder, 'part.json');
    await rename('watch_delivery', 'away');
    expect(await cli('account', 'close', account, '--export', file)).toMatchObject({ code: 1 });
    await rename('away', 'watch_delivery');
    expect(existsSync(file)).toBe(false);
    expect(await readEverything()).toMatch(/Ada/);
  });

  it('erases nothing where AUTH_SECRET differs from the installation’s', async () => {
    const file = join(built.folder, 'other.json');
    const settings = { DATA_DIR: built.folder, AUTH_SECRET: 'another one, of 32 characters or more' };
    expect(await runHere(settings, 'account', 'close', account, '--export', file)).toMatchObject({
      code: 1,
      stderr: "AUTH_SECRET differs from the installation's: set the same one here, then try again\n",
    });
    expect(existsSync(file)).toBe(false);
    expect(await readEverything()).toMatch(/Ada/);
  });

  it('leaves no trace of the person, stops keys and sessions, and the ledger still adds up', async () => {
    expect(await readEverything()).toMatch(/Ada/);
    const file = join(built.folder, 'closed.json');
    const closed = await cli('account', 'close', account, '--export', file);
    expect(closed.stdout).toContain('the ledger stays, with 250 credits left');
    const left = await readEverything();
    for (const trace of ['Ada', 'ada@example.org', 'an answer']) expect(left).not.toContain(trace);
    const tables = ['auth_user', 'auth_session', 'auth_account'];
    for (const table of tables) expect(await built.accounts.read({ sql: `SELECT * FROM ${table}` })).toEqual([]);
    const keys = { sql: 'SELECT name, revoked_at IS NULL AS works FROM api_key WHERE account_id = ?', args: [account] };
    expect(await built.accounts.read(keys)).toEqual([{ name: 'erased', works: 0 }]);
    const report = await verifyLedger(built.accounts);
    expect([report.faults, report.credits]).toEqual([[], 500]);
    for (const words of [
      ['account', 'unfreeze', account],
      ['credits', 'grant', account, '5'],
      ['key', 'create', account],
    ])
      expect(await cli(...words)).toMatchObject({ code: 1, stderr: `account ${account} is closed for good\n` });
    expect(await cli('account', 'close', 'acc_nobody', '--export', join(built.folder, 'x'))).toMatchObject({
      stderr: 'no account acc_nobody: see `account list`\n',
    });
  });

  it('is for customers only: the accounts of the service itself are none', async () => {
    for (const words of [
      ['credits', 'grant', '@revenue', '5'],
      ['account', 'freeze', '@mint'],
      ['key', 'create', '@revenue'],
    ])
      expect(await cli(...words)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^no account @\w+: see `account list`\n$/),
      });
  });
});
