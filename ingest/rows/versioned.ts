import { BatchRefused, type Database, type SqlValue, type Statement } from '../../schema/db/interface.ts';
import { sha256 } from '../../schema/text/json-values.ts';
import { chunksOf, memoise } from '../../schema/text/memoise.ts';
import type { CompiledProcess } from '../compile/types.ts';
import type { IdentityKind } from '../party/sighting.ts';

/** Tables whose rows search drains. */
export const VERSIONED_TABLES = ['process', 'notice', 'contract', 'framework', 'company', 'buyer'] as const;
export type VersionedTable = (typeof VERSIONED_TABLES)[number];
/** Those whose rows have the kind of their buyer, which triggers keep. Their digests leave it out. */
export const BOUGHT_TABLES: readonly VersionedTable[] = ['notice', 'contract', 'framework'];

/** A row to store, without digest, seq and gone. */
export interface Row {
  table: VersionedTable;
  id: string;
  /** An undefined value is stored as null and is not part of the digest. */
  columns: Record<string, SqlValue | undefined>;
}

export interface StoredRow {
  digest: string;
  gone: number;
}

/** The `seq` of this batch's changed rows; `bumpSeq` comes before them. */
const SEQ = "(SELECT value FROM counter WHERE name = 'seq')";
export const bumpSeq: Statement = { sql: "UPDATE counter SET value = value + 1 WHERE name = 'seq'" };

function digestOfRow(row: Row): string {
  return sha256(JSON.stringify(row.columns));
}

/**
 * The statement of a table and its columns, described as `table a,b`. A row that says the same keeps its number, even if its digest
 * is that of another program or a migration changed it. With `inherits` as a third word, a row that the attached live generation has
 * as it is gets the number that it has there.
 */
const upsertOf = memoise((shape): Pick<Statement, 'sql' | 'row'> => {
  const [table = '', names = '', inherits] = shape.split(' ');
  const columns = ['id', ...names.split(','), 'digest'];
  const saysSame = (one: string, other: (name: string, place: number) => string) =>
    columns
      .slice(1, -1)
      .map((name, index) => `${one}.${name} IS ${other(name, index + 2)}`)
      .join(' AND ');
  const isStored = `(o.digest = ?${columns.length} OR (${saysSame('o', (_, place) => `?${place}`)}))`;
  const storedSeq = `(SELECT o.seq FROM live.${table} o WHERE o.id = ?1 AND ${isStored} AND o.gone = 0)`;
  const isSame = `${table}.gone = 0 AND ${saysSame(table, (name) => `excluded.${name}`)}`;
  const values = columns.map((_, index) => (inherits ? `?${index + 1}` : '?')).join(', ');
  const row = `(${values}, ${inherits ? `ifnull(${storedSeq}, ${SEQ})` : SEQ}, 0)`;
  const sql = `INSERT INTO ${table} (${columns.join(', ')}, seq, gone) VALUES ${row}
ON CONFLICT (id) DO UPDATE SET ${[...columns.slice(1), 'gone'].map((name) => `${name} = excluded.${name}`).join(', ')},
  seq = iif(${isSame}, ${table}.seq, excluded.seq)`;
  return inherits ? { sql } : { sql, row };
});

/**
 * The statement that stores a row, or null where the stored one says the same. @param inherits whether a row keeps the number
 * that it has in the attached live generation
 */
export function storeRow(row: Row, stored: StoredRow | undefined, inherits = false): Statement | null {
  const digest = digestOfRow(row);
  if (stored && stored.digest === digest && stored.gone === 0) return null;
  const names = Object.keys(row.columns);
  const args = [row.id, ...names.map((name) => row.columns[name] ?? null), digest];
  return { ...upsertOf(`${row.table} ${names.join(',')}${inherits ? ' inherits' : ''}`), args };
}

/** Rows table by table: a server writes those that follow each other in one statement. */
export function sortByTable(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => VERSIONED_TABLES.indexOf(a.table) - VERSIONED_TABLES.indexOf(b.table));
}

/** The statement that marks a row as gone, so that search removes it. */
export function loseRow(table: VersionedTable, id: string): Statement {
  return { sql: `UPDATE ${table} SET gone = 1, seq = ${SEQ} WHERE id = ? AND gone = 0`, args: [id] };
}

const NAMED = { name: "''", name_key: "''", totals: "'{}'", detail: "'{}'" };
const BOUGHT = { title: "''", buyer_id: 'NULL', buyer: 'NULL', buyer_kind: 'NULL', detail: "'{}'" };
/** What empties a row that is gone, as SQL by column. The row itself stays, so that search removes it, but its words and names go. */
export const EMPTIED: Readonly<Record<VersionedTable, Readonly<Record<string, string>>>> = {
  process: { title: "''", buyer_id: 'NULL', title_key: 'NULL', reference: 'NULL', documents: "'[]'", notices: "'[]'" },
  notice: { ...BOUGHT, joint_buyer_ids: 'NULL', description: "''" },
  contract: { ...BOUGHT, supplier: 'NULL', suppliers: "'[]'" },
  framework: { ...BOUGHT, lots: "'[]'" },
  company: { ...NAMED, locality: 'NULL', postcode: 'NULL' },
  buyer: NAMED,
};

/** What an update sets to empty a row. */
export const emptied = (table: VersionedTable) =>
  Object.entries(EMPTIED[table])
    .map(([name, sql]) => `${name} = ${sql}`)
    .join(', ');

