import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { account, apiKey } from './ledger.ts';

/** A saved search that delivers what changed. */
export const watch = sqliteTable(
  'watch',
  {
    id: text('id').primaryKey(),
    account_id: text('account_id')
      .notNull()
      .references(() => account.id),
    /** The key that created it, whose monthly cap its deliveries count against; null where it was created on the dashboard. */
    key_id: text('key_id').references(() => apiKey.id),
    name: text('name').notNull(),
    /** `tenders`, `notices` or `contracts`. */
    collection: text('collection').notNull(),
    /** JSON of the filters as the search reads them, `query` included, sorted by name. */
    filters: text('filters').notNull(),
    /** Where its webhook is sent; null where it is mailed to the holder of the account. */
    webhook: text('webhook'),
    /** What signs the webhook, encrypted with the secret of the service. */
    secret: text('secret'),
    /** The secret before the last rotation, which also signs until `former_until`. */
    former_secret: text('former_secret'),
    former_until: text('former_until'),
    /** `run`, `day` or `week`. */
    every: text('every').notNull(),
    /** JSON array of the kinds of change that it delivers. */
    changes: text('changes').notNull(),
    credits_per_day_max: integer('credits_per_day_max'),
    /** `active`, `waiting` (it continues without help) or `paused` (until somebody resumes it). */
    state: text('state').notNull().default('active'),
    /** Why it waits or is paused. */
    reason: text('reason'),
    /** When its holder was mailed that it waits or is paused. */
    reason_mailed_at: text('reason_mailed_at'),
    /** The last change of the catalogue that it was matched with: its `seq`, and the id of its row. */
    position: integer('position').notNull(),
    position_id: text('position_id').notNull().default(''),
    /** The instant of its next digest; null where it delivers after each run. */
    due_at: text('due_at'),
    created_at: text('created_at').notNull(),
    /** Since when it delivers this: when it was created, or last changed in more than its name and `credits_per_day_max`. */
    changed_at: text('changed_at').notNull(),
    last_delivered_at: text('last_delivered_at'),
  },
  (t) => [index('watch_by_account').on(t.account_id, t.created_at), index('watch_by_position').on(t.state, t.position)],
);

/** The outbox of the watches: what each delivers, in order, and the outcome. */
export const watchDelivery = sqliteTable(
  'watch_delivery',
  {
    /** Rises with each delivery, so that a watch delivers in the order of its changes. */
    number: integer('number').primaryKey({ autoIncrement: true }),
    /** `webhook-id` of every attempt. */
    id: text('id').notNull().unique(),
    watch_id: text('watch_id').notNull(),
    account_id: text('account_id').notNull(),
    /** `items` or `test`. */
    kind: text('kind').notNull(),
    /** `waiting`, `delivered`, `failed` (no more attempts) or `dropped` (its watch was changed or deleted first). */
    status: text('status').notNull().default('waiting'),
    items: integer('items').notNull(),
    credits: integer('credits').notNull(),
    /** The ledger's charge; null where it is free. */
    charge_id: text('charge_id'),
    /** JSON of the changes it delivers; null once its time is over. */
    body: text('body'),
    created_at: text('created_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** When it is next due, in milliseconds since the epoch. */
    next_attempt_at: integer('next_attempt_at').notNull(),
    /** When it was last sent to its receiver or the mail server, recorded before; null while neither can have it, which is refunded if it is dropped. */
    sending_at: text('sending_at'),
    ended_at: text('ended_at'),
    /** When its receiver first accepted it. */
    delivered_at: text('delivered_at'),
    /** A digest of the Idempotency-Key of the last request to send it again, so that a repeated request sends nothing; null without one. */
    retried_under: text('retried_under'),
    /** The last attempt: the receiver's HTTP status, how long it took, and how its answer begins. */
    answer_status: integer('answer_status'),
    answer_ms: integer('answer_ms'),
    answer: text('answer'),
    error: text('error'),
    /** Since when a mail server refuses it, or its address, for now; null where its last attempt did not end so. */
    refused_since: text('refused_since'),
  },
  (t) => [
    index('watch_delivery_by_watch').on(t.watch_id, t.number),
    index('watch_delivery_waiting').on(t.watch_id, t.number).where(sql`status = 'waiting'`),
    index('watch_delivery_by_account').on(t.account_id, t.created_at),
    index('watch_delivery_by_status').on(t.status, t.next_attempt_at),
  ],
);

/** What a watch has delivered, so that it can report what of this is gone, and reports no change twice. */
export const watchItem = sqliteTable(
  'watch_item',
  {
    watch_id: text('watch_id').notNull(),
    /** Id of a notice or a contract. */
    item_id: text('item_id').notNull(),
    /** When it was last delivered. */
    at: text('at').notNull(),
    /** The `seq` of the last of its changes that was delivered, or passed: its watch may stand before that, after another row. */
    seq: integer('seq').notNull().default(0),
    /** 1 where it was reported as gone, or as matching no more, or was never delivered. */
    gone: integer('gone').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.watch_id, t.item_id] })],
);
