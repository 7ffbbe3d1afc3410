import { existsSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'libsql';
import { nameCommitFault } from './failed-commit.ts';
import { fileAddress, readOnlyAddress } from './file-address.ts';
import { makePrivate } from './generations.ts';
import {
  assertBindable,
  BUSY_WAIT_MS,
  type Database,
  DatabaseBusy,
  DatabaseFault,
  nameDatabaseFault,
  nameRefusal,
  type OpenOptions,
  type Outcome,
  pathOfFile,
  readCode,
  retryMs,
  type SqlValue,
  type Statement,
} from './interface.ts';

/** A statement and whether it returns rows; asking it costs as much as a point read. */
interface Prepared {
  statement: ReturnType<Sqlite.Database['prepare']>;
  hasRows: boolean;
  /** Names of the values in a row; null where it has `*`, which may mean others once its table has changed: the driver then names them. */
  columns: readonly string[] | null;
}

/** Shortest and longest pause before a refused write is tried again. Two writers then share fairly (measured). */
const RETRY_MS = [1, 16] as const;
/** A log that others read for longer stays as it is; the next process that closes the file moves it. */
const MERGE_WAIT_MS = 500;
/**
 * Pages of the write-ahead log (4 kB each) before they go to the catalogue's file, for which the writer waits. At the default of
 * 1,000, every batch rewrites its busiest pages there; at 8,000 the waits take 6 % of an ingest's time, at 32,000 they take 3 %.
 */
const WAL_PAGES = 32_000;
/** There are few distinct statements (hot reads, batches); a limit keeps generated SQL from growing the cache for ever. */
const PREPARED_MAX = 500;
const DATA_VERSION = 'PRAGMA data_version';

/** A local libSQL file on the synchronous driver: prepared statements, one connection, no busy wait inside SQLite. */
export async function openFile(options: OpenOptions): Promise<Database> {
  const path = pathOfFile(options.url);
  if (options.mustExist && !existsSync(path)) throw new DatabaseFault(`there is no database at ${path}`);
  const patience = { url: options.url, waitMs: options.busyWaitMs ?? BUSY_WAIT_MS };
  const connection = await whenFree(patience, () => connect(options));
  // SQLite creates a new file when it is first read.
  let opened = readPlace(path);
  const prepared = new Map<string, Prepared>();
  // SQLite counts what other connections commit.
  let ownWrites = 0;

  const prepare = (sql: string): Prepared => {
    const known = prepared.get(sql);
    if (known) return known;
    if (prepared.size >= PREPARED_MAX) prepared.clear();
    const statement = connection.prepare(sql);
    // `.reader` is true for every statement; only the column list shows it (measured on 0.5.29).
    const names = statement.columns().map(({ name }) => name);
    const hasRows = names.length > 0;
    const columns = hasRows && !sql.includes('*') ? names : null;
    if (columns) statement.raw();
    const made = { statement, hasRows, columns };
    prepared.set(sql, made);
    return made;
  };

  return {
    url: options.url,
    read<T>({ sql, args = [], first }: Statement) {
      return whenFree(patience, () => readRows(prepare(sql), args, first) as T[]);
    },
    write(statements) {
      ownWrites += 1;
      return whenFree(patience, () => runBatch(connection, statements, { path, prepare }));
    },
    version() {
      try {
        const [row] = readRows(prepare(DATA_VERSION), [], true) as { data_version: number }[];
        return `${row?.data_version}.${ownWrites}`;
      } catch (error) {
        if (isBusy(error)) return undefined;
        throw nameDatabaseFault(error, options.url);
      }
    },
    isDisplaced() {
      opened ??= readPlace(path);
      return readPlace(path) !== opened;
    },
    async close() {
      prepared.clear();
      if (!options.readOnly) await mergeLog(connection);
      connection.close();
    },
  };
}

/** Which file lies at a path; null where there is none. */
export function readPlace(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? null;
}

function connect(options: OpenOptions): Sqlite.Database {
  const path = pathOfFile(options.url);
  if (!options.readOnly) makePrivate(path);
  // `libsql` ignores { readonly: true } and writes anyway; only the URI's mode has an effect (measured on 0.5.29).
  const connection = openConnection(options.readOnly ? readOnlyAddress(path) : fileAddress(path));
  try {
    for (const pragma of pragmasOf(options)) connection.exec(`PRAGMA ${pragma}`);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** When opening fails, the driver's error has no code (measured on 0.5.29). @param address - as `fileAddress` makes it */
export function openConnection(address: string): Sqlite.Database {
  try {
    return new Sqlite(address);
  } catch (error) {
    throw readCode(error) ? error : Object.assign(error as Error, { code: 'SQLITE_CANTOPEN' });
  }
}

/**
 * Moves the write-ahead log into the file, which is then complete by itself. The driver closes a file only when its statements
 * are collected, so SQLite does not do this at the last closing. Processes that end together do it at the same time, and only
 * one of them can: the others try again.
 */
async function mergeLog(connection: Sqlite.Database): Promise<void> {
  const deadline = performance.now() + MERGE_WAIT_MS;
  try {
    const merge = connection.prepare('PRAGMA main.wal_checkpoint(TRUNCATE)');
    while ((merge.get([]) as { busy: number }).busy && performance.now() < deadline) await pause(retryMs(...RETRY_MS));
  } catch {
    // What cannot be moved now (a full disk, a damaged file) stays in the log, where it is safe.
  }
}

function pragmasOf({ durability, readOnly }: OpenOptions): string[] {
  return [
    `synchronous=${durability === 'full' ? 'FULL' : 'NORMAL'}`,
    'foreign_keys=ON',
    // Without it INSERT OR REPLACE deletes a row and slips past the ledger's delete trigger.
    'recursive_triggers=ON',
    'temp_store=MEMORY',
    ...(readOnly ? ['query_only=ON'] : []),
    ...(durability === 'normal' && !readOnly ? [`wal_autocheckpoint=${WAL_PAGES}`] : []),
  ];
}

/**
 * Runs `work` at once, and again after short pauses while another process holds the file. @throws DatabaseBusy when it was held
 * for longer than `waitMs`; DatabaseFault where the file or its disk cannot be used.
 */
async function whenFree<T>({ url, waitMs }: { url: string; waitMs: number }, work: () => T): Promise<T> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw nameDatabaseFault(error, url);
      if (performance.now() > deadline) {
        throw new DatabaseBusy(`the database is held by another process: ${pathOfFile(url)}`, {
          cause: error,
        });
      }
    }
    await pause(retryMs(...RETRY_MS));
  }
}

