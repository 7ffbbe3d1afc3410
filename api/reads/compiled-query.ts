import type { Database, SqlValue } from '../../schema/db/interface.ts';
import type { Query } from '../../schema/db/query.ts';

/** Rows of a compiled query. */
export function readRows<T>(database: Database, query: Query<T>, values: Record<string, SqlValue> = {}): Promise<T[]> {
  return database.read<T>(query(values));
}

/** The first row of a compiled query, or undefined. */
export async function readRow<T>(
  database: Database,
  query: Query<T>,
  values: Record<string, SqlValue>,
): Promise<T | undefined> {
  return (await database.read<T>(query(values)))[0];
}

/** Sorts after every date and every id: where a list that runs backwards begins. */
export const LIST_START: Position = { date: '~', id: '~' };

/** The position in a list: the sort date and id of the last row given. */
export interface Position {
  date: string;
  id: string;
}
