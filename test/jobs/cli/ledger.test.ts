import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../../../schema/accounts/customer/account.ts';
import { grantStatement } from '../../../schema/accounts/ledger/transfers.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { runCli, runHere } from '../../support/run-command.ts';

const AT = '2026-11-21T12:00:00Z';
let folder: Awaited<ReturnType<typeof makeFolder>>;
let id: string;
const cli = (...args: string[]) => runHere({ DATA_DIR: folder.path }, 'ledger', ...args);

beforeAll(async () => {
  folder = await makeFolder();
  await (await makeDatabase(folder.path, 'catalogue')).close();
  const accounts = await makeDatabase(folder.path, 'accounts');
  id = (await createAccount(accounts, { name: 'A', signupCredits: 250, at: AT })).id;
  const grants = [1, 2, 3].map((credits) =>
    grantStatement({ key: `g${credits}`, accountId: id, credits, note: `gift ${credits}`, at: AT }),
  );
  await accounts.write([
    ...grants,
    {
      sql: `INSERT INTO transfer (key, kind, from_account, to_account, credits, action, request_id, created_at)
            VALUES ('charge:ch_a', 'charge', ?, '@revenue', 5, 'lookup_company', 'req_a', ?)`,
      args: [id, AT],
    },
  ]);
  await accounts.close();
});
afterAll(() => folder.remove());

describe('ledger list', () => {
  it('reads an account line by line, newest first, and says how to read on', async () => {
    const first = await cli('list', id, '--limit', '2');
    const lines = first.stdout.split('\n');
    expect(lines[1]).toMatch(/^ *5 +2026-11-21T12:00:00Z +charge +lookup_company +-5 +ch_a +- +req_a +-$/);
    expect(lines.slice(2)).toEqual([expect.stringMatching(/gift 3$/), 'older lines: --before 4', 'balance 251', '']);
    const rest = (await cli('list', id, '--before', '4')).stdout;
    expect(rest).toMatch(/gift 2\n.*gift 1\n.*sign-up credits\nbalance 251\n$/);
    expect((await cli(id)).stdout).toBe((await cli('list', id)).stdout);
    for (const page of ['--limit', '--before'])
      expect(await cli('list', page, '4')).toMatchObject({
        code: 2,
        stderr: '--limit and --before are for the lines of one account: say which\n',
      });
  });
});

describe('a head that is kept elsewhere', () => {
  it('is printed by a backup, and proves every line before it; later lines are counted', async () => {
    const backup = await runHere({ DATA_DIR: folder.path }, 'backup', join(folder.path, 'copy'));
    const head = /^head (5:[0-9a-f]{64})$/m.exec(backup.stdout)?.[1] ?? expect.fail(backup.stdout);
    expect((await cli('verify', '--head', head)).stdout).toMatch(
      new RegExp(`\nevery line up to 5 is as it was; since then nothing\nhead ${head}; 0 lines since\n$`),
    );
    const accounts = await makeDatabase(folder.path, 'accounts');
    await accounts.write([grantStatement({ key: 'late', accountId: id, credits: 7, at: AT })]);
    await accounts.close();
    expect((await cli('verify', '--head', head)).stdout).toMatch(
      new RegExp(`since then 1 grant of 7 credits\nhead ${head}; 1 line since\n$`),
    );
    const other = `5:${'0'.repeat(64)}`;
    expect(await cli('verify', '--head', other)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^the head that was kept is not of this ledger: line 5 \(/),
      stderr: 'the ledger has 1 fault\n',
    });
    expect(await cli('verify', '--head', '5')).toMatchObject({ code: 2 });
  });
});

describe('ledger verify', () => {
  it('says what it proved, and of a ledger that somebody changed which lines are wrong', async () => {
    expect((await cli('verify')).stdout).toMatch(
      /^the ledger is right: 1 account holds 258 credits; 6 lines, 1 of.*\nhead 5:.*; 1 line since\n$/,
    );
    const accounts = await makeDatabase(folder.path, 'accounts');
    await accounts.write([
      { sql: 'DROP TRIGGER transfer_never_updated' },
      { sql: 'UPDATE transfer SET credits = 50, action = NULL WHERE id = 5' },
    ]);
    await accounts.close();
    const { code, stdout, stderr } = await runCli({ DATA_DIR: folder.path }, 'ledger', 'verify');
    expect([code, stderr]).toEqual([1, 'the ledger has 7 faults\n']);
    expect(
      stdout
        .replaceAll(/\d{4}(-\d\d){2}T\S+Z/g, 'NOW')
        .replaceAll(/\d{4}(-\d\d){2}/g, 'today')
        .split('\n')
        .sort(),
    ).toEqual([
      '',
      'a charge that is not one: line 5 charge:ch_a (acc to @revenue for nothing)'.replace('acc', id),
      `a day of usage is not the ledger's: ${id} today (5 credits in 1 call, lines 5 to 5 instead of none)`,
      `a day of usage is not the ledger's: ${id} today (none instead of 50 credits in 1 call, lines 5 to 5)`,
      'a guard of the ledger is missing: transfer_never_updated (a trigger)',
      `balance is not the sum of the ledger: @revenue (5 instead of 50)`,
      `balance is not the sum of the ledger: ${id} (258 instead of 213)`,
      'sealed lines are not as they were: lines 1 to 5 (changed, taken out or put in since NOW, or their seal was)',
    ]);
  });
});
