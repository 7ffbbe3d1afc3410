import type { Database, Statement } from '../../schema/db/interface.ts';

/** A statement that was run, and how many rows it gave; a written one none. */
export interface Watched extends Statement {
  rows: number;
}

/** A database that remembers what it was asked. */
export interface WatchedDatabase {
  database: Database;
  /** Everything asked since the last call of this. */
  take(): Watched[];
}

export function watch(database: Database): WatchedDatabase {
  let asked: Watched[] = [];
  return {
    database: {
      ...database,
      async read<T>(statement: Statement) {
        const rows = await database.read<T>(statement);
        asked.push({ ...statement, rows: rows.length });
        return rows;
      },
      write(statements) {
        asked.push(...statements.map((statement) => ({ ...statement, rows: 0 })));
        return database.write(statements);
      },
    },
    take() {
      const before = asked;
      asked = [];
      return before;
    },
  };
}

/** The steps by which a statement would be answered, as SQLite tells them. */
export async function explain(database: Database, { sql, args = [] }: Statement): Promise<string[]> {
  const plan = await database.read<{ detail: string }>({ sql: `EXPLAIN QUERY PLAN ${sql}`, args });
  return plan.map(({ detail }) => detail);
}
