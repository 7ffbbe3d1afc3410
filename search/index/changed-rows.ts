import type { Database } from '../../schema/db/interface.ts';
import { chunksOf, memoiseByObject } from '../../schema/text/memoise.ts';
import type { Collection, ShownDocument } from '../collections/shape.ts';
import type { AnyDocument, IndexBatch, IndexCursor } from '../engine.ts';

/** Rows in one read, which come to 0.5 MB. A database server answers with 10 MB at most, and with 32 MB for all of its readers. */
const PAGE_ROWS = 100;

const readChangedSql = ({ drained: { table, columns, join } }: Collection) => `SELECT ${columns} FROM ${table} n ${join}
  WHERE (n.seq, n.id) > (?, ?) AND n.seq <= ? ORDER BY n.seq, n.id LIMIT ${PAGE_ROWS}`;
const readConcernedSql = ({
  drained: { table, columns, join, others },
}: Collection) => `SELECT ${columns} FROM ${table} n ${join}
  WHERE ${others.concerns} AND n.id > ? ORDER BY n.id LIMIT ${PAGE_ROWS}`;

/** A row as its collection reads it. */
type ChangedRow = { id: string; seq: number; gone: number };

/** Where changed rows are read from. */
interface From {
  catalogue: Database;
  collection: Collection;
}

/** Documents of changed rows, ids of removed ones, and where the next begin; null after the last. */
type Changed = Omit<IndexBatch, 'cursor'> & { next: Pick<IndexCursor, 'seq' | 'id'> | null };

/** What changed after a position, up to `most` rows. Read page by page, as rows are larger than their documents. */
export async function readChanged(
  { catalogue, collection }: From,
  from: Pick<IndexCursor, 'seq' | 'id'>,
  { upTo, most }: { upTo: number; most: number },
): Promise<Changed> {
  const changed: Changed = { documents: [], gone: [], next: from };
  const sql = readChangedSql(collection);
  for (let read = 0; read < most && changed.next; read += PAGE_ROWS) {
    const { seq, id } = changed.next;
    const page = await catalogue.read<ChangedRow>({ sql, args: [seq, id, upTo] });
    const { documents, gone } = sortRows(collection, page);
    changed.documents.push(...documents);
    changed.gone.push(...gone);
    const last = page.length < PAGE_ROWS ? undefined : page.at(-1);
    changed.next = last ? { seq: last.seq, id: last.id } : null;
  }
  return changed;
}

/**
 * Documents that changed because of other rows than their own, page by page. @param between the `seq` above which those other
 * rows are, and the last one
 */
export async function* readConcerned(
  { catalogue, collection }: From,
  between: { after: number; upTo: number },
): AsyncGenerator<ChangedRow[]> {
  const sql = `${collection.drained.others.changed} LIMIT ${PAGE_ROWS}`;
  for (let after = ''; ; ) {
    const changed = await catalogue.read<{ id: string }>({ sql, args: [between.after, between.upTo, after] });
    const last = changed.at(-1);
    if (!last) return;
    yield* readConcernedBy({ catalogue, collection }, JSON.stringify(changed.map(({ id }) => id)));
    after = last.id;
  }
}

async function* readConcernedBy({ catalogue, collection }: From, changed: string): AsyncGenerator<ChangedRow[]> {
  const sql = readConcernedSql(collection);
  for (let after = ''; ; ) {
    const rows = await catalogue.read<ChangedRow>({ sql, args: [changed, after] });
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.id;
  }
}

/** A row as it is now: a row that has gone, or is found as a different document, has none. */
interface ReadRow extends Pick<ChangedRow, 'id' | 'seq'> {
  document: AnyDocument | undefined;
}

/** Some rows as they are now, with their documents. */
export async function readDocuments({ catalogue, collection }: From, ids: readonly string[]): Promise<ReadRow[]> {
  const sql = `SELECT ${collection.drained.columns} ${whereIds(collection)}`;
  const rows = await readByIds(ids, (args) => catalogue.read<ChangedRow>({ sql, args }));
  return rows.map((row) => ({
    id: row.id,
    seq: row.seq,
    document: isThere(row) ? toDocument(collection, row) : undefined,
  }));
}

/** The documents of some rows as hits show them: with those fields alone. */
export async function readShown({ catalogue, collection }: From, ids: readonly string[]): Promise<ShownDocument[]> {
  const { sql, names } = shownQuery(collection);
  const rows = await readByIds(ids, async (args) => {
    const [read] = await catalogue.read<{ rows: string }>({ sql, args });
    return (JSON.parse(read?.rows ?? '[]') as unknown[][]).map((values) => toRow(names, values));
  });
  return rows.filter(isThere).map((row) => collection.drained.shown.toShown(row as never));
}

/** As one text, because the driver returns rows more slowly than the catalogue finds them. */
const shownQuery = memoiseByObject((collection: Collection) => {
  const { columns } = collection.drained.shown;
  const row = `json_array(${Object.values(columns).join(', ')})`;
  return { sql: `SELECT json_group_array(${row}) AS rows ${whereIds(collection)}`, names: Object.keys(columns) };
});

const whereIds = ({ drained: { table, join } }: Collection) =>
  `FROM ${table} n ${join} WHERE n.id IN (SELECT value FROM json_each(?))`;

/** Field by field, because a list of pairs takes four times as long. */
function toRow(names: readonly string[], values: readonly unknown[]): ChangedRow {
  const row: Record<string, unknown> = {};
  for (const [at, name] of names.entries()) row[name] = values[at];
  return row as unknown as ChangedRow;
}

async function readByIds(
  ids: readonly string[],
  read: (args: string[]) => Promise<ChangedRow[]>,
): Promise<ChangedRow[]> {
  const rows: ChangedRow[] = [];
  for (const some of chunksOf(ids, PAGE_ROWS)) rows.push(...(await read([JSON.stringify(some)])));
  return rows;
}

const isThere = ({ gone }: ChangedRow) => gone !== 1;

/** Rows as documents; removed rows as ids. */
export function sortRows(collection: Collection, rows: ChangedRow[]): Omit<IndexBatch, 'cursor'> {
  return {
    gone: rows.filter((row) => row.gone === 1).map(({ id }) => id),
    documents: rows.filter(isThere).map((row) => toDocument(collection, row)),
  };
}

function toDocument({ drained }: Collection, { seq: _seq, gone: _gone, ...row }: ChangedRow): AnyDocument {
  return drained.toDocument(row as never);
}
