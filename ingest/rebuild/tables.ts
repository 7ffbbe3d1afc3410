import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database, SqlValue, Statement } from '../../schema/db/interface.ts';
import { BOUGHT_TABLES, EMPTIED, VERSIONED_TABLES, type VersionedTable } from '../rows/versioned.ts';

/** Tables that a rebuild compiles from the releases and the register. */
export const COMPILED_TABLES = [
  'release',
  ...VERSIONED_TABLES,
  'buyer_word',
  'contract_supplier',
  'buyer_supplier',
  'framework_reference',
  'process_reference',
  'process_mention',
  'notice_name',
  'party',
  'alias',
  'identity_fact',
  'coverage_day',
] as const;

/** Tables of the register. They are copied first, by `seq`, as suppliers are matched with them. */
export const REGISTER_TABLES = ['registered_company', 'previous_name'] as const;

/** Tables of the change log, which a new generation continues. */
export const LOG_TABLES = ['change', 'change_instant', 'lost_contract'] as const;

/** Tables with rows of their own in each generation. `counter` and `meta` take over what must continue. */
export const OWN_TABLES = ['fence', 'counter', 'meta', 'migration', 'company_answer'] as const;

/** Tables of a rebuild onto a server only: the rows that changed since they were sent, and the rebuild that fills a database. */
export const CHANGED_ROW = 'rebuild_changed_row';
export const TARGET = 'rebuild_target';

