/** A value SQLite can hold; a BLOB comes back as bytes. */
export type SqlValue = string | number | null | Uint8Array;

/** One SQL statement with its positional arguments. Arguments are always bound, never spliced into the text. */
export interface Statement {
  sql: string;
  args?: readonly SqlValue[];
  /** Set on a statement that only decides whether its batch is written: `write` throws `BatchRefused` when a constraint refuses it. */
  guard?: true;
}

/** A statement whose arguments are stated, be they none. */
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
  /** Refuses to open where there is no file; otherwise an empty one is made. */
  mustExist?: boolean;
  /** How long a write waits for another process's write before `DatabaseBusy`, in milliseconds. */
  busyWaitMs?: number;
  /** How long a server may take for one request, in milliseconds; of a file there is none. */
  deadlineMs?: { read: number; write: number };
}

/** The one way to a database. Everything above it cannot tell a file from a server. */
export interface Database {
  readonly url: string;
  /**
   * Rows of one statement. On a file the statement is prepared once and runs synchronously: keep it short.
   * @throws DatabaseAway when a server did not answer in time.
   */
  read<T>(statement: Statement): Promise<T[]>;
  /**
   * One atomic batch: all statements commit together or none does.
   * @throws DatabaseBusy when another writer held the database for longer than `busyWaitMs`; nothing was written.
   * @throws BatchRefused when a guard of the batch refused it; nothing was written.
   * @throws DatabaseAway when a server could not be reached; nothing was written.
   * @throws OutcomeUnknown when a server did not answer: all of it was written, or nothing.
   */
  write(statements: readonly Statement[]): Promise<Outcome[]>;
  /** A text that changes with every commit, also of other processes. Undefined on a server, which cannot say. */
  version?(): string | undefined;
  /** Whether the path now has another file or none, so that writes here are lost. Undefined on a server. */
  isDisplaced?(): boolean;
  close(): Promise<void>;
}

/** The connection was lost before the server said whether it wrote. What is repeatable may be written again. */
export class OutcomeUnknown extends Error {
  override name = 'OutcomeUnknown';
}

/** A guard of the batch refused it: what the batch was made from has changed since. Nothing was written. */
export class BatchRefused extends Error {
  override name = 'BatchRefused';
}

/** Another writer held the database for too long. Nothing was written; the caller may try again. */
export class DatabaseBusy extends Error {
  override name = 'DatabaseBusy';
}
