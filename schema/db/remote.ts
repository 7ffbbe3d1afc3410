import { type Client, createClient, LibsqlBatchError, LibsqlError, type ResultSet, type Row } from '@libsql/client';
import { hideCredentials } from '../process/log.ts';
import {
  assertBindable,
  type Database,
  DatabaseAway,
  DatabaseBusy,
  DatabaseFault,
  nameRefusal,
  type OpenOptions,
  type Outcome,
  OutcomeUnknown,
  type SqlValue,
  type Statement,
} from './interface.ts';
import { makeServerFetch } from './server-fetch.ts';
import { placeOfServer, type ServerPlace } from './server-place.ts';

/** Pause before a refused write is tried again: longer than for a file, as a round trip costs more. */
const RETRY_MS = { least: 5, most: 50 };
const BUSY_WAIT_MS = 2_000;
/** How long a server may take for one request, in milliseconds: a longer read is refused, and the outcome of a longer write is unknown. */
const DEADLINE_MS = { read: 5_000, write: 10_000 };

/** A server ends a batch that takes longer than 5 s while another waits: it was rolled back (libSQL server 0.24). */
const BUSY = /^(SQLITE_BUSY|SQLITE_LOCKED$|TRANSACTION_TIMEOUT$|TRANSACTION_BUSY$)/;

/** The words with which a read may begin. A server URL has no read-only mode, and a server may not support read-only transactions. */
const READS = /^\s*(select|with|values|explain|pragma)\b/i;
const READ_ONLY = 'attempt to write a readonly database';

/** A libSQL server or Turso. Durability is the server's; `readOnly` is enforced here and by its read transactions. */
export async function openRemote(options: OpenOptions): Promise<Database> {
  const reader = connect(options, options.deadlineMs?.read ?? DEADLINE_MS.read);
  const writer = connect(options, options.deadlineMs?.write ?? DEADLINE_MS.write);
  const waitMs = options.busyWaitMs ?? BUSY_WAIT_MS;
  const address = addressOf(options.url);
  const explain = (error: unknown): never => {
    if (error instanceof LibsqlError && isAnswer(error)) throw nameEmpty(error, address);
    if (!(error instanceof LibsqlError) && !isOfNetwork(error)) throw error;
    throw makeAway(address, error);
  };
  const read = (statement: Statement) => readOnce(reader, statement, options.readOnly ?? false);
  return {
    url: options.url,
    async read<T>(statement: Statement) {
      const rows = read(statement).catch((error) => (isCut(error) ? read(statement) : Promise.reject(error)));
      return rows.catch(explain) as Promise<T[]>;
    },
    async write(statements) {
      if (options.readOnly) throw new Error(READ_ONLY);
      // The default mode is deferred, in which a batch may read first and then fail to write.
      const bound = statements.map(bind);
      try {
        return (await untilFree({ waitMs, address }, () => writer.batch(bound, 'write'))).map(toOutcome);
      } catch (error) {
        const named = error instanceof LibsqlBatchError ? nameRefusal(error, statements[error.statementIndex]) : error;
        throw nameEmpty(named, address);
      }
    },
    async close() {
      reader.close();
      writer.close();
    },
  };
}

/** A client of a server with a deadline for every request, in milliseconds. By default a request waits five minutes for a server that hangs. */
export function connect({ url, authToken }: Pick<OpenOptions, 'url' | 'authToken'>, deadlineMs: number): Client {
  const fetchInTime = makeServerFetch(deadlineMs, headersOf(placeOfServer(url)));
  return createClient({ url: asFolder(url), fetch: fetchInTime, ...(authToken ? { authToken } : {}) });
}

