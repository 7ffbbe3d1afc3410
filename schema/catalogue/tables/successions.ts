import { index, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { SUCCESSION_METHODS } from '../enums.ts';

/** Which procurement may buy again what a contract bought. Follows from the rows of one buyer; what is less sure than the stated score has no row. */
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
