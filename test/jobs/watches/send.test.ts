import { setImmediate as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { deliverWebhooks } from '../../../jobs/tasks/watches.ts';
import { readBalance } from '../../../schema/accounts/ledger/transfers.ts';
import { retryStatement, testStatement } from '../../../schema/accounts/watches/deliveries.ts';
import { pauseStatement, resumeStatements, rotateStatement } from '../../../schema/accounts/watches/lifecycle.ts';
import { makeWatchSecret, sealWatchSecret } from '../../../schema/accounts/watches/secret.ts';
import type { Database, Statement } from '../../../schema/db/interface.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { addDelivery, addWatch, openAccount, SERVICE_SECRET } from './seed.ts';
import { useSender } from './sender.ts';

const { sender, receiver, accounts } = useSender();

describe('a webhook', () => {
  it('is signed so that its receiver can prove that it is ours, and recorded with its answer', async () => {
    const accountId = await openAccount(accounts());
    const { id, secret } = await addWatch(accounts(), { account_id: accountId, webhook: receiver().url });
    const delivery = await addDelivery(accounts(), id, ['a', 'b']);
    expect(await sender().send()).toEqual({ delivered: 1, failed: 0 });
    const [came] = receiver().received;
    expect(came?.id).toBe(delivery);
    const hook = new Webhook(secret);
    expect(came?.headers).toMatchObject({
      'webhook-signature': hook.sign(String(delivery), sender().now(), came?.body ?? ''),
      'webhook-timestamp': String(sender().now().getTime() / 1_000),
    });
    expect(await sender().listed(id)).toMatchObject([
      { id: delivery, status: 'delivered', answer_status: 200, answer: 'thank you', credits: 2, attempts: 1 },
    ]);
    expect(await readBalance(accounts(), accountId)).toBe(248);
  });

  it('is sent again with the same id until it is taken, and later ones of its watch wait for it', async () => {
    const accountId = await openAccount(accounts());
    const { id } = await addWatch(accounts(), { account_id: accountId, webhook: receiver().url });
    const first = await addDelivery(accounts(), id, ['a']);
    const second = await addDelivery(accounts(), id, ['b']);
    receiver().answer((response) => response.writeHead(500).end('no'));
    expect(await sender().send()).toEqual({ delivered: 0, failed: 1 });
    expect(await sender().send()).toEqual({ delivered: 0, failed: 0 });
    sender().wait(6);
    await sender().send();
    sender().wait(331);
    receiver().answer((response) => response.end());
    expect(await sender().send()).toEqual({ delivered: 2, failed: 0 });
    expect(receiver().received.map((one) => one.id)).toEqual([first, first, first, second]);
    expect(await readBalance(accounts(), accountId)).toBe(246);
  });

  it('is followed by the next of its watch in the same turn, also where it is taken while what is due is read', async () => {
    const { id } = await addWatch(accounts(), { account_id: await openAccount(accounts()), webhook: receiver().url });
    for (const item of ['a', 'b', 'c']) await addDelivery(accounts(), id, [item]);
    const delivered = async () => (await sender().listed(id)).filter(({ status }) => status === 'delivered').length;
    let out = 0;
    const slow: Database = {
      ...accounts(),
      // As a database server under load: an answer that leaves out a watch, as one of its webhooks is out, comes when it is back.
      async read<T>(statement: Statement) {
        const rows = await accounts().read<T>(statement);
        if (rows.some((row) => (row as { watch_id?: string }).watch_id === id)) out += 1;
        if (statement.args?.[1] === JSON.stringify([id]))
          await expect.poll(delivered, { timeout: 10_000, interval: 5 }).toBe(out);
        await pause();
        return rows;
      },
    };
    expect(await sender().send(slow)).toEqual({ delivered: 3, failed: 0 });
  });

  it.each([
    ['in seconds', '600'],
    ['as a date', 'Mon, 01 Jun 2026 08:10:00 GMT'],
  ])('waits for as long as its receiver says by Retry-After, %s', async (_how, stated) => {
    const { id } = await addWatch(accounts(), { account_id: await openAccount(accounts()), webhook: receiver().url });
    await addDelivery(accounts(), id, ['a']);
    receiver().answer((response) => response.writeHead(429, { 'retry-after': stated }).end());
    await sender().send();
    sender().wait(599);
    expect(await sender().send()).toEqual({ delivered: 0, failed: 0 });
    receiver().answer((response) => response.end());
    sender().wait(62);
    expect(await sender().send()).toEqual({ delivered: 1, failed: 0 });
  });

  it('waits no longer than a day, whatever its receiver says', async () => {
    const { id } = await addWatch(accounts(), { account_id: await openAccount(accounts()), webhook: receiver().url });
    await addDelivery(accounts(), id, ['a']);
    receiver().answer((response) => response.writeHead(503, { 'retry-after': '8640000' }).end());
    await sender().send();
    receiver().answer((response) => response.end());
    sender().wait(86_400 * 1.1);
    expect(await sender().send()).toEqual({ delivered: 1, failed: 0 });
  });

  it('pauses its watch after three days, and continues with what failed once it is resumed, charged once', async () => {
    const accountId = await openAccount(accounts());
    const { id } = await addWatch(accounts(), { account_id: accountId, webhook: receiver().url });
    const first = await addDelivery(accounts(), id, ['a']);
    const second = await addDelivery(accounts(), id, ['b']);
    receiver().answer((response) => response.writeHead(503).end());
    for (let attempts = 0; attempts < 20; attempts++) {
      await sender().send();
      sender().wait(86_400 * 1.1);
    }
    expect(receiver().received).toHaveLength(10);
    expect(await sender().readWatch(id)).toMatchObject({ state: 'paused', reason: 'receiver_failed' });
    expect(await sender().listed(id)).toMatchObject([{ status: 'waiting' }, { status: 'failed', error: 'HTTP 503' }]);
    receiver().received.length = 0;
    receiver().answer((response) => response.end());
    await accounts().write(resumeStatements(id, sender().now()));
    expect(await sender().send()).toEqual({ delivered: 2, failed: 0 });
    expect(receiver().received.map((one) => one.id)).toEqual([first, second]);
    expect(await readBalance(accounts(), accountId)).toBe(246);
  });

  it('of a test is not sent again with what failed, however often its watch is resumed', async () => {
    const { id } = await addWatch(accounts(), { account_id: await openAccount(accounts()), webhook: receiver().url });
    receiver().answer((response) => response.writeHead(500).end());
    const now = sender().now();
    const test = { id: `wd_of_${id}`, body: '{}', now, at: now.toISOString(), perHour: 1 };
    await accounts().write([testStatement(await sender().readWatch(id), test)]);
    await sender().send();
    for (let times = 0; times < 3; times++) {
      await accounts().write([pauseStatement(id, 'by_owner'), ...resumeStatements(id, now)]);
      await sender().send();
    }
    expect(receiver().received.map((one) => one.id)).toEqual([test.id]);
  });

  it('of a test is sent at once, even while what failed waits for its next attempt; never two at a time', async () => {
    const { id } = await addWatch(accounts(), { account_id: await openAccount(accounts()), webhook: receiver().url });
    const test = async (testId: string) => {
      const now = sender().now();
      const made = { id: testId, body: '{}', now, at: now.toISOString(), perHour: 5 };
      await accounts().write([testStatement(await sender().readWatch(id), made)]);
    };
    const first = await addDelivery(accounts(), id, ['a']);
    receiver().answer((response) => response.writeHead(500).end());
    await sender().send();
    let [open, most] = [0, 0];
    receiver().answer(async (response) => {
      most = Math.max(most, ++open);
      for (let turn = 0; turn < 100; turn++) await pause();
      open -= 1;
      response.end();
    });
    await test(`wd_1_of_${id}`);
    expect(await sender().send()).toEqual({ delivered: 1, failed: 0 });
    sender().wait(6);
    await test(`wd_2_of_${id}`);
    expect(await sender().send()).toEqual({ delivered: 2, failed: 0 });
    const ids = receiver().received.map((one) => one.id);
    expect([ids, most]).toEqual([[first, `wd_1_of_${id}`, first, `wd_2_of_${id}`], 1]);
  });

  it('that was delivered is repeated once on request, and holds up and pauses nothing if that fails', async () => {
    const { id } = await addWatch(accounts(), { account_id: await openAccount(accounts()), webhook: receiver().url });
    const first = await addDelivery(accounts(), id, ['a']);
    // Taken at its last attempt, so that no other would follow.
    await accounts().write([{ sql: 'UPDATE watch_delivery SET attempts = 9 WHERE id = ?', args: [first] }]);
    await sender().send();
    await accounts().write([retryStatement(String(first), sender().now().getTime())]);
    receiver().answer((response) => response.writeHead(500).end('no'));
    expect(await sender().send()).toEqual({ delivered: 0, failed: 1 });
    expect(await sender().readWatch(id)).toMatchObject({ state: 'active' });
    expect(await sender().listed(id)).toMatchObject([{ status: 'delivered', answer_status: 500, attempts: 11 }]);
    await addDelivery(accounts(), id, ['b']);
    receiver().answer((response) => response.end());
    expect(await sender().send()).toEqual({ delivered: 1, failed: 0 });
    await accounts().write([retryStatement(String(first), sender().now().getTime())]);
    receiver().answer((response) => response.writeHead(410).end());
    await sender().send();
    expect(await sender().readWatch(id)).toMatchObject({ state: 'paused', reason: 'receiver_failed' });
  });

  it('is not sent any more to a receiver that says 410 Gone', async () => {
    const { id } = await addWatch(accounts(), { account_id: await openAccount(accounts()), webhook: receiver().url });
    await addDelivery(accounts(), id, ['a']);
    receiver().answer((response) => response.writeHead(410).end());
    await sender().send();
    expect(await sender().readWatch(id)).toMatchObject({ state: 'paused', reason: 'receiver_failed' });
  });

  it('is signed with both secrets for a day after a rotation', async () => {
    const { id, secret } = await addWatch(accounts(), {
      account_id: await openAccount(accounts()),
      webhook: receiver().url,
    });
    const next = makeWatchSecret();
    await accounts().write([
      rotateStatement(id, {
        secret: sealWatchSecret(next, id, SERVICE_SECRET),
        formerUntil: '2026-06-02T08:00:00Z',
      }),
    ]);
    await addDelivery(accounts(), id, ['a']);
    await addDelivery(accounts(), id, ['b']);
    receiver().answer((response) => response.end());
    await sender().send();
    const signed = (at: number) => String(receiver().received[at]?.headers['webhook-signature']).split(' ').length;
    expect(signed(0)).toBe(2);
    const both = [secret, next].map((one) =>
      new Webhook(one).sign(receiver().received[0]?.id ?? '', sender().now(), receiver().received[0]?.body ?? ''),
    );
    expect(String(receiver().received[0]?.headers['webhook-signature']).split(' ').sort()).toEqual(both.sort());
    sender().wait(86_400);
    const third = await addDelivery(accounts(), id, ['c'], { now: sender().now() });
    await sender().send();
    expect(receiver().received.at(-1)?.id).toBe(third);
    expect(signed(-1 + receiver().received.length)).toBe(1);
  });
});

describe('a jobs process whose clock is a minute ahead', () => {
  it('sends at once what it has just matched', async () => {
    const ahead = () => new Date(Date.now() + 60_000);
    const { services, close } = await makeJobServices({ AUTH_SECRET: SERVICE_SECRET, WATCH_ADDRESSES: 'any' });
    const account = await openAccount(services.accounts);
    const { id } = await addWatch(services.accounts, { account_id: account, webhook: receiver().url });
    const delivery = await addDelivery(services.accounts, id, ['a'], { now: ahead() });
    await deliverWebhooks({ ...services, clocks: { catalogueNow: ahead, wallNow: ahead } });
    expect(receiver().received.map((one) => one.id)).toEqual([delivery]);
    await close();
  });
});

it('jobs start no round, and take no lease, for what waits behind a webhook that failed', async () => {
  const { services, close } = await makeJobServices({ AUTH_SECRET: SERVICE_SECRET, WATCH_ADDRESSES: 'any' });
  const account = await openAccount(services.accounts);
  const { id } = await addWatch(services.accounts, { account_id: account, webhook: receiver().url });
  for (const item of ['a', 'b']) await addDelivery(services.accounts, id, [item]);
  receiver().answer((response) => response.writeHead(503, { 'retry-after': '600' }).end());
  expect(await deliverWebhooks(services)).toMatchObject({ result: { delivered: 0, failed: 1 } });
  expect(await deliverWebhooks(services)).toEqual({ acquired: true, result: null });
  await close();
});
