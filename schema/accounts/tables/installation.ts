import { sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What the machines of an installation have in common, as the first of them had it. */
export const installation = sqliteTable('installation', {
  /** `secret` (its fingerprint), `tool_prefix`, or `program`, which the machine that started last writes. */
  name: text('name').primaryKey(),
  value: text('value').notNull(),
  set_at: text('set_at').notNull(),
});
