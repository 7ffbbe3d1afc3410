import { z } from 'zod';
import { readWatches } from '../../../schema/accounts/watches/lifecycle.ts';
import { readSigned, signText } from '../../../schema/text/signed.ts';
import { defineOperation } from '../../contract/operation.ts';
import { badCursor } from '../shared/cursors.ts';
import { toWatch, watchShape } from './shapes.ts';

const PURPOSE = ['watches'];

export const listWatches = defineOperation({
  name: 'list_watches',
  title: 'Your watches',
  description: 'Use this to see your watches and why one waits or is paused.',
  credits: 0,
  input: z.strictObject({
    limit: z.int().min(1).max(100).default(25).describe('Watches a page'),
    cursor: z.string().max(200).optional().describe('Last next_cursor'),
  }),
  output: z.object({ items: z.array(watchShape), count: z.int(), next_cursor: z.string().nullable() }),
  bindings: [
    {
      method: 'GET',
      path: '/watches',
      operationId: 'list_watches',
      summary: 'Your watches',
      description:
        'Lists the watches of the account, newest first, each with its state and why it waits or is paused. For the next page, send next_cursor as cursor.',
      inputs: ['limit', 'cursor'],
      example: { limit: 2 },
    },
  ],
  stated: ['items.watch_id', 'items.name', 'items.status', 'count', 'next_cursor'],
  example: {},
  async run({ limit, cursor }, { accounts, secret }, { accountId }) {
    const seal = { secret, purpose: [...PURPOSE, accountId] };
    const before = cursor === undefined ? undefined : readPlace(readSigned(seal, cursor), cursor);
    const rows = await readWatches(accounts, accountId, { limit: limit + 1, before });
    const items = rows.slice(0, limit).map((row) => toWatch(row));
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    const next = last ? signText(seal, `${last.created_at}~${last.id}`) : null;
    return { kind: 'answer', body: { items, count: items.length, next_cursor: next } };
  },
});

function readPlace(text: string | null, cursor: string): { at: string; id: string } {
  const [at, id] = text?.split('~') ?? [];
  if (at && id) return { at, id };
  throw badCursor(cursor);
}
