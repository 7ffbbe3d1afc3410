import { describe, expect, it } from 'vitest';
import { readBalance } from '../../../schema/accounts/ledger/transfers.ts';
import { readOwed } from '../../../schema/accounts/payments.ts';
import { deleteWatch } from '../../../schema/accounts/watches/deleted.ts';
import { retryStatement } from '../../../schema/accounts/watches/deliveries.ts';
import { dropFailedStatements, dropWaitingStatements } from '../../../schema/accounts/watches/dropped.ts';
import { changeWatch, resumeStatements } from '../../../schema/accounts/watches/lifecycle.ts';
import { isoInstant } from '../../../schema/config/clocks.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { oweCredits } from '../owed-credits.ts';
import { award, makeMatcher, tender } from './matcher.ts';
import { startReceiver } from './receiver.ts';
import { addDelivery, addWatch, openAccount } from './seed.ts';
import { useSender } from './sender.ts';

const { sender, receiver, accounts } = useSender();

describe('what was not delivered', () => {
  it('is dropped and refunded where its watch is changed or deleted', async () => {
    const accountId = await openAccount(accounts());
    const { id } = await addWatch(accounts(), { account_id: accountId, webhook: receiver().url });
    await addDelivery(accounts(), id, ['a']);
    await addDelivery(accounts(), id, ['b']);
    expect(await readBalance(accounts(), accountId)).toBe(246);
    const watch = await sender().readWatch(id);
    await changeWatch(accounts(), watch, {
      ...watch,
      filters: { query: 'tunnels' },
      changes: ['new'],
      dueAt: null,
      at: '2026-06-01T09:00:00Z',
    });
    expect(await readBalance(accounts(), accountId)).toBe(250);
    expect((await sender().listed(id)).map(({ status }) => status)).toEqual(['dropped', 'dropped']);
    for (const item of ['c', 'd']) await addDelivery(accounts(), id, [item]);
    await accounts().write([
      { sql: "UPDATE watch_delivery SET status = 'failed' WHERE number = (SELECT max(number) FROM watch_delivery)" },
    ]);
    await deleteWatch(accounts(), await sender().readWatch(id), '2026-06-01T10:00:00Z');
    expect(await readBalance(accounts(), accountId)).toBe(250);
    expect(await sender().send()).toEqual({ delivered: 0, failed: 0 });
  });

  it('of an account that owes credits is refunded, and what is owed is taken from that', async () => {
    const accountId = await openAccount(accounts());
    const { id } = await addWatch(accounts(), { account_id: accountId, webhook: receiver().url });
    for (const item of ['a', 'b']) await addDelivery(accounts(), id, [item]);
    await oweCredits(accounts(), accountId, 3);
    await deleteWatch(accounts(), await sender().readWatch(id), '2026-06-01T10:00:00Z');
    expect([await readBalance(accounts(), accountId), await readOwed(accounts())]).toEqual([1, 0]);
  });

  it('is not refunded where its receiver may have it, whatever it answered', async () => {
    const accountId = await openAccount(accounts());
    const { id } = await addWatch(accounts(), { account_id: accountId, webhook: receiver().url });
    const change = async () => {
      const watch = await sender().readWatch(id);
      await changeWatch(accounts(), watch, {
        ...watch,
        filters: {},
        changes: ['new'],
        dueAt: null,
        at: isoInstant(sender().now()),
      });
    };
    await addDelivery(accounts(), id, ['a']);
    await addDelivery(accounts(), id, ['b']);
    receiver().answer((response) => response.writeHead(500).end());
    await sender().send();
    const move = (url: string) =>
      accounts().write([{ sql: 'UPDATE watch SET webhook = ? WHERE id = ?', args: [url, id] }]);
    await move('http://127.0.0.1:1/nobody');
    sender().wait(6);
    expect(await sender().send()).toEqual({ delivered: 0, failed: 1 });
    await move(receiver().url);
    await change();
    expect(await readBalance(accounts(), accountId)).toBe(248);
    // Changed before it answers, and cut off without an answer.
    await addDelivery(accounts(), id, ['c']);
    receiver().answer(async (response) => {
      await change();
      response.destroy();
    });
    await sender().send();
    expect(await readBalance(accounts(), accountId)).toBe(246);
    expect((await sender().listed(id)).map(({ status }) => status)).toEqual(['failed', 'dropped', 'failed']);
  });

  it('is not sent where it was dropped after it was read', async () => {
    const accountId = await openAccount(accounts());
    const { id } = await addWatch(accounts(), { account_id: accountId, webhook: receiver().url });
    await addDelivery(accounts(), id, ['a']);
    const drop = dropWaitingStatements({ watchId: id, why: 'its watch was changed', at: '2026-06-01T09:00:00Z' });
    const write: Database['write'] = async (statements) => (await accounts().write([...drop, ...statements])).slice(4);
    expect(await sender().send({ ...accounts(), write })).toEqual({ delivered: 0, failed: 0 });
    expect([receiver().received, await readBalance(accounts(), accountId)]).toEqual([[], 250]);
  });

  it('is none where its receiver took it, though its watch was changed before it answered', async () => {
    const { id } = await addWatch(accounts(), { account_id: await openAccount(accounts()), webhook: receiver().url });
    await addDelivery(accounts(), id, ['a']);
    const watch = await sender().readWatch(id);
    receiver().answer(async (response) => {
      const to = { ...watch, filters: {}, changes: ['new' as const], dueAt: null, at: '2026-06-01T09:00:00Z' };
      await changeWatch(accounts(), watch, to);
      response.end('thank you');
    });
    await sender().send();
    const taken = { status: 'delivered', attempts: 1, answer_status: 200, error: null, body: null, answer: null };
    expect(await sender().listed(id)).toMatchObject([taken]);
  });

  it('is refunded where no connection was made', async () => {
    const accountId = await openAccount(accounts());
    const gone = await startReceiver();
    await gone.close();
    const { id } = await addWatch(accounts(), { account_id: accountId, webhook: gone.url });
    await addDelivery(accounts(), id, ['a']);
    await sender().send();
    expect(await sender().listed(id)).toMatchObject([{ status: 'waiting', error: 'the connection was refused' }]);
    await deleteWatch(accounts(), await sender().readWatch(id), '2026-06-01T10:00:00Z');
    expect(await readBalance(accounts(), accountId)).toBe(250);
  });

  it('for good keeps why and since when, though its watch is resumed, and changed later', async () => {
    const { id } = await addWatch(accounts(), { account_id: await openAccount(accounts()), webhook: receiver().url });
    await addDelivery(accounts(), id, ['a']);
    receiver().answer((response) => response.writeHead(410).end());
    await sender().send();
    await accounts().write(dropFailedStatements('2026-06-09T08:00:00Z', '2026-06-09T09:00:00Z'));
    const ended = await sender().listed(id);
    expect(ended).toMatchObject([{ status: 'failed', body: null, error: 'its receiver never took it' }]);
    await accounts().write(resumeStatements(id, sender().now()));
    expect(await sender().listed(id)).toEqual(ended);
    const watch = await sender().readWatch(id);
    const to = { ...watch, filters: {}, changes: ['new' as const], dueAt: null, at: '2026-07-01T09:00:00Z' };
    await changeWatch(accounts(), watch, to);
    expect(await sender().listed(id)).toEqual(ended);
  });

  it('pauses no watch that was given another address while it was out', async () => {
    const { id } = await addWatch(accounts(), { account_id: await openAccount(accounts()), webhook: receiver().url });
    await addDelivery(accounts(), id, ['a']);
    const watch = await sender().readWatch(id);
    const to = { ...watch, filters: {}, changes: ['new' as const], dueAt: null, at: '2026-06-01T09:00:00Z' };
    // A receiver that moved says so to us, and then to the sender().
    receiver().answer(async (response) => {
      await changeWatch(accounts(), watch, { ...to, webhook: `${receiver().url}/moved` });
      response.writeHead(410).end();
    });
    expect(await sender().send()).toEqual({ delivered: 0, failed: 1 });
    expect(await sender().readWatch(id)).toMatchObject({ webhook: `${receiver().url}/moved`, state: 'active' });
  });

  it('stays paid for once it arrived, whatever comes of sending it again', async () => {
    const accountId = await openAccount(accounts());
    const { id } = await addWatch(accounts(), { account_id: accountId, webhook: receiver().url });
    const delivery = await addDelivery(accounts(), id, ['a']);
    await sender().send();
    await accounts().write([retryStatement(delivery ?? '', sender().now().getTime())]);
    receiver().answer((response) => response.writeHead(410).end());
    await sender().send();
    expect(await sender().listed(id)).toMatchObject([{ status: 'delivered' }]);
    await deleteWatch(accounts(), await sender().readWatch(id), '2026-06-01T10:00:00Z');
    expect(await readBalance(accounts(), accountId)).toBe(248);
  });
});

