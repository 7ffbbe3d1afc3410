import type { Database, Statement } from './interface.ts';

/** The first row of a statement, or undefined where there is none. @throws what `Database.read` throws. */
export async function readFirst<T>(database: Database, statement: Statement): Promise<T | undefined> {
  const [row] = await database.read<T>(statement);
  return row;
}
