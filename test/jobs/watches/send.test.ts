import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withLease } from '../../../jobs/process/lease.ts';
import { sendWebhooks } from '../../../jobs/watches/send.ts';
import { openWebhookClient, type WebhookClient } from '../../../jobs/watches/webhook.ts';
import { readBalance } from '../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { type DeliveryRow, readDeliveries, retryStatement } from '../../../schema/accounts/watches/deliveries.ts';
import {
  changeWatch,
  deleteWatch,
  resumeStatements,
  rotateStatement,
} from '../../../schema/accounts/watches/lifecycle.ts';
import type { WatchRow } from '../../../schema/accounts/watches/row.ts';
import { makeWatchSecret, sealWatchSecret } from '../../../schema/accounts/watches/secret.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { addDelivery, addWatch, openAccount, SERVICE_SECRET } from './seed.ts';

let built: Awaited<ReturnType<typeof makeJobServices>>;
let client: WebhookClient;
let receiver: Receiver;
let now = new Date('2026-06-01T08:00:00Z');
beforeAll(async () => {
  built = await makeJobServices({ AUTH_SECRET: SERVICE_SECRET, WATCH_ADDRESSES: 'any' });
  client = openWebhookClient({ addresses: 'any', deadlineMs: 2_000 });
});
afterAll(async () => {
  client?.close();
  await built?.close();
});
beforeEach(async () => {
  receiver = await startReceiver();
  now = new Date('2026-06-01T08:00:00Z');
});
afterEach(async () => {
  await receiver.close();
  expect(await verifyLedger(built.services.accounts)).toMatchObject({ faults: [] });
});

const accounts = () => built.services.accounts;

/** A turn of the sender at the tests' now. */
async function send() {
  const clocks = { catalogueNow: () => now, wallNow: () => now };
  const done = await withLease(accounts(), 'deliveries', { holder: 'a test' }, (holding) =>
    sendWebhooks({ ...built.services, clocks }, client, holding),
  );
  if (!done.held) throw new Error('another process has the lease');
  return done.result;
}

const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1_000);
};

async function readWatch(id: string): Promise<WatchRow> {
  const [row] = await accounts().read<WatchRow>({ sql: 'SELECT * FROM watch WHERE id = ?', args: [id] });
  if (!row) throw new Error(`no watch ${id}`);
  return row;
}

async function listed(id: string): Promise<DeliveryRow[]> {
  const { account_id } = await readWatch(id);
  return readDeliveries(accounts(), { accountId: account_id, watchId: id }, { limit: 100 });
}

