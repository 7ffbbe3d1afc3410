import { createClient, type InStatement, LibsqlError, type Row } from '@libsql/client';
import { type Database, DatabaseBusy, type OpenOptions, type Outcome, type SqlValue } from './database.ts';

/** A libSQL server or Turso. Durability is the server's; `readOnly` is enforced here, as a server URL has no mode. */
export async function openRemote(options: OpenOptions): Promise<Database> {
  const client = createClient({ url: options.url, ...(options.authToken ? { authToken: options.authToken } : {}) });
  return {
    url: options.url,
    async read<T>({ sql, args = [] }: { sql: string; args?: readonly SqlValue[] }) {
      const result = await client.execute({ sql, args: [...args] });
      return result.rows.map((row) => toRecord(row, result.columns)) as T[];
    },
    async write(statements) {
      if (options.readOnly) throw new Error('this database was opened read-only');
      const batch: InStatement[] = statements.map(({ sql, args = [] }) => ({ sql, args: [...args] }));
      try {
        // The default mode is deferred, in which a batch may read first and then fail to write.
        const results = await client.batch(batch, 'write');
        return results.map((result): Outcome => {
          const rows = result.rows.map((row) => toRecord(row, result.columns));
          return { rows, changes: rows.length > 0 ? rows.length : result.rowsAffected };
        });
      } catch (error) {
        if (error instanceof LibsqlError && error.code.startsWith('SQLITE_BUSY')) {
          throw new DatabaseBusy('the database is held by another writer', { cause: error });
        }
        throw error;
      }
    },
    async close() {
      client.close();
    },
  };
}

function toRecord(row: Row, columns: string[]): Record<string, SqlValue> {
  const record: Record<string, SqlValue> = {};
  columns.forEach((column, index) => {
    const value = row[index];
    record[column] = value instanceof ArrayBuffer ? new Uint8Array(value) : ((value ?? null) as SqlValue);
  });
  return record;
}
