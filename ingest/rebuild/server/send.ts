import type { Database, SqlValue, Statement } from '../../../schema/db/interface.ts';
import { chunksOf } from '../../../schema/text/memoise.ts';
import { readFilledTables } from '../tables.ts';
import { readChanges } from './changes.ts';

/** The most that one batch sends: a server ends a batch that takes longer than 5 s while another waits. */
const BATCH_BYTES = 1_000_000;
const BATCH_VALUES = 20_000;
/** Rows read at once. */
const READ_ROWS = 500;
/** Name for a row's number, in tables without a column for it. */
const ROW = 'rowid';

/** How a table's rows are read and written; a row has the same number on both sides. */
interface Sent {
  table: string;
  columns: string[];
  /** The name of the row number. */
  number: string;
}

type Row = Record<string, SqlValue>;

interface Sending {
  signal?: AbortSignal | undefined;
  onRows?: (rows: number) => void;
}

/**
 * Makes every table of a server's database equal to a file's. Existing content is replaced, batch by batch, so that an
 * interrupted filling can be repeated.
 */
export async function sendAll(built: Database, next: Database, { signal, onRows }: Sending): Promise<void> {
  for (const table of await readFilledTables(built)) {
    const sent = await describeTable(built, table);
    for (let after = -1; ; ) {
      signal?.throwIfAborted();
      const rows = await built.read<Row>({
        sql: `SELECT ${sent.columns.join(', ')} FROM "${table}" WHERE ${sent.number} > ? ORDER BY ${sent.number} LIMIT ${READ_ROWS}`,
        args: [after],
      });
      for (const batch of cut(rows, sent)) {
        const last = numberOf(batch.at(-1), sent);
        await next.write([
          { sql: `DELETE FROM "${table}" WHERE ${sent.number} > ? AND ${sent.number} <= ?`, args: [after, last] },
          insert(sent, batch),
        ]);
        after = last;
        onRows?.(batch.length);
      }
      if (rows.length === READ_ROWS) continue;
      await next.write([{ sql: `DELETE FROM "${table}" WHERE ${sent.number} > ?`, args: [after] }]);
      break;
    }
  }
}

/** Sends a file's changes since it was last sent; returns how many rows. */
export async function sendChanges(built: Database, next: Database, { signal }: Sending): Promise<number> {
  const { rows: changed, forget } = await readChanges(built);
  let count = 0;
  for (const [table, numbers] of changed) {
    const sent = await describeTable(built, table);
    const chosen = `${sent.number} IN (SELECT value FROM json_each(?))`;
    for (const some of chunksOf(numbers, READ_ROWS)) {
      signal?.throwIfAborted();
      const args = [JSON.stringify(some)];
      const rows = await built.read<Row>({
        sql: `SELECT ${sent.columns.join(', ')} FROM "${table}" WHERE ${chosen} ORDER BY ${sent.number}`,
        args,
      });
      await next.write([{ sql: `DELETE FROM "${table}" WHERE ${chosen}`, args }]);
      for (const batch of cut(rows, sent)) await next.write([insert(sent, batch)]);
    }
    count += numbers.length;
  }
  await forget();
  return count;
}

/** Tables that do not have as many rows on both sides. */
export async function findUnequal(built: Database, next: Database): Promise<string[]> {
  const unequal: string[] = [];
  for (const table of await readFilledTables(built)) {
    const sql = `SELECT count(*) AS rows FROM "${table}"`;
    const [[here], [there]] = [await built.read<{ rows: number }>({ sql }), await next.read<{ rows: number }>({ sql })];
    if (here?.rows !== there?.rows) unequal.push(`${table} (${here?.rows}, and ${there?.rows} there)`);
  }
  return unequal;
}

async function describeTable(built: Database, table: string): Promise<Sent> {
  const columns = await built.read<{ name: string; type: string; pk: number }>({
    sql: 'SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid',
    args: [table],
  });
  const keys = columns.filter(({ pk }) => pk > 0);
  // Such a key is the row's number; any other table has a number besides its columns.
  const own = keys.length === 1 && keys[0]?.type.toUpperCase() === 'INTEGER' ? keys[0].name : null;
  const names = columns.map(({ name }) => `"${name}"`);
  return { table, columns: own ? names : [ROW, ...names], number: own ? `"${own}"` : ROW };
}

/** Rows in batches of a tolerable size. */
function* cut(rows: readonly Row[], { columns }: Sent): Generator<Row[]> {
  let batch: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = sizeOf(row);
    if (batch.length > 0 && (bytes + size > BATCH_BYTES || (batch.length + 1) * columns.length > BATCH_VALUES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(row);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

function sizeOf(row: Row): number {
  return Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 8),
    0,
  );
}

function numberOf(row: Row | undefined, { number }: Sent): number {
  return Number(row?.[number.replaceAll('"', '')]);
}

/** A unique value that moved from one row to another is removed from its old row, which is also sent. */
function insert({ table, columns }: Sent, rows: readonly Row[]): Statement {
  const values = `(${columns.map(() => '?').join(', ')})`;
  return {
    sql: `INSERT OR REPLACE INTO "${table}" (${columns.join(', ')}) VALUES ${rows.map(() => values).join(', ')}`,
    args: rows.flatMap((row) => columns.map((name) => row[name.replaceAll('"', '')] ?? null)),
  };
}
