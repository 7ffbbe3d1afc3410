import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../../../schema/accounts/customer/account.ts';
import { LINES_MAX, REVENUE } from '../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { chargeTogether } from '../../support/charges-together.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { findFaults, plant } from './tamper.ts';

const AT = '2026-11-21T12:00:00Z';
let folder: Awaited<ReturnType<typeof makeFolder>>;
let accounts: Database;
let account: string;

/** Line 1 gives 100, 2 to 4 charge 2 each. */
beforeAll(async () => {
  folder = await makeFolder();
  accounts = await makeDatabase(folder.path, 'accounts');
  account = (await createAccount(accounts, { name: 'A', signupCredits: 100, at: AT })).id;
  const charges = ['a', 'b', 'c'].map((name) => [`ch_${name}`, `req_${name}`] as const);
  await accounts.write([chargeTogether({ account, credits: 2, action: 'x', keyId: 'k', at: AT, charges })]);
});
afterAll(async () => {
  await accounts.close();
  await folder.remove();
});

describe('a row of several lines that does not fit', () => {
  const row = (changes: Record<string, unknown>) => {
    const fitting = { lines: 2, credits: 4, kind: 'charge', key: 'charge:n1', charges: '[["n1","r1"],["n2","r2"]]' };
    const { lines, credits, kind, key, charges, request, id } = { request: null, id: null, ...fitting, ...changes };
    return {
      sql: `INSERT INTO transfer (id, key, kind, from_account, to_account, credits, action, request_id, created_at, lines, charges)
            SELECT coalesce(?8, seq + ?1), ?2, ?3, ?4, '${REVENUE}', ?5, 'x', ?6, '${AT}', ?1, ?7 FROM sqlite_sequence WHERE name = 'transfer'`,
      args: [lines, key, kind, account, credits, request, charges, id] as (string | number | null)[],
    };
  };

  it.each<[string, Record<string, unknown>]>([
    ['fewer charges than lines', { lines: 3, credits: 6 }],
    ['more charges than lines', { lines: 1, credits: 4 }],
    ['no charges', { charges: null }],
    ['charges that are not JSON', { charges: '[["n1","r1"],' }],
    ['charges that are no list', { charges: '{"0":["n1","r1"],"1":["n2","r2"]}' }],
    ['the key of another charge', { key: 'charge:n2' }],
    ['a request of its own', { request: 'r1' }],
    ['credits that the lines cannot share', { credits: 5 }],
    ['another kind', { kind: 'grant' }],
    ['numbers that others have', { id: 5 }],
    ['a number of lines below one', { lines: 0, charges: null }],
    [
      'more lines than a row may have',
      { lines: 257, credits: 257, charges: JSON.stringify(Array(257).fill(['n1', 'r1'])) },
    ],
  ])('is refused: %s', async (_name, changes) => {
    await expect(accounts.write([row(changes)])).rejects.toThrow('several lines does not fit');
    expect(await verifyLedger(accounts)).toMatchObject({ lines: 4, faults: [] });
  });
});

/** The last: what is done here stays. */
describe('the proof of the ledger finds', () => {
  const charges = (count: number) =>
    JSON.stringify(Array.from({ length: count }, (_, at) => [at ? `ch_${at}` : 'ch_a', `req_${at}`]));

  it('a refund of a row of several charges: nobody could say of which it is', async () => {
    await plant(
      accounts,
      `INSERT INTO transfer (key, kind, from_account, to_account, credits, corrects, created_at)
       SELECT 'refund:r', 'refund', to_account, from_account, 1, id, created_at FROM transfer WHERE id = 4`,
    );
    expect(await findFaults(accounts)).toContain('orphan refund: line 5 refund:r');
  });

  it.each([
    ['a charge that no line has', 3, 4],
    ['a line that no charge has', 3, 2],
    ['a row of one charge', 1, 1],
    ['more lines than a row may have', LINES_MAX + 1, LINES_MAX + 1],
  ])('%s', async (_name, lines, count) => {
    const change = (lines: number, count: number) =>
      plant(
        accounts,
        `UPDATE transfer SET lines = ${lines}, credits = ${2 * lines}, charges = '${charges(count)}' WHERE id = 4`,
      );
    await change(3, 3);
    expect((await findFaults(accounts)).join()).not.toContain('a line that is none');
    await change(lines, count);
    expect(await findFaults(accounts)).toContain('a line that is none: line 4 charge:ch_a');
  });
});
