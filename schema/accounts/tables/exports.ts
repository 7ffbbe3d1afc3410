import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A bulk export: paid for when its row keys are frozen, then written by jobs. */
export const exportJob = sqliteTable(
  'export',
  {
    id: text('id').primaryKey(),
    account_id: text('account_id').notNull(),
    dataset: text('dataset').notNull(),
    format: text('format').notNull(),
    /** JSON of the effective filters. */
    filters: text('filters').notNull(),
    /** `staged`, `processing`, `completed`, `failed` or `expired`. */
    status: text('status').notNull(),
    rows: integer('rows').notNull(),
    matched: integer('matched').notNull(),
    credits_charged: integer('credits_charged').notNull(),
    charge_id: text('charge_id').notNull(),
    refunded: integer('refunded').notNull().default(0),
    created_at: text('created_at').notNull(),
    completed_at: text('completed_at'),
    /** Since when a finished export has waited to be written again after a takedown; otherwise null. */
    requeued_at: text('requeued_at'),
    expires_at: text('expires_at'),
    file: text('file'),
    bytes: integer('bytes'),
    sha256: text('sha256'),
    error: text('error'),
    /** 1 where the CSV file begins with a byte order mark. */
    excel: integer('excel').notNull().default(0),
  },
  (t) => [
    index('export_by_status').on(t.status, t.created_at),
    index('export_by_account').on(t.account_id, t.created_at),
  ],
);

/** The row keys of a paid export, in the order they are written. */
export const exportRow = sqliteTable(
  'export_row',
  {
    export_id: text('export_id').notNull(),
    position: integer('position').notNull(),
    row_key: text('row_key').notNull(),
  },
  (t) => [primaryKey({ columns: [t.export_id, t.position] })],
);

/**
 * The marks of the stores that exports were written to. The mark with the highest turn shows where jobs write now: a process
 * that does not find it in its own store looks at another one. A mark has turn 0 until it has been written to its store.
 */
export const exportStore = sqliteTable('export_store', {
  mark: text('mark').primaryKey(),
  turn: integer('turn').notNull(),
  /** Where it is, in the words of the process that claimed it. */
  place: text('place').notNull(),
  claimed_at: text('claimed_at').notNull(),
});

/** Leases of the jobs that write accounts (the export writer, upkeep). Same shape as the catalogue's. */
export const accountsLease = sqliteTable('lease', {
  name: text('name').primaryKey(),
  token: text('token').notNull(),
  holder: text('holder').notNull(),
  expires_at: integer('expires_at').notNull(),
});

export const accountsFence = sqliteTable('fence', { id: integer('id').primaryKey(), ok: integer('ok').notNull() });
