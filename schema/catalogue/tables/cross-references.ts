import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Ocids and notice ids of the other service that a process names: an identifier that says the two are one procurement. */
export const processMention = sqliteTable(
  'process_mention',
  {
    mention: text('mention').notNull(),
    process_id: text('process_id').notNull(),
    /** 1 where the process says that it is a copy of what it names. */
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