it('what a watch dropped before its receiver had it is not told to be gone, nor charged', async () => {
  const matcher = await makeMatcher();
  const accountId = await openAccount(matcher.accounts);
  const id = await matcher.watch({ account_id: accountId, filters: '{"query":"bridges"}' });
  await matcher.store([tender(1, 'Bridges in the north')]);
  await matcher.match();
  const at = '2026-06-01T08:30:00Z';
  await matcher.accounts.write(dropWaitingStatements({ watchId: id, why: 'its watch was changed', at }));
  await matcher.store([tender(1, 'Roads in the north', { version: 1 })]);
  await matcher.match();
  expect(await matcher.deliveries(id)).toMatchObject([{ status: 'dropped' }]);
  expect(await readBalance(matcher.accounts, accountId)).toBe(250);
  await matcher.close();
});

it('what was dropped before its receiver had it is new to it once it changes', async () => {
  const matcher = await makeMatcher();
  const wanted = { account_id: await openAccount(matcher.accounts), changes: '["new"]' };
  const id = await matcher.watch({ ...wanted, collection: 'contracts', filters: '{"value_min":50000}' });
  await matcher.store([award(1, 'Bridges')]);
  await matcher.match();
  await matcher.accounts.write([
    { sql: "UPDATE watch_delivery SET status = 'failed', ended_at = '2026-06-01T08:00:00Z'" },
  ]);
  await matcher.accounts.write(dropFailedStatements('2026-06-02T08:00:00Z', '2026-06-09T08:00:00Z'));
  await matcher.store([award(1, 'Bridges in the north', undefined, { version: 1 })]);
  await matcher.match();
  const bodies = (await matcher.deliveries(id)).flatMap(({ body }) => (body ? [JSON.parse(body)] : []));
  expect(bodies).toMatchObject([{ data: { items: [{ change: 'new', item: { title: 'Bridges in the north' } }] } }]);
  await matcher.close();
});