/** The client drops what follows the last slash of an address, with which two namespaces would be one database. */
function asFolder(url: string): string {
  const [, address = '', query = ''] = /^([^?]*)(.*)$/.exec(url) ?? [];
  return address.replace(/\/*$/, '/') + query;
}

/** The header that has to name a namespace by path too: a server looks for it there, or in the host name, when it lets a caller in (libSQL server 0.24). */
function headersOf({ namespace }: ServerPlace): Record<string, string> {
  return namespace ? { 'x-namespace': namespace } : {};
}

/** The address of a server's database dump, and the headers for requesting it. */
export function dumpRequest({ url, authToken }: Pick<OpenOptions, 'url' | 'authToken'>): {
  address: string;
  headers: Record<string, string>;
} {
  const place = placeOfServer(url);
  return {
    address: `${place.base}/dump`,
    headers: { ...(authToken ? { authorization: `Bearer ${authToken}` } : {}), ...headersOf(place) },
  };
}

async function readOnce(client: Client, statement: Statement, readOnly: boolean): Promise<Record<string, SqlValue>[]> {
  if (!readOnly) return toRecords(await client.execute(bind(statement)));
  if (!READS.test(statement.sql)) throw new Error(READ_ONLY);
  const [result] = await client.batch([bind(statement)], 'read');
  return result ? toRecords(result) : [];
}

/** A whole number is sent as a bigint: the client sends every number as a float, which text columns store as `5.0`. */
function bind({ sql, args = [] }: Statement) {
  assertBindable(args);
  return { sql, args: args.map((value) => (Number.isSafeInteger(value) ? BigInt(value as number) : value)) };
}

/**
 * Repeats a refused batch, as nothing of it was written. @throws DatabaseBusy when the time is over; DatabaseAway where the
 * server could not be reached at all; OutcomeUnknown where it was reached but did not say.
 */
async function untilFree<T>(
  { waitMs, address }: { waitMs: number; address: string },
  write: () => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (isUnreached(error)) throw makeAway(address, error);
      if (!isAnswer(error))
        throw new OutcomeUnknown(`the database server at ${address} did not answer: ${toText(error)}`, {
          cause: error,
        });
      if (!isBusy(error)) throw error;
      if (performance.now() > deadline)
        throw new DatabaseBusy(`the database at ${address} is held by another writer`, { cause: error });
    }
    await pause();
  }
}

function makeAway(address: string, error: unknown): DatabaseAway {
  const why = toText(error);
  const hint = NOT_FOUND.test(why) ? ': there is no such database, or something else answers there' : '';
  return new DatabaseAway(`the database at ${address} cannot be used: ${why}${hint}`, { cause: error });
}

/** A server whose disk was lost returns with an empty database: calls are refused until it is filled or restored. */
function nameEmpty(error: unknown, address: string): unknown {
  if (!(error instanceof LibsqlError && NO_TABLE.test(error.message))) return error;
  return new DatabaseFault(
    `the database at ${address} lacks a table, as an empty or another one does (${error.message}): restore it`,
    {
      cause: error,
    },
  );
}

const NOT_FOUND = /HTTP status 404/;
const NO_TABLE = /no such table/;

/** Codes of a connection that was never made: nothing was sent over it. */
const UNREACHED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** Whether a request found no server. The reason is in an error's cause, or in the cause of that. */
function isUnreached(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return UNREACHED.test(String((error as { code?: unknown }).code)) || isUnreached(error.cause);
}

/** Whether an error is the server's answer to the batch; any other concerns the connection. */
function isAnswer(error: unknown): boolean {
  return error instanceof LibsqlError && !/^(SERVER_ERROR|HRANA_)/.test(error.code);
}

/** The address without what may be secret in it: a user, a password, a token. */
function addressOf(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname.replace(/\/$/, '')}`;
}

/** `fetch` only says that it failed; its cause says why. At its deadline it throws a `TimeoutError`. Anything but JSON is not a database's answer. */
function isOfNetwork(error: unknown): boolean {
  const isLate = error instanceof DOMException && error.name === 'TimeoutError';
  return isCut(error) || isLate || error instanceof SyntaxError;
}

/** Whether the connection to the server was cut: a read may be repeated at once. */
function isCut(error: unknown): boolean {
  return error instanceof TypeError && error.cause !== undefined;
}

function toText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, message } = (error.cause ?? {}) as { code?: string; message?: string };
  const why = code ?? message;
  return hideCredentials(why && !error.message.includes(why) ? `${error.message} (${why})` : error.message);
}

function isBusy(error: unknown): boolean {
  return error instanceof LibsqlError && BUSY.test(error.code);
}

function pause(): Promise<void> {
  const waitMs = RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least);
  return new Promise((resolve) => setTimeout(resolve, waitMs));
}

/** A statement that returns columns counts its rows, as on a file; the server's count of changes applies to the others. */
function toOutcome(result: ResultSet): Outcome {
  if (result.columns.length === 0) return { rows: [], changes: result.rowsAffected };
  const rows = toRecords(result);
  return { rows, changes: rows.length };
}

function toRecords({ rows, columns }: ResultSet): Record<string, SqlValue>[] {
  return rows.map((row) => toRecord(row, columns));
}

function toRecord(row: Row, columns: string[]): Record<string, SqlValue> {
  const record: Record<string, SqlValue> = {};
  columns.forEach((column, index) => {
    const value = row[index];
    record[column] = value instanceof ArrayBuffer ? new Uint8Array(value) : ((value ?? null) as SqlValue);
  });
  return record;
}
