import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/**
 * The change log: one entry for each time a row came, changed or went, written by triggers in the commit that wrote the row
 * (`changes/triggers`). Entries of 90 days are kept; those up to the counter `changes_from` were removed.
 */
export const change = sqliteTable(
  'change',
  {
    /** The table of the row: `notice`, `contract`, `company`, `buyer` or `framework`. */
    kind: text('kind').notNull(),
    /** The `seq` that the row got with it. */
    seq: integer('seq').notNull(),
    /** Id of the row, or `sha256:` and a digest of it where the id itself was taken down. */
    id: text('id').notNull(),
    change: text('change', { enum: ['new', 'updated', 'gone'] }).notNull(),
    /** Names of the fields that changed, with spaces between; empty for what is new or gone. */
    changed: text('changed').notNull().default(''),
    /** JSON: everything that filters read of the row, as it was before. Null where none of it changed and the row stayed, JSON `null` where it was taken down. */
    former: text('former'),
  },
  (t) => [
    uniqueIndex('change_by_seq').on(t.kind, t.seq, t.id),
    index('change_of_filters').on(t.kind, t.id, t.seq).where(sql`former IS NOT NULL`),
    // Whether a buyer or supplier had a contract at a position: not before it came.
    index('change_of_new_contract').on(t.id, t.seq).where(sql`kind = 'contract' AND change = 'new'`),
  ],
);

/**
 * Contracts that buyers and suppliers had and lost, as one went or became another's: what they matched before is found by it.
 * Written by triggers in that commit, and kept as long as the entries of the log.
 */
export const lostContract = sqliteTable(
  'lost_contract',
  {
    /** `buyer` or `company`. */
    kind: text('kind').notNull(),
    owner_id: text('owner_id').notNull(),
    /** The `seq` that the contract got with it. */
    seq: integer('seq').notNull(),
    contract_id: text('contract_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.owner_id, t.seq, t.contract_id] })],
);

/**
 * When each batch was committed, by the clock of the database: a `seq` without a row of its own became visible with the next
 * one. Kept for good: 15 bytes a batch.
 */
export const changeInstant = sqliteTable(
  'change_instant',
  {
    seq: integer('seq').primaryKey(),
    /** Seconds since 1970. */
    at: integer('at').notNull(),
  },
  (t) => [index('change_instant_by_at').on(t.at)],
);
