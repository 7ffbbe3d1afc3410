import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database } from '../../schema/db/interface.ts';
import { COMPILED_TABLES, REGISTER_TABLES } from './tables.ts';

/**
 * Indexes that are read or written through while a generation is filled. Every other one would be written in the order of its
 * own key, a page for nearly each row: it is created from the filled table.
 */
const READ_MEANWHILE: ReadonlySet<string> = new Set([
  'previous_name_by_number',
  'identity_fact_by_value',
  'process_by_ocid',
  'notice_by_process',
  'notice_by_notice_id',
  'contract_by_process',
  'process_mention_by_process',
  'notice_name_by_process',
  'framework_reference_by_framework',
  'process_reference_by_process',
]);

const INDEXES = `SELECT name, tbl_name AS "table", sql FROM sqlite_master
WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN (SELECT value FROM json_each(?)) ORDER BY rowid`;

/** The indexes that an empty generation goes without. */
interface IndexesAside {
  /** Creates those of some tables, or of all. */
  create(tables?: readonly string[]): Promise<void>;
}

/** Drops the indexes of an empty generation that nothing reads while it is filled. */
export async function setIndexesAside(built: Database): Promise<IndexesAside> {
  const tables = JSON.stringify([...COMPILED_TABLES, ...REGISTER_TABLES]);
  const all = await built.read<{ name: string; table: string; sql: string }>({ sql: INDEXES, args: [tables] });
  let aside = all.filter(({ name }) => !READ_MEANWHILE.has(name));
  await built.write(aside.map(({ name }) => ({ sql: `DROP INDEX "${name}"` })));
  return {
    async create(wanted) {
      const now = aside.filter(({ table }) => !wanted || wanted.includes(table));
      aside = aside.filter((index) => !now.includes(index));
      for (const { sql } of now) {
        await built.write([{ sql }]);
        // A lease's heartbeat runs between them.
        await yieldToEventLoop();
      }
    },
  };
}
