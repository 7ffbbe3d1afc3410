import { z } from 'zod';
import { readWatch } from '../../../schema/accounts/watches/lifecycle.ts';
import { defineOperation } from '../../contract/operation.ts';
import { EXAMPLE_IDS, noWatch, toWatch, watchId, watchShape } from './shapes.ts';

const EXAMPLE = { watch_id: EXAMPLE_IDS.watch_id };

export const getWatch = defineOperation({
  name: 'get_watch',
  title: 'One watch',
  description: 'Use this to see a watch: what it looks for, where it delivers, how it stands.',
  credits: 0,
  restOnly: true,
  input: z.strictObject({ watch_id: watchId }),
  output: watchShape,
  bindings: [
    {
      method: 'GET',
      path: '/watches/:watch_id',
      operationId: 'get_watch',
      summary: 'One watch',
      description:
        'Answers what a watch looks for, where it delivers and how it stands. Its secret is not shown again.',
      inputs: ['watch_id'],
      example: EXAMPLE,
    },
  ],
  stated: ['watch_id', 'status', 'reason'],
  example: EXAMPLE,
  async run({ watch_id }, { accounts }, { accountId }) {
    const row = await readWatch(accounts, accountId, watch_id);
    return row ? { kind: 'answer', body: toWatch(row) } : noWatch;
  },
});
