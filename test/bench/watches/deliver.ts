import { openWebhookClient } from '../../../jobs/watches/webhook.ts';
import { type Receiver, startReceiver } from '../../jobs/watches/receiver.ts';
import { addDelivery, addWatch, openAccount } from '../../jobs/watches/seed.ts';
import { makeSender } from '../../jobs/watches/sender.ts';
import { processorMs } from '../../support/processor-time.ts';

const DELIVERIES_A_WATCH = 20;
const SLOW_MS = 1_000;
/** Watches of one receiver that never answers. */
const WATCHES_OF_DEAD = 200;

type Behaviour = 'quick' | 'slow' | 'dead';

/** Webhooks to a hundred receivers on loopback, in this process: all of them quick, then some slow and some that never answer. */
export async function benchDeliveries(): Promise<void> {
  console.log(`\nwebhooks to 100 receivers, ${DELIVERIES_A_WATCH} each; those to the quick ones are timed`);
  await deliver('all quick', { quick: 100, slow: 0, dead: 0 });
  await deliver(`80 quick, 10 slow (${SLOW_MS} ms), 10 dead`, { quick: 80, slow: 10, dead: 10 });
}

async function deliver(what: string, counts: Readonly<Record<Behaviour, number>>): Promise<void> {
  // With the service's own deadline: a machine that is busy misses a shorter one, and the clock stands still for what is due later.
  const sender = await makeSender({}, openWebhookClient({ addresses: 'any' }));
  const receivers: Receiver[] = [];
  const { accounts } = sender;
  await accounts.read({ sql: 'PRAGMA synchronous = OFF' });
  let left = counts.quick * DELIVERIES_A_WATCH;
  let reached: (() => void) | undefined;
  const all = new Promise<void>((resolve) => {
    reached = resolve;
  });
  // What is dead comes first, so that it is due before everything else.
  for (const behaviour of ['dead', 'slow', 'quick'] as const) {
    for (let number = 0; number < counts[behaviour]; number++) {
      const receiver = await startReceiver();
      receivers.push(receiver);
      const account = await openAccount(accounts, 1_000_000);
      receiver.answer((response) => {
        if (behaviour === 'quick') {
          response.end('ok');
          left -= 1;
          if (left === 0) reached?.();
        } else if (behaviour === 'slow') setTimeout(() => response.end('ok'), SLOW_MS);
      });
      const watches = behaviour === 'dead' && number === 0 ? WATCHES_OF_DEAD : 1;
      for (let watch = 0; watch < watches; watch++) {
        const { id } = await addWatch(accounts, { account_id: account, webhook: receiver.url });
        const deliveries = watches > 1 ? 1 : DELIVERIES_A_WATCH;
        for (let delivery = 0; delivery < deliveries; delivery++) await addDelivery(accounts, id, ['a', 'b']);
      }
    }
  }
  await accounts.read({ sql: 'PRAGMA synchronous = FULL' });
  const [startMs, startCpuMs] = [performance.now(), processorMs()];
  const sending = sender.send();
  await all;
  const tookMs = performance.now() - startMs;
  const cpuMs = processorMs() - startCpuMs;
  const rate = (counts.quick * DELIVERIES_A_WATCH) / (tookMs / 1_000);
  console.log(
    `    ${what.padEnd(36)} ${rate.toFixed(0)} deliveries a second to the quick ones, in ${(tookMs / 1_000).toFixed(1)} s (${(cpuMs / 1_000).toFixed(1)} s of one core)`,
  );
  await Promise.all(receivers.map((receiver) => receiver.close()));
  await sending;
  await sender.close();
}
