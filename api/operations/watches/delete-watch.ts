import { z } from 'zod';
import { deleteWatch as removeWatch } from '../../../schema/accounts/watches/deleted.ts';
import { readWatch } from '../../../schema/accounts/watches/lifecycle.ts';
import { isoInstant } from '../../../schema/config/clocks.ts';
import { defineOperation } from '../../contract/operation.ts';
import { EXAMPLE_IDS, noWatch, toWatch, watchId, watchShape } from './shapes.ts';
import { inTurnOf } from './store.ts';

const EXAMPLE = { watch_id: EXAMPLE_IDS.watch_id };

export const deleteWatch = defineOperation({
  name: 'delete_watch',
  title: 'Delete a watch',
  description: 'Use this to end a watch for good. What was not sent is refunded.',
  credits: 0,
  restOnly: true,
  input: z.strictObject({ watch_id: watchId }),
  output: watchShape,
  bindings: [
    {
      method: 'DELETE',
      path: '/watches/:watch_id',
      operationId: 'delete_watch',
      summary: 'Delete a watch',
      description: 'Ends a watch for good and answers it as it was. What was not sent is dropped and refunded.',
      inputs: ['watch_id'],
      example: EXAMPLE,
    },
  ],
  stated: ['watch_id', 'name'],
  example: EXAMPLE,
  run: ({ watch_id }, services, { accountId }) =>
    inTurnOf(services, watch_id, async () => {
      const { accounts, clocks } = services;
      const row = await readWatch(accounts, accountId, watch_id);
      if (!row) return noWatch;
      await removeWatch(accounts, row, isoInstant(clocks.wallNow()));
      return { kind: 'answer', body: toWatch(row) };
    }),
});
