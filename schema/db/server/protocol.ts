import type { Outcome, SqlValue, Statement } from '../interface.ts';
import type { ServerAnswer } from './fetch.ts';

/**
 * What a libSQL server reads and writes (Hrana 2 as JSON). The client package says the same, for twice the processor time of a
 * small batch, and cannot keep a stream from one batch to the next.
 */

/** The answer of a database that refuses, or an answer that is none of a database. */
export class ServerError extends Error {
  override name = 'ServerError';
  /** `SQLITE_…` or another code of the server; `SERVER_ERROR` and `HRANA_…` where the database itself did not answer. */
  readonly code: string;
  /** Which statement of a batch was refused; undefined where that was none of them. */
  readonly statementIndex: number | undefined;

  constructor(message: string, code: string, statementIndex?: number) {
    super(`${code}: ${message}`);
    this.code = code;
    this.statementIndex = statementIndex;
  }
}

/** A whole number is text: the server stores a JSON number as a floating one, in a text column as `5.0`. */
type WireValue =
  | { type: 'null' }
  | { type: 'integer' | 'text'; value: string }
  | { type: 'float'; value: number }
  | { type: 'blob'; base64: string };

interface WireStatement {
  sql?: string;
  sql_id?: number;
  args: WireValue[];
  want_rows: true;
}

interface WireResult {
  cols: { name: string | null }[];
  rows: WireValue[][];
  affected_row_count: number;
}

interface Fault {
  message: string;
  code?: string | null;
}

/** One request of a pipeline. */
export type PipelineRequest =
  | { type: 'close' }
  | { type: 'store_sql'; sql: string; sql_id: number }
  | { type: 'execute'; stmt: WireStatement }
  | { type: 'batch'; batch: { steps: { stmt: WireStatement; condition?: object }[] } };

/** The answer to one of them. */
export type PipelineResult = { type: 'ok'; response: { result?: unknown } } | { type: 'error'; error: Fault };

/** The answer to a pipeline. */
interface PipelineAnswer {
  /** What the next request of the stream has to show; null where it is closed. */
  baton: string | null;
  /** Where the next request of the stream goes; null: to the same address. */
  base_url: string | null;
  results: PipelineResult[];
}

/** The numbers of the statements that the server has stored for a stream. */
type StoredTexts = ReadonlyMap<string, number>;

const NONE: StoredTexts = new Map();

function toWireStatement({ sql, args = [] }: Statement, stored: StoredTexts): WireStatement {
  const id = stored.get(sql);
  return { ...(id === undefined ? { sql } : { sql_id: id }), args: args.map(toWire), want_rows: true };
}

/** @throws RangeError for a number that is not finite */
function toWire(value: SqlValue | bigint | ArrayBuffer | undefined): WireValue {
  if (value === null || value === undefined) return { type: 'null' };
  if (typeof value === 'string') return { type: 'text', value };
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return { type: 'integer', value: String(value) };
  if (typeof value !== 'number') return { type: 'blob', base64: toBuffer(value).toString('base64') };
  if (!Number.isFinite(value)) throw new RangeError('a database server takes finite numbers only');
  return { type: 'float', value };
}

function toBuffer(value: Uint8Array | ArrayBuffer): Buffer {
  if (value instanceof ArrayBuffer) return Buffer.from(value);
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

/** The request for one statement outside a transaction. */
export function toExecute(statement: Statement): PipelineRequest {
  return { type: 'execute', stmt: toWireStatement(statement, NONE) };
}

/** The request for a transaction: each statement only after the one before, and a rollback unless it was committed. */
export function toBatch(begin: string, statements: readonly Statement[], stored: StoredTexts): PipelineRequest {
  const all = [{ sql: begin }, ...statements, { sql: 'COMMIT' }];
  const steps = all.map((statement, index) => ({
    stmt: toWireStatement(statement, stored),
    ...(index === 0 ? {} : { condition: { type: 'ok', step: index - 1 } }),
  }));
  const isCommitted = { type: 'ok', step: all.length - 1 };
  const rollback = { stmt: toWireStatement({ sql: 'ROLLBACK' }, NONE), condition: { type: 'not', cond: isCommitted } };
  return { type: 'batch', batch: { steps: [...steps, rollback] } };
}

/** @throws ServerError where it is a refusal, or nothing that a database says; SyntaxError where it is not JSON */
export function readPipeline({ status, body }: ServerAnswer): PipelineAnswer {
  const text = body.toString('utf8');
  if (status !== 200) throw toHttpError(status, text);
  const answer = JSON.parse(text) as Partial<PipelineAnswer> | null;
  if (!Array.isArray(answer?.results)) throw new ServerError('no answer of a database', 'HRANA_PROTO_ERROR');
  return { baton: answer.baton ?? null, base_url: answer.base_url ?? null, results: answer.results };
}

function toHttpError(status: number, text: string): ServerError {
  const fault = text.startsWith('{') ? (JSON.parse(text) as Partial<Fault>) : {};
  if (fault.message !== undefined) return new ServerError(fault.message, fault.code ?? 'UNKNOWN');
  return new ServerError(`the server returned HTTP status ${status}: ${text.slice(0, 200)}`, 'SERVER_ERROR');
}

/** @throws ServerError where the request was refused */
function readResult<T>(result: PipelineResult | undefined): T {
  if (result?.type === 'error') throw toError(result.error);
  if (!result?.response?.result) throw new ServerError('an answer without a result', 'HRANA_PROTO_ERROR');
  return result.response.result as T;
}

function toError({ message, code }: Fault, index?: number): ServerError {
  return new ServerError(message, code ?? 'UNKNOWN', index);
}

/** What became of a statement. @throws ServerError where it was refused */
export function readExecute(result: PipelineResult | undefined): Outcome {
  return toOutcome(readResult(result));
}

/** What became of the statements of a committed batch. @throws ServerError where it was refused: nothing of it was written */
export function readBatch(result: PipelineResult | undefined, count: number): Outcome[] {
  type Steps = { step_results: (WireResult | null)[]; step_errors: (Fault | null)[] };
  const { step_results: results, step_errors: errors } = readResult<Steps>(result);
  for (let step = 0; step <= count + 1; step++) {
    const index = step > 0 && step <= count ? step - 1 : undefined;
    const [error, done] = [errors[step], results[step]];
    if (error) throw toError(error, index);
    if (!done) throw new ServerError('the transaction ended before this statement', 'TRANSACTION_CLOSED', index);
  }
  return results.slice(1, count + 1).map((done) => toOutcome(done as WireResult));
}

/** A statement that returns columns counts its rows, as on a file; the server's count of changes applies to the others. */
function toOutcome({ cols, rows: lines, affected_row_count: affected }: WireResult): Outcome {
  if (cols.length === 0) return { rows: [], changes: affected };
  const names = cols.map(({ name }) => name ?? '');
  const rows = lines.map((line) => {
    const row: Record<string, SqlValue> = {};
    for (const [index, name] of names.entries()) row[name] = fromWire(line[index] as WireValue);
    return row;
  });
  return { rows, changes: rows.length };
}

/** @throws RangeError for a whole number that JavaScript does not hold exactly */
function fromWire(value: WireValue): SqlValue {
  if (value.type === 'null') return null;
  if (value.type === 'blob') return new Uint8Array(Buffer.from(value.base64, 'base64'));
  if (value.type !== 'integer') return value.value;
  const number = Number(value.value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value.value} is too large to be read exactly`);
  return number;
}
