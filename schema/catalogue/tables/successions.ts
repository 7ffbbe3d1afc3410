import { index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { SUCCESSION_METHODS } from '../enums.ts';

/** Which procurement may repeat the purchase of a contract. Follows from the rows of one buyer; pairs below the stated score have no row. */
export const succession = sqliteTable(
  'succession',
  {
    /** The later procurement. */
    process_id: text('process_id').notNull(),
    /** The contract that it may succeed. */
    contract_id: text('contract_id').notNull(),
    buyer_id: text('buyer_id').notNull(),
    method: text('method', { enum: SUCCESSION_METHODS }).notNull(),
    /** 0 to 1. */
    score: real('score').notNull(),
    /** JSON: sentences. */
    evidence: text('evidence').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.process_id, t.contract_id] }),
    index('succession_by_contract').on(t.contract_id),
    index('succession_by_buyer').on(t.buyer_id),
  ],
);

/** Ocids and notice ids of the other service that a process names: an identifier showing that the two are one procurement. */
export const processMention = sqliteTable(
  'process_mention',
  {
    mention: text('mention').notNull(),
    process_id: text('process_id').notNull(),
    /** 1 where the process calls itself a copy of what it names. */
    is_copy: integer('is_copy').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.mention, t.process_id] }), index('process_mention_by_process').on(t.process_id)],
);

/** Other names of a notice, in lower case: the id of its page, its own number, each with and without its service's prefix. */
export const noticeName = sqliteTable(
  'notice_name',
  { name: text('name').notNull(), process_id: text('process_id').notNull(), notice_id: text('notice_id').notNull() },
  (t) => [
    primaryKey({ columns: [t.name, t.process_id, t.notice_id] }),
    index('notice_name_by_process').on(t.process_id),
  ],
);
