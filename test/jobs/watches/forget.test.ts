import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { takeDown } from '../../../jobs/takedown/run.ts';
import { runUpkeep } from '../../../jobs/tasks/run.ts';
import { createKey, readAccount, revokeKey } from '../../../schema/accounts/customer/account.ts';
import { closeAccount } from '../../../schema/accounts/customer/erase.ts';
import { writePersonalData } from '../../../schema/accounts/customer/personal-data.ts';
import { readBalance } from '../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { readOwed } from '../../../schema/accounts/payments.ts';
import { deleteWatch } from '../../../schema/accounts/watches/deleted.ts';
import { readDelivered } from '../../../schema/accounts/watches/delivered.ts';
import { type DeliveryRow, testStatement } from '../../../schema/accounts/watches/deliveries.ts';
import type { WatchRow } from '../../../schema/accounts/watches/row.ts';
import { isoInstant } from '../../../schema/config/clocks.ts';
import { plant } from '../../schema/accounts/tamper.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { oweCredits } from '../owed-credits.ts';
import { addDelivery, addWatch, openAccount, SERVICE_SECRET } from './seed.ts';

let built: Awaited<ReturnType<typeof makeJobServices>>;
beforeAll(async () => {
  built = await makeJobServices({ AUTH_SECRET: SERVICE_SECRET });
});
afterAll(() => built?.close());
afterEach(async () => {
  expect(await verifyLedger(accounts())).toMatchObject({ faults: [] });
});

const accounts = () => built.services.accounts;
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

async function readDelivery(id: string | null): Promise<DeliveryRow> {
  const [row] = await accounts().read<DeliveryRow>({ sql: 'SELECT * FROM watch_delivery WHERE id = ?', args: [id] });
  return row ?? expect.fail('no such delivery');
}

it('upkeep lets go of bodies after their days, and refunds what no receiver ever took', async () => {
  const accountId = await openAccount(accounts());
  const { id } = await addWatch(accounts(), { account_id: accountId });
  const [old, recent, failed] = [
    await addDelivery(accounts(), id, ['a'], { now: daysAgo(9) }),
    await addDelivery(accounts(), id, ['b'], { now: daysAgo(6) }),
    await addDelivery(accounts(), id, ['c'], { now: daysAgo(12) }),
  ];
  const end = 'UPDATE watch_delivery SET status = ?, ended_at = ?, delivered_at = ? WHERE id = ?';
  for (const [delivery, days] of [[old, 8] as const, [recent, 6] as const]) {
    const at = isoInstant(daysAgo(days));
    await accounts().write([{ sql: end, args: ['delivered', at, at, delivery] }]);
  }
  await accounts().write([{ sql: end, args: ['failed', isoInstant(daysAgo(8)), null, failed] }]);
  expect(await readBalance(accounts(), accountId)).toBe(244);
  await accounts().write([{ sql: "UPDATE watch_delivery SET answer = 'no, not now'" }]);
  await runUpkeep(built.services);
  expect(await readDelivery(old)).toMatchObject({ status: 'delivered', body: null, answer: null });
  expect(await readDelivery(recent)).toMatchObject({ body: expect.anything(), answer: 'no, not now' });
  expect(await readDelivery(failed)).toMatchObject({ status: 'dropped', body: null, answer: null });
  expect(await readBalance(accounts(), accountId)).toBe(246);
  // As an earlier program left it.
  const left = "UPDATE watch_delivery SET answer = 'no', ended_at = ? WHERE id = ?";
  await accounts().write([{ sql: left, args: [isoInstant(daysAgo(8)), failed] }]);
  await runUpkeep(built.services);
  expect(await readDelivery(failed)).toMatchObject({ status: 'dropped', body: null, answer: null });
});

it('upkeep takes from the refunds of each account what that account owes, however many owe', async () => {
  for (let at = 0; at < 2; at++) {
    const accountId = await openAccount(accounts());
    const { id } = await addWatch(accounts(), { account_id: accountId });
    const failed = await addDelivery(accounts(), id, ['a'], { now: daysAgo(12) });
    const end = "UPDATE watch_delivery SET status = 'failed', ended_at = ? WHERE id = ?";
    await accounts().write([{ sql: end, args: [isoInstant(daysAgo(8)), failed] }]);
    await oweCredits(accounts(), accountId, 2);
  }
  await runUpkeep(built.services);
  expect(await readOwed(accounts())).toBe(0);
});

