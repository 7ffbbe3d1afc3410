import type { Database } from '../../../schema/db/interface.ts';
import { CHANGED_ROW, readFilledTables } from '../tables.ts';

/** Records from here on which rows of a generation change, by triggers: they go when its file does. */
export async function watchChanges(built: Database): Promise<void> {
  const tables = await readFilledTables(built);
  const note = (table: string, row: 'NEW' | 'OLD') => `INSERT INTO ${CHANGED_ROW} VALUES ('${table}', ${row}.rowid);`;
  const bodies = (table: string) => [
    ['INSERT', note(table, 'NEW')],
    ['DELETE', note(table, 'OLD')],
    ['UPDATE', note(table, 'OLD') + note(table, 'NEW')],
  ];
  await built.write([
    { sql: `CREATE TABLE ${CHANGED_ROW} (name TEXT NOT NULL, row INTEGER NOT NULL)` },
    ...tables.flatMap((table) =>
      bodies(table).map(([event, body]) => ({
        sql: `CREATE TRIGGER "${CHANGED_ROW}_${table}_${event}" AFTER ${event} ON "${table}" BEGIN ${body} END`,
      })),
    ),
  ]);
}

/** Numbers of the rows of each table that changed up to a mark. */
interface Changes {
  rows: Map<string, number[]>;
  /** Drops those records, once their rows are sent. */
  forget(): Promise<void>;
}

/** What changed since it was last sent. */
export async function readChanges(built: Database): Promise<Changes> {
  const [mark] = await built.read<{ last: number | null }>({ sql: `SELECT max(rowid) AS last FROM ${CHANGED_ROW}` });
  const last = mark?.last ?? 0;
  const changed = await built.read<{ name: string; row: number }>({
    sql: `SELECT DISTINCT name, row FROM ${CHANGED_ROW} WHERE rowid <= ? ORDER BY name, row`,
    args: [last],
  });
  const rows = new Map<string, number[]>();
  for (const { name, row } of changed) {
    const own = rows.get(name);
    if (own) own.push(row);
    else rows.set(name, [row]);
  }
  return {
    rows,
    forget: async () =>
      void (await built.write([{ sql: `DELETE FROM ${CHANGED_ROW} WHERE rowid <= ?`, args: [last] }])),
  };
}
