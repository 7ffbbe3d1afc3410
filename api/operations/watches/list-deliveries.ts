import { z } from 'zod';
import { readDeliveries } from '../../../schema/accounts/watches/deliveries.ts';
import { readWatch } from '../../../schema/accounts/watches/lifecycle.ts';
import { defineOperation } from '../../contract/operation.ts';
import { numberedPages } from '../shared/cursors.ts';
import { deliveryShape, EXAMPLE_IDS, noWatch, toDelivery, watchId } from './shapes.ts';

const PAGES = numberedPages('d');
const EXAMPLE = { watch_id: EXAMPLE_IDS.watch_id };

export const listDeliveries = defineOperation({
  name: 'list_deliveries',
  title: 'What a watch delivered',
  description: 'Use this to see what a watch sent, newest first, and what its receiver answered.',
  credits: 0,
  restOnly: true,
  input: z.strictObject({
    watch_id: watchId,
    limit: z.int().min(1).max(100).default(25).describe('Deliveries a page'),
    cursor: z.string().max(64).optional().describe('The last next_cursor'),
  }),
  output: z.object({ items: z.array(deliveryShape), count: z.int(), next_cursor: z.string().nullable() }),
  bindings: [
    {
      method: 'GET',
      path: '/watches/:watch_id/deliveries',
      operationId: 'list_deliveries',
      summary: 'What a watch delivered',
      description:
        "Lists what a watch sent, newest first: status, attempts, the receiver's status, time and how its answer began. For the next page, send next_cursor as cursor.",
      inputs: ['watch_id', 'limit', 'cursor'],
      example: EXAMPLE,
    },
  ],
  stated: ['items.delivery_id', 'items.status', 'items.error', 'count', 'next_cursor'],
  example: EXAMPLE,
  check: PAGES.check,
  async run({ watch_id, limit, cursor }, { accounts }, { accountId }) {
    if (!(await readWatch(accounts, accountId, watch_id))) return noWatch;
    const asked = { limit: limit + 1, before: PAGES.readBefore(cursor) };
    const rows = await readDeliveries(accounts, { accountId, watchId: watch_id }, asked);
    const { page, next } = PAGES.cut(rows, limit, ({ number }) => number);
    return { kind: 'answer', body: { items: page.map(toDelivery), count: page.length, next_cursor: next } };
  },
});