/** What is stored of the processes that a batch compiles. Keys are `table id`. */
export interface StoredRows {
  processIds: string[];
  rows: Map<string, StoredRow>;
}

/** An organisation may have thousands of processes, and a database server answers with 10 MB at most. */
export const IDS_AT_ONCE = 200;

/** The rows of many ids, some at a time. @param sql its one argument is a JSON list of ids */
export async function readInParts<T>(catalogue: Database, sql: string, ids: readonly string[]): Promise<T[]> {
  const rows: T[] = [];
  for (const some of chunksOf(ids, IDS_AT_ONCE)) {
    for (const row of await catalogue.read<T>({ sql, args: [JSON.stringify(some)] })) rows.push(row);
  }
  return rows;
}

type KeyedRow = { id: string; digest: string; gone: number };

const PROCESSES = 'SELECT id FROM process WHERE ocid IN (SELECT value FROM json_each(?))';
const OF_PROCESS: readonly [VersionedTable, string][] = [
  ['process', 'SELECT id, digest, gone FROM process WHERE id IN (SELECT value FROM json_each(?))'],
  ['notice', 'SELECT id, digest, gone FROM notice WHERE process_id IN (SELECT value FROM json_each(?))'],
  ['contract', 'SELECT id, digest, gone FROM contract WHERE process_id IN (SELECT value FROM json_each(?))'],
  ['framework', 'SELECT id, digest, gone FROM framework WHERE id IN (SELECT value FROM json_each(?))'],
];
const ORGANISATIONS: Readonly<Record<IdentityKind, string>> = {
  buyer: 'SELECT id, digest, gone FROM buyer WHERE id IN (SELECT value FROM json_each(?))',
  company: 'SELECT id, digest, gone FROM company WHERE id IN (SELECT value FROM json_each(?))',
};
/** The stored rows of these ocids, gone processes included. */
export async function readStoredRows(
  catalogue: Database,
  ocids: readonly string[],
  compiled: readonly CompiledProcess[],
): Promise<StoredRows> {
  const stored = await catalogue.read<{ id: string }>({ sql: PROCESSES, args: [JSON.stringify(ocids)] });
  const processIds = [...new Set([...stored.map(({ id }) => id), ...compiled.map(({ id }) => id)])];
  const rows = new Map<string, StoredRow>();
  for (const [table, sql] of OF_PROCESS) {
    const stored = await catalogue.read<KeyedRow>({ sql, args: [JSON.stringify(processIds)] });
    for (const { id, digest, gone } of stored) rows.set(`${table} ${id}`, { digest, gone });
  }
  return { processIds, rows };
}

/** The stored rows of these buyers or companies by id, gone ones included; an id that was never stored is absent. */
export async function readStoredOrganisations(
  catalogue: Database,
  kind: IdentityKind,
  ids: readonly string[],
): Promise<Map<string, StoredRow>> {
  const rows = await catalogue.read<KeyedRow>({ sql: ORGANISATIONS[kind], args: [JSON.stringify(ids)] });
  return new Map(rows.map(({ id, digest, gone }) => [id, { digest, gone }]));
}

/** A batch that is overtaken more often than this fails: that is no accident. */
const TRIES_MAX = 50;

const READ_COMPILES: Statement = { sql: "SELECT value FROM counter WHERE name = 'compile'" };
const COUNT_COMPILE: Statement = { sql: "UPDATE counter SET value = value + 1 WHERE name = 'compile'" };
/** A second row of that name is refused by its primary key, and the batch with it. */
const REFUSE_UNLESS =
  "INSERT INTO counter (name, value) SELECT 'compile', 0 WHERE NOT EXISTS (SELECT 1 FROM counter WHERE name = 'compile' AND value = ?)";

/** A batch compiled from what the catalogue contained. */
interface CompiledBatch<T> {
  /** First in the batch: the lease's fence. */
  before: readonly Statement[];
  statements: readonly Statement[];
  /** Whether anything was compiled; a batch of nothing new counts as no compilation. */
  compiled: boolean;
  result: T;
}

/**
 * Writes a batch that was compiled from rows read before it, and only if no other such batch was written in between. Two sources
 * share buyers, suppliers and totals, and one would undo what the other found. An overtaken batch is compiled again.
 * @throws what `compile` and `catalogue.write` throw.
 */
export async function writeOptimistically<T>(
  catalogue: Database,
  compile: () => Promise<CompiledBatch<T>>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const [counter] = await catalogue.read<{ value: number }>(READ_COMPILES);
    const { before, statements, compiled, result } = await compile();
    const guard = compiled
      ? [{ sql: REFUSE_UNLESS, args: [counter?.value ?? 0], guard: true as const }, COUNT_COMPILE]
      : [];
    try {
      await catalogue.write([...before, ...guard, ...statements]);
      return result;
    } catch (error) {
      if (!(error instanceof BatchRefused) || tries === TRIES_MAX) throw error;
    }
  }
}

/** Whether the data itself is at fault: faults of a database, and of the connection to one, have their own types. */
export function isCompileFault(error: unknown): error is Error {
  return [TypeError, RangeError, SyntaxError, ReferenceError].some((kind) => error instanceof kind);
}

/** The result of `compile`; null where a stored release can no longer be compiled or read. */
export function tryCompile<T>(compile: () => T): T | null {
  try {
    return compile();
  } catch (error) {
    if (!isCompileFault(error)) throw error;
    return null;
  }
}
