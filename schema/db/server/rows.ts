import type { Outcome, Statement } from '../interface.ts';

/**
 * A server prepares every statement of a batch again, with all triggers of its table: for a contract that takes half a
 * millisecond. On a file each is prepared once.
 */

/** Rows of one statement: a row more saves little beyond this, and SQLite takes 32,766 arguments. */
const ROWS_MAX = 50;

/** A statement of a batch, and how many of those given it stands for. */
interface Joined {
  statement: Statement;
  count: number;
}

/** The statements of a batch in their order: inserts of one text that follow each other are one of many rows. */
export function joinRows(statements: readonly Statement[]): Joined[] {
  const runs: Statement[][] = [];
  for (const statement of statements) {
    const run = runs.at(-1);
    const [first] = run ?? [];
    const isNext = statement.row !== undefined && first?.row === statement.row && first.sql === statement.sql;
    if (run && isNext && run.length < ROWS_MAX) run.push(statement);
    else runs.push([statement]);
  }
  return runs.map((run) => ({ statement: join(run), count: run.length }));
}

function join(run: readonly Statement[]): Statement {
  const [first] = run as [Statement];
  const { sql, row } = first;
  if (row === undefined || run.length === 1) return first;
  const rows = Array(run.length).fill(row).join(', ');
  return { sql: sql.replace(row, () => rows), args: run.flatMap(({ args = [] }) => args) };
}

/** The outcomes of the statements that were given. */
export function splitOutcomes(joined: readonly Joined[], outcomes: readonly Outcome[]): Outcome[] {
  return joined.flatMap(({ count }, index) => {
    const others = Array.from({ length: count - 1 }, (): Outcome => ({ rows: [], changes: 0 }));
    return [outcomes[index] as Outcome, ...others];
  });
}
