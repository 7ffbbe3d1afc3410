import { BatchCond, type RowsResult, type Sql, Stmt } from '@libsql/hrana-client';
import type { Outcome, SqlValue, Statement } from '../interface.ts';
import { nameServerError, ServerError } from './refusal.ts';
import type { Wire } from './wire.ts';

/** A server may refuse to store longer ones (libSQL server 0.24: 5 kB). */
const LONGEST_STORED = 4_000;

/** Runs one statement outside a transaction. */
export async function runStatement({ stream }: Wire, statement: Statement): Promise<Outcome> {
  return toOutcome(await stream.query(bind(statement)));
}

/** Each statement runs only after the one before, and all are rolled back unless they were committed. */
export async function runTransaction(wire: Wire, begin: string, statements: readonly Statement[]): Promise<Outcome[]> {
  storeRepeated(wire, statements);
  const batch = wire.stream.batch(false);
  let last = batch.step();
  const steps: Promise<RowsResult | undefined>[] = [last.query(begin)];
  for (const statement of [...statements.map((each) => bind(each, wire.texts)), new Stmt('COMMIT')]) {
    last = batch.step().condition(BatchCond.ok(last));
    steps.push(last.query(statement));
  }
  const rollback = batch.step().condition(BatchCond.not(BatchCond.ok(last)));
  const all = Promise.allSettled([...steps, rollback.run('ROLLBACK')]);
  await batch.execute();
  const ended = (await all).slice(0, steps.length) as PromiseSettledResult<RowsResult | undefined>[];
  const outcomes = ended.map((step, place) => {
    const index = place > 0 ? place - 1 : undefined;
    if (step.status === 'rejected') throw nameServerError(step.reason, index);
    if (!step.value)
      throw new ServerError('the transaction ended before this statement', 'TRANSACTION_CLOSED', { index });
    return toOutcome(step.value);
  });
  return outcomes.slice(1, -1);
}

/** Lets the server store the statements which a batch has more than once. */
function storeRepeated({ texts, mostTexts, store }: Wire, statements: readonly Statement[]): void {
  const seen = new Set<string>();
  for (const { sql } of statements) {
    const isRepeated = seen.has(sql);
    seen.add(sql);
    if (isRepeated && !texts.has(sql) && texts.size < mostTexts && sql.length <= LONGEST_STORED)
      texts.set(sql, store(sql));
  }
}

/** A whole number is sent as a bigint: the client sends every number as a float, which text columns store as `5.0`. */
function bind({ sql, args = [] }: Statement, texts?: ReadonlyMap<string, Sql>): Stmt {
  const values = args.map((value) => (Number.isSafeInteger(value) ? BigInt(value as number) : value));
  return new Stmt(texts?.get(sql) ?? sql).bindIndexes(values);
}

/** A statement that returns columns counts its rows, as on a file; the server's count of changes applies to the others. */
function toOutcome({ columnNames, rows: lines, affectedRowCount }: RowsResult): Outcome {
  if (columnNames.length === 0) return { rows: [], changes: affectedRowCount };
  const rows = lines.map((line) => {
    const row: Record<string, SqlValue> = {};
    for (const [index, name] of columnNames.entries()) {
      const value = line[index];
      row[name ?? ''] = value instanceof ArrayBuffer ? new Uint8Array(value) : ((value ?? null) as SqlValue);
    }
    return row;
  });
  return { rows, changes: rows.length };
}
