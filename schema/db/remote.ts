import { setTimeout as pause } from 'node:timers/promises';
import { hideCredentials } from '../process/log.ts';
import { nameCommitFault } from './failed-commit.ts';
import {
  assertBindable,
  BUSY_WAIT_MS,
  type Database,
  DatabaseAway,
  DatabaseBusy,
  DatabaseFault,
  nameDatabaseFault,
  nameRefusal,
  type OpenOptions,
  type Outcome,
  OutcomeUnknown,
  retryMs,
  type Statement,
} from './interface.ts';
import { headersOf, placeOfServer } from './server/place.ts';
import { ServerError, ServerUnreached } from './server/refusal.ts';
import { joinRows, splitOutcomes } from './server/rows.ts';
import { openStreams, type ServerStreams } from './server/streams.ts';

/** Pause before a refused write is tried again: longer than for a file, as a round trip costs more. */
const RETRY_MS = [5, 50] as const;
/** How long a server may take for one request, in milliseconds: a longer read is refused, and the outcome of a longer write is unknown. */
const DEADLINE_MS = { read: 5_000, write: 10_000 };

/** A server ends a batch that takes longer than 5 s while another waits: it was rolled back (libSQL server 0.24). */
const BUSY = /^(SQLITE_BUSY|SQLITE_LOCKED$|TRANSACTION_TIMEOUT$|TRANSACTION_BUSY$)/;

/** A deferred transaction may read first and then fail to write. */
const BEGIN = { read: 'BEGIN TRANSACTION READONLY', write: 'BEGIN IMMEDIATE' };

/** The words with which a read may begin. A server URL has no read-only mode, and a server may not support read-only transactions. */
const READS = /^\s*(select|with|values|explain|pragma)\b/i;
const READ_ONLY = 'attempt to write a readonly database';

/** A libSQL server or Turso. Durability is the server's; `readOnly` is enforced here and by its read transactions. */
export async function openRemote(options: OpenOptions): Promise<Database> {
  const reader = openStreams(options, options.deadlineMs?.read ?? DEADLINE_MS.read);
  const writer = openStreams(options, options.deadlineMs?.write ?? DEADLINE_MS.write);
  const waitMs = options.busyWaitMs ?? BUSY_WAIT_MS;
  const address = addressOf(options.url);
  const explain = (error: unknown): never => {
    if (error instanceof ServerError && isAnswer(error)) throw nameFault(error, address);
    if (!(error instanceof ServerError) && !isOfNetwork(error)) throw error;
    throw makeAway(address, error);
  };
  const read = (statement: Statement) => readOnce(reader, statement, options.readOnly ?? false);
  return {
    url: options.url,
    writesApart: true,
    async read<T>(statement: Statement) {
      const rows = read(statement).catch((error) => (isCut(error) ? read(statement) : Promise.reject(error)));
      return rows.catch(explain) as Promise<T[]>;
    },
    async write(statements) {
      if (options.readOnly) throw new Error(READ_ONLY);
      for (const { args = [] } of statements) assertBindable(args);
      const joined = joinRows(statements);
      const sent = joined.map(({ statement }) => statement);
      try {
        const outcomes = await untilFree({ waitMs, address }, () => writer.runBatch(BEGIN.write, sent));
        return splitOutcomes(joined, outcomes);
      } catch (error) {
        const place = error instanceof ServerError ? (error.statementIndex ?? -1) : -1;
        const named = place === sent.length ? nameCommitFault(error, address) : nameRefusal(error, sent[place]);
        throw nameFault(named, address);
      }
    },
    async close() {
      reader.close();
      writer.close();
    },
  };
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

async function readOnce(streams: ServerStreams, statement: Statement, readOnly: boolean): Promise<Outcome['rows']> {
  assertBindable(statement.args ?? []);
  if (!readOnly) return (await streams.run(statement)).rows;
  if (!READS.test(statement.sql)) throw new Error(READ_ONLY);
  const [outcome] = await streams.runBatch(BEGIN.read, [statement]);
  return outcome?.rows ?? [];
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
        throw new OutcomeUnknown(
          `the database server at ${address} did not say whether this was written: ${toText(error)}`,
          { cause: error },
        );
      if (!isBusy(error)) throw error;
      if (performance.now() > deadline)
        throw new DatabaseBusy(`the database at ${address} is held by another writer`, { cause: error });
    }
    await pause(retryMs(...RETRY_MS));
  }
}

function makeAway(address: string, error: unknown): DatabaseAway {
  const why = toText(error);
  const hint = HINTS.find(([pattern]) => pattern.test(why))?.[1] ?? '';
  return new DatabaseAway(`the database at ${address} cannot be used: ${why}${hint}`, { cause: error });
}

/**
 * What a refusal means to an operator, where no call can be answered: the server's disk is full or fails, or it has returned with
 * an empty database, or one from before an upgrade. Any other is unchanged.
 */
function nameFault(error: unknown, address: string): unknown {
  if (!(error instanceof ServerError)) return error;
  const lacks = LACKS.exec(error.message)?.[1];
  if (lacks)
    return new DatabaseFault(
      `the database at ${address} lacks a ${lacks} (${error.message}): it is empty, another one, or from before an upgrade; restore it, or restart jobs, which upgrade it`,
      { cause: error },
    );
  const named = error.cause && nameDatabaseFault(error.cause, address);
  return named instanceof DatabaseFault ? new DatabaseFault(named.message, { cause: error }) : error;
}

const HINTS: [RegExp, string][] = [
  [/(HTTP status|server response:) 404/, ': there is no such database, or something else answers there'],
  [/(HTTP status|server response:) 40[13]|\(AUTH_/, ': its token is missing, not of this server, or may not write'],
  [/(HTTP status|server response:) [23]|\(HPE_|^HRANA_ERROR|not valid JSON/, ': something else answers there'],
  [/\((EPROTO|ERR_SSL_)/, ': TLS failed; a server without it has an http: or ws: address'],
  // A libSQL server 0.24 ends the connection where it does not know the namespace, or where a token is missing or may not write.
  [/closed with code (1006|1011)/, ': it has just ended, has no such database, or wants another token'],
];
const LACKS = /(?:no such|has no) (table|column)\b/;

/** Codes of a connection that was never made: nothing was sent over it. */
const UNREACHED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** Whether a request found no server. The reason is in an error's cause, or in the cause of that. */
function isUnreached(error: unknown): boolean {
  if (error instanceof ServerUnreached) return true;
  if (!(error instanceof Error)) return false;
  return UNREACHED.test(String((error as { code?: unknown }).code)) || isUnreached(error.cause);
}

/** Whether an error is the server's answer to the batch; any other concerns the connection. */
function isAnswer(error: unknown): boolean {
  return error instanceof ServerError && !/^(SERVER_ERROR|HRANA_)/.test(error.code);
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
  return error instanceof ServerError && BUSY.test(error.code);
}