it('upkeep never forgets what a watch that tells what is gone delivered, only what it told as gone', async () => {
  const account_id = await openAccount(accounts());
  const watches = ['["new","gone"]', '["new"]'].map((changes) => addWatch(accounts(), { account_id, changes }));
  const ids = (await Promise.all(watches)).map(({ id }) => id);
  for (const id of ids)
    for (const days of [91, 89])
      await addDelivery(accounts(), id, [`of day ${days}`, `gone ${days}`], { now: daysAgo(days) });
  await accounts().write([{ sql: "UPDATE watch_item SET gone = 1 WHERE item_id LIKE 'gone %'" }]);
  await runUpkeep(built.services);
  const known = await readDelivered(accounts(), ids, ['of day 91', 'of day 89', 'gone 91', 'gone 89']);
  expect(ids.map((id) => [...(known.get(id)?.keys() ?? [])].toSorted())).toEqual([
    ['gone 89', 'of day 89', 'of day 91'],
    ['gone 89', 'of day 89'],
  ]);
});

it('upkeep forgets free tests after WATCH_BODY_DAYS, and no charged delivery', async () => {
  const accountId = await openAccount(accounts());
  const { id } = await addWatch(accounts(), { account_id: accountId });
  const [row] = await accounts().read<WatchRow>({ sql: 'SELECT * FROM watch WHERE id = ?', args: [id] });
  const watch = row ?? expect.fail('no such watch');
  const end = (name: string, days: number) => ({
    sql: "UPDATE watch_delivery SET status = 'delivered', ended_at = ? WHERE id = ?",
    args: [isoInstant(daysAgo(days)), name],
  });
  for (const [name, days] of [
    ['old', 9],
    ['recent', 2],
    ['unsent', 9],
  ] as const) {
    const now = daysAgo(days);
    const test = { id: name, body: '{}', now, at: isoInstant(now), perHour: 10 };
    await accounts().write([testStatement(watch, test), ...(name === 'unsent' ? [] : [end(name, days)])]);
  }
  const charged = await addDelivery(accounts(), id, ['a'], { now: daysAgo(9) });
  await accounts().write([end(charged ?? '', 9)]);
  const left = async () => {
    const sql = 'SELECT id FROM watch_delivery WHERE watch_id = ? ORDER BY number';
    return (await accounts().read<{ id: string }>({ sql, args: [id] })).map((one) => one.id);
  };
  await runUpkeep(built.services);
  expect(await left()).toEqual(['recent', 'unsent', charged]);
  await deleteWatch(accounts(), watch, isoInstant(daysAgo(8)));
  await runUpkeep(built.services);
  expect(await left()).toEqual(['recent', charged]);
});

it('upkeep forgets the keys of free calls after a day, and never the key of a charge', async () => {
  const accountId = await openAccount(accounts());
  const add = `INSERT INTO idempotency (account_id, key, fingerprint, state, claim_token, claim_expires_at, created_at, expires_at)
    SELECT ?1, ?2 || value, '', ?2, value, 9e15, '', ?3 FROM generate_series(1, ?4)`;
  const keys = [
    ['free', Date.now() - 1, 5_001],
    ['done', Date.now() - 1, 1],
    ['free-for-now', Date.now() + 3_600_000, 1],
  ] as const;
  await accounts().write(keys.map(([key, expires, count]) => ({ sql: add, args: [accountId, key, expires, count] })));
  await accounts().write([{ sql: "UPDATE idempotency SET state = 'free' WHERE state = 'free-for-now'" }]);
  await runUpkeep(built.services);
  const sql = 'SELECT key FROM idempotency WHERE account_id = ? ORDER BY key';
  expect(await accounts().read({ sql, args: [accountId] })).toEqual([{ key: 'done1' }, { key: 'free-for-now1' }]);
  await plant(accounts(), `DELETE FROM idempotency WHERE account_id = '${accountId}'`);
});

