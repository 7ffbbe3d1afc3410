import { sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What the machines of an installation have in common, as set by the first of them. */
export const installation = sqliteTable('installation', {
  /**
   * `secret` (its fingerprint), `tool_prefix`; `program`, which the machine that started last writes; `matched`, the newest batch
   * of the catalogue with which watches were matched, as JSON; `takedowns`, a copy of the catalogue's table, as JSON,
   * and `takedowns_before`, those of the accounts that a backup replaced.
   */
  name: text('name').primaryKey(),
  value: text('value').notNull(),
  set_at: text('set_at').notNull(),
});
