import { readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runUpkeep, writeExports } from '../../jobs/tasks/run.ts';
import { createAccount } from '../../schema/accounts/customer/account.ts';
import { readExport, rewriteStatement } from '../../schema/accounts/exports/states.ts';
import { exportFolder } from '../../schema/accounts/exports/storage.ts';
import { readBalance } from '../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../schema/accounts/ledger/verify.ts';
import { makeJobServices } from '../support/job-services.ts';
import { chargeExport, insertBuyers } from '../support/paid-exports.ts';

let built: Awaited<ReturnType<typeof makeJobServices>>;
let accountId: string;
let keys: string[];
beforeEach(async () => {
  built = await makeJobServices();
  const { accounts, catalogue } = built.services;
  accountId = (await createAccount(accounts, { name: 'A', signupCredits: 1_000, at: '2026-11-21T00:00:00Z' })).id;
  keys = await insertBuyers(catalogue, 4);
  for (const id of ['ex_1', 'ex_2']) await chargeExport(accounts, { id, accountId, format: 'csv', keys, credits: 100 });
  await writeExports(built.services);
});
afterEach(() => built.close());

const state = async (id: string) => (await readExport(built.services.accounts, id)) ?? expect.fail(id);
const pathOf = async (id: string) => join(exportFolder(built.services.settings), (await state(id)).file ?? '');
const report = async () => {
  const done = await runUpkeep(built.services, undefined);
  return done.acquired ? done.result : expect.fail('held by another');
};

it.each([
  ['was removed', (path: string) => rm(path)],
  ['was cut short', (path: string) => truncate(path, 40)],
  ['is empty', (path: string) => writeFile(path, '')],
  ['was renamed', (path: string) => rename(path, `${path}.old`)],
])('a finished export whose file %s is written again, free, under its id and until its day', async (_, lose) => {
  const [before, other] = [await state('ex_1'), await state('ex_2')];
  const path = await pathOf('ex_1');
  const bytes = await readFile(path, 'utf8');
  await lose(path);

  expect(await report()).toMatchObject({ exportsRewritten: 1, exportsExpired: 0 });
  expect(await state('ex_1')).toMatchObject({ status: 'processing', file: null, bytes: null, sha256: null });
  await writeExports(built.services);
  const { completed_at: _at, ...kept } = before;
  expect(await state('ex_1')).toMatchObject({ ...kept, error: 'written again after its file was lost' });
  expect(await readFile(await pathOf('ex_1'), 'utf8')).toBe(bytes);
  expect(await state('ex_2')).toEqual(other);
  expect(await report()).toMatchObject({ exportsRewritten: 0 });
  expect(await readBalance(built.services.accounts, accountId)).toBe(800);
});

it('rows that are no longer there are refunded by their share, once', async () => {
  const { accounts, catalogue } = built.services;
  for (const lost of [keys[0], keys[1]]) {
    await rm(await pathOf('ex_1'));
    await catalogue.write([{ sql: 'DELETE FROM buyer WHERE id = ?', args: [lost ?? ''] }]);
    await report();
    await writeExports(built.services);
  }
  expect(await state('ex_1')).toMatchObject({ status: 'completed', rows: 2, refunded: 50 });
  expect(await readBalance(accounts, accountId)).toBe(850);
  expect((await verifyLedger(accounts)).faults).toEqual([]);
});

it('a row that goes, comes back and goes again is refunded once, and another that goes then by its share', async () => {
  const { accounts, catalogue } = built.services;
  const states = [];
  for (const [gone, row] of [
    [1, 0],
    [0, 0],
    [1, 0],
    [1, 1],
  ] as const) {
    await rm(await pathOf('ex_1'));
    await catalogue.write([{ sql: 'UPDATE buyer SET gone = ? WHERE id = ?', args: [gone, keys[row] ?? ''] }]);
    await report();
    await writeExports(built.services);
    const { rows, refunded } = await state('ex_1');
    states.push([rows, refunded, await readBalance(accounts, accountId)]);
  }
  expect(states).toEqual([
    [3, 25, 825],
    [4, 25, 825],
    [3, 25, 825],
    [2, 50, 850],
  ]);
  expect((await verifyLedger(accounts)).faults).toEqual([]);
});

it('one that has another file by now is left as it is', async () => {
  const { accounts } = built.services;
  const now = [await state('ex_1'), await state('ex_2')];
  await accounts.write([rewriteStatement({ id: 'ex_1', file: 'ex_1-former.csv' }, '2026-11-21T00:00:00Z')]);
  expect([await state('ex_1'), await state('ex_2')]).toEqual(now);
});

it('one that has expired, or whose file is on its way, is left as it is', async () => {
  const { accounts } = built.services;
  await rm(await pathOf('ex_1'));
  await accounts.write([{ sql: "UPDATE export SET expires_at = '2026-01-01T00:00:00Z' WHERE id = 'ex_1'" }]);
  await chargeExport(accounts, { id: 'ex_3', accountId, format: 'csv', keys, credits: 100 });
  expect(await report()).toMatchObject({ exportsRewritten: 0, exportsExpired: 1 });
  expect([(await state('ex_1')).status, (await state('ex_3')).status]).toEqual(['expired', 'processing']);
});
