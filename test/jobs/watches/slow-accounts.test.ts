import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeChangedDocuments } from '../../../jobs/watches/changed-documents.ts';
import { openWebhookClient } from '../../../jobs/watches/webhook.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { startReceiver } from './receiver.ts';
import { addDelivery, addWatch, openAccount } from './seed.ts';
import { makeSender } from './sender.ts';

const AT_ONCE = 16;
const ACCOUNTS = 8;
/** Longer than a call of an account that is not slow, by the clock that the sender measures with. */
const SLOW_MS = 1_100;

let sender: Awaited<ReturnType<typeof makeSender>>;
beforeAll(async () => {
  // No call ends before its receiver answers.
  const client = openWebhookClient({ addresses: 'any', deadlineMs: 600_000 });
  sender = await makeSender({ WATCH_SENDS_AT_ONCE: String(AT_ONCE) }, client);
});
afterAll(() => sender?.close());

/** Receivers that answer when they are told to. */
async function startSlow(count: number) {
  const receivers = await Promise.all(Array.from({ length: count }, startReceiver));
  const open: ServerResponse[] = [];
  for (const one of receivers) one.answer((response) => void open.push(response));
  return {
    urls: receivers.map(({ url }) => url),
    open: () => open.length,
    answer() {
      for (const response of open.splice(0)) response.end();
    },
    answerAtOnce() {
      for (const one of receivers) one.answer((response) => void response.end());
      this.answer();
    },
    close: () => Promise.all(receivers.map((one) => one.close())),
  };
}

it('all slow accounts together get half of the calls, so that many of them delay nobody else', async () => {
  const { accounts } = sender;
  const slow = await startSlow(ACCOUNTS * 10);
  const quick = await startReceiver();
  for (const urls of Array.from({ length: ACCOUNTS }, (_, number) => slow.urls.slice(number * 10, number * 10 + 10))) {
    const account_id = await openAccount(accounts);
    for (const webhook of urls)
      await addDelivery(accounts, (await addWatch(accounts, { account_id, webhook })).id, ['a']);
  }
  const { id } = await addWatch(accounts, { account_id: await openAccount(accounts), webhook: quick.url });
  const sending = sender.send();
  // Four accounts take all calls at first, then two and two more take the half that the slow ones leave.
  for (let turn = 0; turn < 3; turn++) {
    await expect.poll(slow.open).toBe(AT_ONCE);
    await pause(SLOW_MS);
    slow.answer();
  }
  await expect.poll(slow.open).toBe(AT_ONCE / 2);
  for (const item of ['a', 'b', 'c']) await addDelivery(accounts, id, [item]);
  await expect.poll(() => quick.received.length).toBe(3);
  expect(slow.open()).toBe(AT_ONCE / 2);
  slow.answerAtOnce();
  expect(await sending).toEqual({ delivered: ACCOUNTS * 10 + 3, failed: 0 });
  await slow.close();
  await quick.close();
});

it('many watches, each at its own position, have each changed document read once', async () => {
  const { services, close } = await makeJobServices();
  const read: string[] = [];
  const catalogue: Database = {
    ...services.catalogue,
    read(statement) {
      read.push(...JSON.parse(String(statement.args?.[0])));
      return services.catalogue.read(statement);
    },
  };
  const documents = makeChangedDocuments({ catalogue });
  const ids = Array.from({ length: 2_100 }, (_, number) => `notice ${number}`);
  for (let position = 100; position >= 0; position--)
    await documents.hold('notice', ids.slice(position, position + 2_000));
  expect(read.length).toBe(ids.length);
  // No more than a certain number is held.
  await documents.hold('notice', [...ids.slice(0, 1), ...ids.slice(0, 2_000).map((id) => `later ${id}`)]);
  expect(read.length).toBe(ids.length + 2_001);
  await documents.close();
  await close();
});
