import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { withLease } from '../../../jobs/process/lease.ts';
import { sendWebhooks } from '../../../jobs/watches/send.ts';
import { openWebhookClient } from '../../../jobs/watches/webhook.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { type DeliveryRow, readDeliveries } from '../../../schema/accounts/watches/deliveries.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { readWatch, SERVICE_SECRET } from './seed.ts';

/** The sender of webhooks on a database of its own, at an instant that a test moves. */
export async function makeSender(
  settings: Record<string, string> = {},
  client = openWebhookClient({ addresses: 'any', deadlineMs: 2_000 }),
) {
  const built = await makeJobServices({ AUTH_SECRET: SERVICE_SECRET, WATCH_ADDRESSES: 'any', ...settings });
  const { accounts } = built.services;
  let now = new Date('2026-06-01T08:00:00Z');
  return {
    accounts,
    now: () => now,
    /** Moves the clock on by some seconds, or back to where it began. */
    wait(seconds?: number) {
      now = seconds === undefined ? new Date('2026-06-01T08:00:00Z') : new Date(now.getTime() + seconds * 1_000);
    },
    /** A turn of the sender. @param through - what it reads and writes by */
    async send(through = accounts) {
      const clocks = { catalogueNow: () => now, wallNow: () => now };
      const done = await withLease(accounts, 'webhooks', { holder: 'a test' }, (holding) =>
        sendWebhooks({ ...built.services, accounts: through, clocks }, client, holding),
      );
      if (!done.acquired) throw new Error('another process has the lease');
      return done.result;
    },
    readWatch: (id: string) => readWatch(accounts, id),
    async listed(id: string): Promise<DeliveryRow[]> {
      const { account_id } = await readWatch(accounts, id);
      return readDeliveries(accounts, { accountId: account_id, watchId: id }, { limit: 100 });
    },
    async close() {
      client.close();
      await built.close();
    },
  };
}

/** A sender for the tests of a file, with a new receiver for each. After each, the ledger is right. */
export function useSender(settings: Record<string, string> = {}) {
  let sender: Awaited<ReturnType<typeof makeSender>>;
  let receiver: Receiver;
  beforeAll(async () => {
    sender = await makeSender(settings);
  });
  afterAll(() => sender?.close());
  beforeEach(async () => {
    receiver = await startReceiver();
    sender.wait();
  });
  afterEach(async () => {
    await receiver.close();
    expect(await verifyLedger(sender.accounts)).toMatchObject({ faults: [] });
  });
  return { sender: () => sender, receiver: () => receiver, accounts: () => sender.accounts };
}