describe('a webhook', () => {
  it('is signed so that its receiver can prove that it is ours, and recorded with its answer', async () => {
    const accountId = await openAccount(accounts());
    const { id, secret } = await addWatch(accounts(), { account_id: accountId, webhook: receiver.url });
    const delivery = await addDelivery(accounts(), id, ['a', 'b']);
    expect(await send()).toEqual({ delivered: 1, failed: 0 });
    const [came] = receiver.received;
    expect(came?.id).toBe(delivery);
    const hook = new Webhook(secret);
    expect(came?.headers).toMatchObject({
      'webhook-signature': hook.sign(String(delivery), now, came?.body ?? ''),
      'webhook-timestamp': String(now.getTime() / 1_000),
    });
    expect(await listed(id)).toMatchObject([
      { id: delivery, status: 'delivered', answer_status: 200, answer: 'thank you', credits: 2, attempts: 1 },
    ]);
    expect(await readBalance(accounts(), accountId)).toBe(248);
  });

  it('is sent again with the same id until it is taken, and later ones of its watch wait for it', async () => {
    const accountId = await openAccount(accounts());
    const { id } = await addWatch(accounts(), { account_id: accountId, webhook: receiver.url });
    const first = await addDelivery(accounts(), id, ['a']);
    const second = await addDelivery(accounts(), id, ['b']);
    receiver.answer((response) => response.writeHead(500).end('no'));
    expect(await send()).toEqual({ delivered: 0, failed: 1 });
    expect(await send()).toEqual({ delivered: 0, failed: 0 });
    later(6);
    await send();
    later(331);
    receiver.answer((response) => response.end());
    expect(await send()).toEqual({ delivered: 2, failed: 0 });
    expect(receiver.received.map((one) => one.id)).toEqual([first, first, first, second]);
    expect(await readBalance(accounts(), accountId)).toBe(246);
  });

  it('waits for as long as its receiver says by Retry-After', async () => {
    const { id } = await addWatch(accounts(), { account_id: await openAccount(accounts()), webhook: receiver.url });
    await addDelivery(accounts(), id, ['a']);
    receiver.answer((response) => response.writeHead(429, { 'retry-after': '600' }).end());
    await send();
    later(599);
    expect(await send()).toEqual({ delivered: 0, failed: 0 });
    receiver.answer((response) => response.end());
    later(62);
    expect(await send()).toEqual({ delivered: 1, failed: 0 });
  });

  it('pauses its watch after three days, and goes on with what failed once it is resumed, charged once', async () => {
    const accountId = await openAccount(accounts());
    const { id } = await addWatch(accounts(), { account_id: accountId, webhook: receiver.url });
    const first = await addDelivery(accounts(), id, ['a']);
    const second = await addDelivery(accounts(), id, ['b']);
    receiver.answer((response) => response.writeHead(503).end());
    for (let attempts = 0; attempts < 20; attempts++) {
      await send();
      later(86_400 * 1.1);
    }
    expect(receiver.received).toHaveLength(10);
    expect(await readWatch(id)).toMatchObject({ state: 'paused', reason: 'receiver_failed' });
    expect(await listed(id)).toMatchObject([{ status: 'waiting' }, { status: 'failed', error: 'HTTP 503' }]);
    receiver.received.length = 0;
    receiver.answer((response) => response.end());
    await accounts().write(resumeStatements(id, now));
    expect(await send()).toEqual({ delivered: 2, failed: 0 });
    expect(receiver.received.map((one) => one.id)).toEqual([first, second]);
    expect(await readBalance(accounts(), accountId)).toBe(246);
  });

  it('is not sent any more to a receiver that says 410 Gone', async () => {
    const { id } = await addWatch(accounts(), { account_id: await openAccount(accounts()), webhook: receiver.url });
    await addDelivery(accounts(), id, ['a']);
    receiver.answer((response) => response.writeHead(410).end());
    await send();
    expect(await readWatch(id)).toMatchObject({ state: 'paused', reason: 'receiver_failed' });
  });

  it('is signed with both secrets for a day after a rotation', async () => {
    const { id, secret } = await addWatch(accounts(), {
      account_id: await openAccount(accounts()),
      webhook: receiver.url,
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
    receiver.answer((response) => response.end());
    await send();
    const signed = (at: number) => String(receiver.received[at]?.headers['webhook-signature']).split(' ').length;
    expect(signed(0)).toBe(2);
    const both = [secret, next].map((one) =>
      new Webhook(one).sign(receiver.received[0]?.id ?? '', now, receiver.received[0]?.body ?? ''),
    );
    expect(String(receiver.received[0]?.headers['webhook-signature']).split(' ').sort()).toEqual(both.sort());
    later(86_400);
    const third = await addDelivery(accounts(), id, ['c'], { now });
    await send();
    expect(receiver.received.at(-1)?.id).toBe(third);
    expect(signed(-1 + receiver.received.length)).toBe(1);
  });
});

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
      for (const { url } of [hung, endless, receiver])
        ids.push((await addWatch(accounts(), { account_id: accountId, webhook: url })).id);
      for (const id of ids) await addDelivery(accounts(), id, ['a']);
      const sending = send();
      await expect.poll(() => receiver.received.length).toBe(1);
      // What comes while the hung one is waited for is sent at once, too.
      await addDelivery(accounts(), ids[2] ?? '', ['b']);
      await expect.poll(() => receiver.received.length).toBe(2);
      expect(await sending).toEqual({ delivered: 3, failed: 1 });
      expect(await listed(ids[0] ?? '')).toMatchObject([{ status: 'waiting', error: 'no answer within 2 s' }]);
      expect(await listed(ids[1] ?? '')).toMatchObject([{ status: 'delivered', answer: 'x'.repeat(400) }]);
    } finally {
      await hung.close();
      await endless.close();
    }
  });

  it('has no more of its answer read than is shown', async () => {
    const { id } = await addWatch(accounts(), { account_id: await openAccount(accounts()), webhook: receiver.url });
    await addDelivery(accounts(), id, ['a']);
    let written = 0;
    receiver.answer((response) => {
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
    await send();
    expect((await listed(id))[0]).toMatchObject({ status: 'delivered', answer: 'y'.repeat(500) });
    expect(written).toBeLessThan(10_000_000);
  });

  it('is not followed to another address', async () => {
    const { id } = await addWatch(accounts(), { account_id: await openAccount(accounts()), webhook: receiver.url });
    await addDelivery(accounts(), id, ['a']);
    receiver.answer((response) => response.writeHead(302, { location: '/elsewhere' }).end());
    await send();
    expect(receiver.received).toHaveLength(1);
    expect(await listed(id)).toMatchObject([{ error: 'HTTP 302: redirects are not followed' }]);
  });
});

describe('what was not delivered', () => {
  it('is dropped and refunded where its watch is changed or deleted', async () => {
    const accountId = await openAccount(accounts());
    const { id } = await addWatch(accounts(), { account_id: accountId, webhook: receiver.url });
    await addDelivery(accounts(), id, ['a']);
    await addDelivery(accounts(), id, ['b']);
    expect(await readBalance(accounts(), accountId)).toBe(246);
    const watch = await readWatch(id);
    await changeWatch(accounts(), watch, {
      ...watch,
      filters: { query: 'tunnels' },
      changes: ['new'],
      dueAt: null,
      at: '2026-06-01T09:00:00Z',
    });
    expect(await readBalance(accounts(), accountId)).toBe(250);
    expect((await listed(id)).map(({ status }) => status)).toEqual(['dropped', 'dropped']);
    await addDelivery(accounts(), id, ['c']);
    await deleteWatch(accounts(), await readWatch(id), '2026-06-01T10:00:00Z');
    expect(await readBalance(accounts(), accountId)).toBe(250);
    expect(await send()).toEqual({ delivered: 0, failed: 0 });
  });

  it('stays paid for once it arrived, whatever comes of sending it again', async () => {
    const accountId = await openAccount(accounts());
    const { id } = await addWatch(accounts(), { account_id: accountId, webhook: receiver.url });
    const delivery = await addDelivery(accounts(), id, ['a']);
    await send();
    await accounts().write([retryStatement(delivery ?? '', now.getTime())]);
    receiver.answer((response) => response.writeHead(410).end());
    await send();
    expect(await listed(id)).toMatchObject([{ status: 'delivered' }]);
    await deleteWatch(accounts(), await readWatch(id), '2026-06-01T10:00:00Z');
    expect(await readBalance(accounts(), accountId)).toBe(248);
  });
});
