import type { Database, SqlValue, Statement } from '../../../schema/db/interface.ts';
import type { Collection } from '../../collections/shape.ts';
import type { AnyDocument, FillableIndex, IndexBatch, IndexCursor } from '../../engine.ts';
import { printOf } from '../../results/served-hits.ts';
import { noCodes, readCodes } from '../layout/facet-codes.ts';
import { indexStatements, READ_CURSOR } from '../layout/tables.ts';
import { placeDocuments } from './keys.ts';
import { type Prepared, prepareDocuments } from './prepare.ts';

const READ_KEYS = 'SELECT print, key FROM document WHERE print IN (SELECT value FROM json_each(?))';
/**
 * Plain tables come before the FTS5 table. A statement on them between two documents would make FTS5 flush its buffer, which
 * costs six times as much as the rest (measured).
 */
const TABLES = ['document', 'facet', 'entry'] as const;
type Table = (typeof TABLES)[number];
/** The columns of a table in the order of a prepared row, and the number of rows in one statement. */
function columnsOf(table: Table, { compared }: Collection): { columns: string[]; rowsAtOnce: number } {
  if (table === 'document') return { columns: ['key', 'print', 'id'], rowsAtOnce: 50 };
  if (table === 'facet') return { columns: ['key', ...compared.map(({ name }) => name), 'facets'], rowsAtOnce: 50 };
  return {
    columns: ['rowid', 'title', 'buyer', 'supplier', 'subject', 'description', 'tokens'],
    rowsAtOnce: 1,
  };
}
const REMOVE: Record<Table, string> = {
  document: 'DELETE FROM document WHERE key = ?',
  facet: 'DELETE FROM facet WHERE key = ?',
  entry: 'DELETE FROM entry WHERE rowid = ?',
};
const STORE_VALUE = 'INSERT INTO facet_value (code, name) VALUES (?, ?)';
const STORE_WORD = `INSERT INTO word (term, documents) VALUES (?, ?)
  ON CONFLICT (term) DO UPDATE SET documents = documents + excluded.documents`;
const STORE_CURSOR = "INSERT OR REPLACE INTO state (name, value) VALUES ('cursor', ?)";

/** Indexes the rows of an index that is being filled, as `storeDocuments` needs them. */
export async function indexRows(index: Database, collection: Collection): Promise<void> {
  await index.write(indexStatements(collection).map((sql) => ({ sql })));
}

/** The position of the index, or null while it is empty. */
export async function readIndexCursor(index: Database): Promise<IndexCursor | null> {
  const [table] = await index.read({ sql: "SELECT 1 FROM sqlite_master WHERE name = 'state'" });
  if (!table) return null;
  const [row] = await index.read<{ value: string }>({ sql: READ_CURSOR });
  return row ? (JSON.parse(row.value) as IndexCursor) : null;
}

/** The number of documents in the index. */
export async function countDocuments(index: Database): Promise<number> {
  const [row] = await index.read<{ count: number }>({ sql: 'SELECT count(*) AS count FROM document' });
  return row?.count ?? 0;
}

/** Stores one batch: adds or replaces documents, removes others, and moves the cursor. */
export async function storeDocuments(index: Database, batch: IndexBatch, collection: Collection): Promise<void> {
  const latest = latestOf(batch.documents);
  const stored = await readKeys(index, [...latest.map(({ id }) => id), ...batch.gone]);
  const placed = await placeDocuments(index, latest, { collection, stored });
  const staying = new Set(placed.map(({ key }) => key));
  const leaving = new Set([...stored.values()].filter((key) => !staying.has(key)));
  const prepared = prepareDocuments(placed, await readCodes(index, latest, collection), collection);
  await index.write([
    cursorStatement(batch.cursor),
    ...valueStatements(prepared),
    ...wordStatements(prepared),
    ...TABLES.flatMap((table) => [
      ...Array.from(leaving, (key): Statement => ({ sql: REMOVE[table], args: [key] })),
      ...rowStatements('INSERT OR REPLACE', table, collection, prepared[table]),
    ]),
  ]);
}

/**
 * Fills an empty index: a function that stores a batch. Each document must come once only, and ids of removed rows are
 * ignored. It remembers the codes that a live index reads for each batch; after a failed batch it is of no use.
 */
export function startFilling(index: Database, collection: Collection): FillableIndex['store'] {
  const codes = noCodes(collection);
  return async ({ documents: given, cursor }) => {
    const placed = await placeDocuments(index, latestOf(given), { collection });
    const prepared = prepareDocuments(placed, codes, collection);
    await index.write(fillStatements(collection, { cursor, prepared }));
  };
}

/** Statements that store a batch in an index that has none of these documents. */
function fillStatements(
  collection: Collection,
  { cursor, prepared }: { cursor: IndexCursor; prepared: Prepared },
): Statement[] {
  return [
    cursorStatement(cursor),
    ...valueStatements(prepared),
    { sql: 'INSERT INTO word_part (counts) VALUES (?)', args: [countsText(prepared)] },
    ...TABLES.flatMap((table) => rowStatements('INSERT', table, collection, prepared[table])),
  ];
}

/** Each document once, in its last version. */
function latestOf(documents: AnyDocument[]): AnyDocument[] {
  return [...new Map(documents.map((document) => [document.id, document])).values()];
}

function cursorStatement(cursor: IndexCursor): Statement {
  return { sql: STORE_CURSOR, args: [JSON.stringify(cursor)] };
}

function valueStatements({ values }: Prepared): Statement[] {
  return values.map((args) => ({ sql: STORE_VALUE, args }));
}

function wordStatements({ words }: Prepared): Statement[] {
  return words.map((args) => ({ sql: STORE_WORD, args }));
}

/** As a JSON object. One with thousands of keys is slow to build; letters and digits need no escaping. */
function countsText({ words }: Prepared): string {
  return `{${words.map(([word, count]) => `"${word}":${count}`).join(',')}}`;
}

/**
 * Stores many rows of a plain table in one statement, because a statement costs the driver as much as a row costs SQLite. Rows
 * that do not fill a statement are stored one by one, so that there are only two statements to prepare.
 */
function rowStatements(
  verb: 'INSERT' | 'INSERT OR REPLACE',
  table: Table,
  collection: Collection,
  rows: readonly SqlValue[][],
): Statement[] {
  const { columns, rowsAtOnce } = columnsOf(table, collection);
  const values = `(${columns.map(() => '?').join(', ')})`;
  // Each text is made once: the driver finds a prepared statement by it.
  const sqlOf = (count: number) =>
    `${verb} INTO ${table} (${columns.join(', ')}) VALUES ${Array(count).fill(values).join(', ')}`;
  const one = sqlOf(1);
  if (rowsAtOnce === 1) return rows.map((args) => ({ sql: one, args }));
  const many = sqlOf(rowsAtOnce);
  const whole = rows.length - (rows.length % rowsAtOnce);
  const statements: Statement[] = [];
  for (let at = 0; at < whole; at += rowsAtOnce) {
    statements.push({ sql: many, args: rows.slice(at, at + rowsAtOnce).flat() });
  }
  return [...statements, ...rows.slice(whole).map((args) => ({ sql: one, args }))];
}

/** The keys of those of some documents that are stored, by id. */
export async function readKeys(index: Database, ids: string[]): Promise<Map<string, number>> {
  const idOf = new Map(ids.map((id) => [printOf(id), id]));
  const rows = await index.read<{ print: string; key: number }>({
    sql: READ_KEYS,
    args: [JSON.stringify([...idOf.keys()])],
  });
  return new Map(rows.map(({ print, key }) => [idOf.get(print) ?? '', key]));
}
