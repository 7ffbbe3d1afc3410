import { describe, expect, it } from 'vitest';
import { redactDeliveries } from '../../../jobs/takedown/accounts.ts';
import { readBalance } from '../../../schema/accounts/ledger/transfers.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { startReceiver } from './receiver.ts';
import { addDelivery, addWatch, openAccount } from './seed.ts';
import { useSender } from './sender.ts';

const { sender, receiver, accounts } = useSender({ WATCH_SENDS_AT_ONCE: '16' });

describe('a receiver that behaves badly', () => {
  it('delays nobody else: a hung one, and one whose answer has no end', async () => {
    const hung = await startReceiver();
    hung.answer(() => undefined);
    const endless = await startReceiver();
    endless.answer((response) => {
      response.write('x'.repeat(400));
    });
    try {
      const accountId = await openAccount(accounts());
      const ids = [];
      for (const { url } of [hung, endless, receiver()])
        ids.push((await addWatch(accounts(), { account_id: accountId, webhook: url })).id);
      for (const id of ids) await addDelivery(accounts(), id, ['a']);
      const sending = sender().send();
      await expect.poll(() => receiver().received.length).toBe(1);
      // What comes while the hung one is waited for is sent at once, too.
      await addDelivery(accounts(), ids[2] ?? '', ['b']);
      await expect.poll(() => receiver().received.length).toBe(2);
      expect(await sending).toEqual({ delivered: 3, failed: 1 });
      expect(await sender().listed(ids[0] ?? '')).toMatchObject([{ status: 'waiting', error: 'no answer within 2 s' }]);
      expect(await sender().listed(ids[1] ?? '')).toMatchObject([{ status: 'delivered', answer: 'x'.repeat(400) }]);
    } finally {
      await hung.close();
      await endless.close();
    }
  });

  it('delays nobody else with all the watches that wait for it', async () => {
    const hung = await startReceiver();
    hung.answer(() => undefined);
    for (let number = 0; number < 40; number++) {
      const { id } = await addWatch(accounts(), { account_id: await openAccount(accounts()), webhook: hung.url });
      await addDelivery(accounts(), id, ['a']);
    }
    const { id } = await addWatch(accounts(), { account_id: await openAccount(accounts()), webhook: receiver().url });
    await addDelivery(accounts(), id, ['a']);
    const sending = sender().send();
    await expect.poll(() => receiver().received.length).toBe(1);
    const [tried] = await accounts().read({
      sql: 'SELECT max(attempts) AS most FROM watch_delivery d WHERE EXISTS (SELECT 1 FROM watch w WHERE w.id = d.watch_id AND w.webhook = ?)',
      args: [hung.url],
    });
    expect(tried).toEqual({ most: 0 });
    expect(hung.received.length).toBeLessThanOrEqual(4);
    await hung.close();
    await sending;
  });

  it('delays nobody else with all the addresses that one account has of it', async () => {
    const hung = await Promise.all(Array.from({ length: 20 }, startReceiver));
    const accountId = await openAccount(accounts());
    for (const one of hung) {
      one.answer(() => undefined);
      const { id } = await addWatch(accounts(), { account_id: accountId, webhook: one.url });
      await addDelivery(accounts(), id, ['a']);
    }
    const { id } = await addWatch(accounts(), { account_id: await openAccount(accounts()), webhook: receiver().url });
    await addDelivery(accounts(), id, ['a']);
    const sending = sender().send();
    await expect.poll(() => receiver().received.length).toBe(1);
    const [tried] = await accounts().read({
      sql: 'SELECT max(attempts) AS most FROM watch_delivery WHERE account_id = ?',
      args: [accountId],
    });
    expect(tried).toEqual({ most: 0 });
    expect(hung.filter(({ received }) => received.length > 0).length).toBeLessThanOrEqual(4);
    for (const one of hung) await one.close();
    await sending;
  });

  it('has no more of its answer read than is shown', async () => {
    const { id } = await addWatch(accounts(), { account_id: await openAccount(accounts()), webhook: receiver().url });
    await addDelivery(accounts(), id, ['a']);
    let written = 0;
    receiver().answer((response) => {
      const chunk = 'y'.repeat(65_536);
      const pour = () => {
        while (!response.destroyed && written < 10_000_000) {
          written += chunk.length;
          if (!response.write(chunk)) {
            response.once('drain', pour);
            return;
          }
        }
        response.end();
      };
      pour();
    });
    await sender().send();
    expect((await sender().listed(id))[0]).toMatchObject({ status: 'delivered', answer: 'y'.repeat(500) });
    expect(written).toBeLessThan(10_000_000);
  });

  it('is not followed to another address', async () => {
    const { id } = await addWatch(accounts(), { account_id: await openAccount(accounts()), webhook: receiver().url });
    await addDelivery(accounts(), id, ['a']);
    receiver().answer((response) => response.writeHead(302, { location: '/elsewhere' }).end());
    await sender().send();
    expect(receiver().received).toHaveLength(1);
    expect(await sender().listed(id)).toMatchObject([{ error: 'HTTP 302: redirects are not followed' }]);
  });
});

