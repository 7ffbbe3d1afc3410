/** A value SQLite can hold; a BLOB comes back as bytes. */
export type SqlValue = string | number | null | Uint8Array;

/** One SQL statement with its positional arguments. Arguments are always bound, never spliced into the text. */
export interface Statement {
  sql: string;
  args?: readonly SqlValue[];
  /** Set on a statement that only decides whether its batch is written: `write` throws `BatchRefused` when a constraint refuses it. */
  guard?: true;
  /** Set on a read that needs the first row alone. A file reads no others, and a short statement takes a third less time. */
  first?: true;
  /**
   * The part of an insert that is its row, `(?, ?)`, if it may be one of several. A server prepares every statement again,
   * so inserts that follow each other are sent as one. It reads nothing that the rows before it write, and all changes are
   * counted at the first.
   */
  row?: string;
}

/** A statement whose arguments are always present, even if empty. */
export interface BoundStatement extends Statement {
  args: readonly SqlValue[];
}

/** What one statement of a batch did: rows of a `RETURNING` or `SELECT`, and how many rows it changed. */
export interface Outcome {
  rows: Record<string, SqlValue>[];
  changes: number;
}

/** How hard a commit tries to reach the disk: `normal` may lose the last commits in a power cut, `full` may not. */
type Durability = 'normal' | 'full';

export interface OpenOptions {
  /** `file:…` (prepared on the `libsql` package) or `libsql:`/`http(s):`/`ws(s):` (a libSQL server). */
  url: string;
  authToken?: string | undefined;
  durability: Durability;
  /** Refuses every write on this connection. */
  readOnly?: boolean;
  /** Refuses to open where there is no file; otherwise an empty one is created. */
  mustExist?: boolean;
  /** How long a write waits for another process's write before `DatabaseBusy`, in milliseconds. */
  busyWaitMs?: number;
  /** How long a server may take for one request, in milliseconds; not used for a file. */
  deadlineMs?: { read: number; write: number };
}

/** The state of a copy of a server's database. */
export interface CopyAge {
  /** Whether it answers reads; otherwise the server is asked, as no copy is complete. */
  answers: boolean;
  /** Seconds since it last had everything on the server; null: it never did. */
  seconds: number | null;
  /** Why it is not newer, in words; null where the last sync succeeded. */
  fault: string | null;
}

/** The one way to a database. Code above it does not distinguish a file from a server. */
export interface Database {
  readonly url: string;
  /**
   * Rows of one statement. On a file the statement is prepared once and runs synchronously: keep it short.
   * @throws DatabaseAway when a server did not answer in time.
   */
  read<T>(statement: Statement): Promise<T[]>;
  /**
   * Reads where batches are written now: on the server of a copy, and on the successor of a catalogue that has moved. Undefined
   * where `read` always reads there.
   */
  readNewest?<T>(statement: Statement): Promise<T[]>;
  /**
   * One atomic batch: all statements commit together or none does.
   * @throws DatabaseBusy when another writer held the database for longer than `busyWaitMs`; nothing was written.
   * @throws BatchRefused when a guard of the batch refused it; nothing was written.
   * @throws DatabaseAway when a server could not be reached; nothing was written.
   * @throws OutcomeUnknown when a server did not answer, or a disk failed at the commit: all of it was written, or nothing.
   */
  write(statements: readonly Statement[]): Promise<Outcome[]>;
  /** Whether this process answers calls while a batch is written: by a server, or by another thread or process. */
  readonly writesApart?: boolean;
  /** A text that changes with every commit, including those of other processes. Undefined on a server, which cannot say. */
  version?(): string | undefined;
  /** Whether the path now has another file or none, so that writes here are lost. Undefined on a server. */
  isDisplaced?(): boolean;
  /** Its age, where it is this machine's copy of a server's database. Undefined elsewhere. */
  copyAge?(): CopyAge;
  /** The address of the server that it moved to after it was opened; null where it has not moved. Undefined elsewhere. */
  movedTo?(): string | null;
  close(): Promise<void>;
}

/** The connection was lost, or the disk failed, before it was said whether a batch was written. A repeatable one may be written again. */
export class OutcomeUnknown extends Error {
  override name = 'OutcomeUnknown';
}

/** A guard of the batch refused it: the data behind the batch has changed since. Nothing was written. */
export class BatchRefused extends Error {
  override name = 'BatchRefused';
}

/** Another writer held the database for too long. Nothing was written; the caller may try again. */
export class DatabaseBusy extends Error {
  override name = 'DatabaseBusy';
}

/** A database that cannot be used in its present state: what is wrong and what an operator can do, in one sentence. */
export class DatabaseFault extends Error {
  override name = 'DatabaseFault';
  /** The file that cannot be used; undefined for a server. */
  readonly file: string | undefined;
  constructor(message: string, options: ErrorOptions & { file?: string } = {}) {
    super(message, options);
    this.file = options.file;
  }
}

/** A database server that does not answer, or not in time. It can be tried again in a moment; nothing was written. */
export class DatabaseAway extends DatabaseFault {
  override name = 'DatabaseAway';
}

/** Whether a write may be repeated in a moment: its database was busy or away, or did not say whether it was written. */
export function isPassing(error: unknown): boolean {
  return [DatabaseBusy, DatabaseAway, OutcomeUnknown].some((kind) => error instanceof kind);
}

/** A fault of a process that reads databases for another one, as it is sent there. */
export interface ReaderFault {
  kind: 'fault';
  message: string;
  /** `away`: a server that does not answer just now, or what has the same effect; `database`: a file that cannot be used. */
  of: 'away' | 'database' | 'program';
}

