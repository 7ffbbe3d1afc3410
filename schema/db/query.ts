import { fillPlaceholders } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/sqlite-core';
import type { Database, SqlValue, Statement } from './interface.ts';

/** Drizzle's builder without a connection: it writes typed SQL, `schema/db/open.ts` runs it. */
export const select = new QueryBuilder();

interface Built<T> {
  toSQL(): { sql: string; params: unknown[] };
  readonly _: { readonly result: T[] };
}

/** A query whose SQL text was written once; called with the values of its placeholders it is a statement. */
export interface Query<T> {
  (values?: Record<string, SqlValue>): Statement;
  readonly row?: T;
}

/**
 * Compiles a Drizzle query once, at load. Drizzle's own `.prepare()` on libSQL prepares again on every call.
 * Rows come back under their column names, which is how the tables name their properties.
 */
export function compileQuery<T>(built: Built<T>): Query<T> {
  const { sql, params } = built.toSQL();
  return (values = {}) => ({ sql, args: fillPlaceholders(params, values) as SqlValue[] });
}

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