describe('a sender', () => {
  it('whose lease another process took over writes nothing; that one sends again, under the same id', async () => {
    const { id } = await addWatch(accounts(), { account_id: await openAccount(accounts()), webhook: receiver().url });
    const delivery = await addDelivery(accounts(), id, ['a']);
    const answers: (() => void)[] = [];
    receiver().answer((response) => void answers.push(() => response.end('late')));
    const sending = sender().send();
    const refused = expect(sending).rejects.toThrow(/lease lost/);
    await expect.poll(() => answers.length).toBe(1);
    await accounts().write([
      { sql: "UPDATE lease SET token = 'of another process', expires_at = 0 WHERE name = 'webhooks'" },
    ]);
    answers[0]?.();
    await refused;
    expect(await sender().listed(id)).toMatchObject([{ status: 'waiting', attempts: 0, answer: null }]);
    receiver().answer((response) => response.end('in time'));
    expect(await sender().send()).toEqual({ delivered: 1, failed: 0 });
    expect(receiver().received.map((one) => one.id)).toEqual([delivery, delivery]);
    expect(await sender().listed(id)).toMatchObject([{ status: 'delivered', attempts: 1, answer: 'in time' }]);
  });

  it('keeps the order and the charges of a watch over a clock that jumps', async () => {
    const accountId = await openAccount(accounts());
    const { id } = await addWatch(accounts(), { account_id: accountId, webhook: receiver().url });
    const sent = [await addDelivery(accounts(), id, ['a'], { now: sender().now() })];
    sender().wait(-7_200);
    sent.push(await addDelivery(accounts(), id, ['b'], { now: sender().now() }));
    // What is due by the clock from before the jump is not overtaken.
    expect(await sender().send()).toEqual({ delivered: 0, failed: 0 });
    sender().wait(7_200);
    expect(await sender().send()).toEqual({ delivered: 2, failed: 0 });
    sender().wait(400 * 86_400);
    sent.push(await addDelivery(accounts(), id, ['c'], { now: sender().now() }));
    await sender().send();
    sender().wait();
    await sender().send();
    expect(receiver().received.map((one) => one.id)).toEqual(sent);
    expect(await readBalance(accounts(), accountId)).toBe(244);
  });
});

it('a webhook has nothing that was taken down after its delivery was read', async () => {
  const { id } = await addWatch(accounts(), { account_id: await openAccount(accounts()), webhook: receiver().url });
  const delivery = await addDelivery(accounts(), id, ['a']);
  const item = { kind: 'notice', id: 'a', change: 'new', item: { title: 'Work for Ada Quillfeather' } };
  const args = [JSON.stringify({ data: { items: [item] } }), delivery];
  await accounts().write([{ sql: 'UPDATE watch_delivery SET body = ? WHERE id = ?', args }]);
  const write: Database['write'] = async (statements) => {
    await redactDeliveries(accounts(), (text) => text.includes('Quillfeather'), { sql: 'SELECT 1' });
    return accounts().write(statements);
  };
  await sender().send({ ...accounts(), write });
  const body = '{"data":{"items":[{"kind":"notice","id":"a","change":"new"}]}}';
  expect(receiver().received).toMatchObject([{ id: delivery, body }]);
});
