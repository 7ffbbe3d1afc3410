import { sql } from 'drizzle-orm';
import { check, index, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { account } from './ledger.ts';

/** A purchase of credits. Its top-up in the ledger is `top_up:<id>`; reversals correct that line. */
export const payment = sqliteTable(
  'payment',
  {
    id: text('id').primaryKey(),
    account_id: text('account_id')
      .notNull()
      .references(() => account.id),
    credits: integer('credits').notNull(),
    /** What is paid, VAT included, in pence. */
    amount: integer('amount').notNull(),
    vat: integer('vat').notNull(),
    vat_percent: real('vat_percent').notNull(),
    /** ISO 4217, lower case as Stripe writes it. */
    currency: text('currency').notNull(),
    /** False for money of Stripe's test mode. */
    live: integer('live', { mode: 'boolean' }).notNull(),
    /** `open`, `pending` (agreed, the money has not arrived), `paid`, `failed` or `expired`. */
    state: text('state').notNull().default('open'),
    /** Credits that refunds and disputes claim back; the part that the ledger has not taken is the shortfall. */
    called_back: integer('called_back').notNull().default(0),
    session_id: text('session_id').unique(),
    payment_intent: text('payment_intent').unique(),
    created_at: text('created_at').notNull(),
    /** When Stripe had the money, whenever it reported that. */
    paid_at: text('paid_at'),
  },
  (t) => [
    index('payment_by_account').on(t.account_id, t.created_at),
    check('payment_credits_positive', sql`${t.credits} > 0`),
    check('payment_amount_positive', sql`${t.amount} > 0`),
  ],
);

/** What Stripe reported about returned money: the newest report for each refund, each dispute, and the refunded sum of each charge. */
export const paymentReversal = sqliteTable(
  'payment_reversal',
  {
    /** Stripe's id: `re_…`, `du_…` or `ch_…`. */
    id: text('id').primaryKey(),
    payment_intent: text('payment_intent').notNull(),
    /** `refund`, `dispute` or `charge`. */
    kind: text('kind').notNull(),
    /** In pence. */
    amount: integer('amount').notNull(),
    /** False for a refund that failed and a dispute that was won. */
    standing: integer('standing', { mode: 'boolean' }).notNull(),
    status: text('status').notNull(),
    /** When Stripe reported it, in seconds since the epoch: an older report never replaces a newer one. */
    said_at: integer('said_at').notNull(),
  },
  (t) => [index('payment_reversal_by_intent').on(t.payment_intent)],
);

/** Every event from Stripe that was accepted, and its outcome. */
export const paymentEvent = sqliteTable(
  'payment_event',
  {
    /** Stripe's id: `evt_…`. */
    id: text('id').primaryKey(),
    type: text('type').notNull(),
    /** The payment, session or intent that it concerned. */
    subject: text('subject').notNull(),
    outcome: text('outcome').notNull(),
    received_at: text('received_at').notNull(),
  },
  (t) => [index('payment_event_by_time').on(t.received_at)],
);