const TABLES = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
  AND name NOT LIKE 'libsql\\_%' ESCAPE '\\' AND name NOT IN ('${CHANGED_ROW}', '${TARGET}') ORDER BY name`;
const COLUMNS = 'SELECT name FROM pragma_table_info(?) ORDER BY cid';

/** The names of a catalogue's tables, without SQLite's own. */
export async function readTableNames(catalogue: Database): Promise<string[]> {
  return (await catalogue.read<{ name: string }>({ sql: TABLES })).map(({ name }) => name);
}

/** The tables that have rows: a fence table has none. */
export async function readFilledTables(catalogue: Database): Promise<string[]> {
  return (await readTableNames(catalogue)).filter((table) => table !== 'fence');
}

/** The names of a table's columns, each in quotation marks, as one of them is the SQL word `from`. */
export async function readColumns(catalogue: Database, table: string): Promise<string[]> {
  const rows = await catalogue.read<{ name: string }>({ sql: COLUMNS, args: [table] });
  return rows.map(({ name }) => `"${name}"`);
}

/** The tables that are copied whole: all that are not in a list above, so that a new one cannot be forgotten. */
export async function readCopiedTables(catalogue: Database): Promise<string[]> {
  const others = new Set<string>([...COMPILED_TABLES, ...REGISTER_TABLES, ...LOG_TABLES, ...OWN_TABLES]);
  return (await readTableNames(catalogue)).filter((table) => !others.has(table));
}

/** Statements that make every copied table of a new generation equal to the one attached as `live`. */
export async function copyStatements(target: Database): Promise<Statement[]> {
  const statements: Statement[] = [];
  for (const table of await readCopiedTables(target)) {
    const columns = (await readColumns(target, table)).join(', ');
    statements.push(
      { sql: `DELETE FROM main."${table}"` },
      { sql: `INSERT INTO main."${table}" (${columns}) SELECT ${columns} FROM live."${table}"` },
    );
  }
  return [...statements, { sql: COUNT_RELEASES }];
}

/** A register counts its companies there; other sources count the stored releases. */
const COUNT_RELEASES = `UPDATE main.source SET releases =
  (SELECT count(*) FROM main.release WHERE release.source = source.id)
  WHERE EXISTS (SELECT 1 FROM live.release WHERE release.source = source.id)`;

const CHUNK_ROWS = 5_000;
/** The numbers of a generation's batches start at this times the generation's number. */
const BATCHES_PER_GENERATION = 2 ** 40;

/** How far the two generations are reconciled: up to these values of `seq`. */
export interface ReconciledTo {
  built: number;
  live: number;
}

/** The number of the generation that follows a catalogue on a server, by how its batches are numbered. */
export async function generationOf(catalogue: Database): Promise<number> {
  return Math.floor((await readSeq(catalogue)) / BATCHES_PER_GENERATION) + 1;
}

/** The `seq` before the first batch of a generation; higher than any of the previous generation. */
export function firstSeq(generation: number): number {
  return generation * BATCHES_PER_GENERATION;
}

/** The last `seq` of a catalogue. */
export async function readSeq(catalogue: Database): Promise<number> {
  const [row] = await catalogue.read<{ value: number }>({ sql: "SELECT value FROM counter WHERE name = 'seq'" });
  return row?.value ?? 0;
}

/**
 * Reconciles every row with the live generation, so that search and other readers of `seq` continue across a rebuild. An
 * unchanged row keeps its `seq`, a changed row gets a higher one than any before, and a lost row stays as `gone`. A batch
 * has a few thousand rows, so that nothing waits.
 * @param from the `seq` before the first batch of the new generation, and that of the live one before any row was stored
 */
export async function reconcileRows(
  target: Database,
  from: { first: number; live: number },
  signal?: AbortSignal,
): Promise<ReconciledTo> {
  const mark = { built: await readSeq(target), live: from.live };
  await target.write([BUMP]);
  for (const table of BOUGHT_TABLES) {
    const sql = otherKindSql(table);
    await inChunks(target, { of: `main.${table}`, by: 'id', after: '' }, signal, (args) => ({ sql, args }));
  }
  for (const table of VERSIONED_TABLES) {
    const same = await sameAs(target, table);
    await inChunks(target, { of: `main.${table}`, by: 'seq', after: from.first }, signal, (args) =>
      inherit(table, same, `${table}.seq > ? AND ${table}.seq <= ?`, args),
    );
    const lost = await loseStatement(target, table, 'o.id > ? AND o.id <= ?');
    await inChunks(target, { of: `live.${table}`, by: 'id', after: '' }, signal, (args) => ({ sql: lost, args }));
  }
  return mark;
}

/** Statements for the last batch that reconcile the few rows that either generation changed since. */
export async function reconcileChangedStatements(
  target: Database,
  first: number,
  mark: ReconciledTo,
): Promise<Statement[]> {
  const statements: Statement[] = [BUMP];
  for (const table of VERSIONED_TABLES) {
    const same = await sameAs(target, table);
    const changed = `${table}.id IN (SELECT id FROM live.${table} WHERE seq > ?)`;
    statements.push(
      inherit(table, same, `${table}.seq > ?`, [mark.built]),
      inherit(table, same, changed, [mark.live]),
      differ(table, same, `${table}.seq <= ? AND ${changed}`, [first, mark.live]),
      { sql: await loseStatement(target, table, 'o.seq > ?'), args: [mark.live] },
    );
  }
  return statements;
}

const BUMP: Statement = { sql: "UPDATE main.counter SET value = value + 1 WHERE name = 'seq'" };
const SEQ = "(SELECT value FROM main.counter WHERE name = 'seq')";

const sameKindSql = (table: VersionedTable) => `o.buyer_kind IS ${table}.buyer_kind`;
/** Rows kept the numbers of the live generation before the kinds of their buyers were known. */
const otherKindSql = (
  table: VersionedTable,
) => `UPDATE main.${table} SET seq = ${SEQ} WHERE id > ? AND id <= ? AND gone = 0
  AND EXISTS (SELECT 1 FROM live.${table} o WHERE o.id = ${table}.id AND o.gone = 0 AND NOT (${sameKindSql(table)}))`;

/** The row of the live generation that says the same, as SQL. A migration that changed rows could not calculate their digests. */
async function sameAs(target: Database, table: VersionedTable): Promise<string> {
  const columns = (await readColumns(target, table)).filter((name) => name !== '"seq"' && name !== '"digest"');
  const saysSame = columns.map((name) => `o.${name} IS ${table}.${name}`).join(' AND ');
  // A digest leaves out the kind of the buyer, which comes from another row.
  const sameDigest = `o.digest = ${table}.digest${BOUGHT_TABLES.includes(table) ? ` AND ${sameKindSql(table)}` : ''}`;
  return `FROM live.${table} o WHERE o.id = ${table}.id AND o.gone = ${table}.gone AND ((${sameDigest}) OR (${saysSame}))`;
}

function inherit(table: VersionedTable, same: string, where: string, args: SqlValue[]): Statement {
  return {
    sql: `UPDATE main.${table} SET seq = (SELECT o.seq ${same}) WHERE ${where} AND EXISTS (SELECT 1 ${same})`,
    args,
  };
}

/** Gives a new `seq` to rows with one of the live generation, if that has changed them since. */
function differ(table: VersionedTable, same: string, where: string, args: SqlValue[]): Statement {
  return {
    sql: `UPDATE main.${table} SET seq = ${SEQ} WHERE ${where} AND NOT EXISTS (SELECT 1 ${same})`,
    args,
  };
}

/** A lost row is emptied: what a takedown by an earlier program left in it is not copied again. */
async function loseStatement(target: Database, table: VersionedTable, where: string): Promise<string> {
  const columns = await readColumns(target, table);
  const values = columns.map((name) => {
    if (name === '"gone"') return '1';
    // Search has already read the rows that were gone before, but not the others.
    if (name === '"seq"') return `CASE o.gone WHEN 1 THEN o.seq ELSE ${SEQ} END`;
    return EMPTIED[table][name.slice(1, -1)] ?? `o.${name}`;
  });
  return `INSERT OR IGNORE INTO main.${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM live.${table} o
    WHERE ${where} AND NOT EXISTS (SELECT 1 FROM main.${table} n WHERE n.id = o.id)`;
}

/** Runs a statement for one range of rows after another, in the order of a column. */
async function inChunks(
  target: Database,
  { of, by, after }: { of: string; by: 'id' | 'seq'; after: SqlValue },
  signal: AbortSignal | undefined,
  make: (args: [SqlValue, SqlValue]) => Statement,
): Promise<void> {
  const sql = `SELECT max(${by}) AS last FROM (SELECT ${by} FROM ${of} WHERE ${by} > ? ORDER BY ${by} LIMIT ${CHUNK_ROWS})`;
  for (let from = after; ; ) {
    signal?.throwIfAborted();
    const [row] = await target.read<{ last: SqlValue }>({ sql, args: [from] });
    if (!row?.last) return;
    await target.write([make([from, row.last])]);
    from = row.last;
    await yieldToEventLoop();
  }
}
