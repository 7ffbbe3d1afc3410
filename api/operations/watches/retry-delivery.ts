import { z } from 'zod';
import { isRetriedUnder, readDelivery, retryStatement } from '../../../schema/accounts/watches/deliveries.ts';
import type { Machine, Windows } from '../../concurrency/machine.ts';
import { KeyReused } from '../../contract/errors.ts';
import { defineOperation, type Services } from '../../contract/operation.ts';
import { notKept, tooManyRepeats } from './refusals.ts';
import { deliveryId, deliveryShape, EXAMPLE_IDS, toDelivery, watchId } from './shapes.ts';
import { digestOfKey } from './store.ts';

export const retryDelivery = defineOperation({
  name: 'retry_delivery',
  title: 'Send a delivery again',
  description: 'Use this to send a delivery once more, free, with the webhook-id it had.',
  credits: 0,
  restOnly: true,
  makesOnce: true,
  input: z.strictObject({ watch_id: watchId, delivery_id: deliveryId }),
  conflict: true,
  output: deliveryShape,
  bindings: [
    {
      method: 'POST',
      path: '/watches/:watch_id/deliveries/:delivery_id/retry',
      operationId: 'retry_delivery',
      summary: 'Send a delivery again',
      description:
        'Sends a delivery once more, free, with the webhook-id it had; one of a paused watch once that is resumed. What was dropped, or whose content is no longer kept, cannot be sent again: 409. With an Idempotency-Key a repeat sends nothing more.',
      inputs: ['watch_id', 'delivery_id'],
      example: EXAMPLE_IDS,
    },
  ],
  stated: ['delivery_id', 'status'],
  example: EXAMPLE_IDS,
  async run({ watch_id, delivery_id }, services, { accountId, once }) {
    const { accounts, clocks, settings } = services;
    const named = { accountId, watchId: watch_id, id: delivery_id };
    const known = await readDelivery(accounts, named);
    if (!known)
      return {
        kind: 'nothing',
        message: 'No delivery of this watch has this id; its list of deliveries has their ids',
      };
    const under = once === undefined ? null : digestOfKey(accountId, once);
    if (under !== null && (await isRetriedUnder(accounts, named, under))) throw new KeyReused();
    if (under === null || known.retried_under !== under) await takeRepeat(services, accountId);
    const [outcome] = await accounts.write([retryStatement(delivery_id, clocks.wallNow().getTime(), under)]);
    const delivery = await readDelivery(accounts, named);
    if (!delivery) throw new Error('a delivery that was just read is not there');
    const isRepeat = under !== null && delivery.retried_under === under;
    if (outcome?.changes !== 1 && !isRepeat) throw notKept(settings.WATCH_BODY_DAYS);
    return { kind: 'answer', body: toDelivery(delivery) };
  },
});

/** A repeat is free and calls a receiver, which may be a stranger's: an account may make as many in an hour as it may have deliveries. */
const repeats = new WeakMap<Machine, Windows>();
const HOUR_SECONDS = 3_600;

/** Counts a delivery that is sent again, or a watch that is resumed: its first delivery is then sent again. @throws Refusal 429 where none is left */
export async function takeRepeat({ machine, settings }: Services, accountId: string): Promise<void> {
  const perHour = settings.WATCH_DELIVERIES_PER_HOUR;
  const windows = repeats.get(machine) ?? machine.makeWindows('repeated deliveries', perHour, HOUR_SECONDS);
  repeats.set(machine, windows);
  const { count, waitSeconds } = await windows.take(accountId);
  if (count > perHour) throw tooManyRepeats(perHour, waitSeconds);
}
