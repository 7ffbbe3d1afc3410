import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBalance } from '../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { readDeliveries, readDelivery } from '../../../schema/accounts/watches/deliveries.ts';
import { changeWatch, pauseStatement } from '../../../schema/accounts/watches/lifecycle.ts';
import { skipStatement } from '../../../schema/accounts/watches/outbox.ts';
import type { WatchRow } from '../../../schema/accounts/watches/row.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { addDelivery, addWatch, openAccount, readWatch } from '../../jobs/watches/seed.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let accounts: Database;
beforeAll(async () => {
  folder = await makeFolder();
  accounts = await makeDatabase(folder.path, 'accounts');
});
afterAll(async () => {
  expect((await verifyLedger(accounts)).faults).toEqual([]);
  await accounts.close();
  await folder.remove();
});

it.each<[string, (watch: WatchRow) => Promise<unknown>]>([
  [
    'is changed, at the same place',
    (watch) =>
      changeWatch(accounts, watch, {
        ...watch,
        filters: {},
        changes: ['new'],
        dueAt: null,
        at: '2026-06-01T09:00:00Z',
      }),
  ],
  ['is paused', ({ id }) => accounts.write([pauseStatement(id, 'by_owner')])],
  ['delivers others', ({ id }) => addDelivery(accounts, id, ['b'])],
  [
    'delivers others of the same batch',
    ({ id }) => accounts.write([{ sql: "UPDATE watch SET position_id = 'b' WHERE id = ?", args: [id] }]),
  ],
])('what was found for a watch that %s meanwhile is neither charged nor delivered', async (_name, meanwhile) => {
  const accountId = await openAccount(accounts);
  const { id } = await addWatch(accounts, { account_id: accountId });
  const { position, position_id, changed_at, ...watch } = await readWatch(accounts, id);
  await meanwhile({ ...watch, position, position_id, changed_at });
  const read = async () => [
    await readBalance(accounts, accountId),
    await readWatch(accounts, id),
    await readDeliveries(accounts, { accountId, watchId: id }, { limit: 10 }),
  ];
  const before = await read();
  expect(await addDelivery(accounts, id, ['a'], { as: { position, position_id, changed_at } })).toBeNull();
  expect(await read()).toEqual(before);
});

it('a watch that is paused while nothing is found for it stays paused, at its place', async () => {
  const { id } = await addWatch(accounts, { account_id: await openAccount(accounts) });
  await accounts.write([pauseStatement(id, 'by_owner')]);
  const paused = await readWatch(accounts, id);
  await accounts.write([skipStatement([id], paused, { seq: paused.position + 1, id: '~' })]);
  expect(await readWatch(accounts, id)).toEqual(paused);
});

it('a delivery is one of its watch, and of the account of that, alone', async () => {
  const [accountId, other] = [await openAccount(accounts), await openAccount(accounts)];
  const { id: watchId } = await addWatch(accounts, { account_id: accountId });
  const id = (await addDelivery(accounts, watchId, ['a'])) ?? '';
  expect(await readDelivery(accounts, { accountId, watchId, id })).toMatchObject({ id, items: 1 });
  expect(await readDelivery(accounts, { accountId: other, watchId, id })).toBeNull();
  expect(await readDelivery(accounts, { accountId, watchId: 'wat_another', id })).toBeNull();
  expect(await readDeliveries(accounts, { accountId: other, watchId }, { limit: 10 })).toEqual([]);
});
