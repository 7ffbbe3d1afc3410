import type { Database } from '../../schema/db/interface.ts';
import type { Collection } from '../collections/shape.ts';
import type { AnyDocument, IndexBatch, IndexCursor } from '../engine.ts';

/** Rows that are stored in one batch. */
export const BATCH_ROWS = 2_000;
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

/** The next changed rows, read page by page; fewer than a batch at the end. */
export async function readBatch({ catalogue, collection }: From, from: Pick<IndexCursor, 'seq' | 'id'>, upTo: number) {
  const rows: ChangedRow[] = [];
  const sql = readChangedSql(collection);
  while (rows.length < BATCH_ROWS) {
    const { seq, id } = rows.at(-1) ?? from;
    const page = await catalogue.read<ChangedRow>({ sql, args: [seq, id, upTo] });
    rows.push(...page);
    if (page.length < PAGE_ROWS) break;
  }
  return rows;
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

const readByIdSql = ({ drained: { table, columns, join } }: Collection) => `SELECT ${columns} FROM ${table} n ${join}
  WHERE n.id IN (SELECT value FROM json_each(?))`;

/** The documents of some rows, as they are now; a row that has gone, or is found as a different document, has none. */
export async function readDocuments({ catalogue, collection }: From, ids: readonly string[]): Promise<AnyDocument[]> {
  const rows: ChangedRow[] = [];
  for (let at = 0; at < ids.length; at += PAGE_ROWS) {
    const args = [JSON.stringify(ids.slice(at, at + PAGE_ROWS))];
    rows.push(...(await catalogue.read<ChangedRow>({ sql: readByIdSql(collection), args })));
  }
  return toDocuments(
    collection,
    rows.filter(({ gone }) => gone !== 1),
  );
}

/** Rows as documents; removed rows as ids. */
export function makeBatch(collection: Collection, rows: ChangedRow[], cursor: IndexCursor): IndexBatch {
  return {
    gone: rows.filter((row) => row.gone === 1).map(({ id }) => id),
    documents: toDocuments(
      collection,
      rows.filter((row) => row.gone !== 1),
    ),
    cursor,
  };
}

function toDocuments({ drained }: Collection, rows: ChangedRow[]): AnyDocument[] {
  return rows.map(({ seq: _seq, gone: _gone, ...row }) => drained.toDocument(row as never));
}
