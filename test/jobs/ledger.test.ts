import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../../schema/accounts-store.ts';
import { grantStatement } from '../../schema/ledger.ts';
import { makeDatabase, makeFolder } from '../databases.ts';
import { runCli, runHere } from './cli-process.ts';

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
  });
});

describe('ledger verify', () => {
  it('says what it proved, and of a ledger that somebody changed which lines are wrong', async () => {
    expect((await cli('verify')).stdout).toMatch(
      /^the ledger is right: 1 accounts hold 251 credits; 5 transfers, 1 of/,
    );
    const accounts = await makeDatabase(folder.path, 'accounts');
    await accounts.write([
      { sql: 'DROP TRIGGER transfer_never_updated' },
      { sql: 'UPDATE transfer SET credits = 50, action = NULL WHERE id = 5' },
    ]);
    await accounts.close();
    const { code, stdout, stderr } = await runCli({ DATA_DIR: folder.path }, 'ledger', 'verify');
    expect([code, stderr]).toEqual([1, 'the ledger has 6 faults\n']);
    expect(
      stdout
        .replaceAll(/\d{4}(-\d\d){2}/g, 'today')
        .split('\n')
        .sort(),
    ).toEqual([
      '',
      'a charge that is not one: line 5 charge:ch_a (acc to @revenue for nothing)'.replace('acc', id),
      `a day of usage is not the ledger's: ${id} today (0 instead of 50)`,
      `a day of usage is not the ledger's: ${id} today (5 instead of 0)`,
      'a guard of the ledger is missing: transfer_never_updated (a trigger)',
      `balance is not the sum of the ledger: @revenue (5 instead of 50)`,
      `balance is not the sum of the ledger: ${id} (251 instead of 206)`,
    ]);
  });
});
