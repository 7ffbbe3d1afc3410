import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAccount } from '../../../schema/accounts/customer/account.ts';
import { readLedgerWhere } from '../../../schema/accounts/ledger/pages.ts';
import { grantStatement, takeBackStatement } from '../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { startHrana } from '../../support/libsql-server.ts';
import { runHere } from '../../support/run-command.ts';

const AT = '2026-11-21T12:00:00Z';
let folder: Awaited<ReturnType<typeof makeFolder>>;
let accounts: Database;
let id: string;
const cli = (...args: string[]) => runHere({ DATA_DIR: folder.path }, 'credits', ...args);
const give = (credits: string, ...more: string[]) => cli('grant', id, credits, ...more);
const takeBack = (line: number, ...more: string[]) => cli('take', id, String(line), '--reason', 'a slip', ...more);
const lastLine = async () =>
  (await accounts.read<{ id: number }>({ sql: 'SELECT max(id) AS id FROM transfer' }))[0]?.id ?? 0;

beforeAll(async () => {
  folder = await makeFolder();
  await (await makeDatabase(folder.path, 'catalogue')).close();
  accounts = await makeDatabase(folder.path, 'accounts');
  id = (await createAccount(accounts, { name: 'A', signupCredits: 250, at: AT })).id;
});
afterAll(async () => {
  expect((await verifyLedger(accounts)).faults).toEqual([]);
  await accounts.close();
  await folder.remove();
});

it('a server that goes away after the commit, or does not confirm it, leaves no doubt about what was done', async () => {
  const server = await startHrana(join(folder.path, 'accounts.db'));
  const settings = {
    DATA_DIR: folder.path,
    ACCOUNTS_URL: server.url,
    AUTH_SECRET: 'of this test, 32 characters or more',
  };
  const run = (...args: string[]) => runHere(settings, ...args);
  const isCommit = (asked: string) => asked.includes('BEGIN IMMEDIATE');
  const isEnd = (asked: string) => asked.includes('"requests":[{"type":"close"}]');
  const { id: other } = await createAccount(accounts, { name: 'B', signupCredits: 250, at: AT });
  for (const command of [
    ['account', 'create', 'C'],
    ['credits', 'grant', other, '7'],
    ['credits', 'take', other, String((await lastLine()) + 2), '--reason', 'a slip'],
    ['account', 'close', other, '--export', join(folder.path, 'closed.json')],
  ]) {
    expect(await run(...command)).toMatchObject({ code: 0, stdout: expect.stringMatching(/25[07]/) });
    const after = server.asked.slice(server.asked.findLastIndex(isCommit) + 1);
    expect([command, after.filter((asked) => !isEnd(asked))]).toEqual([command, []]);
  }
  const before = await lastLine();
  server.loseAnswers(1);
  expect((await run('credits', 'grant', id, '7')).stderr).toMatch(/did not say whether this was written/);
  expect(await lastLine()).toBe(before + 1);
  expect((await cli('take', id, String(before + 1), '--reason', 'a slip')).stdout).toMatch(/^7 credits taken back/);
  server.close();
});

it.each(['0', '-5', '1.5', '1e3', '0x10', '100000001', '99999999999999999999', ''])(
  'a grant of %j is refused',
  async (amount) => {
    const before = await lastLine();
    const { code, stderr } = await give(...([amount] as [string]));
    expect([code, stderr]).toEqual([2, expect.stringMatching(/a whole number from 1 to 100000000|unknown option/)]);
    expect(await lastLine()).toBe(before);
  },
);

it('no grant of more is written by any caller', () => {
  const grant = (credits: number) => grantStatement({ key: 'g', accountId: id, credits, at: AT });
  for (const credits of [100_000_001, 0, -1, 0.5, Number.NaN]) expect(() => grant(credits)).toThrow(RangeError);
});