it.each(['123456-2026', 'PCS-SEP427811'])(
  'a takedown of %s leaves no content of it in what was delivered or waits',
  async (noticeId) => {
    const { id } = await addWatch(accounts(), { account_id: await openAccount(accounts()) });
    const delivery = await addDelivery(accounts(), id, ['a']);
    const items = [noticeId, '654321-2026'].map((notice_id) => ({
      kind: 'notice',
      id: `${notice_id}_ocds-h6vhtk-1`,
      change: 'new',
      item: { notice_id, title: `Work for Ada Quillfeather in ${notice_id}` },
    }));
    const body = JSON.stringify({ type: 'watch.delivery', data: { items } });
    await accounts().write([{ sql: 'UPDATE watch_delivery SET body = ? WHERE id = ?', args: [body, delivery] }]);
    const target = { kind: 'notice', noticeId } as const;
    const done = await takeDown(built.services, target, { reason: 'an order of a court' });
    expect(done).toMatchObject({ acquired: true, result: { deliveries: 1 } });
    const [gone, stays] = JSON.parse((await readDelivery(delivery)).body ?? '').data.items;
    expect(gone).toEqual({ kind: 'notice', id: `${noticeId}_ocds-h6vhtk-1`, change: 'new' });
    expect(stays.item.title).toContain('654321-2026');
  },
);

it('a takedown of a person leaves no mention of her in a delivery or its answer', async () => {
  const { id } = await addWatch(accounts(), { account_id: await openAccount(accounts()) });
  const delivery = await addDelivery(accounts(), id, ['a']);
  const descriptions = ['Questions to:\nOphelia Quillfeather\n', 'Questions to:\nOphelia Quill'];
  const items = descriptions.map((description, at) => ({
    kind: 'notice',
    id: `id${at}`,
    change: 'new',
    item: { description },
  }));
  const body = JSON.stringify({ type: 'watch.delivery', data: { items } });
  const set = 'UPDATE watch_delivery SET body = ?, answer = ? WHERE id = ?';
  await accounts().write([{ sql: set, args: [body, `received ${body}`, delivery] }]);
  const terms = { names: ['Ophelia Quillfeather'], texts: [], emails: [], telephones: [] };
  const done = await takeDown(built.services, { kind: 'person', terms }, { reason: 'asked' });
  expect(done).toMatchObject({ acquired: true, result: { deliveries: 1 } });
  const left = await readDelivery(delivery);
  const [, other] = items;
  expect(JSON.parse(left.body ?? '').data.items).toEqual([{ kind: 'notice', id: 'id0', change: 'new' }, other]);
  expect(left.answer).toBe(null);
});

it('a key that its account revokes pauses the watches that it made, and no others', async () => {
  const accountId = await openAccount(accounts());
  const at = isoInstant(new Date());
  const key = await createKey(accounts(), { accountId, name: 'agent', prefix: 'svc_live_', at });
  const ofKey = await addWatch(accounts(), { account_id: accountId, key_id: key.id });
  const own = await addWatch(accounts(), { account_id: accountId });
  const sql = 'SELECT * FROM watch WHERE id = ?';
  const read = async (id: string) => (await accounts().read<WatchRow>({ sql, args: [id] }))[0];
  expect(await revokeKey(accounts(), await openAccount(accounts()), key.id, at)).toBe(false);
  expect(await read(ofKey.id)).toMatchObject({ state: 'active' });
  await revokeKey(accounts(), accountId, key.id, at);
  expect(await read(ofKey.id)).toMatchObject({ state: 'paused', reason: 'key_revoked' });
  expect(await read(own.id)).toMatchObject({ state: 'active' });
});

it('an account hands out its watches and deliveries, and leaves none when it is closed', async () => {
  const accountId = await openAccount(accounts());
  const { id } = await addWatch(accounts(), { account_id: accountId, name: 'Bridges of the north' });
  const delivery = await addDelivery(accounts(), id, ['a']);
  const account = (await readAccount(accounts(), accountId)) ?? expect.fail('no account');
  const at = isoInstant(new Date());
  let data = '';
  for await (const piece of writePersonalData(accounts(), account, at)) data += piece;
  expect(JSON.parse(data)).toMatchObject({
    watches: [{ id, name: 'Bridges of the north' }],
    watch_deliveries: [{ id: delivery, watch_id: id }],
  });
  expect(data).not.toContain('secret');
  await closeAccount(accounts(), account, { at, secret: SERVICE_SECRET });
  expect(await accounts().read({ sql: 'SELECT 1 FROM watch WHERE account_id = ?', args: [accountId] })).toEqual([]);
  expect(await readDelivery(delivery)).toMatchObject({ status: 'failed', body: null });
});
