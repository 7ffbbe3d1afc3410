import { z } from 'zod';
import { type LedgerLine, LINE_KINDS, readLedger } from '../../../schema/accounts/ledger/lines.ts';
import { defineOperation } from '../../contract/operation.ts';
import { numberedPages } from '../shared/cursors.ts';
import { shape } from '../shared/inputs.ts';

const PAGES = numberedPages('l');

export const ledgerLine = z.object({
  id: z.int(),
  kind: z.enum(LINE_KINDS),
  credits: z.int().describe('Below zero for what was charged or taken back, else what was given, bought or refunded'),
  at: z.string().describe('Instant, ISO 8601 UTC'),
  action: z.string().optional().describe('The operation that was charged'),
  charge_id: z.string().optional().describe('As the answer named it'),
  corrects: z.int().optional().describe('The line that it corrects: a charge, a grant or a top-up'),
  request_id: z.string().optional(),
  key_id: z.string().optional(),
  note: z.string().optional(),
});

export const listLedger = defineOperation({
  name: 'list_ledger',
  title: 'Ledger of credits',
  description:
    'Use this to account for every credit: charges, refunds, grants and top-ups of the account, newest first.',
  credits: 0,
  input: z.strictObject({
    limit: z.int().min(1).max(500).default(50).describe('Lines a page'),
    cursor: z.string().max(64).optional().describe('Last next_cursor'),
    ...shape,
  }),
  output: z.object({ items: z.array(ledgerLine), count: z.int(), next_cursor: z.string().nullable() }),
  bindings: [
    {
      method: 'GET',
      path: '/ledger',
      operationId: 'list_ledger',
      summary: 'Itemised charges and grants',
      description:
        'Lists charges, refunds, grants and top-ups of the account, newest first, one line each. For the next page, send next_cursor as cursor.',
      inputs: ['limit', 'cursor', 'detail', 'fields'],
      example: { limit: 2 },
    },
  ],
  stated: ['items.kind', 'items.credits', 'items.at', 'items.action', 'count', 'next_cursor'],
  shortening: { of: 'items', keep: ['items.action', 'items.note'], most: { items: 500 } },
  toolDefaults: { limit: 20 },
  example: {},
  check: PAGES.check,
  async run({ limit, cursor }, { accounts }, { accountId }) {
    const lines = await readLedger(accounts, accountId, { limit: limit + 1, before: PAGES.readBefore(cursor) });
    const { page, next } = PAGES.cut(lines, limit, ({ id }) => id);
    return { kind: 'answer', body: { items: page.map(toItem), count: page.length, next_cursor: next } };
  },
});

function toItem({ id, kind, credits, created_at, key, action, corrects, request_id, key_id, note }: LedgerLine) {
  return {
    id,
    kind,
    credits,
    at: created_at,
    ...(action === null ? {} : { action }),
    ...(kind === 'charge' ? { charge_id: key.slice('charge:'.length) } : {}),
    ...(corrects === null ? {} : { corrects }),
    ...(request_id === null ? {} : { request_id }),
    ...(key_id === null ? {} : { key_id }),
    ...(note === null ? {} : { note }),
  };
}
