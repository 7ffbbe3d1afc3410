import { z } from 'zod';
import { DELIVERY_STATES, type DeliveryRow } from '../../../schema/accounts/watches/deliveries.ts';
import {
  WATCH_CHANGES,
  WATCH_COLLECTIONS,
  WATCH_REASONS,
  WATCH_RHYTHMS,
  type WatchRow,
} from '../../../schema/accounts/watches/row.ts';
import { fromJson, omitEmpty } from '../../../schema/answers/omit-empty.ts';
import { filtersUsed, instant } from '../../../schema/answers/shapes.ts';
import { isoInstant } from '../../../schema/config/clocks.ts';
import type { Nothing } from '../../contract/operation.ts';
import { sayFilters } from '../filters/apply.ts';
import { unknownFilters } from '../filters/known.ts';
import { correction } from '../search/shapes.ts';
import { describe } from '../shared/inputs.ts';

const ID_MAX = 100;
const URL_MAX = 2_000;

/** Ids in the examples of operations. */
export const EXAMPLE_IDS = {
  watch_id: 'wat_3fgxxJ44JzVJKUPlA3bU01',
  delivery_id: 'wd_3fgxxJ44JzVJKUPlA3bU01',
} as const;

export const watchId = z.string().trim().min(1).max(ID_MAX).meta(describe('From {list_watches}', EXAMPLE_IDS.watch_id));
export const deliveryId = z
  .string()
  .trim()
  .min(1)
  .max(ID_MAX)
  .meta(describe('From {list_deliveries}', EXAMPLE_IDS.delivery_id));

/** A text as the database gives it back: it would end at a NUL, and UTF-8 has no half of a surrogate pair. */
const storable = (text: string) => Buffer.from(text.replaceAll('\0', '')).toString();

/** What a watch looks for and where it delivers. */
export const watchInputs = {
  name: z.string().overwrite(storable).trim().min(1).max(200).meta(describe('Your name for it', 'Cleaning')),
  on: z.enum(WATCH_COLLECTIONS).meta(describe('Which search', 'tenders')),
  filters: z.record(z.string(), z.unknown()).meta(describe('query and filters of that search', { query: 'cleaning' })),
  deliver: z
    .strictObject({
      webhook: z.string().trim().max(URL_MAX).optional().describe('https address'),
      email: z.literal(true).optional().describe('To the holder of the account'),
    })
    .meta(describe('Either', { webhook: 'https://hooks.example.org/a' })),
  every: z.enum(WATCH_RHYTHMS).describe('After each ingest run, or a digest'),
  changes: z.array(z.enum(WATCH_CHANGES)).min(1).max(WATCH_CHANGES.length).describe('Which it delivers'),
  credits_per_day_max: z.int().min(2).max(1_000_000).nullable().describe('Most credits a day (UTC); null for none'),
};

export const watchCollection = z.enum(WATCH_COLLECTIONS).describe('The search that it saves');
export const watchRhythm = z.enum(WATCH_RHYTHMS).describe('When it delivers: after each ingest run, or as a digest');
export const watchAddress = z
  .object({
    webhook: z.string().optional().describe('The address that is called'),
    email: z.literal(true).optional().describe('It is mailed to the holder of the account'),
  })
  .describe('Where it delivers');
export const watchEstimate = z
  .object({
    item_count: z.int().describe('How many items'),
    credits: z.int().describe('The least that they would have cost'),
    corrections: z.array(correction).optional().describe('Words corrected here; a watch corrects nothing'),
  })
  .describe('What it would have delivered in the last seven days, about');

/** A watch in an answer. Its secret is shown once, when it is created. */
export const watchShape = z.object({
  watch_id: z.string().describe('The id of the watch'),
  name: z.string(),
  on: watchCollection,
  filters: filtersUsed,
  deliver: watchAddress,
  every: watchRhythm,
  changes: z.array(z.enum(WATCH_CHANGES)).describe('Which changes it delivers'),
  credits_per_day_max: z.int().optional().describe('The most credits that it may spend in a day (UTC)'),
  status: z.enum(['active', 'waiting', 'paused']).describe('waiting continues by itself, paused once it is resumed'),
  reason: z.string().optional().describe('Why it waits or is paused'),
  message: z.string().optional().describe('The same in a sentence'),
  created_at: instant,
  last_delivered_at: instant.optional().describe('When it last delivered'),
  next_digest_at: instant.optional().describe('When its next digest is made'),
  secret: z.string().optional().describe('whsec_…, which signs its webhooks; shown once'),
  last_seven_days: watchEstimate.optional(),
  unknown_filters: unknownFilters.describe('Filters by what is nowhere, for which it delivers nothing'),
});

/** A row in an answer; `secret` is the text of a newly created secret. */
export function toWatch(row: WatchRow, secret?: string): z.input<typeof watchShape> {
  return {
    watch_id: row.id,
    name: row.name,
    on: row.collection,
    filters: sayFilters(fromJson(row.filters)),
    deliver: row.webhook === null ? { email: true } : { webhook: row.webhook },
    every: row.every,
    changes: fromJson(row.changes),
    status: row.state,
    ...omitEmpty({
      credits_per_day_max: row.credits_per_day_max,
      reason: row.reason,
      message: row.reason === null ? null : WATCH_REASONS[row.reason],
    }),
    created_at: row.created_at,
    ...omitEmpty({ last_delivered_at: row.last_delivered_at, next_digest_at: row.due_at, secret }),
  };
}

export const deliveryShape = z.object({
  delivery_id: z.string().describe('The webhook-id of each attempt'),
  kind: z.enum(['items', 'test']).describe('What it delivers: changed items, or nothing as a test'),
  status: z.enum(DELIVERY_STATES).describe('failed: no more attempts; dropped: its watch was changed first, refunded'),
  item_count: z.int().describe('How many items it delivers'),
  credits: z.int().describe('What it costs'),
  charge_id: z.string().optional().describe("The ledger's charge"),
  created_at: instant,
  delivered_at: instant.optional().describe('When its receiver took it'),
  attempts: z.int().describe('How often it was sent'),
  next_attempt_at: instant.optional().describe('When it is sent next'),
  answer_status: z.int().optional().describe('HTTP status of the receiver'),
  answer_ms: z.int().optional().describe('How long its answer took, in milliseconds'),
  answer: z.string().optional().describe('How its answer begins'),
  error: z.string().optional().describe('Why the last attempt failed'),
});

/** A delivery in an answer. */
export function toDelivery(row: DeliveryRow): z.input<typeof deliveryShape> {
  const isWaiting = row.status === 'waiting';
  return {
    delivery_id: row.id,
    kind: row.kind as 'items' | 'test',
    status: row.status,
    item_count: row.items,
    credits: row.credits,
    ...omitEmpty({ charge_id: row.charge_id }),
    created_at: row.created_at,
    ...omitEmpty({ delivered_at: row.delivered_at }),
    attempts: row.attempts,
    ...omitEmpty({
      next_attempt_at: isWaiting ? isoInstant(new Date(row.next_attempt_at)) : null,
      answer_status: row.answer_status,
      answer_ms: row.answer_ms,
      answer: row.answer,
      error: row.error,
    }),
  };
}

export const noWatch: Nothing = {
  kind: 'nothing',
  message: 'No watch of this account has this id; {list_watches} lists them',
};