function runBatch(
  connection: Sqlite.Database,
  statements: readonly Statement[],
  { path, prepare }: { path: string; prepare(sql: string): Prepared },
): Outcome[] {
  connection.exec('BEGIN IMMEDIATE');
  const outcomes: Outcome[] = [];
  try {
    for (const { sql, args = [] } of statements) outcomes.push(runOne(prepare(sql), args));
    commit(connection, path);
    return outcomes;
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw nameRefusal(error, statements[outcomes.length]);
  }
}

function commit(connection: Sqlite.Database, path: string): void {
  try {
    connection.exec('COMMIT');
  } catch (error) {
    throw nameCommitFault(error, path);
  }
}

function runOne(prepared: Prepared, args: readonly SqlValue[]): Outcome {
  if (!prepared.hasRows) {
    assertBindable(args);
    return { rows: [], changes: prepared.statement.run(args as SqlValue[]).changes };
  }
  const rows = readRows(prepared, args) as Outcome['rows'];
  return { rows, changes: rows.length };
}

function readRows({ statement, columns }: Prepared, args: readonly SqlValue[], first = false): unknown[] {
  assertBindable(args);
  if (!columns) return statement.all(args as SqlValue[]).map(withBytes);
  // The driver's list of rows costs as much as a short statement.
  const rows = first ? [statement.get(args as SqlValue[])].filter(Boolean) : statement.all(args as SqlValue[]);
  return rows.map((values) => toRow(columns, values as unknown[]));
}

function toRow(columns: readonly string[], values: readonly unknown[]): unknown {
  const row: Record<string, unknown> = {};
  for (let place = 0; place < columns.length; place++) row[columns[place] as string] = toBytes(values[place]);
  return row;
}

function withBytes(row: unknown): unknown {
  const record = row as Record<string, unknown>;
  for (const key in record) record[key] = toBytes(record[key]);
  return record;
}

/** The driver returns BLOBs as ArrayBuffer, or as Buffer where it returns values alone; all other code uses Uint8Array. */
function toBytes(value: unknown): unknown {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return value instanceof Buffer ? new Uint8Array(value.buffer, value.byteOffset, value.length) : value;
}

function isBusy(error: unknown): boolean {
  const code = readCode(error);
  return code.startsWith('SQLITE_BUSY') || code === 'SQLITE_LOCKED';
}