it('the greatest grants add up to the credit, and are taken back to the credit', async () => {
  for (let times = 1; times <= 3; times += 1) await give('100000000', '--once', `big-${times}`);
  expect((await give('1')).stdout).toBe('1 credit granted; balance 300000251\n');
  const last = await lastLine();
  const taken: string[] = [];
  for (const line of [last - 3, last - 2, last - 1, last]) taken.push((await takeBack(line)).stdout);
  expect(taken).toEqual([
    ...['200000251', '100000251', '251'].map((balance) => `100000000 credits taken back; balance ${balance}\n`),
    '1 credit taken back; balance 250\n',
  ]);
});

it('a key that gave another amount is refused, one that gave the same is said', async () => {
  expect((await give('40', '--once', 'INV-1')).stdout).toBe('40 credits granted; balance 290\n');
  expect((await give('40', '--once', 'INV-1')).stdout).toBe('granted before; balance 290\n');
  for (const other of ['41', '39'])
    expect(await give(other, '--once', 'INV-1')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        new RegExp(`^this key gave 40 credits at 2\\S+Z, not ${other}: nothing was granted; use another --once\n$`),
      ),
    });
  expect((await give('40', '--once', ' ')).code).not.toBe(0);
  const listed = await runHere({ DATA_DIR: folder.path }, 'ledger', 'list', id);
  expect(listed.stdout).toMatch(/grant +- +40 +cli:INV-1 /);
});

it('a mistaken grant is taken back as a line that names it and says why, once', async () => {
  await give('500', '--note', 'for A, not for B');
  const line = await lastLine();
  expect((await takeBack(line, '--credits', '200')).stdout).toBe('200 credits taken back; balance 590\n');
  expect(await takeBack(line, '--credits', '301')).toMatchObject({
    code: 1,
    stderr: '300 of 500 credits are left of that grant, not 301\n',
  });
  expect((await takeBack(line)).stdout).toBe('300 credits taken back; balance 290\n');
  expect((await takeBack(line)).stdout).toBe('taken back before; balance 290\n');
  const filtered = await readLedgerWhere(accounts, id, { kind: 'grant' }, { limit: 2 });
  expect(filtered.map(({ kind, credits, corrects, note }) => ({ kind, credits, corrects, note }))).toEqual([
    { kind: 'grant', credits: -300, corrects: line, note: 'a slip' },
    { kind: 'grant', credits: -200, corrects: line, note: 'a slip' },
  ]);
});

it('the second of two operators who take back the same credits takes nothing', async () => {
  await give('500');
  const line = await lastLine();
  const taking = { accountId: id, line, credits: 300, left: 500, note: 'a slip', at: AT };
  const more = takeBackStatement({ ...taking, credits: 501 });
  const outcomes = await accounts.write([more, takeBackStatement(taking), takeBackStatement(taking)]);
  expect(outcomes.map(({ changes }) => changes)).toEqual([0, 1, 0]);
  await takeBack(line);
});

it('what is spent cannot be taken, and only a grant to that account can', async () => {
  await give('500');
  const line = await lastLine();
  await accounts.write([
    {
      sql: `INSERT INTO transfer (key, kind, from_account, to_account, credits, action, created_at) VALUES ('charge:x', 'charge', ?, '@revenue', 700, 'bulk_export', ?)`,
      args: [id, AT],
    },
  ]);
  expect(await takeBack(line)).toMatchObject({
    code: 1,
    stderr: 'the balance is 90: take at most that, with --credits 90\n',
  });
  expect((await takeBack(line, '--credits', '90')).stdout).toBe('90 credits taken back; balance 0\n');
  await createAccount(accounts, { name: 'D', signupCredits: 250, at: AT });
  for (const none of [line + 1, await lastLine(), line + 100])
    expect((await takeBack(none)).stderr).toBe(`line ${none} is no grant to ${id}: see \`ledger list ${id}\`\n`);
  expect((await cli('take', id, String(line))).stderr).toMatch(/required option '--reason <text>'/);
  expect((await cli('take', 'acc_none', '1', '--reason', 'x')).stderr).toBe(
    'no account acc_none: see `account list`\n',
  );
});
