import { z } from 'zod';
import { isKnownDelivery, readDelivery, testStatement } from '../../../schema/accounts/watches/deliveries.ts';
import { readWatch } from '../../../schema/accounts/watches/lifecycle.ts';
import { isoInstant } from '../../../schema/config/clocks.ts';
import { makeTimedId } from '../../../schema/text/tokens.ts';
import { KeyReused } from '../../contract/errors.ts';
import { defineOperation } from '../../contract/operation.ts';
import { tooManyDeliveries } from './refusals.ts';
import { deliveryShape, EXAMPLE_IDS, noWatch, toDelivery, watchId } from './shapes.ts';
import { digestOfKey } from './store.ts';

const EXAMPLE = { watch_id: EXAMPLE_IDS.watch_id };

export const testWatch = defineOperation({
  name: 'test_watch',
  title: 'Test a watch',
  description:
    'Use this to try where a watch delivers: sends an empty delivery of type watch.test within seconds, free. {list_deliveries} says what came of it.',
  credits: 0,
  restOnly: true,
  makesOnce: true,
  input: z.strictObject({ watch_id: watchId }),
  output: deliveryShape,
  bindings: [
    {
      method: 'POST',
      path: '/watches/:watch_id/test',
      operationId: 'test_watch',
      summary: 'Test a watch',
      description:
        'Sends an empty delivery of type watch.test to where the watch delivers, within seconds, also while it is paused. {list_deliveries} says what came of it. With an Idempotency-Key a repeat sends no second one.',
      inputs: ['watch_id'],
      example: EXAMPLE,
    },
  ],
  stated: ['delivery_id', 'status'],
  example: EXAMPLE,
  async run({ watch_id }, { accounts, clocks, settings }, { accountId, once }) {
    const row = await readWatch(accounts, accountId, watch_id);
    if (!row) return noWatch;
    const now = clocks.wallNow();
    const at = isoInstant(now);
    const id = once === undefined ? makeTimedId('wd', now.getTime()) : deliveryIdOf(accountId, once);
    const data = { watch_id: row.id, name: row.name, on: row.collection, delivery_id: id, items: [] };
    const body = JSON.stringify({ type: 'watch.test', timestamp: at, data });
    const perHour = settings.WATCH_DELIVERIES_PER_HOUR;
    const [made] = await accounts.write([testStatement(row, { id, body, now, at, perHour })]);
    const delivery = await readDelivery(accounts, { accountId, watchId: row.id, id });
    if (delivery) return { kind: 'answer', body: toDelivery(delivery) };
    if (once !== undefined && (await isKnownDelivery(accounts, id))) throw new KeyReused();
    if (made?.changes !== 1) throw tooManyDeliveries(perHour, now);
    throw new Error('a delivery that was just written is not there');
  },
});

/** The id of the test that an account creates with an Idempotency-Key. */
const deliveryIdOf = (accountId: string, once: string): string => `wd_${digestOfKey(accountId, once).slice(0, 22)}`;