/** An error as it is sent to the process that asked. */
export function toReaderFault(error: unknown, isAway = isPassing(error)): ReaderFault {
  const of = error instanceof DatabaseFault ? 'database' : 'program';
  return { kind: 'fault', message: (error as Error).message, of: isAway ? 'away' : of };
}

/** The error that the process that asked throws. @param reader the name of the one that answered */
export function fromReaderFault({ message, of }: ReaderFault, reader: string): Error {
  if (of === 'away') return new DatabaseAway(message);
  return of === 'database' ? new DatabaseFault(message) : new Error(`the ${reader} failed: ${message}`);
}

/** Whether an error says that a file is damaged, or never was a database. */
export const isUnreadable = (error: unknown): boolean => /^SQLITE_(NOTADB|CORRUPT)/.test(readCode(error));

/** What SQLite's result codes mean to an operator (sqlite.org/rescode.html), most specific first. */
const MEANINGS: [RegExp, (file: string) => string][] = [
  [/^SQLITE_(NOMEM|IOERR_NOMEM)/, (file) => `there is no memory left to use ${file}: stop something else, or add some`],
  // The file of shared memory that readers and writers need cannot grow.
  [
    /^SQLITE_(FULL|IOERR_SHMSIZE)/,
    (file) => `the disk is full: nothing of this was written to ${file}. Make room and run it again`,
  ],
  [/^SQLITE_NOTADB/, (file) => `${file} is not a database. Move it away, or put a backup in its place`],
  // SQLite says the same where its disk could not be read.
  [
    /^SQLITE_CORRUPT/,
    (file) =>
      `${file} is damaged, unless its disk only failed just now (see the system's log). Put a backup in its place (the catalogue can be ingested again, and jobs build a search index again by themselves)`,
  ],
  [/^SQLITE_READONLY/, (file) => `${file} cannot be written: it, its folder or its disk is read-only to this user`],
  [
    /^SQLITE_(CANTOPEN|PERM|AUTH)/,
    (file) => `${file} cannot be opened: its folder is missing or this user may not use it, the file, its -wal or -shm`,
  ],
  [/^SQLITE_PROTOCOL/, (file) => `${file} cannot be locked: its disk failed, or the system has no lock left`],
  // A libSQL server says no more than this where its disk is full (0.24).
  [/^SQLITE_IOERR/, (file) => `the disk that holds ${file} is full or failed: nothing of this was written`],
];

/** Primary result codes. The driver knows some extended ones only by number: UNKNOWN_SQLITE_ERROR_1544 is 8 + 6 * 256. */
const PRIMARY: Record<number, string> = {
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  15: 'SQLITE_PROTOCOL',
  19: 'SQLITE_CONSTRAINT',
  23: 'SQLITE_AUTH',
  26: 'SQLITE_NOTADB',
};

/**
 * The name of an error's SQLite result code, or of its primary one where it has no name here; empty for other errors.
 * A `DatabaseFault` and a `BatchRefused` have the code of their cause.
 */
export function readCode(error: unknown): string {
  if (error instanceof DatabaseFault || error instanceof BatchRefused) return error.cause ? readCode(error.cause) : '';
  const { code = '' } = error as { code?: unknown };
  if (typeof code !== 'string') return '';
  const unnamed = /^UNKNOWN_SQLITE_ERROR_(\d+)$/.exec(code);
  return unnamed ? (PRIMARY[Number(unnamed[1]) & 0xff] ?? code) : code;
}

/** The path of a database that is a file. */
export const pathOfFile = (url: string) => url.replace(/^file:/, '');

/** Turns a driver's error into what it means to an operator; any other error (a constraint, a wrong statement) is unchanged. */
export function nameDatabaseFault(error: unknown, url: string): unknown {
  const { message = '' } = error as { message?: string };
  const code = readCode(error);
  const file = pathOfFile(url);
  const meaning = MEANINGS.find(([pattern]) => pattern.test(code))?.[1];
  return meaning ? new DatabaseFault(`${meaning(file)} (${code}: ${message})`, { cause: error, file }) : error;
}

/** The error of a batch that stopped at this statement: `BatchRefused` where a constraint refused a guard, otherwise unchanged. */
export function nameRefusal(error: unknown, stoppedAt: Statement | undefined): unknown {
  if (!stoppedAt?.guard || !readCode(error).startsWith('SQLITE_CONSTRAINT')) return error;
  return new BatchRefused((error as Error).message, { cause: error });
}

/**
 * Refuses arguments that SQLite cannot store, in the same way for a file and a server. The driver of files gives its error
 * no code, and ends the whole process over a boolean (measured on 0.5.29).
 * @throws TypeError
 */
export function assertBindable(args: readonly SqlValue[]): void {
  for (const value of args as readonly unknown[]) {
    const kind = typeof value;
    if (kind === 'string' || kind === 'number' || value === null || kind === 'undefined' || kind === 'bigint') continue;
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) continue;
    throw new TypeError(`a database holds no ${kind}: only text, numbers, bytes and null`);
  }
}

/** The default of `busyWaitMs`. */
export const BUSY_WAIT_MS = 2_000;

/** How long to pause before a refused write is tried again: at random, so that two writers do not meet again. */
export const retryMs = (least: number, most: number): number => least + Math.random() * (most - least);

/** SQL for the clock of the machine that the database is on, in milliseconds since the epoch. */
export const SERVER_NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/** The first row of a statement, or undefined where there is none. @throws what `Database.read` throws. */
export async function readFirst<T>(database: Database, { sql, args = [] }: Statement): Promise<T | undefined> {
  return (await database.read<T>({ sql, args, first: true }))[0];
}