it('what was dropped but waits in a later delivery is told to match no more after that', async () => {
  const matcher = await makeMatcher();
  const id = await matcher.watch({ account_id: await openAccount(matcher.accounts), filters: '{"query":"bridges"}' });
  for (const [version, title] of ['Bridges', 'Bridges in the north'].entries()) {
    await matcher.store([tender(1, title, { version })]);
    await matcher.match();
  }
  await matcher.accounts.write([
    { sql: "UPDATE watch_delivery SET status = 'failed', ended_at = '2026-06-01T08:00:00Z' WHERE number = 1" },
  ]);
  await matcher.accounts.write(dropFailedStatements('2026-06-02T08:00:00Z', '2026-06-09T08:00:00Z'));
  await matcher.accounts.write([
    { sql: "UPDATE watch_delivery SET status = 'delivered', sending_at = created_at WHERE status = 'waiting'" },
  ]);
  await matcher.store([tender(1, 'Roads', { version: 2 })]);
  await matcher.match();
  const bodies = (await matcher.deliveries(id)).flatMap(({ body }) => (body ? [JSON.parse(body)] : []));
  expect(bodies.flatMap(({ data }) => data.items.map(({ change }: { change: string }) => change))).toEqual([
    'updated',
    'left',
  ]);
  await matcher.close();
});

it('what a receiver has is told to match no more, even where that was dropped once', async () => {
  const matcher = await makeMatcher();
  const id = await matcher.watch({ account_id: await openAccount(matcher.accounts), filters: '{"query":"bridges"}' });
  const store = async (version: number, titles: string[]) => {
    await matcher.store(titles.map((title, at) => tender(at + 1, `${title} ${version}`, { version })));
    await matcher.match();
  };
  await store(0, ['Bridges', 'Bridges']);
  await matcher.accounts.write([{ sql: "UPDATE watch_delivery SET status = 'delivered', sending_at = created_at" }]);
  await store(1, ['Roads', 'Roads', 'Bridges']);
  await store(2, ['Roads', 'Bridges', 'Bridges']);
  const at = '2026-06-01T08:30:00Z';
  await matcher.accounts.write(dropWaitingStatements({ watchId: id, why: 'its watch was changed', at }));
  await store(3, ['Paths', 'Paths', 'Paths']);
  const told = JSON.parse((await matcher.deliveries(id)).at(-1)?.body ?? '').data.items as {
    id: string;
    change: string;
  }[];
  expect(told.map(({ id, change }) => [id.slice(0, 6), change])).toEqual([
    ['000001', 'left'],
    ['000002', 'left'],
  ]);
  await matcher.close();
});
